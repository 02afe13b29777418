"""Emit PHP expressions for values."""

from __future__ import annotations

import re

from hook_widgets.errors import UnsupportedScheme
from hook_widgets.webhooks.codegen import ir_values
from hook_widgets.webhooks.codegen.backend import (
    Emitter,
    TextParts,
    block,
    literal_in_regex,
)
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Value, Variable
from hook_widgets.webhooks.codegen.php.templates import (
    WRITE,
)
from hook_widgets.webhooks.scheme.computed_fields import HashEncoding


class PhpExpressions(Emitter):
    """Base class with the expressions of PHP receivers."""

    def _concat(self, parts: TextParts) -> str:
        return " . ".join(
            self._name(part.name) if isinstance(part, Variable) else literal(part.text) for part in parts
        )

    def _data(self, join: Join) -> str:
        """Return an expression for a string; every PHP string consists of bytes."""
        return (
            " . ".join("$body" if isinstance(run, Body) else self._concat(run) for run in join.runs) or "''"
        )

    def _let(self, variable: str, value: Value) -> str:
        name = self._name(variable)
        match value:
            case ir_values.SortedForm(form):
                return block(
                    """
                    usort(@form@, fn ($one, $two) => strcmp($one[0], $two[0]) ?: strcmp($one[1], $two[1]));
                    @name@ = '';
                    foreach (@form@ as $i => $pair) {
                        if ($i === 0 || $pair !== @form@[$i - 1]) {
                            @name@ .= implode('', $pair);
                        }
                    }
                    """,
                    form=self._name(form),
                    name=name,
                )
            case ir_values.SortedQuery(query):
                return block(
                    """
                    $parts = array_filter(explode('&', @query@), 'strlen');
                    sort($parts, SORT_STRING);
                    @name@ = implode('&', $parts);
                    """,
                    query=self._name(query),
                    name=name,
                )
            case ir_values.JsonLines(document, names):
                return block(
                    """
                    @name@ = '';
                    foreach ([@names@] as $line) {
                        $text = json_value(@document@, $line);
                        @name@ .= $text === '' ? '' : "{$line}\\n{$text}\\n";
                    }
                    """,
                    document=self._name(document),
                    names=", ".join(map(literal, names)),
                    name=name,
                )
            case ir_values.SignedHeaders(listing):
                return block(
                    """
                    $names = array_map(
                        fn (string $name): string => strtolower(trim($name)),
                        explode(',', $headers[@listing@] ?? ''),
                    );
                    sort($names, SORT_STRING);
                    @name@ = implode(';', array_map(
                        fn (string $name): string => $name . ':' . trim($headers[$name] ?? ''),
                        $names,
                    ));
                    """,
                    listing=literal(listing.lower()),
                    name=name,
                )
        return f"{name} = {self._value(value)};"

    def _value(self, value: Value) -> str:
        match value:
            case Join():
                return self._data(value)
            case ir_values.Digest("crc32", data, write):
                text = f"crc32({self._data(data)})"
                return f"(string) {text}" if write.value == "decimal" else f"sprintf('%08x', {text})"
            case ir_values.Digest(_, _, HashEncoding.DECIMAL):
                raise UnsupportedScheme(
                    "PHP has no numbers of this size without an extension; choose another language, or write "
                    "the hash as hex"
                )
            case ir_values.Digest(algorithm, data, write):
                if write.value == "hex":
                    return f"hash('{algorithm}', {self._data(data)})"
                return WRITE[write.value].format(raw=f"hash('{algorithm}', {self._data(data)}, true)")
            case ir_values.JsonValue(document, path, missing):
                listed = (literal(step) if isinstance(step, str) else str(step) for step in path)
                call = f"json_value({', '.join([self._name(document), *listed])})"
                return f"{call} ?: {literal(missing)}" if missing else call
            case ir_values.FormValue(form, name):
                pairs = f"array_filter({self._name(form)}, fn ($pair) => $pair[0] === {literal(name)})"
                return f"count($values = array_column({pairs}, 1)) === 1 ? $values[0] : ''"
            case ir_values.UrlPart("base"):
                return "explode('?', $url, 2)[0]"
            case ir_values.UrlPart("query"):
                return "explode('?', $url, 2)[1] ?? ''"
            case ir_values.UrlPart("path"):
                return r"preg_replace('~^\w+://[^/?]*|\?.*~s', '', $url) ?: '/'"
            case ir_values.UrlPart():
                return r"preg_split('~[/?]~', $url)[2] ?? ''"
            case ir_values.IfNotEmpty(condition, text):
                return f"{self._name(condition)} === '' ? '' : {literal(text)}"
            case ir_values.Escaped(text, keep):
                unescaped = literal_in_regex(keep, "~-").replace("'", "\\'")
                encode = "fn (array $match): string => rawurlencode($match[0])"
                return f"preg_replace_callback('~[^A-Za-z0-9{unescaped}]~', {encode}, {self._data(text)})"
        raise AssertionError(value)


def literal(text: str) -> str:
    """Return a string literal: in single quotes, or in double quotes if it contains line ends or tabs."""
    if re.search(r"[\n\r\t]", text):
        inner = re.sub(r'(["\\$])', r"\\\1", text)
        return '"' + inner.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'
    return "'" + re.sub(r"(['\\])", r"\\\1", text) + "'"
