"""PHP: how a value is written."""

from __future__ import annotations

import re

from hook_widgets.errors import InvalidRequest
from hook_widgets.webhooks.receiving import values
from hook_widgets.webhooks.receiving.emitter import (
    Emitter,
    Run,
    block,
    literal_in_regex,
)
from hook_widgets.webhooks.receiving.php.templates import (
    WRITE,
)
from hook_widgets.webhooks.receiving.values import Body, Join, Value, Variable
from hook_widgets.webhooks.scheme.derived import Write


class PhpExpressions(Emitter):
    """The expressions."""

    def _run(self, parts: Run) -> str:
        return " . ".join(
            self._name(part.name) if isinstance(part, Variable) else literal(part.text) for part in parts
        )

    def _data(self, join: Join) -> str:
        """An expression for a string of bytes, as every string is one."""
        return " . ".join("$body" if isinstance(run, Body) else self._run(run) for run in join.runs) or "''"

    def _let(self, variable: str, value: Value) -> str:
        name = self._name(variable)
        match value:
            case values.SortedForm(form):
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
            case values.SortedQuery(query):
                return block(
                    """
                    $parts = array_filter(explode('&', @query@), 'strlen');
                    sort($parts, SORT_STRING);
                    @name@ = implode('&', $parts);
                    """,
                    query=self._name(query),
                    name=name,
                )
            case values.JsonLines(document, names):
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
            case values.SignedHeaders(listing):
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
            case values.Digest("crc32", of, write):
                text = f"crc32({self._data(of)})"
                return f"(string) {text}" if write.value == "decimal" else f"sprintf('%08x', {text})"
            case values.Digest(_, _, Write.DECIMAL):
                raise InvalidRequest(
                    "PHP has no numbers of this size without an extension; choose another language, or write "
                    "the hash as hex"
                )
            case values.Digest(algorithm, of, write):
                if write.value == "hex":
                    return f"hash('{algorithm}', {self._data(of)})"
                return WRITE[write.value].format(raw=f"hash('{algorithm}', {self._data(of)}, true)")
            case values.JsonValue(document, path, missing):
                listed = (literal(step) if isinstance(step, str) else str(step) for step in path)
                found = f"json_value({', '.join([self._name(document), *listed])})"
                return f"{found} ?: {literal(missing)}" if missing else found
            case values.FormValue(form, name):
                return f"array_column(array_reverse({self._name(form)}), 1, 0)[{literal(name)}] ?? ''"
            case values.UrlPart("base"):
                return "explode('?', $url, 2)[0]"
            case values.UrlPart("query"):
                return "explode('?', $url, 2)[1] ?? ''"
            case values.UrlPart("path"):
                return r"preg_replace('~^\w+://[^/?]*|\?.*~s', '', $url) ?: '/'"
            case values.UrlPart():
                return r"preg_split('~[/?]~', $url)[2] ?? ''"
            case values.WhenFilled(condition, text):
                return f"{self._name(condition)} === '' ? '' : {literal(text)}"
            case values.Escaped(of, keep):
                kept = literal_in_regex(keep, "~-").replace("'", "\\'")
                each = "fn (array $match): string => rawurlencode($match[0])"
                return f"preg_replace_callback('~[^A-Za-z0-9{kept}]~', {each}, {self._data(of)})"
        raise AssertionError(value)


def literal(text: str) -> str:
    """A string between single quotes, or double ones where it has line ends."""
    if re.search(r"[\n\r\t]", text):
        inner = re.sub(r'(["\\$])', r"\\\1", text)
        return '"' + inner.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'
    return "'" + re.sub(r"(['\\])", r"\\\1", text) + "'"
