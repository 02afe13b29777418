"""The project's notebooks in JupyterLab, as a reader opens and runs them."""

from __future__ import annotations

import shutil

from tests.browser.lab import Lab
from tests.browser.tab import ROOT


def opened(lab: Lab, stem: str) -> None:
    """A notebook in front, not run yet."""
    name = f"{stem}.ipynb"
    shutil.copy(ROOT / "notebooks" / name, lab.server.notebooks / name)
    lab.open(name)


def printed(lab: Lab, cell_id: str) -> list[str]:
    """The lines that a cell has printed."""
    cell = next(cell for cell in lab.cells() if cell["id"] == cell_id)
    text = "".join("".join(out["text"]) for out in cell["outputs"] if out["output_type"] == "stream")
    return text.splitlines()
