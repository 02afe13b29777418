"""The receiver of ``tests/support/sdk_receiver.py`` in a process and an environment of its own."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.browser.tab import ROOT
from tests.support import processes


@dataclass(frozen=True)
class Arrived:
    """One request as the receiver saw it, and why its library rejected it; empty when it accepted."""

    headers: dict[str, str]
    body: bytes
    problem: str


class SdkReceiver:
    """The running receiver.

    Args:
        folder: where its output goes.
    """

    def __init__(self, folder: Path) -> None:
        self._log = folder / "receiver.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._base = ""

    def start(self, *, timeout_s: float = 20.0) -> SdkReceiver:
        """Start it and wait until it says where it listens."""
        python = os.environ.get("HOOK_SDK_PYTHON", str(ROOT / ".venv-sdk/bin/python"))
        script = ROOT / "tests/support/sdk_receiver.py"
        if not Path(python).exists():
            raise RuntimeError(f"{python} is missing: run `make test-sdk` once, it makes the environment")
        self._process = processes.start(
            [python, str(script)], cwd=self._log.parent, env=os.environ, log=self._log
        )
        deadline = time.monotonic() + timeout_s
        while not (said := self._log.read_text()).endswith("\n"):
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"the receiver did not start: {said}")
            time.sleep(0.02)
        self._base = said.strip()
        return self

    def stop(self) -> None:
        """End it."""
        if self._process is not None:
            processes.stop(self._process)
            self._process = None

    def url(self, provider: str) -> str:
        """Return the URL for the provider's requests."""
        return f"{self._base}/{provider}"

    def trust(self, provider: str, key: str) -> None:
        """Configure the secret, or the public key, as one would an endpoint, and forget what arrived."""
        self._ask(provider, key.encode(), "PUT")

    def arrived(self, provider: str) -> list[Arrived]:
        """Return the requests for a provider since `trust`, oldest first."""
        return [
            Arrived(dict(one["headers"]), base64.b64decode(one["body"]), one["problem"])
            for one in self._ask(provider, None, "GET")
        ]

    def _ask(self, provider: str, body: bytes | None, method: str) -> Any:
        request = urllib.request.Request(self.url(provider), data=body, method=method)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)
