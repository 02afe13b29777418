"""Each benchmark of a widget in JupyterLab runs, at its smallest size."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.benchmarks import generator, slider
from tests.browser.lab import Lab
from tests.browser.server import LabServer
from tests.support.benchmarks import complete


@pytest.fixture(scope="module")
def other(server: LabServer, browser: Browser) -> Iterator[Lab]:
    """A second tab."""
    tab = Lab(server, browser)
    yield tab
    tab.close()


def test_a_move_of_a_slider_is_measured(lab: Lab, other: Lab):
    assert complete(slider.parts(lab, other, smallest=True))


def test_picks_signatures_and_a_diagnosis_are_measured(lab: Lab, other: Lab):
    assert complete(generator.parts(lab, other, smallest=True))
