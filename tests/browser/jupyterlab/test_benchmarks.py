"""Each benchmark of a widget in JupyterLab runs, at its smallest size."""

from __future__ import annotations

from tests.benchmarks import generator, slider
from tests.browser.conftest import OpenTab
from tests.browser.lab import Lab
from tests.support.benchmarks import complete


def test_moves_of_a_slider_picks_signatures_and_a_diagnosis_are_measured(lab: Lab, open_tab: OpenTab):
    other = open_tab()

    assert complete(slider.parts(lab, other, smallest=True))
    assert complete(generator.parts(lab, other, smallest=True))
