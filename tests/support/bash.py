"""Runs a text in a real bash, as a person would who pastes it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

TOOLS = ("base64", "cat", "curl", "date", "gzip", "mktemp", "od", "openssl", "rm", "sed", "tr")


def run(text: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run `text` in a fresh home; variables are added to a bare environment."""
    return subprocess.run(
        ["bash", "--noprofile", "--norc"],
        input=text.encode(),
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": str(folder), **environment},
        cwd=folder,
        capture_output=True,
        check=False,
    )


def spies(folder: Path) -> tuple[str, Path]:
    """A PATH on which every tool first writes down its arguments and its environment, and where."""
    log, tools = folder / "spied", folder / "spies"
    log.mkdir()
    tools.mkdir()
    for tool in TOOLS:
        spy = tools / tool
        # The spy has only builtins between itself and the tool, so that it does not spy on itself.
        spy.write_text(
            "#!/bin/bash\n"
            # One file for each process: the tools of a pipeline write at the same time.
            f"{{ printf '%s ' {tool} \"$@\"; printf '\\n'; export -p; }} > {log}/$BASHPID\n"
            f'PATH="{os.environ["PATH"]}" exec {tool} "$@"\n'
        )
        spy.chmod(0o755)
    return f"{tools}:{os.environ['PATH']}", log
