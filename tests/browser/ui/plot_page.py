"""The widgets with a picture on a bare page, with a small fake kernel (``js/tests/harness``)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

from playwright.sync_api import Locator, expect

from tests.browser.ui.fake_host import LOOKS, Host

# How much wider a closed select would have to be to show the longest of these names.
_LACKING = """(select, names) => {
  const style = select.getAttribute("style") ?? "";
  const has = select.offsetWidth;
  const option = new Option(names[0]);
  select.add(option);
  const chosen = select.selectedIndex;
  option.selected = true;
  select.style = "field-sizing: content; width: max-content";
  const needed = names.map((name) => ((option.textContent = name), select.offsetWidth));
  option.remove();
  select.selectedIndex = chosen;
  select.style = style;
  if (!CSS.supports("field-sizing", "content")) throw new Error("the browser cannot tell");
  return Math.max(0, ...needed.map((width) => width - has));
}"""


class PlotPage:
    """One view of a widget, by the names of its controls."""

    #: the region below the picture
    below = ""
    #: the names of the tabs, in their order
    tabs: tuple[str, ...] = ()

    def __init__(self, root: Locator) -> None:
        self.root = root
        self.picture = root.get_by_role("img")
        self.status = root.get_by_label("Result").locator(".hw-head > span > .hw-chip")

    def field(self, label: str) -> Locator:
        """The text field of an input, or a select."""
        return self.root.get_by_label(label, exact=True)

    def lacking(self, label: str, names: list[str]) -> int:
        """Return by how much a closed select is too narrow for the longest of these names, in pixels."""
        return int(self.field(label).evaluate(_LACKING, names))

    def slider(self, label: str) -> Locator:
        """The slider of an input."""
        return self.root.get_by_role("slider", name=f"{label} slider")

    def button(self, name: str) -> Locator:
        """A button by its whole name."""
        return self.root.get_by_role("button", name=name, exact=True)

    def tab(self, name: str) -> Locator:
        """A tab under the picture."""
        return self.root.get_by_role("tab", name=name)

    def every_tab(self) -> Iterator[str]:
        """Shows one tab after the other."""
        for name in self.tabs:
            self.tab(name).click()
            expect(self.panel()).to_be_visible()
            yield name

    def panel(self) -> Locator:
        """The panel of the selected tab."""
        return self.root.get_by_role("tabpanel")

    def banner(self, text: str) -> Locator:
        """A banner above the inputs; the same text is announced in a live region."""
        return self.root.get_by_role("paragraph").filter(has_text=text)

    def wait_for_the_first_picture(self) -> None:
        """Wait longer than for others: a kernel that has just started loads matplotlib for it."""
        expect(self.root.locator(".hw-picture")).to_have_attribute("aria-busy", "false", timeout=60_000)
        self.wait_until_fresh()

    def locked(self, label: str) -> bool:
        """Return True if an input is said to be locked, and cannot be changed."""
        field = self.root.get_by_role("textbox", name=re.compile(f"^{label}"))
        return not field.is_editable() and self.root.get_by_text("locked", exact=True).count() > 0

    def enter(self, label: str, text: str) -> None:
        """Type into a field and leave it with Enter; wait for the picture of it."""
        self.field(label).fill(text)
        self.field(label).press("Enter")
        self.wait_until_fresh()

    def wait_until_fresh(self) -> None:
        """Until the picture, and all that stands below it, belongs to what the fields say."""
        expect(self.root.locator(".hw-picture")).to_have_attribute("aria-busy", "false")
        expect(self.root.get_by_label(self.below).first).to_have_attribute("aria-busy", "false")
        expect(self.picture).to_be_visible()


V = TypeVar("V", bound=PlotPage)


class PlotHost(Host, Generic[V]):
    """One page with one widget, or more views of one."""

    view: type[V]
    #: the region that is there from the start
    begins = ""

    def mount(self, **options: Any) -> V:  # type: ignore[override]
        """Shows a widget; the options are those of the page's ``mount``."""
        self.page.evaluate("options => mount(options)", options)
        widget = self.view(self.page.locator(".hw").first)
        expect(widget.root.get_by_role("region", name=self.begins).first).to_be_visible()
        return widget

    def shown(self, **options: Any) -> V:
        """A widget with its first picture."""
        widget = self.mount(**options)
        widget.wait_until_fresh()
        return widget

    def violations_in_every_look(self, widget: V) -> dict[tuple[str, str], list[str]]:
        """Return axe's violations, by look and tab."""
        results: dict[tuple[str, str], list[str]] = {}
        for look in LOOKS:
            self.look(look, widget.root)
            widget.wait_until_fresh()
            results |= {(look, tab): self.violations(widget.root) for tab in widget.every_tab()}
        return results

    def sticks_out(self, widget: V, widths: tuple[int, ...]) -> dict[tuple[int, str], list[str]]:
        """Return the elements that overflow the widget, by width and tab, except inside scroll containers."""
        inside = widget.root.locator(".hw-scroll *")
        results = {}
        for width in widths:
            self.widen(width)
            widget.wait_until_fresh()
            for tab in widget.every_tab():
                clipped = inside.evaluate_all("all => all.map(el => `${el.tagName}.${el.className}`)")
                results[width, tab] = [each for each in self.overflow() if each not in clipped]
            assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        return results

    def without_pauses(self) -> None:
        """A move that is held never counts as ended: a busy machine pauses longer than a hand that rests."""
        self.page.evaluate(
            """() => {
                const later = window.setTimeout.bind(window);
                const rest = 200;  // PAUSE_MS.move in js/src/plot/state.ts
                window.setTimeout = (run, ms, ...more) => later(run, ms === rest ? 1e9 : ms, ...more);
            }"""
        )

    def trait(self, name: str) -> Any:
        """A trait, as the host has it."""
        return self.page.evaluate("name => widget.model.get(name)", name)

    def updates(self) -> list[dict[str, Any]]:
        """Every update of traits that was saved."""
        return [frame["update"] for frame in self.frames() if "update" in frame]
