"""Emit JavaScript expressions for values."""

from __future__ import annotations

import json

from hook_widgets.webhooks.codegen import ir_values
from hook_widgets.webhooks.codegen.backend import Emitter, TextParts, block
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Text, Value, Variable

_LINE_ENDS = str.maketrans({"\u2028": "\\u2028", "\u2029": "\\u2029"})


class JavaScriptExpressions(Emitter):
    """Base class with the expressions of JavaScript receivers."""

    def _concat(self, parts: TextParts) -> str:
        if len(parts) == 1 and isinstance(parts[0], Variable):
            return self._name(parts[0].name)
        if all(isinstance(part, Text) for part in parts):
            return literal("".join(part.text for part in parts if isinstance(part, Text)))
        interpolated = "".join(
            f"${{{self._name(p.name)}}}" if isinstance(p, Variable) else in_template(p.text) for p in parts
        )
        return f"`{interpolated}`"

    def _data(self, join: Join) -> str:
        """Return an expression for a string, or for a Buffer if the join contains the body."""
        runs = join.runs
        if not join.is_bytes:
            return self._join(join)
        if len(runs) == 1:
            return "body"
        pieces = ("body" if isinstance(run, Body) else f"Buffer.from({self._concat(run)})" for run in runs)
        return f"Buffer.concat([{', '.join(pieces)}])"

    def _value(self, value: Value) -> str:
        match value:
            case Join():
                return self._join(value)
            case ir_values.Digest("crc32", data, write):
                text = f"crc32({self._data(data)})"
                return (
                    f"String({text})" if write.value == "decimal" else f'{text}.toString(16).padStart(8, "0")'
                )
            case ir_values.Digest(algorithm, data, write):
                hash_ = f"createHash({literal(algorithm)}).update({self._data(data)})"
                if write.value == "decimal":
                    return f'BigInt(`0x${{{hash_}.digest("hex")}}`).toString()'
                return f"{hash_}.digest({literal(write.value)})"
            case ir_values.JsonValue(document, path, missing):
                call = f"value({', '.join([self._name(document), *map(literal, path)])})"
                return f"{call} || {literal(missing)}" if missing else call
            case ir_values.FormValue(form, name):
                variable, key = self._name(form), literal(name)
                return f'{variable}.getAll({key}).length === 1 ? {variable}.get({key}) : ""'
            case ir_values.SortedForm(form):
                return f"sortAndJoin({self._name(form)})"
            case ir_values.UrlPart("base"):
                return 'url.split("?")[0]'
            case ir_values.UrlPart("query"):
                return r"""url.replace(/^[^?]*\??/, "")"""
            case ir_values.UrlPart("path"):
                return r"""url.replace(/^\w+:\/\/[^/?]*|\?.*/g, "") || "/" """.strip()
            case ir_values.UrlPart():
                return r"""url.split(/[/?]/)[2] ?? "" """.strip()
            case ir_values.SortedQuery(query):
                return f'{self._name(query)}.split("&").filter(Boolean).sort().join("&")'
            case ir_values.IfNotEmpty(condition, text):
                return f'{self._name(condition)} ? {literal(text)} : ""'
            case ir_values.Escaped(text, keep):
                function = "encodeURI" if "/" in keep else "encodeURIComponent"
                return f"{function}({self._join(text)})"
            case ir_values.JsonLines(document, names):
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
            case ir_values.SignedHeaders(listing):
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
    """Return a JavaScript literal of a text or number."""
    return json.dumps(value, ensure_ascii=False)


def in_regex(pattern: str) -> str:
    """Escape the line ends that may not occur in a regular expression literal."""
    return pattern.translate(_LINE_ENDS)


def in_template(text: str) -> str:
    """Escape a text for a template literal."""
    inner = json.dumps(text, ensure_ascii=False)[1:-1].replace('\\"', '"')
    return inner.replace("`", "\\`").replace("${", "\\${")
