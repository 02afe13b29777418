"""Emit Go expressions for values."""

from __future__ import annotations

from hook_widgets.webhooks.codegen import ir_values
from hook_widgets.webhooks.codegen.backend import Emitter, TextParts, block, quoted
from hook_widgets.webhooks.codegen.go.templates import (
    HASHES,
    WRITE,
)
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Value, Variable


class GoExpressions(Emitter):
    """Base class with the expressions of Go receivers."""

    def _concat(self, parts: TextParts) -> str:
        return " + ".join(
            self._name(part.name) if isinstance(part, Variable) else quoted(part.text) for part in parts
        )

    def _data(self, join: Join) -> str:
        """Return an expression for bytes."""
        pieces = ["body" if isinstance(run, Body) else f"[]byte({self._concat(run)})" for run in join.runs]
        return pieces[0] if len(pieces) == 1 else f"bytes.Join([][]byte{{{', '.join(pieces)}}}, nil)"

    def _let(self, variable: str, value: Value) -> str:
        name = self._name(variable)
        match value:
            case ir_values.Digest("crc32", data, write):
                text = f"crc32.ChecksumIEEE({self._data(data)})"
                form = "%d" if write.value == "decimal" else "%08x"
                return f'{name} := fmt.Sprintf("{form}", {text})'
            case ir_values.Digest(algorithm, data, write):
                raw = WRITE[write.value].format(raw=f"{name}Sum[:]")
                return f"{name}Sum := {HASHES[algorithm][1]}({self._data(data)})\n{name} := {raw}"
            case ir_values.JsonValue(document, path, missing) if missing:
                text = self._value(ir_values.JsonValue(document, path))
                return f'{name} := {text}\nif {name} == "" {{\n\t{name} = {quoted(missing)}\n}}'
            case ir_values.JsonLines(document, names):
                return block(
                    """
                    @name@ := ""
                    for _, line := range []string{@names@} {
                    \tif text := value(@document@, line); text != "" {
                    \t\t@name@ += line + "\\n" + text + "\\n"
                    \t}
                    }
                    """,
                    document=self._name(document),
                    names=", ".join(map(quoted, names)),
                    name=name,
                )
            case ir_values.UrlPart("base"):
                return f'{name}, _, _ := strings.Cut(requestURL, "?")'
            case ir_values.UrlPart("query"):
                return f'_, {name}, _ := strings.Cut(requestURL, "?")'
        return f"{name} := {self._value(value)}"

    def _value(self, value: Value) -> str:
        match value:
            case Join():
                return self._join(value)
            case ir_values.JsonValue(document, path, _):
                return f"value({', '.join([self._name(document), *(quoted(str(step)) for step in path)])})"
            case ir_values.FormValue(form, name):
                return f"parameter({self._name(form)}, {quoted(name)})"
            case ir_values.SortedForm(form):
                return f"sortedForm({self._name(form)})"
            case ir_values.UrlPart("path"):
                return "pathOf(requestURL)"
            case ir_values.UrlPart():
                return "hostOf(requestURL)"
            case ir_values.SortedQuery(query):
                return f"sortedParts({self._name(query)})"
            case ir_values.IfNotEmpty(condition, text):
                return f"when({self._name(condition)}, {quoted(text)})"
            case ir_values.Escaped(text, keep):
                return f"escape({compact(self._join(text))}, {quoted(keep)})"
            case ir_values.SignedHeaders(listing):
                return f"signedHeaders(headers, {header_value(quoted(listing))})"
        raise AssertionError(value)


def header_value(header: str) -> str:
    """Return an expression for the value of a header; repeated lines are joined (RFC 9110 section 5.2)."""
    return f'strings.Join(headers.Values({header}), ", ")'


def compact(expression: str) -> str:
    """Remove the spaces around ``+``, as gofmt does in a sum that is one of several arguments."""
    return expression.replace(" + ", "+")
