"""Base class of the widgets with a picture: text inputs, and the view that a tab requests."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import traitlets as t

from hook_widgets.errors import LimitModelError, VersioningError
from hook_widgets.widgets._base import HookWidget

_SMALLEST_PX, _LARGEST_PX, _LARGEST_DPR = 160, 4000, 4.0
_MOST_DEVICE_PX = 8000  # along a side; a larger picture would take a gigabyte
THEMES: Final = ("light", "dark")
MEDIA_TYPES: Final[dict[str, str]] = {"png": "image/png", "svg": "image/svg+xml"}


class Text(t.Unicode[str, Any]):
    """A text input; a number or a date assigned in Python becomes text."""

    def validate(self, obj: Any, value: Any) -> str:
        """Return the value as text."""
        return str(super().validate(obj, written(value)))


def written(value: Any) -> Any:
    """Convert a number, a date or None to text; return other values unchanged."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(" ", "auto" if value.second or value.microsecond else "minutes")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, int | float | Fraction) and not isinstance(value, bool):
        return str(value)
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Size and theme of the picture for a tab, always within bounds.

    Attributes:
        width: width in CSS pixels.
        height: height in CSS pixels.
        dpr: device pixels per CSS pixel.
        theme: ``"light"`` or ``"dark"``.
        quick: whether a slider is moving, so that the texts can wait.
        scales: id of the slider steps that the tab already has.
    """

    width: int
    height: int
    dpr: float
    theme: str
    quick: bool
    scales: str

    @classmethod
    def of(cls, args: Mapping[str, Any]) -> View:
        """Read a view from the arguments of a request."""
        width, height = (
            int(min(max(_number(args, side, default), _SMALLEST_PX), _LARGEST_PX))
            for side, default in (("width", 800.0), ("height", 480.0))
        )
        return cls(
            width=width,
            height=height,
            dpr=min(max(_number(args, "dpr", 1.0), 1.0), _LARGEST_DPR, _MOST_DEVICE_PX / max(width, height)),
            theme=theme_of(args),
            quick=bool(args.get("quick")),
            scales=str(args.get("scales", "")),
        )


def theme_of(args: Mapping[str, Any]) -> str:
    """Return the theme that a request names; ``"light"`` if it names none."""
    return "dark" if args.get("theme") == "dark" else "light"


def scales(steps: Mapping[str, Sequence[str]], known: str) -> dict[str, Any] | None:
    """Return the steps of all sliders, unless the tab already has them."""
    texts = {name: list(each) for name, each in steps.items()}
    key = hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:16]
    return None if key == known else {"id": key, "steps": texts}


class PlotWidget(HookWidget):
    """A widget that draws a picture of its inputs, which are traits."""

    #: Numbers of texts that a row of its list may have.
    cells: Sequence[int] = (0,)

    _by_code = False  # False while the constructor or a browser sets inputs

    if not TYPE_CHECKING:  # type checkers know the attributes

        def __setattr__(self, name: str, value: object) -> None:
            """Set an attribute; an input is checked first, so that the state stays valid."""
            if not self._by_code or name not in self.lockable:
                super().__setattr__(name, value)
                return
            inputs = self._inputs_of(name, value)
            self._check(inputs)
            self._set(inputs)

    def _inputs_of(self, name: str, value: Any) -> Mapping[str, Any]:
        """Convert a Python value that code assigns to inputs, as the constructor does."""
        raise NotImplementedError

    def _read_inputs(self, values: Mapping[str, Any]) -> object:
        """Read inputs; raise an error whose `field` names the input that is invalid."""
        raise NotImplementedError

    def _check(self, inputs: Mapping[str, Any]) -> None:
        """Raise the error of inputs that code assigns, but not one that another input had before."""
        values = self._values()
        try:
            self._read_inputs({**values, **inputs})
        except (LimitModelError, VersioningError) as error:
            if error.field.partition(".")[0] in inputs or self._is_valid(values):
                raise

    def _is_valid(self, values: Mapping[str, Any]) -> bool:
        try:
            self._read_inputs(values)
        except (LimitModelError, VersioningError):
            return False
        return True

    def _set(self, inputs: Mapping[str, Any]) -> None:
        """Set several inputs at once, without a check."""
        self._by_code = False
        try:
            with self.hold_sync():
                for name, value in inputs.items():
                    setattr(self, name, value)
        finally:
            self._by_code = True

    def _values(self, sent: object = None) -> dict[str, Any]:
        """Return the inputs, overridden by a tab's uncommitted ones; locked inputs stay."""
        values = {name: getattr(self, name) for name in self.lockable}
        if isinstance(sent, dict):
            for name, value in sent.items():
                if name in values and name not in self.locked and self._fits(value, values[name]):
                    values[name] = value
        return values

    def _fits(self, value: object, current: object) -> bool:
        """Return True if a value has the type of the current one."""
        if not isinstance(current, list) or not isinstance(value, list):
            return isinstance(value, type(current))
        return all(
            isinstance(row, list) and len(row) in self.cells and all(isinstance(cell, str) for cell in row)
            for row in value
        )


def _number(args: Mapping[str, Any], name: str, default: float) -> float:
    value = args.get(name)
    if not isinstance(value, int | float) or (isinstance(value, float) and math.isnan(value)):
        return default
    return float(min(max(value, 0), _LARGEST_PX))  # an integer from JSON may exceed the range of float
