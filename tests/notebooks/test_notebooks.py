"""The notebooks run from top to bottom without a warning, are stored clean, and no secret leaves them."""

from __future__ import annotations

import ast
import asyncio
import json
import re
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import distributions, packages_distributions, requires
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts import executed as kept
from scripts import notebooks as runner

NOTEBOOKS = sorted(runner.FOLDER.glob("*.ipynb"))


@cache
def installed() -> set[str]:
    """Return the distributions of this environment."""
    return {canonicalize_name(distribution.name) for distribution in distributions()}


@cache
def owners() -> Mapping[str, list[str]]:
    """Return the distributions that bring each module."""
    return packages_distributions()


@cache
def executed(path: Path) -> runner.Run:
    """Return the run of a notebook; it runs once for all tests and for the documentation."""
    folder = kept.current()
    ran = asyncio.run(runner.run(path))
    if ran.ok:
        kept.keep(folder, ran)
    return ran


every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def test_there_is_a_quickstart():
    assert "01_quickstart" in [path.stem for path in NOTEBOOKS]


@every_notebook
def test_a_notebook_is_stored_without_output_widget_state_or_secret(path: Path):
    stored = json.loads(path.read_text(encoding="utf-8"))

    nbformat.validate(stored)  # valid, every cell with an id of its own
    assert (4, 5) == (stored["nbformat"], stored["nbformat_minor"])
    assert {"kernelspec", "language_info"} == set(stored["metadata"])
    assert [] == runner.unclean(nbformat.from_dict(stored))


@every_notebook
def test_a_notebook_has_one_title_which_comes_first(path: Path):
    text = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown"]
    titles = [line for line in "\n".join(text).splitlines() if line.startswith("# ")]

    assert [text[0].splitlines()[0]] == titles


@every_notebook
def test_a_notebook_links_only_to_notebooks_that_are_there(path: Path):
    text = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
    linked = set(re.findall(r"\]\(([\w.-]+\.ipynb)\)", text))

    assert set() == linked - {other.name for other in NOTEBOOKS}


def brought(distribution: str) -> set[str]:
    """Return a distribution and those that are installed with it."""
    allowed, left = set[str](), [distribution]
    while left:
        name = canonicalize_name(left.pop())
        if name in allowed or name not in installed():
            continue
        allowed.add(name)
        needed = map(Requirement, requires(name) or [])
        left += [each.name for each in needed if not each.marker or each.marker.evaluate({"extra": ""})]
    return allowed


def imported(path: Path) -> set[str]:
    """The modules from outside Python that a notebook imports, by their first names."""
    names = set[str]()
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            for node in ast.walk(ast.parse(re.sub(r"\A%%.*\n", "", cell.source))):
                if isinstance(node, ast.Import):
                    names |= {alias.name.partition(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom):
                    names.add((node.module or "").partition(".")[0])
    own = {"hook_widgets", "receivers"}  # the latter is a file that a notebook writes
    return names - sys.stdlib_module_names - own


@every_notebook
def test_a_notebook_says_at_its_beginning_what_it_needs_beside_the_package(path: Path):
    beginning = nbformat.read(path, as_version=4).cells[0].source
    named = " ".join(re.findall(r"`pip install ([^`]+)`", beginning)).split()
    there = set().union(*map(brought, ["hook-widgets", "ipykernel", *named]))

    missing = {name for name in imported(path) if there.isdisjoint(map(canonicalize_name, owners()[name]))}
    assert set() == missing


@pytest.mark.parametrize(
    ("path", "following"), list(pairwise(NOTEBOOKS)), ids=lambda path: path.stem.partition("_")[0]
)
def test_a_notebook_ends_with_the_way_to_the_next(path: Path, following: Path):
    last = nbformat.read(path, as_version=4).cells[-1]

    assert "markdown" == last.cell_type
    assert f"]({following.name})" in last.source


def test_each_of_the_ten_causes_is_proved_in_its_own_section():
    cells = nbformat.read(runner.FOLDER / "07_why_does_it_not_match.ipynb", as_version=4).cells
    proofs: dict[str, int] = {}
    section = ""
    for cell in cells:
        if cell.cell_type == "markdown" and (heading := re.search(r"^## (.*)", cell.source, re.MULTILINE)):
            section = heading[1]
        proofs[section] = proofs.get(section, 0) + cell.source.count("assert causes ==")
        proofs[section] += cell.source.count("in causes")
    numbered = {title.partition(".")[0]: count for title, count in proofs.items() if title[:1].isdigit()}

    assert [str(n) for n in range(1, 11)] == list(numbered)
    assert 0 < min(numbered.values())


@every_notebook
def test_a_notebook_runs_without_a_warning_shows_a_widget_and_prints_no_secret(path: Path):
    ran = executed(path)

    assert ("", (), ()) == (ran.failure, ran.warnings, ran.leaks)
    assert "widgets" not in ran.notebook.metadata
    shown = [output.get("data", {}) for cell in ran.notebook.cells for output in cell.get("outputs", [])]
    assert any("application/vnd.jupyter.widget-view+json" in data for data in shown)


def test_the_quickstart_prints_the_verdicts_that_it_tells():
    cells = {cell.id: cell for cell in executed(runner.FOLDER / "01_quickstart.ipynb").notebook.cells}

    def printed(cell_id: str) -> list[str]:
        return "".join(output.text for output in cells[cell_id].outputs).splitlines()

    verdicts = ["signature is valid", "signature differs", " old, ", "signature differs"]
    assert "Secret(••••, 23 bytes)" == printed("receiver")[0]
    assert ["Requests so far: 0"] == printed("arrived")
    assert printed("code")[0].startswith("200 ")
    assert 4 * [True] == [words in line for words, line in zip(verdicts, printed("verify"), strict=True)]
    assert "The secret has whitespace around it." == printed("diagnose")[0]
