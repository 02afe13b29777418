"""Emit Python expressions for values."""

from __future__ import annotations

import json
from collections.abc import Sequence

from hook_widgets.webhooks.codegen import ir_values
from hook_widgets.webhooks.codegen.backend import Emitter, TextParts, block
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Text, Value, Variable
from hook_widgets.webhooks.codegen.python.templates import (
    CRC32,
    DIGEST,
)


class PythonExpressions(Emitter):
    """Base class with the expressions of Python receivers."""

    def _concat(self, parts: TextParts) -> str:
        if len(parts) == 1 and isinstance(parts[0], Variable):
            return parts[0].name
        interpolated = "".join(
            f"{{{p.name}}}"
            if isinstance(p, Variable)
            else _inner(p.text).replace("{", "{{").replace("}", "}}")
            for p in parts
        )
        if all(isinstance(p, Text) for p in parts):
            return f'"{_inner("".join(p.text for p in parts if isinstance(p, Text)))}"'
        return f'f"{interpolated}"'

    def _data(self, join: Join) -> str:
        """Return an expression for bytes."""
        runs = join.runs
        if not runs:
            return 'b""'
        return " + ".join("body" if isinstance(run, Body) else self._encoded(run) for run in runs)

    def _encoded(self, run: Sequence[Text | Variable]) -> str:
        if all(isinstance(part, Text) for part in run):
            return "b" + self._concat(run)
        return f"{self._concat(run)}.encode()"

    def _value(self, value: Value) -> str:
        match value:
            case Join():
                return self._join(value)
            case ir_values.Digest(algorithm, data, write):
                form = CRC32 if algorithm == "crc32" else DIGEST
                return form[write.value].format(hash=algorithm, data=self._data(data))
            case ir_values.JsonValue(document, path, missing):
                call = f"value({', '.join([document, *map(literal, path)])})"
                return f"{call} or {literal(missing)}" if missing else call
            case ir_values.FormValue(form, name):
                return f"parameter({form}, {literal(name)})"
            case ir_values.SortedForm(form):
                return f'"".join(name + value for name, value in sorted(set({form})))'
            case ir_values.UrlPart("base"):
                return 'url.partition("?")[0]'
            case ir_values.UrlPart("query"):
                return 'url.partition("?")[2]'
            case ir_values.UrlPart("path"):
                return r'''re.sub(r"^\w+://[^/?]*|\?.*", "", url) or "/"'''
            case ir_values.UrlPart():
                return r""""".join(re.split("[/?]", url)[2:3])"""
            case ir_values.SortedQuery(query):
                return f'"&".join(sorted(part for part in {query}.split("&") if part))'
            case ir_values.IfNotEmpty(condition, text):
                return f'{literal(text)} if {condition} else ""'
            case ir_values.Escaped(text, keep):
                return f"quote({self._join(text)}, safe={literal(keep)})"
            case ir_values.JsonLines(document, names):
                listed = ", ".join(map(literal, names))
                return block(
                    """
                    "".join(
                        f"{name}\\n{value(@document@, name)}\\n"
                        for name in (@names@)
                        if value(@document@, name)
                    )
                    """,
                    document=document,
                    names=listed,
                )
            case ir_values.SignedHeaders(listing):
                return block(
                    """
                    ";".join(
                        f"{name}:{headers.get(name, '').strip()}"
                        for name in sorted(n.strip().lower() for n in headers.get(@listing@, "").split(","))
                    )
                    """,
                    listing=literal(listing),
                )


def literal(value: str | int) -> str:
    """Return a Python literal of a text or number."""
    return json.dumps(value, ensure_ascii=False)


def _inner(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]
