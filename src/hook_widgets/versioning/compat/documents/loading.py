"""Load documents from parsed JSON, from JSON or YAML text, or from a file.

YAML is parsed by version 1.2, as OpenAPI requires: dates, ``on``, ``no`` and ``y`` are strings. Duplicate
keys are rejected, and so are documents that could exhaust memory: every use of an alias is one more value.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence, ValuesView
from pathlib import Path
from typing import TypeAlias

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.compat.budget import CHARACTERS_PER_STEP, allow, spend

Source: TypeAlias = "Mapping[str, object] | Sequence[object] | str | bytes | bytearray | Path | bool"
"""A document: parsed, as JSON or YAML text or bytes, or the path of a file."""

MAX_BYTES = 50_000_000
"""The maximum length of a text."""
MAX_VALUES = 2_000_000
"""The maximum number of values of a document, every use of a YAML alias counted."""
MAX_DEPTH = 100
"""The maximum nesting of a document; documents written by people stay below 50."""
MAX_NUMBER_BITS = 1_000
"""The maximum number of binary digits of an integer, about the range of a 64-bit float."""
_MAX_COUNTED_DEPTH = 10_000
_TOO_DEEP = f"is nested more than {MAX_DEPTH} levels deep, or contains itself; flatten it"
_EMPTY = "is empty; pass JSON or YAML"
_LONG_NUMBER = "has a number of hundreds of digits; shorten it"


def read(source: object, *, name: str = "given") -> object:
    r"""Load a document and return its JSON value as an independent copy.

    Args:
        source: parsed JSON, JSON or YAML text or bytes, or a path.
        name: the name of the document in messages, and the ``field`` of errors.

    >>> read("paths:\n  /on: {get: 2026-01-31, no: on}")
    {'paths': {'/on': {'get': '2026-01-31', 'no': 'on'}}}
    """
    if isinstance(source, Path):
        try:
            size = source.stat().st_size
            text: object = source.read_bytes() if size <= MAX_BYTES else None
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else "no such path"
            raise _invalid(name, f"cannot be read from {source}: {reason}; check the path") from None
        if text is None:
            raise _too_large(name)
        return _copy(_parse(text, name), name)[0]
    if isinstance(source, str | bytes | bytearray):
        return _copy(_parse(source, name), name)[0]
    value, size = _copy(source, name)
    allow(size)
    return value


def _parse(source: object, name: str) -> object:
    if isinstance(source, bytes | bytearray):
        try:
            text = bytes(source).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise _invalid(name, f"is not UTF-8 at byte {error.start}; save it as UTF-8") from None
    else:
        text = str(source).removeprefix("\ufeff")
    if len(text) > MAX_BYTES:
        raise _too_large(name)
    allow(len(text))
    spend(len(text) // CHARACTERS_PER_STEP)
    if not text.strip():
        raise _invalid(name, _EMPTY)
    if "\n" not in text and text.strip().lower().endswith((".json", ".yaml", ".yml")):
        raise _not_a_document(name, text.strip())
    if text.lstrip()[0] in '{["':
        try:
            return _json(text, name)
        except json.JSONDecodeError as error:
            # A YAML document may also begin with a brace. If it is invalid as both, the JSON error says more.
            try:
                return _yaml(text, name)
            except InvalidDocument:
                raise _invalid(
                    name, f"is not JSON at line {error.lineno}, column {error.colno}: {error.msg}"
                ) from None
    value = _yaml(text, name)
    if value is None and text.strip() not in ("null", "~"):
        raise _invalid(name, _EMPTY)  # only comments
    if isinstance(value, str):
        # Probably the name of a file or a URL; as a payload it would carry no information.
        raise _not_a_document(name, value)
    return value


def _json(text: str, name: str) -> object:
    def members(pairs: list[tuple[str, object]]) -> dict[str, object]:
        mapping = dict(pairs)
        if len(mapping) < len(pairs):
            duplicate = next(key for key, number in Counter(key for key, _ in pairs).items() if number > 1)
            raise _invalid(name, f"has the key {duplicate[:60]!r} twice in one object; remove one of them")
        return mapping

    def constant(word: str) -> object:
        raise _invalid(name, f"has the number {word}, which JSON does not allow")

    try:
        value: object = json.loads(text, object_pairs_hook=members, parse_constant=constant)
    except RecursionError:
        raise _invalid(name, _TOO_DEEP) from None
    except (json.JSONDecodeError, InvalidDocument):
        raise
    except ValueError:
        raise _invalid(name, _LONG_NUMBER) from None
    return value


def _yaml(text: str, name: str) -> object:
    from hook_widgets.versioning.compat.documents.yaml_text import parse_yaml

    return parse_yaml(text, name=name, max_values=MAX_VALUES, max_depth=MAX_DEPTH)


def nested_too_deeply(old: object, new: object) -> InvalidDocument:
    """Create the error for two documents of which the deeper one exhausted the interpreter's stack."""
    name = "old" if _depth(old) > _depth(new) else "new"
    return _invalid(name, "is nested too deeply to be compared; flatten it")


def _depth(document: object) -> int:
    """Return the nesting of a document, counted up to a limit, because it may contain itself."""
    level, depth = [document], 0
    while level and depth < _MAX_COUNTED_DEPTH:
        below: dict[int, object] = {}
        for value in level:
            members = value.values() if isinstance(value, Mapping) else value
            if isinstance(members, list | tuple | ValuesView):
                below.update((id(member), member) for member in members)
        level, depth = list(below.values()), depth + 1
    return depth


def _copy(source: object, name: str) -> tuple[object, int]:
    """Copy a value to plain dictionaries and lists; return the copy and a lower bound of its text size."""
    root: list[object] = []
    waiting: list[tuple[object, list[object] | dict[str, object], str, int]] = [(source, root, "", 0)]
    count = size = 0
    while waiting:
        value, target, key, depth = waiting.pop()
        count += 1
        size += len(key) + (len(value) if isinstance(value, str) else 0)
        if count + len(waiting) > MAX_VALUES:
            raise _too_large(name)
        if depth >= MAX_DEPTH and isinstance(value, Mapping | list | tuple):
            raise _invalid(name, _TOO_DEEP)
        plain: object
        if isinstance(value, Mapping):
            members: dict[str, object] = {}
            for member, below in value.items():
                text = _key(member, name)
                members[text] = None  # keeps the order, which the stack reverses
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
    spend(count)
    return root[0], size + 2 * count


def _key(key: object, name: str) -> str:
    if isinstance(key, str):
        return key
    if isinstance(key, int) and not isinstance(key, bool):
        return str(key)  # a status code such as 200 in parsed YAML
    raise _invalid(name, f"has the key {str(key)[:60]!r}; keys must be text")


def _scalar(value: object, name: str) -> object:
    if isinstance(value, int) and value.bit_length() > MAX_NUMBER_BITS:
        raise _invalid(name, _LONG_NUMBER)
    if value is None or isinstance(value, bool | str | int):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        raise _invalid(name, f"has the number {value}, which JSON does not allow")
    raise _invalid(
        name,
        f"contains a {type(value).__name__}, which JSON does not allow; pass parsed JSON, text or a Path",
    )


def _too_large(name: str) -> InvalidDocument:
    limits = f"at most {MAX_BYTES // 1_000_000} MB of text and {MAX_VALUES:,} values"
    return _invalid(
        name, f"is too large: {limits} (each use of a YAML alias counts); compare its parts one by one"
    )


def _not_a_document(name: str, text: str) -> InvalidDocument:
    error = _invalid(
        name, f"is nothing but the text {text[:80]!r}; give JSON or YAML, not the name or address of a file"
    )
    error.add_note("to read a file pass its pathlib.Path")
    return error


def _invalid(name: str, problem: str) -> InvalidDocument:
    return InvalidDocument(f"the {name} document {problem}", field=name)
