"""Emit Java expressions for values."""

from __future__ import annotations

from hook_widgets.webhooks.codegen import ir_values
from hook_widgets.webhooks.codegen.backend import Emitter, TextParts, block, quoted
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Value, Variable
from hook_widgets.webhooks.codegen.java.templates import (
    HASHES,
    WRITE,
)


class JavaExpressions(Emitter):
    """Base class with the expressions of Java receivers."""

    def _concat(self, parts: TextParts) -> str:
        return " + ".join(
            self._name(part.name) if isinstance(part, Variable) else quoted(part.text) for part in parts
        )

    def _data(self, join: Join) -> str:
        """Return an expression for bytes."""
        pieces = ["body" if isinstance(run, Body) else f"utf8({self._concat(run)})" for run in join.runs]
        return pieces[0] if len(pieces) == 1 else f"concat({', '.join(pieces)})"

    def _value(self, value: Value) -> str:
        match value:
            case Join():
                return self._join(value)
            case ir_values.Digest("crc32", data, write):
                text = f"crc32({self._data(data)})"
                return (
                    f"Long.toString({text})" if write.value == "decimal" else f'String.format("%08x", {text})'
                )
            case ir_values.Digest(algorithm, data, write):
                raw = f"MessageDigest.getInstance({quoted(HASHES[algorithm])}).digest({self._data(data)})"
                return WRITE[write.value].format(raw=raw)
            case ir_values.JsonValue(document, path, missing):
                pointer = "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)
                return f"{self._name(document)}.at({quoted(pointer)}).asText({quoted(missing)})"
            case ir_values.FormValue(form, name):
                return f"parameter({self._name(form)}, {quoted(name)})"
            case ir_values.SortedForm(form):
                return f"sortedForm({self._name(form)})"
            case ir_values.UrlPart("base"):
                return 'url.split("\\\\?", 2)[0]'
            case ir_values.UrlPart("query"):
                return 'url.contains("?") ? url.split("\\\\?", 2)[1] : ""'
            case ir_values.UrlPart("path"):
                return '"/" + url.replaceFirst("^\\\\w+://[^/?]*/?", "").replaceFirst("\\\\?.*", "")'
            case ir_values.UrlPart():
                return 'url.replaceFirst("^\\\\w+://", "").replaceFirst("[/?].*", "")'
            case ir_values.SortedQuery(query):
                return block(
                    """
                    Arrays.stream(@query@.split("&"))
                            .filter(part -> !part.isEmpty())
                            .sorted()
                            .collect(Collectors.joining("&"))
                    """,
                    query=self._name(query),
                )
            case ir_values.IfNotEmpty(condition, text):
                return f'{self._name(condition)}.isEmpty() ? "" : {quoted(text)}'
            case ir_values.Escaped(text, keep):
                return f"escape({self._join(text)}, {quoted(keep)})"
            case ir_values.JsonLines(document, names):
                return block(
                    """
                    List.of(@names@).stream()
                            .filter(name -> @document@.hasNonNull(name))
                            .map(name -> name + "\\n" + @document@.get(name).asText() + "\\n")
                            .collect(Collectors.joining())
                    """,
                    document=self._name(document),
                    names=", ".join(map(quoted, names)),
                )
            case ir_values.SignedHeaders(listing):
                return block(
                    """
                    Arrays.stream(@listed@.toLowerCase().split(","))
                            .map(String::strip)
                            .sorted()
                            .map(name -> name + ":" + @each@.strip())
                            .collect(Collectors.joining(";"))
                    """,
                    listed=header_value(quoted(listing)),
                    each=header_value("name"),
                )


def header_value(name: str) -> str:
    """Return an expression for the value of a header, "" if it is missing; `name` is an expression, too."""
    return f'Objects.requireNonNullElse(headers.apply({name}), "")'
