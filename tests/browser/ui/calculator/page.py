"""The calculator on a bare page, with a small fake kernel (``js/tests/harness/calculator-kernel.js``)."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator

from tests.browser.ui.plot_page import PlotHost, PlotPage


class Calculator(PlotPage):
    """One view of the widget, by the names of its controls."""

    below = "What it means"
    tabs = ("Table", "All numbers", "Response headers", "Use it", "Formulas")

    def __init__(self, root: Locator) -> None:
        super().__init__(root)
        self.compare = self.button("Compare all five")
        self.advice = root.locator(".hw-advice")
        #: what a pointer or the keys read values off
        self.plot = root.get_by_role("slider", name="Time in the chart")
        self.reading = root.locator(".hw-plot-reading")

    def wait_until_fresh(self) -> None:
        """Also unfold the inputs that have their defaults, so that each can be used."""
        super().wait_until_fresh()
        self.unfold()

    def unfold(self) -> None:
        """Unfold "More" in each group of inputs."""
        folded = self.root.locator("details.hw-fold:not([open]) > summary")
        while folded.count():
            folded.first.click()


class CalculatorHost(PlotHost[Calculator]):
    """One page with one calculator, or more views of one."""

    view = Calculator
    begins = "Inputs"


OpenCalculator = Callable[..., CalculatorHost]
