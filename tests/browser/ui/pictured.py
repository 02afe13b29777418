"""The widgets with a picture on a bare page, with a small fake kernel (``js/tests/harness``)."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from playwright.sync_api import Locator, expect

from tests.browser.ui.fake_host import Host


class Pictured:
    """One view of a widget, by the names of its controls."""

    #: the region below the picture
    below = ""

    def __init__(self, root: Locator) -> None:
        self.root = root
        self.picture = root.get_by_role("img")
        self.status = root.get_by_label("Result").locator(".hw-head > span > .hw-chip")

    def field(self, label: str) -> Locator:
        """The text field of an input, or a select."""
        return self.root.get_by_label(label, exact=True)

    def slider(self, label: str) -> Locator:
        """The slider of an input."""
        return self.root.get_by_role("slider", name=f"{label} slider")

    def button(self, name: str) -> Locator:
        """A button by its whole name."""
        return self.root.get_by_role("button", name=name, exact=True)

    def tab(self, name: str) -> Locator:
        """A tab under the picture."""
        return self.root.get_by_role("tab", name=name)

    def panel(self) -> Locator:
        """What the chosen tab shows."""
        return self.root.get_by_role("tabpanel")

    def banner(self, text: str) -> Locator:
        """What is said above the inputs; the same is spoken, in a region of its own."""
        return self.root.get_by_role("paragraph").filter(has_text=text)

    def wait_until_fresh(self) -> None:
        """Until the picture, and all that stands below it, belongs to what the fields say."""
        expect(self.root.locator(".hw-picture")).to_have_attribute("aria-busy", "false")
        expect(self.root.get_by_label(self.below).first).to_have_attribute("aria-busy", "false")
        expect(self.picture).to_be_visible()


V = TypeVar("V", bound=Pictured)


class PicturedHost(Host, Generic[V]):
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
