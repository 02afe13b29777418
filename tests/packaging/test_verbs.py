"""Each target of the Makefile for users is documented, in CONTRIBUTING.md and by `make help`."""

from __future__ import annotations

import re
import subprocess

from .conftest import ROOT

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
(PHONY,) = re.findall(r"^\.PHONY:((?:.*\\\n)*.*)", MAKEFILE, re.MULTILINE)
TARGETS = {
    target
    for target in PHONY.replace("\\", "").split()
    if not target.endswith("environment") and not target.startswith("part-")  # of test and check
}


def test_the_contributing_page_lists_each_target() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| `make ([a-z]+)` \|", page, re.MULTILINE))
    parts = set(re.findall(r"`(test-[a-z]+)`", page))

    assert TARGETS == rows | parts | {"help"}


def test_help_prints_each_target_with_its_description() -> None:
    run = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    descriptions = dict(re.findall(r"^make ([a-z-]+) {2,}(\S.+)$", run.stdout, re.MULTILINE))

    assert TARGETS == set(descriptions)
    assert "opens JupyterLab on the quickstart notebook" == descriptions["lab"]
