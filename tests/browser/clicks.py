"""The number of clicks that a task takes."""

from __future__ import annotations

from playwright.sync_api import Page

_COUNT = """() => {
  const again = window.presses !== undefined;
  window.presses = 0;
  if (again) return;
  addEventListener("pointerdown", (event) => { window.presses += event.isTrusted ? 1 : 0; }, true);
}"""


def count_clicks(page: Page) -> None:
    """Begin to count the clicks in a page and in all its frames."""
    for frame in page.frames:
        frame.evaluate(_COUNT)


def clicks(page: Page) -> int:
    """The clicks since `count_clicks`; a frame that is new since then counts none."""
    return sum(frame.evaluate("window.presses ?? 0") for frame in page.frames)
