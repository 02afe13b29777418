"""Emit Ruby expressions for values."""

from __future__ import annotations

from hook_widgets.webhooks.codegen import ir_values
from hook_widgets.webhooks.codegen.backend import (
    Emitter,
    TextParts,
    block,
    literal_in_regex,
    quoted,
)
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Value, Variable
from hook_widgets.webhooks.codegen.ruby.templates import (
    WRITE,
)


class RubyExpressions(Emitter):
    """Base class with the expressions of Ruby receivers."""

    def _concat(self, parts: TextParts) -> str:
        if len(parts) == 1 and isinstance(parts[0], Variable):
            return parts[0].name
        interpolated = (f"#{{{p.name}}}" if isinstance(p, Variable) else literal(p.text)[1:-1] for p in parts)
        return f'"{"".join(interpolated)}"'

    def _data(self, join: Join) -> str:
        """Return an expression for a binary string."""
        if not join.is_bytes:
            return self._join(join)
        runs = join.runs
        if len(runs) == 1:
            return "body"
        return " + ".join("body.b" if isinstance(run, Body) else f"{self._concat(run)}.b" for run in runs)

    def _value(self, value: Value) -> str:
        match value:
            case Join():
                return self._join(value)
            case ir_values.Digest("crc32", data, write):
                text = f"Zlib.crc32({self._data(data)})"
                return f"{text}.to_s" if write.value == "decimal" else f'format("%08x", {text})'
            case ir_values.Digest(algorithm, data, write):
                raw = f"OpenSSL::Digest.digest({literal(algorithm.upper())}, {self._data(data)})"
                return WRITE[write.value].format(raw=raw)
            case ir_values.JsonValue(document, path, missing):
                listed = (literal(step) if isinstance(step, str) else str(step) for step in path)
                call = f"value({', '.join([document, *listed])})"
                default = f".then {{ |text| text.empty? ? {literal(missing)} : text }}"
                return f"{call}{default}" if missing else call
            case ir_values.FormValue(form, name):
                pairs = f"{form}.select {{ |name, _| name == {literal(name)} }}"
                return f'{pairs}.then {{ |pairs| pairs.one? ? pairs[0][1] : "" }}'
            case ir_values.SortedForm(form):
                return f"{form}.uniq.sort.join"
            case ir_values.UrlPart("base"):
                return 'url.split("?", 2).first.to_s'
            case ir_values.UrlPart("query"):
                return 'url.split("?", 2)[1].to_s'
            case ir_values.UrlPart("path"):
                return r"""url[%r{\A\w+://[^/?]*(/[^?]*)}, 1] || "/" """.strip()
            case ir_values.UrlPart():
                return r"url[%r{\A\w+://([^/?]*)}, 1].to_s"
            case ir_values.SortedQuery(query):
                return f'{query}.split("&").reject(&:empty?).sort.join("&")'
            case ir_values.IfNotEmpty(condition, text):
                return f'{condition}.empty? ? "" : {literal(text)}'
            case ir_values.Escaped(text, keep):
                unescaped = literal_in_regex(keep, "/-")
                encode = '{ |char| char.bytes.map { |byte| format("%%%02X", byte) }.join }'
                return f"{self._join(text)}.gsub(/[^A-Za-z0-9{unescaped}]/) {encode}"
            case ir_values.JsonLines(document, names):
                return block(
                    """
                    [@names@].filter_map do |name|
                      "#{name}\\n#{value(@document@, name)}\\n" unless value(@document@, name).empty?
                    end.join
                    """,
                    document=document,
                    names=", ".join(map(literal, names)),
                )
            case ir_values.SignedHeaders(listing):
                return block(
                    """
                    headers[@listing@].to_s.split(",").map { |name| name.strip.downcase }.sort.map do |name|
                      "#{name}:#{headers[name].to_s.strip}"
                    end.join(";")
                    """,
                    listing=literal(listing),
                )


def literal(text: str) -> str:
    """Return a string literal without interpolation."""
    return quoted(text).replace("#", "\\#")
