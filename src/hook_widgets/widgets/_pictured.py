"""What the widgets that draw a picture share: inputs of text, and how a tab wants its picture."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import Any, Final

import traitlets as t

from hook_widgets.widgets._base import HookWidget

_SMALLEST_PX, _LARGEST_PX, _LARGEST_DPR = 160, 4000, 4.0
_MOST_DEVICE_PX = 8000  # along a side: a picture of more would take a gigabyte
THEMES: Final = ("light", "dark")
MEDIA_TYPES: Final[Mapping[str, str]] = {"png": "image/png", "svg": "image/svg+xml"}


class Text(t.Unicode[str, Any]):
    """An input as it is written; a number or a date that is assigned in Python becomes its text."""

    def validate(self, obj: Any, value: Any) -> str:
        """The text."""
        return str(super().validate(obj, written(value)))


def written(value: Any) -> Any:
    """A number, a date or nothing as its text; all else as it is."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(" ", "auto" if value.second or value.microsecond else "minutes")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, int | float | Fraction) and not isinstance(value, bool):
        return str(value)
    return value


@dataclass(frozen=True, slots=True)
class View:
    """How a tab wants its picture; whatever a message says, it is in bounds.

    Attributes:
        width: in CSS pixels.
        height: in CSS pixels.
        dpr: device pixels in a CSS pixel.
        theme: ``"light"`` or ``"dark"``.
        quick: whether a slider moves, so that the texts can wait.
        ladders: the id of the steps of sliders that the tab has.
    """

    width: int
    height: int
    dpr: float
    theme: str
    quick: bool
    ladders: str

    @classmethod
    def of(cls, args: Mapping[str, Any]) -> View:
        """Read from the arguments of a request."""
        width, height = (
            int(min(max(_number(args, side, usual), _SMALLEST_PX), _LARGEST_PX))
            for side, usual in (("width", 800.0), ("height", 480.0))
        )
        return cls(
            width,
            height,
            dpr=min(max(_number(args, "dpr", 1.0), 1.0), _LARGEST_DPR, _MOST_DEVICE_PX / max(width, height)),
            theme=theme_of(args),
            quick=bool(args.get("quick")),
            ladders=str(args.get("ladders", "")),
        )


def theme_of(args: Mapping[str, Any]) -> str:
    """The theme that a request names; the light one if it names none."""
    return "dark" if args.get("theme") == "dark" else "light"


def ladders(steps: Mapping[str, Sequence[str]], known: str) -> dict[str, Any] | None:
    """The steps of all sliders, unless the tab has these already."""
    texts = {name: list(each) for name, each in steps.items()}
    key = hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:16]
    return None if key == known else {"id": key, "steps": texts}


class PicturedWidget(HookWidget):
    """A widget whose inputs are traits, and which shows what becomes of them."""

    #: how many texts a row of its list has
    cells = 0

    def _values(self, sent: object = None) -> dict[str, Any]:
        """The inputs, or those that a tab has and did not settle on yet; what is locked stays."""
        values = {name: getattr(self, name) for name in self.lockable}
        if isinstance(sent, dict):
            for name, value in sent.items():
                if name in values and name not in self.locked and self._fits(value, values[name]):
                    values[name] = value
        return values

    def _fits(self, value: object, usual: object) -> bool:
        """Whether a value is of the right type."""
        if not isinstance(usual, list) or not isinstance(value, list):
            return isinstance(value, type(usual))
        return all(
            isinstance(row, list) and len(row) == self.cells and all(isinstance(cell, str) for cell in row)
            for row in value
        )


def _number(args: Mapping[str, Any], name: str, usual: float) -> float:
    value = args.get(name)
    if not isinstance(value, int | float) or value != value:
        return usual
    return float(min(max(value, 0), _LARGEST_PX))  # a whole number from JSON may be larger than any float
