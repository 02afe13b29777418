"""Read the printed form of a dict, object, map or array, and of lists of pairs, without evaluating it.

It is what ``print(request.headers)`` writes in Python, and the like in JavaScript, Ruby, PHP, Perl, Go,
Elixir and others, as far as texts have quotes. Values that are not text, such as objects, are read past.
"""

from __future__ import annotations

import re
from typing import Any, Final

from hook_widgets.webhooks.recordings.escapes import literal

MAX_DEPTH: Final = 32
MAX_STEPS: Final = 20_000
"""The largest number of values in one text, and of attempts to read one."""

_SPACE: Final = re.compile(r"[\s▼▶]*")  # with the marks of Symfony's VarDumper
_COMMENT: Final = re.compile(r"(?://|#(?=\s))[^\n]*")
_QUOTES: Final = ("'", '"', "`")  # Node writes `...` around text with both others
_STRING: Final = re.compile(r"[bBrRuUfF]{0,2}(?=['\"`])|:(?=\")")
_MARK: Final = {quote: re.compile(rf"[\\{quote}]") for quote in _QUOTES}
_SEPARATOR: Final = re.compile(r"=>|[:=](?!=)")
_JOINED: Final = re.compile(r"\s*\+\s*(?=['\"`])")
_EXPRESSION: Final = re.compile(r"(?:\+|%(?!\{)|\.|\|\||\?\?)[ \t]*(?=[\w$'\"`(])")
_METHODS: Final = ("get", "post", "put", "patch", "delete")
_WORD: Final = re.compile(
    r"\d{4}-\d\d-\d\d[T ][\d:.]{4,20}Z?|/(?=[^/*\s])[^/\n]{1,200}/[a-z]{0,8}"
    r"|[:@\\*]?[A-Za-z_$][\w$.-]*[?!]?|[-+]?[\d.][\w.+-]*|(?:->|:?\.\.\.)"
)
_OBJECT: Final = re.compile(r"#?<(?=[\w.])")
_ANGLE: Final = re.compile(r"[<>]")
_MAX_BLANKS: Final = 200  # before an operator
_MAX_OBJECT: Final = 1_000  # characters of the printed form of an object
_ANGLE_WRAPPED: Final = re.compile(r"<[A-Za-z_][\w.]{0,100} ?(?=[{(\[])")
_WRAPPED: Final = re.compile(
    r"(?:await |new |return ){0,3}[A-Za-z_][\w.]{0,100}(?:\(\d{1,9}\)|:\d{1,9}|@[0-9a-f]{1,16})? ?(?=[{(\[])"
    r"|\[[A-Za-z]{1,40}: null prototype\] ?(?=\{)|[@%#](?:[A-Z][\w.]{0,100})?(?=[{(])"
    r"|\[\][a-z]{1,20}(?=\{)|#[a-z]{1,20}(?=\[)"
    r"|map\[[a-z]{1,20}\](?:\[\])?[a-z]{1,20}(?=\{)|array\s{1,10}(?=\()"
)
_SIZED: Final = re.compile(r"string\((\d{1,7})\) \"")  # PHP's var_dump, which escapes nothing
_PHP_KEY: Final = re.compile(r"\[(?:\"([^\"\n]{0,200})\"|'([^'\n]{0,200})'|([\w.-]{1,200}))\]\s*=>?")
_SYMBOL_KEY: Final = re.compile(r"\[Symbol\([^()\n]{0,200}\)\](?=:)")
_CLOSERS: Final = {"{": "}", "[": "]", "(": ")"}


class NotAMapping(ValueError):
    """The text is not the printed form of a mapping."""


class Unknown:
    """A value that is not text."""


class Bare(Unknown):
    """A word without quotes, which is a name if it is the key of a member.

    Attributes:
        text: the word.
    """

    def __init__(self, text: str) -> None:
        self.text = text


UNKNOWN: Final = Unknown()
_NO_LINE: Final = 1 << 62  # so that -1 is behind every position


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
    """Return strings, `Pairs` and lists; an `Unknown` for other values.

    Raises:
        NotAMapping: it is none of these, too long, or nested too deeply.
    """
    value, end = read_value(text)
    if text[end:].strip():
        raise NotAMapping
    return value


def read_value(text: str, start: int = 0) -> tuple[Any, int]:
    """Read one value from a position on; return it as `read_mapping` does, and the position after it."""
    reader = _Reader(text, start)
    value = reader.value(0)
    return value, reader.at


class _Reader:
    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.at = start
        self.steps = 0

    def skip(self) -> None:
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]

    def value(self, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise NotAMapping
        self._step()
        self.skip()
        text, at = self.text, self.at
        if sized := _SIZED.match(text, at):
            return self._sized(sized)
        if prefix := _STRING.match(text, at):
            return self._joined_string(prefix)
        if text.startswith('<<"', at):
            return self._binary()
        if text.startswith("<<>>", at):  # Erlang's empty binary
            self.at += 4
            return ""
        if wrapped := _ANGLE_WRAPPED.match(text, at):
            try:
                return self._wrapped(wrapped, depth, ">")
            except NotAMapping:
                self.at = at  # an object whose form only begins like that
        elif wrapped := _WRAPPED.match(text, at):
            return self._wrapped(wrapped, depth)
        if text[at : at + 1] in ("{", "[", "("):
            return self._container(text[at], depth)
        if thing := _OBJECT.match(text, at):
            return self._object(thing.end())
        if word := _WORD.match(text, at):
            self.at = word.end()
            return Bare(word[0])
        raise NotAMapping

    def _step(self) -> None:
        self.steps += 1
        if self.steps > MAX_STEPS:
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

    def _wrapped(self, start: re.Match[str], depth: int, end: str = "") -> Any:
        """Read the arguments of a constructor: ``Headers([...])``, ``<Headers {...}>``, ``Map(2) {...}``."""
        self.at = start.end()
        opener = self.text[self.at]
        value = self._container(opener, depth + 1)
        if end:
            self.skip()
            if not self.text.startswith(end, self.at):
                raise NotAMapping
            self.at += len(end)
        if opener == "(" and not isinstance(value, Pairs):
            value = _argument(value)
        method = start[0].strip().rpartition(".")[2]
        if isinstance(value, Pairs) and method in _METHODS:
            return Pairs([("method", method.upper()), *value])
        if isinstance(value, Pairs):
            raw = value.first("raw")
            return value if raw is None or len(value) > 1 else raw
        if opener == "{" and len(value) == 1:  # Java's HttpHeaders
            return value[0]
        return value

    def _container(self, opener: str, depth: int) -> Any:
        closer = _CLOSERS[opener]
        # A value on another line than the last key cannot be known as its second one.
        pairs, items, line_end = Pairs(), list[Any](), 0
        self.at += 1
        while True:
            self.skip()
            if self.text.startswith(("//", "#"), self.at):
                self._comments()
            if self.text.startswith(closer, self.at):
                self.at += 1
                break
            start, (key, value) = self.at, self._member(opener, depth + 1)
            if key is not None:
                pairs.append((key, value))
                line_end = self.text.find("\n", start) % _NO_LINE
            elif pairs and isinstance(value, str) and self.at <= line_end:  # Spring: [accept:"a", "b"]
                pairs.append((pairs[-1][0], value))
            else:
                items.append(value)
            self.skip()
            if self.text.startswith((",", ";"), self.at):
                self.at += 1
            elif not self.text.startswith(closer, self.at):
                blank = self.text[self.at - 1].isspace()
                if self._expression(depth):
                    if key is None:
                        items[-1:] = [UNKNOWN]
                    else:
                        pairs[-1] = (key, UNKNOWN)
                elif not blank:
                    raise NotAMapping
                self._comments()
                self.at += self.text.startswith((",", ";"), self.at)
        if pairs and items and all(isinstance(value, Unknown) for _, value in pairs):
            return items  # such as [Function: name]
        if pairs and items and opener == "(" and isinstance(items[0], str) and "://" in items[0]:
            pairs.insert(0, ("url", items[0]))
        return pairs if pairs or (opener == "{" and not items) else items

    def _comments(self) -> None:
        while comment := _COMMENT.match(self.text, self.at):
            self.at = comment.end()
            self.skip()

    def _expression(self, depth: int) -> bool:
        """Read past what follows a value in an expression, such as ``+ token``; False if nothing does."""
        start = self.at
        if self.text[max(0, start - _MAX_BLANKS) : start].rstrip(" \t").endswith("\n"):
            return False
        while operator := _EXPRESSION.match(self.text, self.at):
            self.at = operator.end()
            self.value(depth + 1)
            self.skip()
        return self.at > start

    def _member(self, opener: str, depth: int) -> tuple[str | None, Any]:
        """Read a value, or a key and its value."""
        if key := _PHP_KEY.match(self.text, self.at):
            self.at = key.end()
            return key[1] or key[2] or key[3] or "", self.value(depth)
        if key := _SYMBOL_KEY.match(self.text, self.at):
            self.at = key.end() + 1
            return key[0], self.value(depth)
        value = self.value(depth)
        name = value.text.lstrip(":@") if isinstance(value, Bare) else value
        self.skip()
        separator = _SEPARATOR.match(self.text, self.at)
        keyword = isinstance(value, Bare) and value.text[0] == ":" and opener == "{"
        if not separator and keyword and not self.text.startswith((",", "}"), self.at):
            return name, self.value(depth)  # Clojure: {:name "value"}
        if not separator or not isinstance(name, str):
            while opener == "(" and isinstance(value, str) and (more := self._continued()) is not None:
                value += more
            return None, value
        self.at = separator.end()
        content = self.value(depth)
        while opener != "[" and isinstance(content, str) and (more := self._continued()) is not None:
            content += more
        return name, content

    def _continued(self) -> str | None:
        """Read a string literal that continues the one before it, as Python's pprint writes long texts."""
        self.skip()
        start = self.at
        prefix = _STRING.match(self.text, start)
        if not prefix:
            return None
        self._step()
        more = self._string(prefix.end(), raw="r" in prefix[0].lower())
        end = self.at
        self.skip()
        if _SEPARATOR.match(self.text, self.at):  # the next key, without a comma between
            self.at = start
            return None
        self.at = end
        return more

    def _joined_string(self, prefix: re.Match[str]) -> Any:
        """Read a string literal, and those that Node joins to it with ``+``; unknown if it has variables."""
        start, marks = prefix.end(), prefix[0].lower()
        parts = [self._string(start, raw="r" in marks)]
        while plus := _JOINED.match(self.text, self.at):
            self._step()
            parts.append(self._string(plus.end(), raw=False))
        text = "".join(parts)
        variable = "${" if self.text[start] == "`" else "{" if "f" in marks else ""
        return UNKNOWN if variable and variable in text else text

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

    def _sized(self, start: re.Match[str]) -> str:
        """Read a text of PHP's var_dump, whose size in bytes tells its end."""
        size = int(start[1])
        content = self.text[start.end() : start.end() + size].encode("utf-8", "surrogatepass")[:size]
        value = content.decode("utf-8", "replace")
        self.at = start.end() + len(value)
        if not self.text.startswith('"', self.at):
            raise NotAMapping
        self.at += 1
        return value

    def _binary(self) -> str:
        """Read a binary of Erlang, ``<<"text">>``."""
        value = self._string(self.at + 2, raw=False)
        if not self.text.startswith(">>", self.at):
            raise NotAMapping
        self.at += 2
        return value


def _argument(arguments: list[Any]) -> Any:
    """Return the argument that describes headers or a request; the URL of ``fetch`` becomes its member."""
    if arguments and isinstance(arguments[0], str):
        options = [argument for argument in arguments[1:] if isinstance(argument, Pairs)]
        for described in [*(each for each in options if each.first("headers") is not None), *options[:1]]:
            return Pairs([("url", arguments[0]), *described])
    for argument in arguments:
        if isinstance(argument, list):
            return argument
    return UNKNOWN
