"""Receivers in Ruby: openssl and what else comes with the language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from hook_widgets.webhooks.receiving import steps
from hook_widgets.webhooks.receiving.emitter import (
    Emitter,
    Run,
    block,
    literal_in_regex,
    quoted,
    regex,
    shifted,
)
from hook_widgets.webhooks.receiving.steps import Body, Join, Step, Text, Value, Variable
from hook_widgets.webhooks.scheme import Encoding
from hook_widgets.webhooks.secret import KeyForm
from hook_widgets.webhooks.signing import Algorithm

_VALUE: Final = """\
# The text of one value of a JSON document, "" when it is not there.
def value(document, *path)
  path.reduce(document) do |node, step|
    case node
    when Hash then node[step.to_s]
    when Array then node[step] if step.is_a?(Integer)
    end
  end.to_s
end
"""
_REQUIRED: Final = (
    ("json", "JSON."),
    ("openssl", "OpenSSL"),
    ("time", "Time.iso8601"),
    ("time", "Time.httpdate"),
    ("uri", "URI."),
    ("zlib", "Zlib."),
)
_WRITE: Final = {
    "hex": '{raw}.unpack1("H*")',
    "base64": '[{raw}].pack("m0")',
    "base64url": '[{raw}].pack("m0").tr("+/", "-_").delete("=")',
    "decimal": '{raw}.unpack1("H*").to_i(16).to_s',
    "text": "{raw}",
}
_READ: Final = {
    Encoding.HEX: '[{text}].pack("H*")',
    Encoding.BASE64: '{text}.unpack1("m")',
    Encoding.BASE64URL: '{text}.tr("-_", "+/").unpack1("m")',
}
_ED25519: Final = (
    'OpenSSL::PKey.read(["302a300506032b6570032100"].pack("H*") + {raw}) # as SubjectPublicKeyInfo'
)
_KEYS: Final = {
    "hex": _ED25519.format(raw='[public_key].pack("H*")'),
    "base64": _ED25519.format(raw='public_key.unpack1("m")'),
    "base64-spki": 'OpenSSL::PKey.read(public_key.unpack1("m"))',
    "certificate": "OpenSSL::X509::Certificate.new(public_key).public_key",
}
_CHECKS: Final = {
    Algorithm.ED25519: "key.verify(nil, {raw}, message)",
    Algorithm.ECDSA_P256: 'key.verify("SHA256", {raw}, message)',
    Algorithm.ECDSA_P256_RAW: 'key.verify("SHA256", der({raw}), message)',
    Algorithm.RSA_SHA256: 'key.verify("SHA256", {raw}, message)',
    Algorithm.RSA_SHA1: 'key.verify("SHA1", {raw}, message)',
}
_DER: Final = """\
# An ECDSA signature of two numbers as OpenSSL wants it.
def der(raw)
  numbers = [raw[0, 32], raw[32..]].map { |half| OpenSSL::ASN1::Integer(OpenSSL::BN.new(half.to_s, 2)) }
  OpenSSL::ASN1::Sequence(numbers).to_der
end
"""


class Ruby(Emitter):
    """Ruby 3.0 and later."""

    title = "Ruby"
    comment = "#"
    raw_body = "request.raw_post in Rails, request.body.read in Sinatra"
    from_env = 'ENV.fetch("%s")'

    def name(self, name: str) -> str:
        return name

    def text(self) -> str:
        arguments = ", ".join(name for name, _ in self.arguments({"headers": "", "body": "", "text": ""}))
        lines = self.statements("  ")
        helpers = [
            helper
            for mark, helper in (("value", _VALUE), ("der", _DER))
            if re.search(rf"(?<![\w.]){mark}\(", lines)
        ]
        code = "\n".join([f"def verify({arguments})\n{lines}\nend\n", *helpers])
        required = dict.fromkeys(library for library, mark in _REQUIRED if mark in code)
        requires = "".join(f'require "{library}"\n' for library in required)
        note = (
            "# headers: reads names in any case, such as request.headers in Rails.\n"
            if self.program.headers
            else ""
        )
        return f"{self.remarks()}\n{note}{requires}\n{code}"

    # --- expressions -------------------------------------------------------------------------------------

    def run(self, parts: Run) -> str:
        if len(parts) == 1 and isinstance(parts[0], Variable):
            return parts[0].name
        inside = (f"#{{{p.name}}}" if isinstance(p, Variable) else _inner(p.text) for p in parts)
        return f'"{"".join(inside)}"'

    def data(self, join: Join) -> str:
        """An expression for a string of bytes."""
        if not join.is_bytes:
            return self.join(join)
        runs = join.runs
        if len(runs) == 1:
            return "body"
        return " + ".join("body.b" if isinstance(run, Body) else f"{self.run(run)}.b" for run in runs)

    def _value(self, value: Value) -> str:
        match value:
            case Join():
                return self.join(value)
            case steps.Digest("crc32", of, write):
                text = f"Zlib.crc32({self.data(of)})"
                return f"{text}.to_s" if write.value == "decimal" else f'format("%08x", {text})'
            case steps.Digest(algorithm, of, write):
                raw = f"OpenSSL::Digest.digest({quoted(algorithm.upper())}, {self.data(of)})"
                return _WRITE[write.value].format(raw=raw)
            case steps.JsonValue(document, path, missing):
                listed = (quoted(step) if isinstance(step, str) else str(step) for step in path)
                found = f"value({', '.join([document, *listed])})"
                return (
                    f"{found}.then {{ |text| text.empty? ? {quoted(missing)} : text }}" if missing else found
                )
            case steps.FormValue(form, name):
                return f"{form}.assoc({quoted(name)})&.last.to_s"
            case steps.SortedForm(form):
                return f"{form}.uniq.sort.join"
            case steps.UrlPart("base"):
                return 'url.split("?", 2).first.to_s'
            case steps.UrlPart("query"):
                return 'url.split("?", 2)[1].to_s'
            case steps.UrlPart("path"):
                return r"""url[%r{\A\w+://[^/?]*(/[^?]*)}, 1] || "/" """.strip()
            case steps.UrlPart():
                return r"url[%r{\A\w+://([^/?]*)}, 1].to_s"
            case steps.SortedQuery(query):
                return f'{query}.split("&").reject(&:empty?).sort.join("&")'
            case steps.WhenFilled(condition, text):
                return f'{condition}.empty? ? "" : {quoted(text)}'
            case steps.Escaped(of, keep):
                kept = literal_in_regex(keep, "/-")
                each = '{ |char| char.bytes.map { |byte| format("%%%02X", byte) }.join }'
                return f"{self.join(of)}.gsub(/[^A-Za-z0-9{kept}]/) {each}"
            case steps.JsonLines(document, names):
                return block(
                    """
                    [@names@].filter_map do |name|
                      "#{name}\\n#{value(@document@, name)}\\n" unless value(@document@, name).empty?
                    end.join
                    """,
                    document=document,
                    names=", ".join(map(quoted, names)),
                )
            case steps.SignedHeaders(listing):
                return block(
                    """
                    headers[@listing@].to_s.split(",").map { |name| name.strip.downcase }.sort.map do |name|
                      "#{name}:#{headers[name].to_s.strip}"
                    end.join(";")
                    """,
                    listing=quoted(listing),
                )

    # --- steps -------------------------------------------------------------------------------------------

    def step(self, step: Step) -> str:
        match step:
            case steps.ReadHeader(variable, header, _):
                return f"{variable} = headers[{quoted(header)}].to_s"
            case steps.ReadHeaders(variable, names, ""):
                listed = ", ".join(map(quoted, names))
                return f"{variable} = [{listed}].map {{ |name| headers[name].to_s }}"
            case steps.ReadHeaders(variable, _, numbered):
                name = quoted(numbered).replace("{n}", "#{n}")
                return f"{variable} = (1..100).map {{ |n| headers[{name}].to_s }}"
            case steps.SplitList(variable, of, separator):
                return f"{variable} = {of}.split({quoted(separator)}).map(&:strip)"
            case steps.FindElement(variable, elements, prefix, until):
                label = quoted(prefix)
                cut = f".split({quoted(until)}).first.to_s" if until else ""
                found = f"{elements}.find {{ |element| element.start_with?({label}) }}"
                return f"{variable} = {found}.to_s.delete_prefix({label}){cut}"
            case steps.PickElement(variable, elements, position):
                return f"{variable} = {elements}[{position}].to_s"
            case steps.TakeApart(of, shape):
                return self._take_apart(of, shape)
            case steps.ParseJson(variable, source, claims):
                text = "body" if isinstance(source, Body) else source.name
                if claims:
                    text = f'{text}.split(".")[1].to_s.tr("-_", "+/").unpack1("m")'
                return _tried(f"{variable} = JSON.parse({text})", "JSON::ParserError")
            case steps.ParseForm(variable, source):
                text = "body" if isinstance(source, Body) else source.name
                return _tried(f"{variable} = URI.decode_www_form({text})", "ArgumentError")
            case steps.Let(variable, value):
                return f"{variable} = {self._value(value)}"
            case steps.CheckTime():
                return self._check_time(step)
            case steps.CheckEqual(left, right):
                return f"return false unless OpenSSL.secure_compare({left}, {self.join(right)})"

    def _take_apart(self, of: str, shape: Sequence[Text | Variable | None]) -> str:
        names = [part.name for part in shape if isinstance(part, Variable)]
        return block(
            r"""
            match = /\A@pattern@\z/m.match(@of@)
            return false unless match
            @names@ = match.captures
            """,
            pattern=regex(shape, "/"),
            of=of,
            names=", ".join(names) + ("," if len(names) == 1 else ""),
        )

    def _check_time(self, step: steps.CheckTime) -> str:
        variable, shift = step.variable, shifted(step.shift_s)
        match step.unit.value:
            case "s":
                sent = f"sent = {variable}.to_i{shift}"
            case "ms":
                sent = f"sent = {variable}.to_i / 1000{shift}"
            case "http-date":
                sent = _tried(f"sent = Time.httpdate({variable}).to_i{shift}", "ArgumentError")
            case "iso8601-ms-naive":
                sent = _tried(f'sent = Time.iso8601("#{{{variable}}}Z").to_i{shift}', "ArgumentError")
            case _:
                sent = _tried(f"sent = Time.iso8601({variable}).to_i{shift}", "ArgumentError")
        limit = f"return false if (Time.now.to_i - sent).abs > {step.tolerance_s} # seconds, on both sides"
        return f"{sent}\n{limit}"

    # --- the signature -----------------------------------------------------------------------------------

    def result(self) -> str:
        return self._public() if self.is_pair else self._shared()

    def _shared(self) -> str:
        program, shown = self.program, self.program.presented
        lines = []
        if program.algorithm is Algorithm.TOKEN:
            lines.append("return false if secret.empty?")
        if program.message.parts and program.message != Join((Body(),)):
            lines.append(f"message = {self.data(program.message)}")
        before = f"{self.join(shown.before)} + " if shown.before.parts else ""
        after = f" + {quoted(shown.after)}" if shown.after else ""
        lines.append(f"expected = {before}{self._made()}{after}")
        if shown.several:
            check = "OpenSSL.secure_compare(expected, element)"
            lines.append(f"{shown.variable}.any? {{ |element| {check} }}")
        else:
            lines.append(f"OpenSSL.secure_compare(expected, {shown.variable})")
        return "\n".join(lines)

    def _made(self) -> str:
        """The signature's text."""
        program = self.program
        if program.algorithm is Algorithm.TOKEN:
            return _WRITE[program.encoding.value].format(raw="secret")
        message = "body" if program.message == Join((Body(),)) else "message"
        if program.algorithm.digest is None:
            name, _, place = program.algorithm.value.partition("-")
            pieces = (self._key(), f"{message}.b") if place == "prefix" else (f"{message}.b", self._key())
            raw = f"OpenSSL::Digest.digest({quoted(name.upper())}, {' + '.join(pieces)})"
        else:
            digest = program.algorithm.digest.upper()
            arguments = f"({quoted(digest)}, {self._key()}, {message})"
            if program.encoding is Encoding.HEX:
                return f"OpenSSL::HMAC.hexdigest{arguments}"
            raw = f"OpenSSL::HMAC.digest{arguments}"
        return _WRITE[program.encoding.value].format(raw=raw)

    def _key(self) -> str:
        key = self.program.key
        text = f"secret.unicode_normalize(:{key.normalize.lower()})" if key.normalize else "secret"
        if key.form is not KeyForm.UTF8:
            text += f".delete_prefix({quoted(key.strip_prefix)})" if key.strip_prefix else ""
            text = f'{text}.unpack1("m0")' if key.form is KeyForm.BASE64 else f'[{text}].pack("H*")'
        return f"OpenSSL::Digest.digest({quoted(key.digest.upper())}, {text})" if key.digest else text

    def _public(self) -> str:
        program, shown = self.program, self.program.presented
        text = "element" if shown.several else shown.variable
        text += f".delete_prefix({quoted(shown.prefix)})" if shown.prefix else ""
        text += f".delete_suffix({quoted(shown.after)})" if shown.after else ""
        check = _CHECKS[program.algorithm].format(raw=_READ[program.encoding].format(text=text))
        attempt = f"begin\n  {check}\nrescue OpenSSL::PKey::PKeyError # no signature at all\n  false\nend"
        if shown.several:
            inside = "\n".join("  " + line for line in attempt.split("\n"))
            attempt = f"{shown.variable}.any? do |element|\n{inside}\nend"
        key = _KEYS[program.public_form.value if program.public_form else ""]
        return f"key = {key}\nmessage = {self.data(program.message)}\n{attempt}"


def _inner(text: str) -> str:
    return quoted(text)[1:-1].replace("#{", "\\#{")


def _tried(line: str, error: str) -> str:
    return f"begin\n  {line}\nrescue {error}\n  return false\nend"
