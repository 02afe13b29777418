"""The number of clicks that a task takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Error, Page

_COUNT = """() => {
  const again = window.presses !== undefined;
  window.presses = 0;
  if (again) return;
  addEventListener("pointerdown", (event) => { window.presses += event.isTrusted ? 1 : 0; }, true);
}"""


def count_clicks(page: Page) -> None:
    """Begin to count the clicks in a page and in all its frames."""
    list(_evaluate(page, _COUNT))


def clicks(page: Page) -> int:
    """The clicks since `count_clicks`; a frame that is new since then counts none."""
    return sum(_evaluate(page, "window.presses ?? 0"))


def _evaluate(page: Page, script: str) -> Iterator[Any]:
    """Run a script in each frame; the frames of a widget that was closed before may go meanwhile."""
    for frame in page.frames:
        try:
            yield frame.evaluate(script)
        except Error:
            if not frame.is_detached():
                raise
