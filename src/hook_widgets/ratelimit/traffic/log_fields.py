"""Read the fields of a logged request beside its time: who sent it, what was asked for, what it cost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final

from hook_widgets._access_logs.log_columns import lookup
from hook_widgets.errors import InvalidArrivals, nearest
from hook_widgets.ratelimit.units import shown

TEXT_FIELDS: Final = ("ip", "user", "method", "path", "status")
"""Fields of a line in the common or combined format, which names none."""

_IN_QUOTES: Final = re.compile(r'(?:[^"\\]++|\\.)*+')


class Fields:
    """Fields of each request as text, empty where they are missing; equal texts are one object.

    Attributes:
        columns: the values of each field.
    """

    def __init__(self, names: Sequence[str], *functions: Callable[[Any], str]) -> None:
        """Begin without requests.

        Args:
            names: columns, JSON keys or paths of keys; in a log of text some of `TEXT_FIELDS`.
            functions: more fields, each a function of the record or line.
        """
        self._names = names
        self._functions = [partial(_field, name) for name in names] + list(functions)
        self.columns: list[list[str]] = [[] for _ in self._functions]
        self._texts: dict[str, str] = {}
        self._first: Any = None

    def add(self, records: Sequence[Any]) -> None:
        """Add requests by their records, or lines of text, of `hook_widgets._access_logs.log_forms`."""
        self._first = self._first or next(iter(records), None)
        for column, function in zip(self.columns, self._functions, strict=True):
            values = list(map(function, records))
            column.extend(map(self._texts.setdefault, values, values))

    def arrange(self, order: Sequence[int]) -> None:
        """Put the requests into an order of their indexes; those that are not in it go."""
        self.columns = [[column[index] for index in order] for column in self.columns]

    def values(self, name: str) -> list[str]:
        """Return the values of a field.

        Raises:
            InvalidArrivals: no request has it.
        """
        values = self.columns[self._names.index(name)]
        if not any(values):
            is_text = isinstance(self._first, str)
            names = TEXT_FIELDS if is_text else list(self._first)
            where = "an access log has no" if is_text and name not in names else "no request has a"
            raise InvalidArrivals(f"{where} field {name!r}; {nearest(name, names)}")
        return values


def whole_values(texts: Iterable[str], name: str) -> list[int]:
    """Return texts as whole numbers of at least 1; a missing one is 1.

    Raises:
        InvalidArrivals: one is something else.
    """
    numbers = []
    for text in texts:
        if text and not (text.isascii() and text.isdecimal() and len(text) < 19 and int(text)):
            raise InvalidArrivals(f"is {shown(text)}; give whole numbers of at least 1", subject=name)
        numbers.append(int(text or 1))
    return numbers


def _field(name: str, record: Any) -> str:
    if isinstance(record, str):
        return _text_field(record, name)
    value = lookup(record, name)
    if type(value) is not str:
        return "" if value is None else str(value)
    return "" if value == "-" else value


def _text_field(line: str, name: str) -> str:
    before, _, rest = line.partition('] "')  # servers escape a quote that a client writes
    if name in ("ip", "user"):
        address, _, names = before.partition(" [")[0].strip().partition(" ")
        user = names.partition(" ")[2]  # after the identity of RFC 1413; a name may have blanks
        return address if name == "ip" else "" if user == "-" else user
    request = _IN_QUOTES.match(rest)
    end = request.end() if request else 0
    if name == "status":
        return rest[end + 2 :].partition(" ")[0] if rest.startswith('" ', end) else ""
    method, _, target = rest[:end].partition(" ")
    if name == "method":
        return method
    return target.partition(" ")[0] if name == "path" else ""
