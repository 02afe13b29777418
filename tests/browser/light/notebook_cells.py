"""The code of the project's notebooks on a light page: `make test` opens two of them in JupyterLab itself."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import nbformat
from playwright.sync_api import Locator, expect

from tests.browser.light.kernel_page import KernelPage
from tests.browser.tab import ROOT


@dataclass(frozen=True)
class Shown:
    """A notebook that has run.

    Attributes:
        widget: the one that it shows.
        printed: the lines that each cell has printed, by its id.
    """

    widget: Locator
    printed: dict[str, list[str]]


def run(
    tab: KernelPage, stem: str, *, only: Collection[str] | None = None, without: Collection[str] = ()
) -> Shown:
    """Run a notebook's cells from top to bottom, or those of these ids; tests/notebooks runs them all."""
    notebook = nbformat.read(ROOT / "notebooks" / f"{stem}.ipynb", as_version=4)
    code = {cell.id: cell.source for cell in notebook.cells if cell.cell_type == "code"}
    assert {*without, *(only or ())} <= code.keys(), "a cell is not there"
    printed = {
        name: tab.execute(source, timeout_s=60.0).splitlines()
        for name, source in code.items()
        if name not in without and (only is None or name in only)
    }
    frame = tab.panel.locator(".hw")
    expect(frame).to_have_count(1)
    return Shown(frame, printed)
