"""Go: how a value is written."""

from __future__ import annotations

from hook_widgets.webhooks.receiving import values
from hook_widgets.webhooks.receiving.emitter import Emitter, Run, block, quoted
from hook_widgets.webhooks.receiving.go.templates import (
    HASHES,
    WRITE,
)
from hook_widgets.webhooks.receiving.values import Body, Join, Value, Variable


class GoExpressions(Emitter):
    """The expressions."""

    def _run(self, parts: Run) -> str:
        return " + ".join(
            self._name(part.name) if isinstance(part, Variable) else quoted(part.text) for part in parts
        )

    def _data(self, join: Join) -> str:
        """An expression for bytes."""
        pieces = ["body" if isinstance(run, Body) else f"[]byte({self._run(run)})" for run in join.runs]
        return pieces[0] if len(pieces) == 1 else f"bytes.Join([][]byte{{{', '.join(pieces)}}}, nil)"

    def _let(self, variable: str, value: Value) -> str:
        name = self._name(variable)
        match value:
            case values.Digest("crc32", of, write):
                text = f"crc32.ChecksumIEEE({self._data(of)})"
                form = "%d" if write.value == "decimal" else "%08x"
                return f'{name} := fmt.Sprintf("{form}", {text})'
            case values.Digest(algorithm, of, write):
                raw = WRITE[write.value].format(raw=f"{name}Sum[:]")
                return f"{name}Sum := {HASHES[algorithm][1]}({self._data(of)})\n{name} := {raw}"
            case values.JsonValue(document, path, missing) if missing:
                found = self._value(values.JsonValue(document, path))
                return f'{name} := {found}\nif {name} == "" {{\n\t{name} = {quoted(missing)}\n}}'
            case values.JsonLines(document, names):
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
            case values.UrlPart("base"):
                return f'{name}, _, _ := strings.Cut(requestURL, "?")'
            case values.UrlPart("query"):
                return f'_, {name}, _ := strings.Cut(requestURL, "?")'
        return f"{name} := {self._value(value)}"

    def _value(self, value: Value) -> str:
        match value:
            case Join():
                return self._join(value)
            case values.JsonValue(document, path, _):
                return f"value({', '.join([self._name(document), *(quoted(str(step)) for step in path)])})"
            case values.FormValue(form, name):
                return f"{self._name(form)}.Get({quoted(name)})"
            case values.SortedForm(form):
                return f"sortedForm({self._name(form)})"
            case values.UrlPart("path"):
                return "pathOf(requestURL)"
            case values.UrlPart():
                return "hostOf(requestURL)"
            case values.SortedQuery(query):
                return f"sortedParts({self._name(query)})"
            case values.WhenFilled(condition, text):
                return f"when({self._name(condition)}, {quoted(text)})"
            case values.Escaped(of, keep):
                return f"escape({tight(self._join(of))}, {quoted(keep)})"
            case values.SignedHeaders(listing):
                return f"signedHeaders(headers, headers.Get({quoted(listing)}))"
        raise AssertionError(value)


def tight(expression: str) -> str:
    """A sum as gofmt writes it among several arguments."""
    return expression.replace(" + ", "+")
