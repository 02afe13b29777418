"""Ruby: how a value is written."""

from __future__ import annotations

from hook_widgets.webhooks.receiving import values
from hook_widgets.webhooks.receiving.emitter import (
    Emitter,
    Run,
    block,
    literal_in_regex,
    quoted,
)
from hook_widgets.webhooks.receiving.ruby.templates import (
    WRITE,
)
from hook_widgets.webhooks.receiving.values import Body, Join, Value, Variable


class RubyExpressions(Emitter):
    """The expressions."""

    def _run(self, parts: Run) -> str:
        if len(parts) == 1 and isinstance(parts[0], Variable):
            return parts[0].name
        inside = (f"#{{{p.name}}}" if isinstance(p, Variable) else literal(p.text)[1:-1] for p in parts)
        return f'"{"".join(inside)}"'

    def _data(self, join: Join) -> str:
        """An expression for a string of bytes."""
        if not join.is_bytes:
            return self._join(join)
        runs = join.runs
        if len(runs) == 1:
            return "body"
        return " + ".join("body.b" if isinstance(run, Body) else f"{self._run(run)}.b" for run in runs)

    def _value(self, value: Value) -> str:
        match value:
            case Join():
                return self._join(value)
            case values.Digest("crc32", of, write):
                text = f"Zlib.crc32({self._data(of)})"
                return f"{text}.to_s" if write.value == "decimal" else f'format("%08x", {text})'
            case values.Digest(algorithm, of, write):
                raw = f"OpenSSL::Digest.digest({literal(algorithm.upper())}, {self._data(of)})"
                return WRITE[write.value].format(raw=raw)
            case values.JsonValue(document, path, missing):
                listed = (literal(step) if isinstance(step, str) else str(step) for step in path)
                found = f"value({', '.join([document, *listed])})"
                return (
                    f"{found}.then {{ |text| text.empty? ? {literal(missing)} : text }}" if missing else found
                )
            case values.FormValue(form, name):
                return f"{form}.assoc({literal(name)})&.last.to_s"
            case values.SortedForm(form):
                return f"{form}.uniq.sort.join"
            case values.UrlPart("base"):
                return 'url.split("?", 2).first.to_s'
            case values.UrlPart("query"):
                return 'url.split("?", 2)[1].to_s'
            case values.UrlPart("path"):
                return r"""url[%r{\A\w+://[^/?]*(/[^?]*)}, 1] || "/" """.strip()
            case values.UrlPart():
                return r"url[%r{\A\w+://([^/?]*)}, 1].to_s"
            case values.SortedQuery(query):
                return f'{query}.split("&").reject(&:empty?).sort.join("&")'
            case values.WhenFilled(condition, text):
                return f'{condition}.empty? ? "" : {literal(text)}'
            case values.Escaped(of, keep):
                kept = literal_in_regex(keep, "/-")
                each = '{ |char| char.bytes.map { |byte| format("%%%02X", byte) }.join }'
                return f"{self._join(of)}.gsub(/[^A-Za-z0-9{kept}]/) {each}"
            case values.JsonLines(document, names):
                return block(
                    """
                    [@names@].filter_map do |name|
                      "#{name}\\n#{value(@document@, name)}\\n" unless value(@document@, name).empty?
                    end.join
                    """,
                    document=document,
                    names=", ".join(map(literal, names)),
                )
            case values.SignedHeaders(listing):
                return block(
                    """
                    headers[@listing@].to_s.split(",").map { |name| name.strip.downcase }.sort.map do |name|
                      "#{name}:#{headers[name].to_s.strip}"
                    end.join(";")
                    """,
                    listing=literal(listing),
                )


def literal(text: str) -> str:
    """A string that is nothing but itself."""
    return quoted(text).replace("#", "\\#")
