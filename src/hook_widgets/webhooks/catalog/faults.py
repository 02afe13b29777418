"""What is wrong in a ``provider.toml``: where it stands, and what to do about it, in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, get_args

from pydantic import ValidationError

from hook_widgets.errors import nearest
from hook_widgets.webhooks.catalog.tomllines import Path, TomlLines
from hook_widgets.webhooks.scheme.record import Record

_MOST = 10
_FEW = 9  # as many choices as a message lists
_QUOTED = re.compile(r"'([^']*)'")

# What a field looks like, for those that cannot be left out.
EXAMPLES = {
    "id": 'id = "acme"',
    "kind": 'kind = "payment"',
    "title": 'title = "Acme"',
    "confidence": 'confidence = "docs"',
    "key": '[key] with type = "secret"',
    "schemes": '[[schemes]] with name = "v1"',
    "events": '[[events]] with name = "order.created"',
    "type": 'type = "secret" (or "key-pair")',
    "example": 'example = { prefix = "", alphabet = "base62", length = 32 }',
    "alphabet": 'alphabet = "base62"',
    "length": "length = 32",
    "public_form": 'public_form = "hex"',
    "name": 'name = "v1"',
    "headers": '[schemes.headers] with "Acme-Signature" = "{signature}"',
    "signatures": '[[schemes.signatures]] with algorithm = "hmac-sha256"',
    "algorithm": 'algorithm = "hmac-sha256"',
    "message": 'message = "{body}"',
    "encoding": 'encoding = "hex"',
    "category": 'category = "order"',
    "value": 'value = "t={timestamp},v1={signature}"',
    "list": 'list = ","',
    "header": 'header = "Acme-Signature-{n}"',
    "number": 'number = "{timestamp}"',
    "claims": 'claims = { iss = "acme" }',
    "answer": "answer = { status = 200 }",
}
_WANTED = {
    "string_type": 'write text in quotes, such as "acme"',
    "int_type": "write a whole number without quotes, such as 300",
    "bool_type": "write true or false without quotes",
    "tuple_type": "write a list in square brackets, such as [ … ]",
    "dict_type": "write a table, such as { name = … }",
    "model_type": "write a table, such as { name = … }",
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
    """One thing that is wrong.

    Attributes:
        path: the field, from the top of the file.
        text: what is wrong with it, and what to do.
    """

    path: Path
    text: str

    @property
    def place(self) -> str:
        """The field as messages write it: ``schemes[0].name``."""
        steps = (f"[{s}]" if isinstance(s, int) else f".{s}" for s in self.path)
        return "".join(steps).removeprefix(".")


def report(label: str, faults: Iterable[Fault], lines: TomlLines | None = None) -> str:
    """The faults of a file in one message, in reading order and at most ten of them.

    Args:
        label: the file's name.
        faults: what is wrong.
        lines: knows the lines of the file.
    """
    found = sorted(
        {f: (lines.of(f.path) if lines else None) or 0 for f in faults}.items(), key=lambda f: f[1]
    )
    said = [(f"line {line}" if line else "", f"{f.place}: {f.text}") for f, line in found]
    if len(said) == 1:
        return f"{', '.join(filter(None, (label, said[0][0])))}: {said[0][1]}"
    more = [f"  and {len(said) - _MOST} more"] if len(said) > _MOST else []
    shown = (": ".join(filter(None, each)) for each in said[:_MOST])
    return "\n".join((f"{label} has {len(said)} faults:", *(f"  {each}" for each in shown), *more))


def faults_of(error: ValidationError, record: type[Record], data: Mapping[str, Any]) -> Iterator[Fault]:
    """A validation error in our words.

    Args:
        error: what the strict reader of `record` found.
        record: the record that was to be read.
        data: what it was read from.
    """
    found = [
        (*_placed(e["loc"], data, missing=e["type"] == "missing"), e) for e in error.errors(include_url=False)
    ]
    for path, node, one in found:
        if node is not None:  # of the members of a union only the one that was meant
            rivals = [rival_path for rival_path, rival, _ in found if rival == node]
            deeper = any(len(rival) > len(node) for rival in rivals)
            if len(path) == len(node) and (deeper or one is not next(e for _, n, e in found if n == node)):
                continue
        if one["type"] == "too_short" and one["input"]:
            continue  # those that are there are wrong, and that is told
        yield _fault(path, dict(one), record)


def _placed(
    location: Sequence[int | str], data: Mapping[str, Any], *, missing: bool
) -> tuple[Path, Path | None]:
    """The path of an error, and that of the union around it: pydantic names a union's members in between."""
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
    given, context = error["input"], error.get("ctx", {})
    match error["type"]:
        case "missing":
            return Fault(path, f"it is missing; add {_example(path)}")
        case "extra_forbidden":
            return Fault(
                path, f"there is no such field. {hint(str(path[-1]), _fields(error['loc'][:-1], record))}"
            )
        case "enum" | "literal_error":
            return Fault(path, _choice(given, _QUOTED.findall(context["expected"])))
        case "union_tag_invalid":
            choices = _QUOTED.findall(context["expected_tags"])
            return Fault((*path, "type"), _choice(context["tag"], choices))
        case "union_tag_not_found":
            return Fault((*path, "type"), f"it is missing; add {EXAMPLES['type']}")
        case "greater_than":
            return Fault(path, f"it is {given}; it must be greater than {context['gt']}")
        case "too_short":
            return Fault(path, f"there is none; add {_example(path)}")
        case "value_error":
            return Fault(path, str(context["error"]))
    wanted = _WANTED.get(error["type"])
    return Fault(
        path, f"it is {_WORDS.get(type(given), 'something else')}; {wanted}" if wanted else error["msg"]
    )


def _choice(given: object, choices: Sequence[str]) -> str:
    said = repr(given) if isinstance(given, str) else _WORDS.get(type(given), "something else")
    return f"it cannot be {said}. {hint(str(given), choices)}"


def hint(name: str, choices: Iterable[str]) -> str:
    """The nearest of the choices; a few of them when none is near."""
    known = list(choices)
    near = nearest(name, known)
    if near.startswith("Did you mean") or len(known) <= _FEW:
        return near
    return f"Take one such as {', '.join(known[:3])}; docs/howto/own-provider.md has all {len(known)}."


def _example(path: Path) -> str:
    return EXAMPLES.get(next((str(s) for s in reversed(path) if isinstance(s, str)), ""), "it")


def _fields(location: Sequence[int | str], record: type[Record]) -> list[str]:
    """The fields of the record at that place."""
    here: list[type[Record]] = [record]
    for step in location:
        inner = [
            found for each in here if step in (known := named(each)) for found in records_in(known[str(step)])
        ]
        here = inner or here  # a position, a name of the user's own or a union's member leads no deeper
    return sorted({name for each in here for name in named(each)})


def named(record: type[Record]) -> dict[str, Any]:
    """The fields of a record as a file names them, with their types."""
    return {field.alias or name: field.annotation for name, field in record.model_fields.items()}


def records_in(annotation: Any) -> list[type[Record]]:
    """The records that a type holds."""
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return [annotation]
    return [found for inner in get_args(annotation) for found in records_in(inner)]
