"""The project's notebooks in JupyterLab, as a reader opens and runs them."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab
from tests.browser.tab import ROOT

_EMPTY = """
  const cells = panel.content.widgets.filter(({model}) => args.includes(model.id));
  for (const {model} of cells) model.sharedModel.setSource('');
  return cells.length;
"""


def opened(lab: Lab, stem: str) -> None:
    """A notebook in front, not run yet."""
    name = f"{stem}.ipynb"
    shutil.copy(ROOT / "notebooks" / name, lab.server.notebooks / name)
    lab.open(name)


def run(lab: Lab, stem: str, *, widgets: int = 1, without: Sequence[str] = ()) -> Locator:
    """Run a notebook from top to bottom, or without the cells of these ids; gives its widgets."""
    opened(lab, stem)
    emptied = lab.within(_EMPTY, without)
    assert len(without) == emptied, "a cell that is left out is not there"
    lab.run_all()
    found = lab.panel.locator(".hw")
    expect(found).to_have_count(widgets)
    return found


def printed(lab: Lab, cell_id: str) -> list[str]:
    """The lines that a cell has printed."""
    cell = next(cell for cell in lab.cells() if cell["id"] == cell_id)
    text = "".join("".join(out["text"]) for out in cell["outputs"] if out["output_type"] == "stream")
    return text.splitlines()
