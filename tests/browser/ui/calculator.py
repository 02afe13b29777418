"""The calculator on a bare page, with a small fake kernel (``js/tests/harness/calculator-kernel.js``)."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator

from tests.browser.ui.pictured import Pictured, PicturedHost


class Calculator(Pictured):
    """One view of the widget, by the names of its controls."""

    below = "What it means"

    def __init__(self, root: Locator) -> None:
        super().__init__(root)
        self.compare = self.button("Compare all five")


class CalculatorHost(PicturedHost[Calculator]):
    """One page with one calculator, or more views of one."""

    view = Calculator
    begins = "Inputs"


OpenCalculator = Callable[..., CalculatorHost]
