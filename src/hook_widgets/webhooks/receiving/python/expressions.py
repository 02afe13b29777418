"""Python: how a value is written."""

from __future__ import annotations

import json
from collections.abc import Sequence

from hook_widgets.webhooks.receiving import values
from hook_widgets.webhooks.receiving.emitter import Emitter, Run, block
from hook_widgets.webhooks.receiving.python.templates import (
    CRC32,
    DIGEST,
)
from hook_widgets.webhooks.receiving.values import Body, Join, Text, Value, Variable


class PythonExpressions(Emitter):
    """The expressions."""

    def _run(self, parts: Run) -> str:
        if len(parts) == 1 and isinstance(parts[0], Variable):
            return parts[0].name
        inside = "".join(
            f"{{{p.name}}}"
            if isinstance(p, Variable)
            else _inner(p.text).replace("{", "{{").replace("}", "}}")
            for p in parts
        )
        known = all(isinstance(p, Text) for p in parts)
        return (
            f'"{_inner("".join(p.text for p in parts if isinstance(p, Text)))}"' if known else f'f"{inside}"'
        )

    def _data(self, join: Join) -> str:
        """An expression for bytes."""
        runs = join.runs
        if not runs:
            return 'b""'
        return " + ".join("body" if isinstance(run, Body) else self._encoded(run) for run in runs)

    def _encoded(self, run: Sequence[Text | Variable]) -> str:
        if all(isinstance(part, Text) for part in run):
            return "b" + self._run(run)
        return f"{self._run(run)}.encode()"

    def _value(self, value: Value) -> str:
        match value:
            case Join():
                return self._join(value)
            case values.Digest(algorithm, of, write):
                form = CRC32 if algorithm == "crc32" else DIGEST
                data = self._data(of)
                return form[write.value].format(hash=algorithm, data=data)
            case values.JsonValue(document, path, missing):
                found = f"value({', '.join([document, *map(literal, path)])})"
                return f"{found} or {literal(missing)}" if missing else found
            case values.FormValue(form, name):
                return f'next((value for name, value in {form} if name == {literal(name)}), "")'
            case values.SortedForm(form):
                return f'"".join(name + value for name, value in sorted(set({form})))'
            case values.UrlPart("base"):
                return 'url.partition("?")[0]'
            case values.UrlPart("query"):
                return 'url.partition("?")[2]'
            case values.UrlPart("path"):
                return r'''re.sub(r"^\w+://[^/?]*|\?.*", "", url) or "/"'''
            case values.UrlPart():
                return r""""".join(re.split("[/?]", url)[2:3])"""
            case values.SortedQuery(query):
                return f'"&".join(sorted(part for part in {query}.split("&") if part))'
            case values.WhenFilled(condition, text):
                return f'{literal(text)} if {condition} else ""'
            case values.Escaped(of, keep):
                return f"quote({self._join(of)}, safe={literal(keep)})"
            case values.JsonLines(document, names):
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
            case values.SignedHeaders(listing):
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
    """A text or number as the language writes it."""
    return json.dumps(value, ensure_ascii=False)


def _inner(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]
