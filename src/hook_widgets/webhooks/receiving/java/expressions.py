"""Java: how a value is written."""

from __future__ import annotations

from hook_widgets.webhooks.receiving import values
from hook_widgets.webhooks.receiving.emitter import Emitter, Run, block, quoted
from hook_widgets.webhooks.receiving.java.templates import (
    HASHES,
    WRITE,
)
from hook_widgets.webhooks.receiving.values import Body, Join, Value, Variable


class JavaExpressions(Emitter):
    """The expressions."""

    def _run(self, parts: Run) -> str:
        return " + ".join(
            self._name(part.name) if isinstance(part, Variable) else quoted(part.text) for part in parts
        )

    def _data(self, join: Join) -> str:
        """An expression for bytes."""
        pieces = ["body" if isinstance(run, Body) else f"utf8({self._run(run)})" for run in join.runs]
        return pieces[0] if len(pieces) == 1 else f"concat({', '.join(pieces)})"

    def _value(self, value: Value) -> str:
        match value:
            case Join():
                return self._join(value)
            case values.Digest("crc32", of, write):
                text = f"crc32({self._data(of)})"
                return (
                    f"Long.toString({text})" if write.value == "decimal" else f'String.format("%08x", {text})'
                )
            case values.Digest(algorithm, of, write):
                raw = f"MessageDigest.getInstance({quoted(HASHES[algorithm])}).digest({self._data(of)})"
                return WRITE[write.value].format(raw=raw)
            case values.JsonValue(document, path, missing):
                pointer = "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)
                return f"{self._name(document)}.at({quoted(pointer)}).asText({quoted(missing)})"
            case values.FormValue(form, name):
                return f"parameter({self._name(form)}, {quoted(name)})"
            case values.SortedForm(form):
                return f"sortedForm({self._name(form)})"
            case values.UrlPart("base"):
                return 'url.split("\\\\?", 2)[0]'
            case values.UrlPart("query"):
                return 'url.contains("?") ? url.split("\\\\?", 2)[1] : ""'
            case values.UrlPart("path"):
                return '"/" + url.replaceFirst("^\\\\w+://[^/?]*/?", "").replaceFirst("\\\\?.*", "")'
            case values.UrlPart():
                return 'url.replaceFirst("^\\\\w+://", "").replaceFirst("[/?].*", "")'
            case values.SortedQuery(query):
                return block(
                    """
                    Arrays.stream(@query@.split("&"))
                            .filter(part -> !part.isEmpty())
                            .sorted()
                            .collect(Collectors.joining("&"))
                    """,
                    query=self._name(query),
                )
            case values.WhenFilled(condition, text):
                return f'{self._name(condition)}.isEmpty() ? "" : {quoted(text)}'
            case values.Escaped(of, keep):
                return f"escape({self._join(of)}, {quoted(keep)})"
            case values.JsonLines(document, names):
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
            case values.SignedHeaders(listing):
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
    """A header's value by an expression for its name; "" when it is not there."""
    return f'Objects.requireNonNullElse(headers.apply({name}), "")'
