"""Keep secrets out of the output of tests.

A failed assertion shows values, ``--showlocals`` the variables of every frame, and frameworks log requests.
The reports from which pytest writes its output and files are therefore masked.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, Final

from hook_widgets.receivers.reporting.redaction import known_prefix, spellings
from hook_widgets.receivers.reporting.report import MASK
from hook_widgets.webhooks.keys.key_pair import KeyPair
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.requests.provider import Provider

_SHORTEST: Final = 6  # characters of a part of a secret that are masked, too
_LONGEST: Final = 200  # characters of a form whose parts are masked
_REACH: Final = 4 * _LONGEST  # characters beside an ellipsis that may have a part and its breaks
_COLOR: Final = r"\x1b\[[0-9;]*[A-Za-z]"
# Where a representation is continued on the next line, inside a diff or not; colors may be anywhere.
_NEW_LINE: Final = (
    rf"(?:\\*['\"])?(?:{_COLOR}|\s)*(?:\n|\\+n)(?:{_COLOR}|[ E>+\-?])*(?:b?\\*['\"])?(?:{_COLOR})*"
)
_COLORS: Final = re.compile(_COLOR)
_BREAK: Final = rf"(?:{_COLOR})*(?:{_NEW_LINE})?"
_GAP: Final = re.compile(rf"{_COLOR}|{_NEW_LINE}")
# All of which a break consists, apart from colors.
_OF_BREAKS: Final = " \t\n\r\v\f'\"\\nbE>+-?"
_WITHOUT: Final = str.maketrans("", "", _OF_BREAKS)
_CERTAIN: Final = 12  # characters of no break that stand in this order by no chance
# A long representation has its middle left out, and a line its end.
_ELLIPSIS: Final = re.compile(r"\.\.\.|…")


class SecretMask:
    """Replaces the secrets of a test session, in every usual encoding, also if broken or cut."""

    def __init__(self) -> None:
        self._known: dict[str, _Form] = {}

    def add(self, provider: Provider, key: Secret | KeyPair) -> None:
        """Mask this secret from now on; a key pair shows no private key."""
        if isinstance(key, KeyPair) or (text := key.reveal()) in self._known:
            return
        lines = [line for line in text.splitlines() if len(line) > 3 * _SHORTEST and " " not in line]
        literals = (repr(text.encode("utf-8", "surrogatepass"))[2:-1], ascii(text)[1:-1])
        forms = {
            text,
            *spellings(key, provider.key.spec, known_prefix(provider)),
            *literals,
            *lines,
        }  # lines of a PEM
        self._known |= {form: _Form(form) for form in forms}

    def text(self, text: str) -> str:
        """Return the text with a mask for each secret."""
        unbroken = _without_breaks(text)
        possible = [form for form in self._known.values() if form.may_be_in(unbroken)]
        for form in sorted(possible, key=lambda form: len(form.text), reverse=True):
            text = form.without_cuts(form.masked(text))
        return text

    def report(self, value: Any) -> Any:
        """Return a part of a report with every text masked; objects are changed in place."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list) and all(isinstance(line, str) for line in value):
            return (
                self.text("\n".join(value)).split("\n") if value else value
            )  # a secret may go over two lines
        if isinstance(value, list | tuple):
            return type(value)([self.report(item) for item in value])
        if isinstance(value, bytes | dict | set | frozenset):  # a property that a test recorded
            shown = str(value)
            masked = self.text(shown)
            return value if masked == shown else masked
        if type(value).__module__.startswith("_pytest."):
            for name, item in vars(value).items():
                object.__setattr__(value, name, self.report(item))
        return value


class _Form:
    """One spelling of a secret."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._unbroken = _without_breaks(text)
        self._ends = {_without_breaks(text[:_SHORTEST]), _without_breaks(text[-_SHORTEST:])}

    def may_be_in(self, unbroken: str) -> bool:
        """Return True if a text without breaks has the beginning or the end."""
        return any(end in unbroken for end in self._ends)

    @cached_property
    def _whole(self) -> re.Pattern[str]:
        return re.compile(_BREAK.join(map(re.escape, self.text)))

    @cached_property
    def _ends_of_breaks(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        """Patterns for the characters before the first and after the last one that is in no break."""
        first, last = len(self.text.lstrip(_OF_BREAKS)), len(self.text.rstrip(_OF_BREAKS))
        before = (re.escape(char) + _BREAK for char in self.text[: len(self.text) - first])
        after = (_BREAK + re.escape(char) for char in self.text[last:])
        return re.compile("".join(before) + r"\Z"), re.compile("".join(after))

    def masked(self, text: str) -> str:
        """Return a text with a mask for each occurrence, however it is broken.

        The pattern of a long spelling takes a tenth of a second to compile: it is found without one.
        """
        if len(self._unbroken) < _CERTAIN:
            return self._whole.sub(MASK, text)
        unbroken = _without_breaks(text)
        at = unbroken.find(self._unbroken)
        if at < 0:
            return text
        places = _places(text, _COLORS, _OF_BREAKS)
        before, after = self._ends_of_breaks
        pieces, done = list[str](), 0
        while at >= 0:
            first, last = places[at], places[at + len(self._unbroken) - 1] + 1
            start, end = before.search(text, max(done, first - _REACH), first), after.match(text, last)
            pieces += text[done : start.start() if start else first], MASK
            done = end.end() if end else last
            at = unbroken.find(self._unbroken, at + len(self._unbroken))
        return "".join([*pieces, text[done:]])

    def without_cuts(self, text: str) -> str:
        """Return a text with a mask for the beginning before each ellipsis, and for the end after it."""
        if not _SHORTEST < len(self.text) <= _LONGEST:
            return text
        parts = [
            (size, self.text[:size], self.text[-size:]) for size in range(len(self.text), _SHORTEST - 1, -1)
        ]
        for ellipsis in reversed(list(_ELLIPSIS.finditer(text))):
            for begin, end in (
                (ellipsis.end(), ellipsis.end() + _REACH),
                (max(0, ellipsis.start() - _REACH), ellipsis.start()),
            ):
                window = text[begin:end]
                if not self.may_be_in(_without_breaks(window)):
                    continue
                places = _places(window, _GAP)
                plain = "".join([window[at] for at in places])
                for size, start, rest in parts:
                    if begin >= ellipsis.end() and plain.startswith(rest):
                        first, last = places[0], places[size - 1]
                    elif begin < ellipsis.end() and plain.endswith(start):
                        first, last = places[-size], places[-1]
                    else:
                        continue
                    text = text[: begin + first] + MASK + text[begin + last + 1 :]
                    break
        return text


def _without_breaks(text: str) -> str:
    return _COLORS.sub("", text).translate(_WITHOUT)


def _places(text: str, gaps: re.Pattern[str], skipped: str = "") -> list[int]:
    """Return the indexes of the characters that belong to no gap and are not skipped."""
    places: list[int] = []
    at = 0
    for gap in gaps.finditer(text):
        places += range(at, gap.start())
        at = gap.end()
    places += range(at, len(text))
    return [place for place in places if text[place] not in skipped] if skipped else places
