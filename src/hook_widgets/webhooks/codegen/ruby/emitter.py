"""Emit Ruby code for the steps and the signature check."""

from __future__ import annotations

import re

from hook_widgets.webhooks.codegen import ir
from hook_widgets.webhooks.codegen.backend import (
    block,
    regex,
    shift_expression,
)
from hook_widgets.webhooks.codegen.ir import Step
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Variable
from hook_widgets.webhooks.codegen.ruby.expressions import RubyExpressions, literal
from hook_widgets.webhooks.codegen.ruby.templates import (
    CHECKS,
    DER,
    KEYS,
    READ,
    REQUIRED,
    VALUE,
    WRITE,
)
from hook_widgets.webhooks.keys.secret import KeyForm
from hook_widgets.webhooks.keys.signing import Algorithm
from hook_widgets.webhooks.scheme import Encoding


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

    def _snippet(self) -> str:
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
        return f"{self._header_comment()}\n{requires}\n{code}"

    # --- steps -------------------------------------------------------------------------------------------

    def _step(self, step: Step) -> str:
        match step:
            case ir.ReadHeader(variable, header, _):
                return f"{variable} = headers[{literal(header)}].to_s"
            case ir.ReadHeaders(variable, names, ""):
                listed = ", ".join(map(literal, names))
                return f"{variable} = [{listed}].map {{ |name| headers[name].to_s }}"
            case ir.ReadHeaders(variable, _, numbered):
                name = literal(numbered).replace("{n}", "#{n}")
                return f"{variable} = (1..100).map {{ |n| headers[{name}].to_s }}"
            case ir.SplitList(variable, source, separator):
                return f"{variable} = {source}.split({literal(separator)}).map(&:strip)"
            case ir.FindElement(variable, elements, prefix, until):
                label = literal(prefix)
                cut = f".split({literal(until)}).first.to_s" if until else ""
                matches = f"{elements}.select {{ |element| element.start_with?({label}) }}"
                rest = f"{{ |element| element.delete_prefix({label}){cut} }}"
                return f'{variable} = {matches}.map {rest}.uniq.join(", ")'
            case ir.PickElement(variable, elements, position):
                return f"{variable} = {elements}[{position}].to_s"
            case ir.MatchPattern():
                return self._match_pattern(step)
            case ir.ParseJson(variable, source, claims):
                text = "body" if isinstance(source, Body) else source.name
                if claims:
                    text = f'{text}.split(".")[1].to_s.tr("-_", "+/").unpack1("m")'
                return _try(f"{variable} = JSON.parse({text})", "JSON::ParserError")
            case ir.ParseForm(variable, source):
                text = "body" if isinstance(source, Body) else source.name
                return _try(f"{variable} = URI.decode_www_form({text})", "ArgumentError")
            case ir.Let(variable, value):
                return f"{variable} = {self._value(value)}"
            case ir.CheckTime():
                return self._check_time(step)
            case ir.CheckEqual(left, right):
                return f"return false unless OpenSSL.secure_compare({left}, {self._join(right)})"
            case ir.CheckEmpty(source):
                return f"return false unless {'body' if isinstance(source, Body) else source.name}.empty?"

    def _match_pattern(self, step: ir.MatchPattern) -> str:
        names = [part.name for part in step.shape if isinstance(part, Variable)]
        return block(
            r"""
            @match@ = /\A@pattern@\z/m.match(@source@)
            return false unless @match@
            @names@ = @match@.captures
            """,
            match=step.match,
            pattern=regex(step.shape, "/"),
            source=step.source,
            names=", ".join(names) + ("," if len(names) == 1 else ""),
        )

    def _check_time(self, step: ir.CheckTime) -> str:
        variable, shift = step.variable, shift_expression(step.shift_s)
        match step.unit.value:
            case "s":
                sent = f"sent = {variable}.to_i{shift}"
            case "ms":
                sent = f"sent = {variable}.to_i / 1000{shift}"
            case "http-date":
                sent = _try(f"sent = Time.httpdate({variable}).to_i{shift}", "ArgumentError")
            case "iso8601-ms-naive":
                sent = _try(f'sent = Time.iso8601("#{{{variable}}}Z").to_i{shift}', "ArgumentError")
            case _:
                sent = _try(f"sent = Time.iso8601({variable}).to_i{shift}", "ArgumentError")
        limit = f"return false if (Time.now.to_i - sent).abs > {step.tolerance_s} # seconds, on both sides"
        return f"{sent}\n{limit}"

    # --- the signature -----------------------------------------------------------------------------------

    def _signature_check(self) -> str:
        return self._public_key_check() if self._has_public_key else self._secret_check()

    def _secret_check(self) -> str:
        program, presented = self.program, self.program.presented
        lines = []
        if self._key() != "secret":
            lines.append(f"key = {self._key()}")
        if program.message.parts and program.message != Join((Body(),)):
            lines.append(f"message = {self._data(program.message)}")
        before = f"{self._join(presented.before)} + " if presented.before.parts else ""
        after = f" + {literal(presented.after)}" if presented.after else ""
        lines.append(f"expected = {before}{self._signature()}{after}")
        if presented.is_list:
            check = "OpenSSL.secure_compare(expected, element)"
            lines.append(f"{presented.variable}.any? {{ |element| {check} }}")
        else:
            lines.append(f"OpenSSL.secure_compare(expected, {presented.variable})")
        return "\n".join(lines)

    def _signature(self) -> str:
        """Return an expression for the encoded signature."""
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

    def _public_key_check(self) -> str:
        program, presented = self.program, self.program.presented
        text = "element" if presented.is_list else presented.variable
        text += f".delete_prefix({literal(presented.prefix)})" if presented.prefix else ""
        text += f".delete_suffix({literal(presented.after)})" if presented.after else ""
        raw = READ[program.encoding].format(text=text)
        check = CHECKS[program.algorithm].format(raw=raw)
        if program.encoding is not Encoding.HEX:  # accept only canonical base64
            encoded = WRITE[program.encoding.value].format(raw=raw)
            check = f"OpenSSL.secure_compare({encoded}, {text}) && {check}"
        attempt = f"begin\n  {check}\nrescue OpenSSL::PKey::PKeyError # no signature at all\n  false\nend"
        if presented.is_list:
            loop_body = "\n".join("  " + line for line in attempt.split("\n"))
            attempt = f"{presented.variable}.any? do |element|\n{loop_body}\nend"
        key = KEYS[program.public_form.value if program.public_form else ""]
        return f"{key}\nmessage = {self._data(program.message)}\n{attempt}"


def _try(line: str, error: str) -> str:
    return f"begin\n  {line}\nrescue {error}\n  return false\nend"
