"""Documents as they are handed in: parsed JSON, JSON or YAML text, or a file.

YAML is read as version 1.2 reads it, because that is what OpenAPI asks for: dates stay text, and ``on``,
``no`` and ``y`` are words. A key that occurs twice is refused, and so is what could exhaust memory: the
number of values counts every use of an alias.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from hook_widgets.errors import InvalidDocument

Source: TypeAlias = "Mapping[str, object] | Sequence[object] | str | bytes | bytearray | Path | bool"
"""A document: parsed, as text or bytes in JSON or YAML, or the path of a file."""

MOST_BYTES = 50_000_000
"""The longest text that is read."""
MOST_VALUES = 2_000_000
"""The most values of a document, every use of a YAML alias counted."""
DEEPEST = 100
"""The deepest nesting of a document; what people write stays below 50."""
LONGEST_NUMBER = 1_000
"""The most binary digits of a whole number: what fits into a float of 64 bits."""


def read(source: object, *, name: str = "given") -> object:
    r"""The JSON value of a document, in a copy of its own.

    Args:
        source: parsed JSON, JSON or YAML text or bytes, or a path.
        name: what the document is called in messages, and the ``field`` of errors.

    Raises:
        InvalidDocument: it cannot be read; says where.

    >>> read("paths:\n  /on: {get: 2026-01-31, no: on}")
    {'paths': {'/on': {'get': '2026-01-31', 'no': 'on'}}}
    """
    if isinstance(source, Path):
        try:
            size = source.stat().st_size
            text: object = source.read_bytes() if size <= MOST_BYTES else None
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else "no such path"
            raise InvalidDocument(
                f"The {name} document cannot be read from {source}: {reason}.", field=name
            ) from None
        if text is None:
            raise _too_large(name)
        return _copy(_parse(text, name), name)
    if isinstance(source, str | bytes | bytearray):
        return _copy(_parse(source, name), name)
    return _copy(source, name)


def _too_large(name: str) -> InvalidDocument:
    return InvalidDocument(
        f"The {name} document is too large: at most {MOST_BYTES // 1_000_000} MB of text and {MOST_VALUES:,} "
        "values (each use of a YAML alias counts). Compare its parts one by one.",
        field=name,
    )


def _parse(source: object, name: str) -> object:
    if isinstance(source, bytes | bytearray):
        try:
            text = bytes(source).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InvalidDocument(
                f"The {name} document is no UTF-8 text: byte {error.start} does not fit. Save it as UTF-8.",
                field=name,
            ) from None
    else:
        text = str(source).removeprefix("\ufeff")
    if len(text) > MOST_BYTES:
        raise _too_large(name)
    if not text.strip():
        raise _empty(name)
    if "\n" not in text and text.strip().lower().endswith((".json", ".yaml", ".yml")):
        raise InvalidDocument(
            f"The {name} document is the text {text.strip()[:80]!r}; to read the file of that name pass a "
            "pathlib.Path.",
            field=name,
        )
    if text.lstrip()[0] in '{["':
        try:
            return _json(text, name)
        except json.JSONDecodeError as error:
            # A YAML document may begin with a brace too; when it is neither, the JSON error says more.
            try:
                return _yaml(text, name)
            except InvalidDocument:
                raise InvalidDocument(
                    f"The {name} document is no JSON: line {error.lineno}, column {error.colno}: "
                    f"{error.msg}.",
                    field=name,
                ) from None
    value = _yaml(text, name)
    if value is None and text.strip() not in ("null", "~"):
        raise _empty(name)  # nothing but comments
    if isinstance(value, str):
        # Most likely the name of a file or an address; as a payload it would say nothing.
        raise InvalidDocument(
            f"The {name} document is nothing but the text {value[:80]!r}. Pass JSON or YAML; to read a file "
            "pass its pathlib.Path.",
            field=name,
        )
    return value


def _empty(name: str) -> InvalidDocument:
    return InvalidDocument(f"The {name} document is empty. Pass JSON or YAML.", field=name)


def _json(text: str, name: str) -> object:
    def members(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [key for key, _ in pairs]
            twice = next(key for key in names if names.count(key) > 1)
            raise InvalidDocument(
                f"The {name} document has the key {twice[:60]!r} twice in one object. Remove one of them.",
                field=name,
            )
        return found

    def constant(word: str) -> object:
        raise InvalidDocument(
            f"The {name} document has the number {word}, which JSON does not know.", field=name
        )

    try:
        value: object = json.loads(text, object_pairs_hook=members, parse_constant=constant)
    except RecursionError:
        raise _too_deep(name) from None
    except (json.JSONDecodeError, InvalidDocument):
        raise
    except ValueError:
        raise _long_number(name) from None
    return value


def _yaml(text: str, name: str) -> object:
    from hook_widgets.versioning.changes.yamltext import parse_yaml

    return parse_yaml(text, name=name, most=MOST_VALUES, deepest=DEEPEST)


def _long_number(name: str) -> InvalidDocument:
    return InvalidDocument(f"The {name} document has a number of hundreds of digits. Shorten it.", field=name)


def _too_deep(name: str) -> InvalidDocument:
    return InvalidDocument(
        f"The {name} document is nested more than {DEEPEST} levels deep, or contains itself. Flatten it.",
        field=name,
    )


def _copy(source: object, name: str) -> object:
    """The value in plain dictionaries and lists, with its size bounded on the way."""
    root: list[object] = []
    waiting: list[tuple[object, list[object] | dict[str, object], str, int]] = [(source, root, "", 0)]
    count = 0
    while waiting:
        value, target, key, depth = waiting.pop()
        count += 1
        if count > MOST_VALUES:
            raise _too_large(name)
        if depth >= DEEPEST and isinstance(value, Mapping | list | tuple):
            raise _too_deep(name)
        plain: object
        if isinstance(value, Mapping):
            members: dict[str, object] = {}
            for member, below in value.items():
                text = _key(member, name)
                members[text] = None  # keeps the order, which the stack turns round
                waiting.append((below, members, text, depth + 1))
            plain = members
        elif isinstance(value, list | tuple):
            items: list[object] = [None] * len(value)
            waiting += [(below, items, str(index), depth + 1) for index, below in enumerate(value)]
            plain = items
        else:
            plain = _scalar(value, name)
        if isinstance(target, dict):
            target[key] = plain
        elif target is root:
            root.append(plain)
        else:
            target[int(key)] = plain
    return root[0]


def _key(key: object, name: str) -> str:
    if isinstance(key, str):
        return key
    if isinstance(key, int) and not isinstance(key, bool):
        return str(key)  # a status code such as 200 in parsed YAML
    raise InvalidDocument(
        f"The {name} document has the key {str(key)[:60]!r}; keys must be text.", field=name
    )


def _scalar(value: object, name: str) -> object:
    if isinstance(value, int) and value.bit_length() > LONGEST_NUMBER:
        raise _long_number(name)
    if value is None or isinstance(value, bool | str | int):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        raise InvalidDocument(
            f"The {name} document has the number {value}, which JSON does not know.", field=name
        )
    raise InvalidDocument(
        f"The {name} document holds a {type(value).__name__}, which JSON does not know. Pass parsed JSON, "
        "text or a Path.",
        field=name,
    )
