"""The colours of both themes.

Background and text colours are those of the widgets' style sheet. Line colours are from the palette of Okabe
and Ito ("Color Universal Design", 2008), distinguishable with any kind of colour vision. Each theme uses only
those with a contrast of at least 3 : 1 to the background (WCAG 2.2, 1.4.11).
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from hook_widgets.errors import LimitModelError, nearest


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """Colours, as ``#rrggbb``.

    Attributes:
        ground: background.
        text: headings and numbers.
        dim: axis labels.
        line: grid and frame.
        band: every second window.
        refused: rejected requests.
        queue: requests that wait or are in flight.
        levels: what is left of a limit, one colour per layer, repeated if there are more layers. The first is
            also the colour of admitted requests.
    """

    ground: str
    text: str
    dim: str
    line: str
    band: str
    refused: str
    queue: str
    levels: tuple[str, ...]


def _mixed(share: float, over: str, under: str) -> str:
    """Mix a share of one colour over another, as ``color-mix(in srgb, ...)`` does."""
    pairs = zip(bytes.fromhex(over[1:]), bytes.fromhex(under[1:]), strict=True)
    return "#" + bytes(round(share * a + (1 - share) * b) for a, b in pairs).hex()


def _theme(ground: str, text: str, **lines: str | tuple[str, ...]) -> Theme:
    return Theme(
        ground=ground,
        text=text,
        dim=_mixed(0.72, text, ground),
        line=_mixed(0.14, text, ground),
        band=_mixed(0.06, text, ground),
        **lines,  # type: ignore[arg-type]
    )


_BLUE, _SKY, _GREEN, _ORANGE, _VERMILION, _PURPLE, _YELLOW = (
    "#0072b2", "#56b4e9", "#009e73", "#e69f00", "#d55e00", "#cc79a7", "#f0e442",
)  # fmt: skip

THEMES: Final = MappingProxyType(
    {
        "light": _theme(
            "#ffffff", "#1f2328", refused=_VERMILION, queue=_GREEN, levels=(_BLUE, _PURPLE, "#1f2328")
        ),
        "dark": _theme(
            "#16181d", "#e6e8eb", refused=_VERMILION, queue=_GREEN, levels=(_SKY, _YELLOW, _PURPLE)
        ),
    }
)


def theme(name: str) -> Theme:
    """Return the theme of this name.

    Raises:
        LimitModelError: the theme is unknown.
    """
    if name not in THEMES:
        raise LimitModelError(f"theme is {name!r}. {nearest(name, list(THEMES))}")
    return THEMES[name]
