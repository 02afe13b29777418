"""JavaScript: how a value is written."""

from __future__ import annotations

import json

from hook_widgets.webhooks.receiving import values
from hook_widgets.webhooks.receiving.emitter import Emitter, Run, block
from hook_widgets.webhooks.receiving.values import Body, Join, Text, Value, Variable


class JavaScriptExpressions(Emitter):
    """The expressions."""

    def _run(self, parts: Run) -> str:
        if len(parts) == 1 and isinstance(parts[0], Variable):
            return self._name(parts[0].name)
        if all(isinstance(part, Text) for part in parts):
            return literal("".join(part.text for part in parts if isinstance(part, Text)))
        inside = "".join(
            f"${{{self._name(p.name)}}}" if isinstance(p, Variable) else in_template(p.text) for p in parts
        )
        return f"`{inside}`"

    def _data(self, join: Join) -> str:
        """An expression for text or a Buffer, whichever is at hand."""
        runs = join.runs
        if not join.is_bytes:
            return self._join(join)
        if len(runs) == 1:
            return "body"
        pieces = ("body" if isinstance(run, Body) else f"Buffer.from({self._run(run)})" for run in runs)
        return f"Buffer.concat([{', '.join(pieces)}])"

    def _value(self, value: Value) -> str:
        match value:
            case Join():
                return self._join(value)
            case values.Digest("crc32", of, write):
                text = f"crc32({self._data(of)})"
                return (
                    f"String({text})" if write.value == "decimal" else f'{text}.toString(16).padStart(8, "0")'
                )
            case values.Digest(algorithm, of, write):
                made = f"createHash({literal(algorithm)}).update({self._data(of)})"
                if write.value == "decimal":
                    return f'BigInt(`0x${{{made}.digest("hex")}}`).toString()'
                return f"{made}.digest({literal(write.value)})"
            case values.JsonValue(document, path, missing):
                found = f"value({', '.join([self._name(document), *map(literal, path)])})"
                return f"{found} || {literal(missing)}" if missing else found
            case values.FormValue(form, name):
                return f'{self._name(form)}.get({literal(name)}) ?? ""'
            case values.SortedForm(form):
                return f"sortAndJoin({self._name(form)})"
            case values.UrlPart("base"):
                return 'url.split("?")[0]'
            case values.UrlPart("query"):
                return r"""url.replace(/^[^?]*\??/, "")"""
            case values.UrlPart("path"):
                return r"""url.replace(/^\w+:\/\/[^/?]*|\?.*/g, "") || "/" """.strip()
            case values.UrlPart():
                return r"""url.split(/[/?]/)[2] ?? "" """.strip()
            case values.SortedQuery(query):
                return f'{self._name(query)}.split("&").filter(Boolean).sort().join("&")'
            case values.WhenFilled(condition, text):
                return f'{self._name(condition)} ? {literal(text)} : ""'
            case values.Escaped(of, keep):
                function = "encodeURI" if "/" in keep else "encodeURIComponent"
                return f"{function}({self._join(of)})"
            case values.JsonLines(document, names):
                return block(
                    """
                    [@names@]
                      .filter((name) => value(@document@, name) !== "")
                      .map((name) => `${name}\\n${value(@document@, name)}\\n`)
                      .join("")
                    """,
                    document=self._name(document),
                    names=", ".join(map(literal, names)),
                )
            case values.SignedHeaders(listing):
                return block(
                    """
                    (headers[@listing@] ?? "")
                      .split(",")
                      .map((name) => name.trim().toLowerCase())
                      .sort()
                      .map((name) => `${name}:${(headers[name] ?? "").trim()}`)
                      .join(";")
                    """,
                    listing=literal(listing.lower()),
                )


def literal(value: str | int) -> str:
    """A text or number as the language writes it."""
    return json.dumps(value, ensure_ascii=False)


def in_template(text: str) -> str:
    """A text as it stands in a template literal."""
    inner = json.dumps(text, ensure_ascii=False)[1:-1].replace('\\"', '"')
    return inner.replace("`", "\\`").replace("${", "\\${")
