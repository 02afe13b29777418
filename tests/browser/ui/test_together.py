"""The three widgets on one page, where each sees the style sheets of the others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.ui.calculator.page import Calculator
from tests.browser.ui.fake_host import OpenTogether, TogetherHost, all_panels
from tests.browser.ui.planner.page import Planner
from tests.support.extent import extent

#: of each two style sheets, either is once the last
ORDERS = (("generator", "calculator", "planner"), ("planner", "calculator", "generator"))
#: one of each arrangement: three columns, two, one, and a phone
WIDTHS = (1400, 900, 640, 360)
#: each width and each order after four, and all of them together after eight
ARRANGEMENTS = [(width, ORDERS[(n + n // 4) % 2]) for n, width in enumerate(WIDTHS * 2)]


def _tabs(root: Locator) -> Iterator[str]:
    for tab in root.get_by_role("tab").all():
        tab.click()
        yield tab.inner_text()


def _states(page: TogetherHost, name: str) -> Iterator[str]:
    """Shows the widget in turn with every part of it open."""
    folded = page.page.locator(f"[data-widget={name}] details:not([open]) > summary")
    while folded.count():
        folded.first.click()
    root = page.page.locator(f"[data-widget={name}] > .hw")
    if name == "generator":
        yield from all_panels(page.generator())
    if name == "calculator":
        calculator = Calculator(root)
        calculator.wait_until_fresh()
        yield from _tabs(root)
        calculator.button("Add a limit").click()
        calculator.compare.click()
        yield "compared"
    if name == "planner":
        Planner(root).wait_until_fresh()
        yield from _tabs(root)


@pytest.mark.parametrize("name", ["calculator", "generator", "planner"])
def test_every_element_looks_beside_the_others_as_it_does_alone(together: OpenTogether, name: str):
    page = together(width=1400)
    page.mount()
    expect(page.page.locator(".hw")).to_have_count(3)
    states = 0
    differing: set[str] = set()
    for _ in _states(page, name):
        turn = states % len(ARRANGEMENTS)
        states += 1
        for width, order in extent(ARRANGEMENTS[turn : turn + 1], ARRANGEMENTS):
            page.widen(width)
            elements, differences = page.page.evaluate(
                "([name, order]) => differences(name, order)", [name, order]
            )
            assert elements > 300
            differing |= set(differences)

    assert "" == "\n".join(sorted(differing))
    assert states >= len(WIDTHS)
