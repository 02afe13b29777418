"""Test figures in notebooks, and as files."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.pylabtools import select_figure_formats
from matplotlib import rc_context
from PIL import Image

from hook_widgets._plotting.mpl.figure import PlotFigure, check_format, size_px
from hook_widgets.errors import LimitModelError, VersioningError


def figure() -> PlotFigure:
    """Return a figure with a text, one letter of which no font of matplotlib has."""
    plot = PlotFigure(2, 1.5, dpi=96, ground="#16181d")
    plot.add_axes((0.1, 0.1, 0.8, 0.8)).set_axis_off()
    plot.text(0.1, 0.5, "a text, 注文")
    plot.description = "A text on dark ground."
    return plot


@pytest.mark.parametrize("inline", [False, True])
def test_a_notebook_shows_a_figure_that_is_the_last_value_of_a_cell(inline: bool):
    shell: Any = InteractiveShell()
    if inline:
        select_figure_formats(shell, {"png"})

    output, _ = shell.display_formatter.format(figure())

    assert {"text/plain", "image/png"} == set(output)
    assert output["image/png"]


def test_a_png_has_its_size_its_ground_and_its_description():
    image = Image.open(BytesIO(figure().to_file("png")))

    assert [192, 144] == [*image.size] == [*size_px(figure())]
    assert (0x16, 0x18, 0x1D, 255) == image.convert("RGBA").getpixel((2, 2))
    assert "A text on dark ground." == image.info["Description"]


def test_an_svg_keeps_its_words_as_words_whatever_the_users_style():
    plain = figure().to_file("svg")
    with rc_context({"svg.fonttype": "path", "svg.hashsalt": "another"}):
        styled = figure().to_file("svg")

    assert plain == styled
    assert re.search(r"<text[^>]*>a text, 注文</text>", plain.decode())
    assert b"A text on dark ground." in plain


@pytest.mark.parametrize("error", [LimitModelError, VersioningError])
def test_an_unknown_format_is_an_error_of_the_field_format(
    error: type[LimitModelError] | type[VersioningError],
):
    check_format("svg", error)
    with pytest.raises(error, match=r"format is 'pgn'.*png") as caught:
        check_format("pgn", error)

    assert "format" == vars(caught.value)["field"]
