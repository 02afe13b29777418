"""Format the faults of a ``provider.toml``: the place, the problem, and the repair, in words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from importlib.resources import files
from typing import Any, NamedTuple, get_args, get_type_hints

from pydantic import ValidationError

from hook_widgets.errors import closest, nearest
from hook_widgets.webhooks.registry.toml_positions import Path, TomlLines
from hook_widgets.webhooks.scheme.record import Record, file_name

_MAX_FAULTS = 10
_MAX_CHOICES = 9  # choices that a message lists
_QUOTED = re.compile(r"'([^']*)'")

EXAMPLES: dict[str, str] = tomllib.loads((files(__package__) / "examples.toml").read_text(encoding="utf-8"))
"""An example of each required field."""

_EXPECTED = {
    "string_type": 'write text in quotes, such as "acme"',
    "int_type": "write a whole number without quotes, such as 300",
    "bool_type": "write true or false without quotes",
    "tuple_type": "write a list in square brackets, such as [ … ]",
    "dict_type": "write a table, such as { name = … }",
    "dataclass_type": "write a table, such as { name = … }",
}
_WORDS = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "text",
    list: "a list",
    dict: "a table",
}


class Fault(NamedTuple):
    """A fault of a provider's data.

    Attributes:
        path: the path of the field, from the top of the file.
        text: the problem and the repair, in words.
    """

    path: Path
    text: str

    @property
    def place(self) -> str:
        """The path of the field as written in messages: ``schemes[0].name``."""
        steps = (f"[{s}]" if isinstance(s, int) else f".{s}" for s in self.path)
        return "".join(steps).removeprefix(".")


def report(label: str, faults: Iterable[Fault], lines: TomlLines | None = None) -> str:
    """Format the faults of a file as one message, in reading order and at most ten of them."""
    located = sorted(
        {f: (lines.of(f.path) if lines else None) or 0 for f in faults}.items(), key=lambda f: f[1]
    )
    texts = [(f"line {line}" if line else "", f"{f.place}: {f.text}") for f, line in located]
    if len(texts) == 1:
        return f"{', '.join(filter(None, (label, texts[0][0])))}: {texts[0][1]}"
    more = [f"  and {len(texts) - _MAX_FAULTS} more"] if len(texts) > _MAX_FAULTS else []
    shown = (": ".join(filter(None, text)) for text in texts[:_MAX_FAULTS])
    return "\n".join((f"{label} has {len(texts)} faults:", *(f"  {text}" for text in shown), *more))


def faults_of(error: ValidationError, record: type[Record], data: Mapping[str, Any]) -> Iterator[Fault]:
    """Translate a validation error into faults."""
    errors = [
        (*_placed(e["loc"], data, missing=e["type"] == "missing"), e) for e in error.errors(include_url=False)
    ]
    for path, node, detail in errors:
        if node is not None:  # of the members of a union, report only the one that the user meant
            others = [other_path for other_path, other, _ in errors if other == node]
            deeper = any(len(other) > len(node) for other in others)
            first = next(e for _, n, e in errors if n == node)
            if len(path) == len(node) and (deeper or detail is not first):
                continue
        if detail["type"] == "too_short" and detail["input"]:
            continue  # the existing elements are wrong, which is reported
        yield _fault(path, dict(detail), record)


def _placed(
    location: Sequence[int | str], data: Mapping[str, Any], *, missing: bool
) -> tuple[Path, Path | None]:
    """Return the path of an error, without the union members that pydantic adds, and its union's path."""
    path: list[int | str] = []
    node: Path | None = None
    value: Any = data
    for number, step in enumerate(location, 1):
        inside = isinstance(value, dict) or (isinstance(value, list) and isinstance(step, int))
        if inside and (step in value if isinstance(value, dict) else int(step) < len(value)):
            value = value[step]
            path.append(step)
        elif missing and number == len(location):
            path.append(step)
        else:
            node = tuple(path)
    return tuple(path), node


def _fault(path: Path, error: Mapping[str, Any], record: type[Record]) -> Fault:
    value, context = error["input"], error.get("ctx", {})
    match error["type"]:
        case "missing":
            return Fault(path, f"it is missing; add {_example(path)}")
        case "unexpected_keyword_argument":
            return Fault(
                path, f"there is no such field; {hint(str(path[-1]), _fields(error['loc'][:-1], record))}"
            )
        case "enum" | "literal_error":
            return Fault(path, _choice(value, _QUOTED.findall(context["expected"])))
        case "union_tag_invalid":
            choices = _QUOTED.findall(context["expected_tags"])
            return Fault((*path, "type"), _choice(context["tag"], choices))
        case "union_tag_not_found":
            return Fault((*path, "type"), f"it is missing; add {EXAMPLES['type']}")
        case "greater_than":
            return Fault(path, f"it is {value}; it must be greater than {context['gt']}")
        case "greater_than_equal":
            return Fault(path, f"it is {value}; it must be {context['ge']} or more")
        case "too_short":
            return Fault(path, f"there is none; add {_example(path)}")
        case "value_error":
            return Fault(path, str(context["error"]))
    expected = _EXPECTED.get(error["type"])
    return Fault(
        path, f"it is {_WORDS.get(type(value), 'something else')}; {expected}" if expected else error["msg"]
    )


def _choice(value: object, choices: Sequence[str]) -> str:
    shown = repr(value) if isinstance(value, str) else _WORDS.get(type(value), "something else")
    return f"it cannot be {shown}; {hint(str(value), choices)}"


def hint(name: str, choices: Iterable[str]) -> str:
    """Suggest the nearest of the choices, or a few of them if none is near."""
    known = list(choices)
    if closest(name, known) or len(known) <= _MAX_CHOICES:
        return nearest(name, known)
    return f"use one such as {', '.join(known[:3])}, or another of docs/howto/own-provider.md"


def _example(path: Path) -> str:
    return EXAMPLES.get(next((str(s) for s in reversed(path) if isinstance(s, str)), ""), "it")


def _fields(location: Sequence[int | str], record: type[Record]) -> list[str]:
    """Return the names of the fields of the record at a location."""
    records: list[type[Record]] = [record]
    for step in location:
        inner = [
            found_record
            for outer in records
            if step in (types := field_types(outer))
            for found_record in records_in(types[str(step)])
        ]
        records = inner or records  # an index, the user's own name or a union's member leads no deeper
    return sorted({name for outer in records for name in field_types(outer)})


def field_types(record: type[Record]) -> dict[str, Any]:
    """Return the types of a record's fields, by their names in a file."""
    hints = get_type_hints(record)
    return {file_name(field.name): hints[field.name] for field in fields(record)}


def records_in(annotation: Any) -> list[type[Record]]:
    """Return the records that a type contains."""
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return [annotation]
    return [record for inner in get_args(annotation) for record in records_in(inner)]
