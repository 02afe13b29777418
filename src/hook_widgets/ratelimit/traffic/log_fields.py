"""Read the fields of a logged request beside its time: who sent it, what was asked for, what it cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from hook_widgets.errors import InvalidArrivals, nearest
from hook_widgets.ratelimit.traffic.log_columns import lookup
from hook_widgets.ratelimit.units import shown

TEXT_FIELDS: Final = ("ip", "user", "method", "path", "status")
"""Fields of a line in the common or combined format, which names none."""


def field_values(records: Sequence[Any], name: str) -> list[str]:
    """Return a field of each request as text, empty where it is missing.

    Args:
        records: the records, or lines of text, of `hook_widgets.ratelimit.traffic.log_forms`.
        name: a column, a JSON key or path of keys; in a log of text one of `TEXT_FIELDS`.

    Raises:
        InvalidArrivals: no request has it.
    """
    if any(isinstance(record, str) for record in records[:1]) and name not in TEXT_FIELDS:
        raise InvalidArrivals(f"an access log has no field {name!r}; {nearest(name, TEXT_FIELDS)}")
    values = [_text_field(r, name) if isinstance(r, str) else _shown(lookup(r, name)) for r in records]
    if records and not any(values):
        first = records[0]
        names = list(first) if isinstance(first, Mapping) else TEXT_FIELDS
        raise InvalidArrivals(f"no request has a field {name!r}; {nearest(name, names)}")
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


def _text_field(line: str, name: str) -> str:
    who, _, rest = line.partition(" [")
    address, _, names = who.strip().partition(" ")
    if name == "ip":
        return address
    if name == "user":  # after the identity of RFC 1413; a name may have blanks
        user = names.partition(" ")[2]
        return "" if user == "-" else user
    request, _, after = rest.partition(' "')[2].partition('"')
    method, _, target = request.partition(" ")
    if name == "status":
        return after.split(" ", 2)[1] if after.startswith(" ") else ""
    return method if name == "method" else target.partition(" ")[0]


def _shown(value: Any) -> str:
    return "" if value is None or value == "-" else str(value)
