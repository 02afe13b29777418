"""Read the fields of a logged request beside its time: who sent it, what was asked for, what it cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final

from hook_widgets._access_logs.log_clients import COMMON_FIELDS, RecordFields, common_fields
from hook_widgets._access_logs.log_columns import lookup
from hook_widgets._access_logs.log_requests import method_of, method_of_text, request_of
from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidArrivals, nearest

TEXT_FIELDS: Final = ("ip", "user", "method", "path", "status")
"""Fields of a line of text, which names none."""


class Fields:
    """Fields of each request as text, empty where they are missing; equal texts are one object.

    Attributes:
        columns: the values of each field.
    """

    def __init__(self, names: Sequence[str], *, with_status: bool = False) -> None:
        """Begin without requests.

        Args:
            names: columns, JSON keys or paths of keys; in a log of text some of `TEXT_FIELDS`.
            with_status: add a last column with the status of the response.
        """
        self._names, self._with_status = names, with_status
        self.columns: list[list[str]] = [[] for _ in range(len(names) + with_status)]
        self._functions: list[Callable[[Any], str]] = []
        self._common: list[int] = []
        self._clients: dict[str, Any] = {}
        self._texts: dict[str, str] = {}
        self._first: Any = None

    def add(self, records: Sequence[Any]) -> None:
        """Add requests by their records, or lines of text, of `hook_widgets._access_logs.log_forms`."""
        if self._first is None:
            self._first = records[0]
            self._functions = [_reader(name, records) for name in self._names]
            self._functions += [RecordFields().status] if self._with_status else []
            names = [*self._names, "status"]
            self._common = [COMMON_FIELDS.index(name) if name in COMMON_FIELDS else -1 for name in names]
        common = common_fields(records, self._clients) if isinstance(self._first, str) else None
        for column, function, k in zip(self.columns, self._functions, self._common, strict=False):
            values = common[k] if common and k >= 0 else list(map(function, records))
            column.extend(map(self._texts.setdefault, values, values))

    def values(self, name: str) -> list[str]:
        """Return the values of a field.

        Raises:
            InvalidArrivals: no request has it.
        """
        values = self.columns[self._names.index(name)]
        if not any(values):
            is_text = isinstance(self._first, str)
            names = [other for other in (TEXT_FIELDS if is_text else self._first or ()) if other != name]
            where = "an access log has no" if is_text and name not in TEXT_FIELDS else "no request has a"
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


def _reader(name: str, records: Sequence[Any]) -> Callable[[Any], str]:
    """Return a function that reads a field of a record.

    Args:
        name: the name of the field.
        records: the first records.
    """
    if isinstance(records[0], str) or all(
        value is None or isinstance(value, dict) for value in (lookup(record, name) for record in records)
    ):
        fields = RecordFields()
        if name in ("ip", "user"):
            index = int(name == "user")
            return lambda record: fields.client(record)[index]
        if name == "status":
            return fields.status
        if name == "path":
            return lambda record: request_of(record, fields)[0]
        if name == "method":
            is_text = isinstance(records[0], str)
            return method_of_text if is_text else lambda record: method_of(record, fields)
    if isinstance(records[0], str):
        return lambda _line: ""
    return partial(_field, name)


def _field(name: str, record: Any) -> str:
    value = lookup(record, name)
    if type(value) is not str:
        return "" if value is None else str(value)
    return "" if value == "-" else value
