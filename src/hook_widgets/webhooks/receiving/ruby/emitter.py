"""Ruby: steps, and the signature."""

from __future__ import annotations

import re

from hook_widgets.webhooks.receiving import steps
from hook_widgets.webhooks.receiving.emitter import (
    block,
    regex,
    shifted,
)
from hook_widgets.webhooks.receiving.ruby.expressions import RubyExpressions, literal
from hook_widgets.webhooks.receiving.ruby.templates import (
    CHECKS,
    DER,
    KEYS,
    READ,
    REQUIRED,
    VALUE,
    WRITE,
)
from hook_widgets.webhooks.receiving.steps import Step
from hook_widgets.webhooks.receiving.values import Body, Join, Variable
from hook_widgets.webhooks.scheme import Encoding
from hook_widgets.webhooks.secret import KeyForm
from hook_widgets.webhooks.signing import Algorithm


class Ruby(RubyExpressions):
    """Ruby 3.0 and later."""

    title = "Ruby"
    comment = "#"
    raw_body = "request.raw_post in Rails, request.body.read in Sinatra"
    all_headers = "reads names in any case, such as request.headers in Rails"
    from_env = 'ENV.fetch("%s")'
    guard = "return false if secret.empty?"

    def _name(self, name: str) -> str:
        return name

    def _text(self) -> str:
        arguments = ", ".join(name for name, _ in self._arguments({"headers": "", "body": "", "text": ""}))
        lines = self._statements("  ")
        helpers = [
            helper
            for mark, helper in (("value", VALUE), ("der", DER))
            if re.search(rf"(?<![\w.]){mark}\(", lines)
        ]
        code = "\n".join([f"def verify({arguments})\n{lines}\nend\n", *helpers])
        required = dict.fromkeys(library for library, mark in REQUIRED if mark in code)
        requires = "".join(f'require "{library}"\n' for library in required)
        return f"{self._remarks()}\n{requires}\n{code}"

    # --- steps -------------------------------------------------------------------------------------------

    def _step(self, step: Step) -> str:
        match step:
            case steps.ReadHeader(variable, header, _):
                return f"{variable} = headers[{literal(header)}].to_s"
            case steps.ReadHeaders(variable, names, ""):
                listed = ", ".join(map(literal, names))
                return f"{variable} = [{listed}].map {{ |name| headers[name].to_s }}"
            case steps.ReadHeaders(variable, _, numbered):
                name = literal(numbered).replace("{n}", "#{n}")
                return f"{variable} = (1..100).map {{ |n| headers[{name}].to_s }}"
            case steps.SplitList(variable, of, separator):
                return f"{variable} = {of}.split({literal(separator)}).map(&:strip)"
            case steps.FindElement(variable, elements, prefix, until):
                label = literal(prefix)
                cut = f".split({literal(until)}).first.to_s" if until else ""
                found = f"{elements}.find {{ |element| element.start_with?({label}) }}"
                return f"{variable} = {found}.to_s.delete_prefix({label}){cut}"
            case steps.PickElement(variable, elements, position):
                return f"{variable} = {elements}[{position}].to_s"
            case steps.TakeApart():
                return self._take_apart(step)
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
                return f"return false unless OpenSSL.secure_compare({left}, {self._join(right)})"

    def _take_apart(self, step: steps.TakeApart) -> str:
        names = [part.name for part in step.shape if isinstance(part, Variable)]
        return block(
            r"""
            @match@ = /\A@pattern@\z/m.match(@of@)
            return false unless @match@
            @names@ = @match@.captures
            """,
            match=step.match,
            pattern=regex(step.shape, "/"),
            of=step.of,
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

    def _result(self) -> str:
        return self._public() if self._is_pair else self._shared()

    def _shared(self) -> str:
        program, shown = self.program, self.program.presented
        lines = []
        if self._key() != "secret":
            lines.append(f"key = {self._key()}")
        if program.message.parts and program.message != Join((Body(),)):
            lines.append(f"message = {self._data(program.message)}")
        before = f"{self._join(shown.before)} + " if shown.before.parts else ""
        after = f" + {literal(shown.after)}" if shown.after else ""
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
            return WRITE[program.encoding.value].format(raw="secret")
        message = "body" if program.message == Join((Body(),)) else "message"
        key = "secret" if self._key() == "secret" else "key"
        if program.algorithm.digest is None:
            name, _, place = program.algorithm.value.partition("-")
            pieces = (f"{key}.b", f"{message}.b") if place == "prefix" else (f"{message}.b", f"{key}.b")
            raw = f"OpenSSL::Digest.digest({literal(name.upper())}, {' + '.join(pieces)})"
        else:
            digest = program.algorithm.digest.upper()
            arguments = f"({literal(digest)}, {key}, {message})"
            if program.encoding is Encoding.HEX:
                return f"OpenSSL::HMAC.hexdigest{arguments}"
            raw = f"OpenSSL::HMAC.digest{arguments}"
        return WRITE[program.encoding.value].format(raw=raw)

    def _key(self) -> str:
        key = self.program.key
        text = f"secret.unicode_normalize(:{key.normalize.lower()})" if key.normalize else "secret"
        if key.form is not KeyForm.UTF8:
            text += f".delete_prefix({literal(key.strip_prefix)})" if key.strip_prefix else ""
            text = f'{text}.unpack1("m0")' if key.form is KeyForm.BASE64 else f'[{text}].pack("H*")'
        return f"OpenSSL::Digest.digest({literal(key.digest.upper())}, {text})" if key.digest else text

    def _public(self) -> str:
        program, shown = self.program, self.program.presented
        text = "element" if shown.several else shown.variable
        text += f".delete_prefix({literal(shown.prefix)})" if shown.prefix else ""
        text += f".delete_suffix({literal(shown.after)})" if shown.after else ""
        check = CHECKS[program.algorithm].format(raw=READ[program.encoding].format(text=text))
        attempt = f"begin\n  {check}\nrescue OpenSSL::PKey::PKeyError # no signature at all\n  false\nend"
        if shown.several:
            inside = "\n".join("  " + line for line in attempt.split("\n"))
            attempt = f"{shown.variable}.any? do |element|\n{inside}\nend"
        key = KEYS[program.public_form.value if program.public_form else ""]
        return f"{key}\nmessage = {self._data(program.message)}\n{attempt}"


def _tried(line: str, error: str) -> str:
    return f"begin\n  {line}\nrescue {error}\n  return false\nend"
