"""Runs the tests of an example project, as its developer does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

PROJECTS = Path(__file__).parents[1] / "receivers" / "projects"


def outcomes(project: str, *options: str) -> dict[str, int]:
    """Return the numbers of the last line of pytest: ``{"passed": 4}``."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "-rs", *options],
        cwd=PROJECTS / project,
        env=environment | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    last = done.stdout.strip().rpartition("\n")[2]
    numbers = {word: int(number) for number, word in re.findall(r"(\d+) (\w+)", last.partition(" in ")[0])}
    assert "passed" in numbers, done.stdout + done.stderr
    return numbers
