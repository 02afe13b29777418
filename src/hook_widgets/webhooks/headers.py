"""HTTP header fields: ordered, case kept, looked up without case (RFC 9110 section 5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from hook_widgets.errors import InvalidRequest

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_VALUE = re.compile(r"[\t -~]*")
_REQUEST_LINE = re.compile(r"[A-Z]+ \S+ HTTP/[0-9.]+|HTTP/[0-9.]+ [0-9]{3}.*")
# Set by whoever writes the bytes to the wire; a wrong one breaks the message itself.
_FRAMING = {"content-length", "transfer-encoding", "connection", "expect", "te", "trailer", "upgrade"}


class Headers(Mapping[str, str]):
    """Header fields in order; looking one up ignores case and gives the first of that name.

    Args:
        pairs: a mapping, or (name, value) pairs, repeated names allowed.

    >>> Headers({"X-Trace": "runbook-42"})["x-trace"]
    'runbook-42'
    """

    __slots__ = ("pairs",)

    def __init__(self, pairs: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> None:
        if isinstance(pairs, Headers):
            pairs = pairs.pairs
        elif isinstance(pairs, Mapping):
            pairs = pairs.items()
        self.pairs: tuple[tuple[str, str], ...] = tuple((name, value) for name, value in pairs)

    @classmethod
    def from_text(cls, text: str) -> Headers:
        """The headers in pasted text, one ``Name: value`` a line.

        A request or status line, blank lines and ``> `` or ``< `` marks of ``curl -v`` are passed over.

        Raises:
            InvalidRequest: a line has no colon or no proper name; says which line.
        """
        pairs = []
        for number, raw in enumerate(text.splitlines(), 1):
            line = re.sub(r"^[<>] ", "", raw).strip()
            if not line or _REQUEST_LINE.fullmatch(line):
                continue
            name, colon, value = line.partition(":")
            if not colon or not _TOKEN.fullmatch(name):
                raise InvalidRequest(
                    f"line {number} of the headers is not 'Name: value'; paste one header a line",
                    field="headers",
                )
            pairs.append((name, value.strip()))
        return cls(pairs)

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of that name, in order."""
        wanted = name.lower()
        return tuple(value for key, value in self.pairs if key.lower() == wanted)

    def __getitem__(self, name: str) -> str:
        wanted = name.lower()
        for key, value in self.pairs:
            if key.lower() == wanted:
                return value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(name for name, _ in self.pairs))

    def __len__(self) -> int:
        return len({name for name, _ in self.pairs})

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and any(key.lower() == name.lower() for key, _ in self.pairs)

    def __eq__(self, other: object) -> bool:
        return self.pairs == other.pairs if isinstance(other, Headers) else dict(self) == other

    def __hash__(self) -> int:
        return hash(self.pairs)

    def __repr__(self) -> str:
        return f"Headers({list(self.pairs)!r})"


def check_header(name: str, value: str) -> None:
    """Refuse a header that could not go over the wire as typed.

    Raises:
        InvalidRequest: the name is no token, the header frames the message, or `check_value` refuses.
    """
    if not all(isinstance(text, str) for text in (name, value)):
        raise InvalidRequest("a header's name and value are both text", field="headers")
    if not _TOKEN.fullmatch(name):
        raise InvalidRequest(f"{name!r} is not a header name; use letters, digits and '-'", field="headers")
    if name.lower() in _FRAMING:
        raise InvalidRequest(f"{name} is set when the request is sent; remove it", field="headers")
    check_value(name, value)


def check_value(name: str, value: str) -> None:
    """Refuse a value that could not go over the wire as it is, such as one with a line break.

    Raises:
        InvalidRequest: it has a character outside visible ASCII, space and tab (RFC 9110 section 5.5), or a
            space at an end.
    """
    if not _VALUE.fullmatch(value):
        at = next(i for i, char in enumerate(value, 1) if not _VALUE.fullmatch(char))
        raise InvalidRequest(
            f"the value of {name} has a character at position {at} that no header can carry; "
            "use plain ASCII in one line (encode other text, for example with percent signs)",
            field="headers",
        )
    if value != value.strip(" \t"):
        raise InvalidRequest(
            f"the value of {name} begins or ends with a space, which is lost on the way; remove it",
            field="headers",
        )
