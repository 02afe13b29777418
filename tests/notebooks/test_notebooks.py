"""The notebooks run from top to bottom, hold no output, and no secret comes out of them."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

# How secrets and keys of providers look; whatever says that it is a demonstration is none.
REAL = re.compile(
    r"whsec_(?!demo)\w+|[sr]k_(live|test)_\w+|gh[pousr]_\w{20,}|xox[abp]-\w+|SG\.\w{16,}|-----BEGIN|\b[0-9a-f]{40,}\b"
)
DEMO = re.compile(r"\w*demo_not_a_secret\w*")

every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def test_there_is_a_quickstart():
    assert "01_quickstart" in [path.stem for path in NOTEBOOKS]


@every_notebook
def test_a_notebook_is_stored_without_output_widget_state_or_secret(path: Path):
    stored = nbformat.read(path, as_version=4)
    code = [cell for cell in stored.cells if cell.cell_type == "code"]

    assert [[]] * len(code) == [cell.outputs for cell in code]
    assert {None} == {cell.execution_count for cell in code}
    assert {"kernelspec", "language_info"} == set(stored.metadata)
    assert None is REAL.search(path.read_text())


@every_notebook
def test_a_notebook_runs_and_prints_no_secret(path: Path):
    notebook = nbformat.read(path, as_version=4)

    NotebookClient(notebook, timeout=60, store_widget_state=False).execute(cwd=str(FOLDER))

    printed = "\n".join(str(cell.outputs) for cell in notebook.cells if cell.cell_type == "code")
    assert None is DEMO.search(printed)
    assert "widgets" not in notebook.metadata
    assert "widget-view+json" in printed
