"""Read configurations, with the position of what cannot be read."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final, NoReturn

from hook_widgets.ratelimit.configs.target import GO_UNITS_NS, Target

MAX_CHARACTERS: Final = 100_000
"""A longer configuration is not read."""

_GO_DURATION: Final = re.compile(r"(?:\d{1,12}(?:\.\d{1,9})?(?:ns|us|ms|s|m|h)){1,6}")
_GO_PART: Final = re.compile(r"([\d.]+)(ns|us|ms|s|m|h)")
_VALUE: Final = r"[ \t]*(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s\"'#][^\s#]*))[ \t]*(?:#[^\n]*)?$"


class YamlFields:
    """The lines ``name: value`` of a text in YAML, each name at most once.

    Args:
        text: the configuration.
        target: the server, for errors.
        names: the names to look for; other lines are ignored.

    Raises:
        InvalidLimit: a name occurs twice, with the place of the second.
    """

    def __init__(self, text: str, target: Target, names: tuple[str, ...]) -> None:
        self._text = text
        self._target = target
        self._values: dict[str, tuple[str, int]] = {}
        pattern = rf"^[ \t]*(?:-[ \t]+)?({'|'.join(map(re.escape, names))}):{_VALUE}"
        for line in re.finditer(pattern, text, re.MULTILINE):
            name, group = line[1], next(n for n in (2, 3, 4) if line[n] is not None)
            if name in self._values:
                target.fault(text, line.start(1), f"there are two lines with {name}; give one")
            self._values[name] = line[group], line.start(group)

    def __contains__(self, name: str) -> bool:
        """Return True if there is a line of this name."""
        return name in self._values

    def text(self, name: str, default: str = "") -> str:
        """Return the value of a line."""
        return self._values[name][0] if name in self._values else default

    def fault(self, name: str, problem: str) -> NoReturn:
        """Raise the error of the value of a line; of the beginning, if there is none of this name."""
        position = self._values[name][1] if name in self._values else 0
        self._target.fault(self._text, position, problem)

    def whole(self, name: str, default: int | None = None) -> int:
        """Return a positive whole number.

        Raises:
            InvalidLimit: it is none, or it is missing and has no default.
        """
        if name not in self._values:
            if default is not None:
                return default
            self.fault(name, f"there is no line with {name}; give one")
        value = self.text(name)
        if not re.fullmatch(r"[0-9]{1,12}", value) or not int(value):
            self.fault(name, f"{name} is no whole number from 1 to 999999999999; give one")
        return int(value)

    def duration(self, name: str, default_s: Fraction) -> Fraction:
        """Return a duration of Go's package time, in seconds; a number without a unit is in seconds.

        Raises:
            InvalidLimit: it is none, or zero.
        """
        if name not in self._values:
            return default_s
        span_s = go_seconds(self.text(name))
        if not span_s:
            self.fault(name, f"{name} is no duration such as 1m30s; give one")
        return span_s


def go_seconds(text: str) -> Fraction:
    """Return the seconds of a duration of Go's package time; 0 if the text is none."""
    if re.fullmatch(r"[0-9]{1,12}", text):
        return Fraction(text)
    text = text.replace("µ", "u")
    if not text.isascii() or not _GO_DURATION.fullmatch(text):
        return Fraction(0)
    return (
        sum((Fraction(number) * GO_UNITS_NS[unit] for number, unit in _GO_PART.findall(text)), Fraction(0))
        / 10**9
    )
