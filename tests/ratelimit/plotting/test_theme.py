"""Test contrast, and that colours are distinguishable with every kind of colour vision."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from hook_widgets.ratelimit.plotting.view_model.theme import THEMES
from tests.support.svg import contrast

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


def lab(rgb: np.ndarray) -> np.ndarray:
    """Convert linear RGB to CIE 1976 L*a*b*, white point D65."""
    matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    xyz = np.array(matrix) @ np.clip(rgb, 0, 1) / [0.9505, 1.0, 1.089]
    x, y, z = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("name", THEMES)
def test_lines_and_bars_stand_out_from_the_ground_by_three_to_one(name):
    colours = THEMES[name]
    drawn = (colours.rejected, colours.queue, *colours.levels)

    assert [] == [colour for colour in drawn if contrast(colour, colours.ground) < 3]


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("name", THEMES)
def test_colours_are_distinguished_by_everybody(name, vision):
    colours = THEMES[name]
    counts = {
        colour: lab(VISIONS[vision] @ linear(colour)) for colour in (colours.levels[0], colours.rejected)
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
