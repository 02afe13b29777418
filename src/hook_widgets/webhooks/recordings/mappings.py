"""Read the printed form of a dict, object or hash, and of lists of pairs, without evaluating it.

It is what ``print(request.headers)`` writes in Python, and the like in JavaScript, Ruby and PHP. Values
that are not text, such as objects, are read past.
"""

from __future__ import annotations

import re
from typing import Any, Final

from hook_widgets.webhooks.recordings.escapes import literal

MAX_DEPTH: Final = 32

_SPACE: Final = re.compile(r"[\s]*")
_QUOTES: Final = ("'", '"', "`")  # Node writes `...` around text with both others
_STRING: Final = re.compile(r"[bBrRuU]{0,2}(?=['\"`])")
_MARK: Final = {quote: re.compile(rf"[\\{quote}]") for quote in _QUOTES}
_SEPARATOR: Final = re.compile(r"=>|[:=]")
_WORD: Final = re.compile(r"[:@]?[A-Za-z_$][\w$.-]*|[-+]?[\d.][\w.+-]*")
_OBJECT: Final = re.compile(r"#?<(?=[\w.])")
_ANGLE: Final = re.compile(r"[<>]")
_MAX_OBJECT: Final = 1_000  # characters of the printed form of an object
_WRAPPED: Final = re.compile(
    r"<?[A-Za-z_][\w.]{0,100}\s?\(|<[A-Za-z_][\w.]{0,100} (?=[{(\[])|[A-Za-z_]\w{0,100} (?=\{)"
)
_CLOSERS: Final = {"{": "}", "[": "]", "(": ")"}


class NotAMapping(ValueError):
    """The text is not the printed form of a mapping."""


class Unknown:
    """A value that is not text."""


UNKNOWN: Final = Unknown()


class Pairs(list[tuple[str, Any]]):
    """The members of a mapping in their order, with repeated names."""

    def first(self, *names: str) -> Any:
        """Return the value of the first of these names that it has; None if it has none."""
        for member in names:
            for name, value in self:
                if name == member:
                    return value
        return None


def read_mapping(text: str) -> Any:
    """Return strings, `Pairs` and lists; `UNKNOWN` for other values.

    Raises:
        NotAMapping: it is none of these, or nested too deeply.
    """
    reader = _Reader(text)
    value = reader.value(0)
    reader.skip()
    if reader.at < len(text):
        raise NotAMapping
    return value


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def skip(self) -> None:
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]

    def value(self, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise NotAMapping
        self.skip()
        text, at = self.text, self.at
        if prefix := _STRING.match(text, at):
            return self._string(prefix.end(), raw="r" in prefix[0].lower())
        if text[at : at + 1] in ("{", "[", "("):
            return self._container(text[at], depth)
        if wrapped := _WRAPPED.match(text, at):
            try:
                return self._wrapped(wrapped, depth)
            except NotAMapping:
                if text[at] != "<":
                    raise
                self.at = at  # an object whose form only begins like that
        if thing := _OBJECT.match(text, at):
            return self._object(thing.end())
        if word := _WORD.match(text, at):
            self.at = word.end()
            return UNKNOWN
        raise NotAMapping

    def _object(self, start: int) -> Unknown:
        """Read past an object that is printed between angle brackets, which may contain others."""
        depth = 1
        for angle in _ANGLE.finditer(self.text, start, start + _MAX_OBJECT):
            depth += 1 if angle[0] == "<" else -1
            if depth == 0:
                self.at = angle.end()
                return UNKNOWN
        raise NotAMapping

    def _wrapped(self, start: re.Match[str], depth: int) -> Any:
        """Read the argument of a constructor: ``Headers([...])``, ``<Headers {...}>``."""
        self.at = start.end()
        self.skip()
        value = UNKNOWN if self.text.startswith(")", self.at) else self.value(depth + 1)
        for closer in (")" if "(" in start[0] else "", ">" if start[0][0] == "<" else ""):
            self.skip()
            while closer == ")" and self.text.startswith(",", self.at):  # more arguments
                self.at += 1
                self.value(depth + 1)
                self.skip()
            if not self.text.startswith(closer, self.at):
                raise NotAMapping
            self.at += len(closer)
        return value

    def _container(self, opener: str, depth: int) -> Any:
        closer = _CLOSERS[opener]
        pairs, items = Pairs(), list[Any]()
        self.at += 1
        while True:
            self.skip()
            if self.text.startswith(closer, self.at):
                self.at += 1
                break
            start = self.at
            if opener != "{" and self.text.startswith("[", start) and (key := self._php_key()):
                pairs.append((key, self.value(depth + 1)))
            elif opener == "{" or self._is_member():
                key = self._key()
                pairs.append((key, self.value(depth + 1)))
            else:
                items.append(self.value(depth + 1))
            self.skip()
            if self.text.startswith((",", ";"), self.at):
                self.at += 1
            elif not self.text.startswith(closer, self.at):
                raise NotAMapping
        return pairs if opener == "{" or pairs else items

    def _php_key(self) -> str:
        key = re.compile(r"\[['\"]?([\w.-]{1,200})['\"]?\]\s*=>").match(self.text, self.at)
        if not key:
            return ""
        self.at = key.end()
        return key[1]

    def _is_member(self) -> bool:
        """Return True before ``'key' =>``, as PHP and Ruby write in brackets."""
        start = self.at
        if self.text[start : start + 1] not in _QUOTES:
            return False
        self._string(start, raw=False)
        self.skip()
        member = self.text.startswith("=>", self.at)
        self.at = start
        return member

    def _key(self) -> str:
        prefix = _STRING.match(self.text, self.at)
        if prefix:
            key = self._string(prefix.end(), raw=False)
        elif word := _WORD.match(self.text, self.at):
            self.at = word.end()
            key = word[0].lstrip(":@")
        else:
            raise NotAMapping
        self.skip()
        separator = _SEPARATOR.match(self.text, self.at)
        if not separator:
            raise NotAMapping
        self.at = separator.end()
        return key

    def _string(self, start: int, *, raw: bool) -> str:
        text, quote = self.text, self.text[start]
        at = start + 1
        while mark := _MARK[quote].search(text, at):
            if mark[0] == quote:
                self.at = mark.end()
                inner = text[start + 1 : mark.start()]
                return inner if raw else literal(inner)
            at = mark.end() + 1
        raise NotAMapping
