"""Test contrast, and that colours are distinguishable with every kind of colour vision."""

from __future__ import annotations

import re
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from hook_widgets.errors import LimitModelError
from hook_widgets.ratelimit.plotting.view_model.theme import THEMES, theme

# Machado, Oliveira, Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
# IEEE TVCG 15 (2009), severity 1.0, for linear RGB.
VISIONS = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}


def linear(colour: str) -> np.ndarray:
    """Convert sRGB to linear light, as in WCAG 2.2 and IEC 61966-2-1."""
    part = np.array(list(bytes.fromhex(colour[1:]))) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG 2.2."""
    light, dark = sorted((float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def lab(rgb: np.ndarray) -> np.ndarray:
    """Convert linear RGB to CIE 1976 L*a*b*, white point D65."""
    matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    xyz = np.array(matrix) @ np.clip(rgb, 0, 1) / [0.9505, 1.0, 1.089]
    x, y, z = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("name", THEMES)
def test_lines_and_bars_stand_out_from_the_ground_by_three_to_one(name):
    colours = THEMES[name]
    drawn = (colours.refused, colours.queue, *colours.levels)

    assert [] == [colour for colour in drawn if contrast(colour, colours.ground) < 3]


@pytest.mark.parametrize("name", THEMES)
def test_words_stand_out_from_the_ground_and_from_bands_by_four_and_a_half_to_one(name):
    colours = THEMES[name]
    pairs = product((colours.text, colours.dim), (colours.ground, colours.band))

    assert [] == [pair for pair in pairs if contrast(*pair) < 4.5]


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("name", THEMES)
def test_colours_are_told_apart_by_everybody(name, vision):
    colours = THEMES[name]
    counts = {
        colour: lab(VISIONS[vision] @ linear(colour)) for colour in (colours.levels[0], colours.refused)
    }
    lines = {colour: lab(VISIONS[vision] @ linear(colour)) for colour in colours.levels}

    # Twenty is about ten times what can just be seen.
    near = [
        (a, b)
        for group in (counts, lines)
        for a, b in combinations(group, 2)
        if np.linalg.norm(group[a] - group[b]) < 20
    ]

    assert [] == near


def test_ground_and_text_are_those_of_the_widgets():
    css = (Path(__file__).parents[2] / "js/src/ui/css/tokens.css").read_text("utf-8")
    light, dark = css.split('.hw[data-theme="dark"]')
    tokens = {}
    for name, text in (("light", light), ("dark", dark)):
        last = {key: re.search(rf"--hw-{key}:.*?(#[0-9a-f]+)\)+;", text) for key in ("bg", "fg")}
        tokens[name] = tuple(
            match[1].replace("#fff", "#ffffff") if match else None for match in last.values()
        )

    assert {name: (colours.ground, colours.text) for name, colours in THEMES.items()} == tokens


def test_an_unknown_theme_is_named():
    with pytest.raises(LimitModelError, match=r"theme is 'drak'.*dark"):
        theme("drak")
