"""The colours of the pictures of runs."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from hook_widgets._plotting import theme as shared
from hook_widgets.errors import LimitModelError


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme(shared.BaseTheme):
    """Colours, as ``#rrggbb``.

    Attributes:
        rejected: rejected requests.
        queue: requests that wait or are in flight.
        levels: what is left of a limit, one colour per layer, repeated with another dash if there are more
            layers. The first is also the colour of admitted requests.
    """

    rejected: str = shared.VERMILION
    queue: str = shared.GREEN
    levels: tuple[str, ...]

    def layer_style(self, k: int) -> tuple[str, int]:
        """Return colour and dash of the line of layer `k`, a dash of three; lines 0 to 8 differ."""
        colours = len(self.levels)
        return self.levels[k % colours], (k + k // colours) % 3


_BAND: Final = 0.06
_LIGHT: Final = (shared.BLUE, shared.PURPLE, shared.LIGHT[1])
_DARK: Final = (shared.SKY, shared.YELLOW, shared.PURPLE)

THEMES: Final = MappingProxyType(
    {
        "light": Theme(**shared.base(*shared.LIGHT, band=_BAND), levels=_LIGHT),
        "dark": Theme(**shared.base(*shared.DARK, band=_BAND), levels=_DARK),
    }
)


def theme(name: str) -> Theme:
    """Return the theme of this name; raise `LimitModelError` if there is none."""
    return shared.by_name(THEMES, name, LimitModelError)
