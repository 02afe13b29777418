"""Every dependency is there for a reason that is written down beside it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.sdk.reference_verifiers import VERIFIERS

from .conftest import ROOT

LISTS = sorted((ROOT / "requirements").glob("*.in"))


def test_each_runtime_dependency_stands_beside_its_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    (block,) = re.findall(r"^dependencies = \[\n(.*?)^\]", text, re.MULTILINE | re.DOTALL)
    (extras,) = re.findall(r"^\[project\.optional-dependencies\]\n(.*?)^$", text, re.MULTILINE | re.DOTALL)

    assert [] == [line for line in block.splitlines() if not re.search(r'^  ".+",\s+# \S.{15,}', line)]
    assert [] == [
        line for line in extras.splitlines() if not re.search(r'^\w+ = \[".+"\]\s+# \S.{15,}', line)
    ]


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_each_requirement_stands_below_a_line_that_says_what_it_is_for(path: Path) -> None:
    reason, without = "", []
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            reason = line
        elif not line:
            reason = ""
        elif not reason and " # " not in line:
            without.append(line)

    assert [] == without


def test_each_npm_package_of_the_front_end_stands_in_the_contributing_page() -> None:
    package = json.loads((ROOT / "js/package.json").read_text())
    table = (ROOT / "CONTRIBUTING.md").read_text().partition("## Dependencies")[2]
    cells = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]

    assert sorted([*package["dependencies"], *package["devDependencies"]]) == sorted(
        re.findall(r"`([^`]+)`", " ".join(cells))
    )


def test_each_npm_package_that_verifies_stands_beside_what_it_verifies() -> None:
    package = json.loads((ROOT / "tests/sdk/node/package.json").read_text())
    table = " ".join(verifier.call for verifier in VERIFIERS)
    text = (ROOT / "CONTRIBUTING.md").read_text().partition("Those of `tests/sdk/node`")[2].partition("##")[0]
    named = f"{table}\n{text}"

    assert [] == [
        name for name in package["dependencies"] if not re.search(rf"(?<![\w@/-]){name}(?![\w/-])", named)
    ]
