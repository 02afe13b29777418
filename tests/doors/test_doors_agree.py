"""Every door gives the same ids, statuses and words for the same receiver.

A door is a function that checks the receiver at a URL and returns the checks of its report, as in the JSON.
To add one, add it to `DOORS`.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from mcp import Client

from hook_widgets import WebhookGenerator
from hook_widgets.cli.app import main
from hook_widgets.receivers import check_receiver
from hook_widgets.webhooks import Secret
from tests.doors.mcp_client import call, session
from tests.receiver_checks.http_layer import Serving
from tests.receiver_checks.reference import Reference
from tests.receivers.broken.faults import FAULTS
from tests.support.extent import extent
from tests.widgets.fake_tab import FakeTab

SECRET = "whsec_of_all_doors"
Checks = list[dict[str, Any]]
#: what a row of the widget shows
_SHOWN = ("title", "severity", "status", "expected", "observed", "why", "sources")


@pytest.fixture(autouse=True)
def _secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOOR_SECRET", SECRET)


def engine(provider: str, url: str, capture: pytest.CaptureFixture[str]) -> Checks:
    checks: Checks = json.loads(check_receiver(provider, url, Secret(SECRET)).to_json())["checks"]
    return checks


def command_line(provider: str, url: str, capture: pytest.CaptureFixture[str]) -> Checks:
    capture.readouterr()
    main(["check", provider, url, "--secret-env", "DOOR_SECRET", "--format", "json"])
    checks: Checks = json.loads(capture.readouterr().out)["checks"]
    return checks


def agent(provider: str, url: str, capture: pytest.CaptureFixture[str]) -> Checks:
    async def work(client: Client) -> Any:
        return await call(client, "check_receiver", provider=provider, url=url, secret_env="DOOR_SECRET")

    reply, _ = session(work, {"DOOR_SECRET": SECRET}, ("--allow-secret-env", "DOOR_SECRET"))
    assert not reply.error, reply.text
    checks: Checks = reply.value["checks"]
    return checks


def plugin(provider: str, url: str, capture: pytest.CaptureFixture[str]) -> Checks:
    mark = f"@pytest.mark.webhook_checks({provider!r}, url={url!r}, secret_env='DOOR_SECRET')"
    with TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "pytest.ini").write_text("[pytest]\n")
        (home / "test_it.py").write_text(f"import pytest\n\n{mark}\ndef test_receiver():\n    pass\n")
        command = [sys.executable, "-m", "pytest", "--webhook-report=report.json", "-p", "no:cacheprovider"]
        done = subprocess.run(command, cwd=home, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stdout + done.stderr
        checks: Checks = json.loads((home / "report.json").read_text())["checks"]
    return checks


def widget(provider: str, url: str, capture: pytest.CaptureFixture[str]) -> Checks:
    tab = FakeTab(WebhookGenerator(provider, url=url, secret=Secret(SECRET)))
    reply = tab.ask("check", suite="standard")
    assert reply["ok"], reply
    tab.say({"id": "export", "op": "check_export", "args": {"form": "json"}})
    _, [text] = tab.replies["export"]
    checks: Checks = json.loads(text)["checks"]
    shown = {note["row"]["id"]: note["row"] for note in tab.notes if note["op"] == "check_row"}
    assert [{name: shown[check["id"]][name] for name in _SHOWN} for check in checks] == [
        {name: check[name] for name in _SHOWN} for check in checks
    ]
    return checks


DOORS: dict[str, Callable[[str, str, pytest.CaptureFixture[str]], Checks]] = {
    "engine": engine,
    "command line": command_line,
    "agent": agent,
    "pytest": plugin,
    "widget": widget,
}


def told(checks: Checks) -> Checks:
    """Return what must be the same: everything but measured times."""
    return [
        {
            **{name: value for name, value in check.items() if name != "elapsed_ms"},
            "observed": re.sub(r"[\d.]+ m?s\b", "… s", check["observed"]),
        }
        for check in checks
    ]


BROKEN = next(f.receiver for f in FAULTS if f.failed == "B11")


@pytest.mark.parametrize("receiver", extent([BROKEN], [Reference, BROKEN]))
def test_every_door_says_the_same_about_a_receiver(receiver, capfd: pytest.CaptureFixture[str]):
    reports = {}
    for name, door in DOORS.items():
        with Serving(receiver("stripe", SECRET)) as url:
            reports[name] = told(door("stripe", url, capfd))

    expected = reports.pop("engine")
    assert len(expected) > 30
    for name, checks in reports.items():
        assert [] == [
            (name, mine, other) for mine, other in zip(expected, checks, strict=True) if mine != other
        ]
