"""The planner on a bare page, with a small fake kernel (``js/tests/harness/planner-kernel.js``)."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator

from tests.browser.ui.plot_page import PlotHost, PlotPage


class Planner(PlotPage):
    """One view of the widget, by the names of its controls."""

    below = "Dates and notices"
    tabs = (
        "Dates",
        "Announcement",
        "Reminder",
        "Final notice",
        "Removal",
        "Who still calls v1?",
        "Change check",
        "Install it",
    )

    def cell(self, column: str, row: str) -> Locator:
        """A field of a version, such as Released of v2."""
        return self.root.get_by_label(f"{column}, {row}", exact=True)

    def row(self, name: str) -> Locator:
        """All that stands in the row of a version."""
        return self.root.get_by_role("group", name=name, exact=True)

    def headers(self) -> Locator:
        """The headers of a client's response."""
        return self.root.get_by_role("region", name="Response", exact=True)


class PlannerHost(PlotHost[Planner]):
    """One page with one planner, or more views of one."""

    view = Planner
    begins = "Versions"


OpenPlanner = Callable[..., PlannerHost]
