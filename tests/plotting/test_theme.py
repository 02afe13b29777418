"""Test the shared colours, and that every theme has them."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from hook_widgets._plotting.theme import DARK, LIGHT, BaseTheme, by_name
from hook_widgets.errors import LimitModelError, VersioningError
from hook_widgets.ratelimit.plotting.view_model.theme import THEMES as OF_RUNS
from hook_widgets.versioning.planning.plotting.view_model.theme import THEMES as OF_VERSIONS
from tests.support.svg import contrast

ALL = [pytest.param(theme, id=f"{type(theme).__module__}-{name}") for themes in (OF_RUNS, OF_VERSIONS)
       for name, theme in themes.items()]  # fmt: skip


@pytest.mark.parametrize("theme", ALL)
def test_words_stand_out_from_the_ground_and_from_bands_by_four_and_a_half_to_one(theme: BaseTheme):
    pairs = product((theme.text, theme.dim), (theme.ground, theme.band))

    assert [] == [pair for pair in pairs if contrast(*pair) < 4.5]


def test_ground_and_text_are_those_of_the_widgets():
    css = (Path(__file__).parents[2] / "js/src/ui/css/tokens.css").read_text("utf-8")
    tokens = []
    for text in css.split('.hw[data-theme="dark"]'):
        colours = [re.search(rf"--hw-{key}:.*?(#[0-9a-f]+)\)+;", text) for key in ("bg", "fg")]
        tokens.append(tuple(match[1].replace("#fff", "#ffffff") for match in colours if match))

    assert [LIGHT, DARK] == tokens
    for themes in (OF_RUNS, OF_VERSIONS):
        assert {"light": LIGHT, "dark": DARK} == {name: (t.ground, t.text) for name, t in themes.items()}


@pytest.mark.parametrize("error", [LimitModelError, VersioningError])
def test_an_unknown_theme_is_an_error_of_the_field_theme(
    error: type[LimitModelError] | type[VersioningError],
):
    with pytest.raises(error, match=r"theme is 'drak'.*dark") as caught:
        by_name(OF_RUNS, "drak", error)

    assert "theme" == vars(caught.value)["field"]
