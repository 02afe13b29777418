"""The environment that builds the site, which the tests do not run in."""

from __future__ import annotations

import subprocess

from tests.browser.tab import ROOT

PYTHON = ROOT / ".venv-lite/bin/python"


def run(code: str, *arguments: str) -> str:
    """Run code there, with arguments in ``sys.argv[1:]``; returns what it printed."""
    assert PYTHON.exists(), "there is nothing to build the site with: run `make lite` first"
    command = [str(PYTHON), "-c", code, *arguments]
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
