"""What `make` can do is written down, and `make help` says it."""

from __future__ import annotations

import re
import subprocess

import pytest

from .conftest import ROOT

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
(TARGETS,) = re.findall(r"^\.PHONY:((?:.*\\\n)*.*)", MAKEFILE, re.MULTILINE)
VERBS = [verb for verb in TARGETS.replace("\\", "").split() if not verb.endswith("environment")]


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_stands_in_the_contributing_page(verb: str) -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

    assert f"`make {verb}`" in page or f"`{verb}`" in page


def test_help_says_of_each_verb_what_it_does() -> None:
    asked = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    said = dict(re.findall(r"^make ([a-z]+) {2,}(\S.+)$", asked.stdout, re.MULTILINE))

    assert [verb for verb in VERBS if verb in said] == [
        verb for verb in VERBS if "-" not in verb and verb != "help"
    ]
    assert "JupyterLab on the quickstart notebook" == said["lab"]
