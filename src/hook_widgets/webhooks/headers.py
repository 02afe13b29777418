"""HTTP header fields: ordered, names in their original case, case-insensitive lookup (RFC 9110 section 5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from hook_widgets.errors import InvalidArgument

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_VALUE = re.compile(r"[\t -~]*")
# Set by the HTTP client; a wrong value breaks the framing of the message.
_FRAMING = {"content-length", "transfer-encoding", "connection", "expect", "te", "trailer", "upgrade"}


class Headers(Mapping[str, str]):
    """HTTP headers, as an ordered case-insensitive multi-dict; a lookup returns the first value of a name.

    Args:
        pairs: a mapping, or (name, value) pairs with repeated names allowed.

    >>> Headers({"X-Trace": "runbook-42"})["x-trace"]
    'runbook-42'
    """

    __slots__ = ("_pairs",)

    def __init__(self, pairs: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> None:
        if isinstance(pairs, Headers):
            pairs = pairs._pairs
        elif isinstance(pairs, Mapping):
            pairs = pairs.items()
        self._pairs: tuple[tuple[str, str], ...] = tuple((name, value) for name, value in pairs)

    @classmethod
    def from_text(cls, text: str) -> Headers:
        """Read the headers in a pasted text of any form that `read_recording` reads.

        The rest of the text, such as a body, is left out; `read_recording` returns it, with notes on
        everything that could not be read.

        Raises:
            InvalidArgument: the text has no headers, or several requests; the message names the first line
                that is not understood.
        """
        from hook_widgets.webhooks.recordings.reading import read_headers

        return cls(read_headers(text))

    def multi_items(self) -> list[tuple[str, str]]:
        """Return all (name, value) pairs in order; a repeated name has several."""
        return list(self._pairs)

    def get_list(self, name: str) -> list[str]:
        """Return every value of a name, in order.

        Args:
            name: the name, in any case.
        """
        lower = name.lower()
        return [value for key, value in self._pairs if key.lower() == lower]

    def __getitem__(self, name: str) -> str:
        lower = name.lower()
        for key, value in self._pairs:
            if key.lower() == lower:
                return value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(name for name, _ in self._pairs))

    def __len__(self) -> int:
        return len({name for name, _ in self._pairs})

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and any(key.lower() == name.lower() for key, _ in self._pairs)

    def __eq__(self, other: object) -> bool:
        return self._pairs == other._pairs if isinstance(other, Headers) else dict(self) == other

    def __hash__(self) -> int:
        return hash(self._pairs)

    def __repr__(self) -> str:
        return f"Headers({list(self._pairs)!r})"


def check_header(name: str, value: str) -> None:
    """Reject a header that cannot be sent as typed.

    Raises:
        InvalidArgument: the header frames the message, or `check_name` or `check_value` rejects it.
    """
    check_name(name)
    if name.lower() in _FRAMING:
        raise InvalidArgument(f"{name} is set when the request is sent; remove it", field="headers")
    check_value(name, value)


def check_name(name: str) -> None:
    """Reject a header name that cannot be sent.

    Raises:
        InvalidArgument: it is not a token (RFC 9110 section 5.6.2).
    """
    if not is_token(name):
        raise InvalidArgument(f"{name!r} is not a header name; use letters, digits and '-'", field="headers")


def is_token(text: object) -> bool:
    """Return True for a token (RFC 9110 section 5.6.2), such as the name of a header or a method."""
    return isinstance(text, str) and _TOKEN.fullmatch(text) is not None


def check_value(name: str, value: str) -> None:
    """Reject a header value that cannot be sent unchanged, such as one with a line break.

    Raises:
        InvalidArgument: it has a character other than visible ASCII, space and tab (RFC 9110 section 5.5), or
            begins or ends with a space.
    """
    if not isinstance(value, str):
        raise InvalidArgument(
            f"the value of {name} must be text, not {type(value).__name__}; decode bytes as Latin-1",
            field="headers",
        )
    if not _VALUE.fullmatch(value):
        at = next(i for i, char in enumerate(value, 1) if not _VALUE.fullmatch(char))
        raise InvalidArgument(
            f"the value of {name} has a character at position {at} that no header can carry; "
            "use plain ASCII in one line (encode other text, for example with percent signs)",
            field="headers",
        )
    if value != value.strip(" \t"):
        raise InvalidArgument(
            f"the value of {name} begins or ends with a space, which is lost in transit; remove it",
            field="headers",
        )
