"""The colours that all pictures share, in a light and a dark theme.

Background and text colours are those of the widgets' style sheet. The other colours are from the palette of
Okabe and Ito ("Color Universal Design", 2008), distinguishable with any kind of colour vision. Each theme
uses only those with a contrast of at least 3 : 1 to the background (WCAG 2.2, 1.4.11).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from hook_widgets._arguments import shown
from hook_widgets.errors import LimitModelError, VersioningError, nearest

BLUE, SKY, GREEN, VERMILION = "#0072b2", "#56b4e9", "#009e73", "#d55e00"
PURPLE, YELLOW = "#cc79a7", "#f0e442"


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseTheme:
    """Colours, as ``#rrggbb``.

    Attributes:
        ground: background.
        text: headings and numbers.
        dim: axis labels.
        line: grid.
        band: every second stripe of the background.
    """

    ground: str
    text: str
    dim: str
    line: str
    band: str


T = TypeVar("T", bound=BaseTheme)


def mixed(share: float, over: str, under: str) -> str:
    """Mix two colours, as ``color-mix(in srgb, ...)`` does.

    Args:
        share: share of `over`, from 0 to 1.
        over: colour on top, as ``#rrggbb``.
        under: colour below it.

    >>> mixed(0.5, "#ffffff", "#000000")
    '#808080'
    """
    pairs = zip(bytes.fromhex(over[1:]), bytes.fromhex(under[1:]), strict=True)
    return "#" + bytes(round(share * a + (1 - share) * b) for a, b in pairs).hex()


def base(ground: str, text: str, *, band: float) -> dict[str, str]:
    """Return the shared colours of a theme; `band` is the share of the text colour in that of the stripes."""
    shares = {"dim": 0.72, "line": 0.14, "band": band}
    return {"ground": ground, "text": text} | {k: mixed(share, text, ground) for k, share in shares.items()}


LIGHT: Final = ("#ffffff", "#1f2328")
"""Background and text of the light theme."""
DARK: Final = ("#16181d", "#e6e8eb")
"""Background and text of the dark theme."""


def by_name(themes: Mapping[str, T], name: str, error: type[LimitModelError | VersioningError]) -> T:
    """Return the theme of this name.

    Raises:
        HookWidgetsError: (`error`) there is no such theme.
    """
    try:
        return themes[name]
    except (KeyError, TypeError):
        raise error(f"theme is {shown(name)}; {nearest(name, themes)}", field="theme") from None
