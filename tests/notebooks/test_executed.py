"""Stored output of notebooks, which the pages show until the notebook or the package changes."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from jupyter_cache import get_cache
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import hook_widgets
from scripts import executed
from scripts.notebooks import Run


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A notebook that has not run."""
    stored = tmp_path / "sum.ipynb"
    nbformat.write(new_notebook(cells=[new_markdown_cell("# Sum"), new_code_cell("print(1 + 1)")]), stored)
    return stored


@pytest.fixture
def folder(tmp_path: Path, path: Path) -> Path:
    """Create a folder with the stored output of a notebook that printed 2."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[1].execution_count = 1
    notebook.cells[1].outputs = [new_output("stream", text="2\n")]
    place = executed.current(tmp_path / "cache")
    executed.keep(place, Run(path, notebook, 0.5, "", (), ()))
    return place


def change(path: Path, cell: int, source: str) -> None:
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[cell].source = source
    nbformat.write(notebook, path)


def test_what_came_out_stands_beside_the_text_as_it_is_now(path: Path, folder: Path):
    change(path, 0, "# Total")

    assert [] == executed.missing(folder, [path])
    _, shown = get_cache(folder).merge_match_into_notebook(nbformat.read(path, as_version=4))
    assert "# Total" == shown.cells[0].source
    assert ["2\n"] == [output.text for output in shown.cells[1].outputs]


def test_a_notebook_whose_code_changed_runs_again(path: Path, folder: Path):
    change(path, 1, "print(1 + 2)")

    assert [path] == executed.missing(folder, [path])


def test_what_came_out_with_another_package_is_gone(
    path: Path, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    monkeypatch.setattr(hook_widgets, "__file__", str(package / "__init__.py"))
    now = executed.current(tmp_path / "cache")

    assert not folder.exists()
    assert [path] == executed.missing(now, [path])


@pytest.mark.parametrize(("file", "counts"), [("data/rules.toml", True), ("__pycache__/a.pyc", False)])
def test_what_python_compiled_is_no_change_of_the_package(
    file: str, counts: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(hook_widgets, "__file__", str(tmp_path / "__init__.py"))
    before = executed.digest()
    (tmp_path / file).parent.mkdir()
    (tmp_path / file).write_text("1")

    assert counts == (before != executed.digest())


def test_other_versions_of_what_the_package_runs_with_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    before = executed.digest()
    other = tmp_path / "dev.txt"
    other.write_text(executed.LOCKED.read_text() + "\n")
    monkeypatch.setattr(executed, "LOCKED", other)

    assert before != executed.digest()
