"""PHP: steps, and the signature."""

from __future__ import annotations

from textwrap import indent

from hook_widgets.webhooks.receiving import steps
from hook_widgets.webhooks.receiving.emitter import (
    block,
    camel,
    literal_in_regex,
    regex,
    shifted,
)
from hook_widgets.webhooks.receiving.php.expressions import PhpExpressions, literal
from hook_widgets.webhooks.receiving.php.templates import (
    CHECKS,
    HELPERS,
    KEYS,
    READ,
    WRITE,
)
from hook_widgets.webhooks.receiving.steps import Step
from hook_widgets.webhooks.receiving.values import Body, Join, Variable
from hook_widgets.webhooks.scheme import Encoding
from hook_widgets.webhooks.secret import KeyForm
from hook_widgets.webhooks.signing import Algorithm


class Php(PhpExpressions):
    """PHP 8.0 and later, 64 bits."""

    title = "PHP"
    raw_body = "file_get_contents('php://input'), or $request->getContent() in Laravel and Symfony"
    all_headers = "names in lower case: array_change_key_case(getallheaders())"
    from_env = "getenv('%s')"
    guard = "if ($secret === '') {\n    return false;\n}"

    def _name(self, name: str) -> str:
        return f"${camel(name)}"

    def _text(self) -> str:
        kinds = {"headers": "array", "body": "string", "text": "string"}
        arguments = ", ".join(f"{kind} {self._name(name)}" for name, kind in self._arguments(kinds))
        lines = self._statements("    ")
        helpers = [helper for mark, helper in HELPERS if mark in lines]
        code = "\n".join([f"function verify({arguments}): bool\n{{\n{lines}\n}}\n", *helpers])
        return f"<?php\n\n{self._remarks()}\n\n{code}"

    # --- steps -------------------------------------------------------------------------------------------

    def _step(self, step: Step) -> str:
        match step:
            case steps.ReadHeader(variable, header, _):
                return f"{self._name(variable)} = $headers[{literal(header.lower())}] ?? '';"
            case steps.ReadHeaders(variable, names, ""):
                listed = ", ".join(f"$headers[{literal(name.lower())}] ?? ''" for name in names)
                return f"{self._name(variable)} = [{listed}];"
            case steps.ReadHeaders(variable, _, numbered):
                name = '"' + numbered.lower().replace("{n}", "{$n}") + '"'
                each = f"fn (int $n): string => $headers[{name}] ?? ''"
                return f"{self._name(variable)} = array_map({each}, range(1, 100));"
            case steps.SplitList(variable, of, separator):
                split = f"explode({literal(separator)}, {self._name(of)})"
                return f"{self._name(variable)} = array_map('trim', {split});"
            case steps.FindElement():
                return self._find(step)
            case steps.PickElement(variable, elements, position):
                return f"{self._name(variable)} = {self._name(elements)}[{position}] ?? '';"
            case steps.TakeApart():
                return self._take_apart(step)
            case steps.ParseJson(variable, source, claims):
                text = "$body" if isinstance(source, Body) else self._name(source.name)
                if claims:
                    text = f"base64_decode(strtr(explode('.', {text})[1] ?? '', '-_', '+/'))"
                parsed = f"{self._name(variable)} = json_decode({text}, true);"
                return f"{parsed}\n{_refused(f'!is_array({self._name(variable)})')}"
            case steps.ParseForm(variable, source):
                text = "$body" if isinstance(source, Body) else self._name(source.name)
                return f"{self._name(variable)} = form_pairs({text});"
            case steps.Let(variable, value):
                return self._let(variable, value)
            case steps.CheckTime():
                return self._check_time(step)
            case steps.CheckEqual(left, right):
                return _refused(f"!hash_equals({self._data(right)}, {self._name(left)})")

    def _find(self, step: steps.FindElement) -> str:
        rest = f"substr($element, {len(step.prefix)})"
        return block(
            """
            @variable@ = '';
            foreach (array_reverse(@elements@) as $element) {
                if (str_starts_with($element, @label@)) {
                    @variable@ = @rest@;
                }
            }
            """,
            variable=self._name(step.variable),
            elements=self._name(step.elements),
            label=literal(step.prefix),
            rest=f"explode({literal(step.until)}, {rest})[0]" if step.until else rest,
        )

    def _take_apart(self, step: steps.TakeApart) -> str:
        pattern = regex(step.shape, "~").replace("\\\\", "\\" * 4).replace("'", "\\'")
        names = ", ".join(self._name(part.name) for part in step.shape if isinstance(part, Variable))
        missed = _refused(f"!preg_match('~^{pattern}$~sD', {self._name(step.of)}, $match)")
        return f"{missed}\n[, {names}] = $match;"

    def _check_time(self, step: steps.CheckTime) -> str:
        variable, shift = self._name(step.variable), shifted(step.shift_s)
        tolerance = f"abs(time() - $sent) > {step.tolerance_s}"
        match step.unit.value:
            case "s":
                sent = f"(int) {variable}{shift}"
            case "ms":
                sent = f"intdiv((int) {variable}, 1000){shift}"
            case "iso8601-ms-naive":
                sent = f"strtotime({variable} . 'Z')"
            case _:
                sent = f"strtotime({variable})"
        if sent.startswith("strtotime"):
            tolerance = (
                f"$sent === false || {tolerance.replace('$sent', f'$sent{shift}') if shift else tolerance}"
            )
        checked = _refused(tolerance).replace("{\n", "{ // seconds, on both sides\n", 1)
        return f"$sent = {sent};\n{checked}"

    # --- the signature -----------------------------------------------------------------------------------

    def _result(self) -> str:
        return self._public() if self._is_pair else self._shared()

    def _shared(self) -> str:
        program, shown = self.program, self.program.presented
        lines = []
        if self._key() != "$secret":
            lines.append(f"$key = {self._key()};")
        if program.message.parts and program.message != Join((Body(),)):
            lines.append(f"$message = {self._data(program.message)};")
        before = f"{self._data(shown.before)} . " if shown.before.parts else ""
        after = f" . {literal(shown.after)}" if shown.after else ""
        lines.append(f"$expected = {before}{self._made()}{after};")
        variable = self._name(shown.variable)
        if shown.several:
            lines.append(
                block(
                    """
                    foreach (@variable@ as $element) {
                        if (hash_equals($expected, $element)) {
                            return true;
                        }
                    }
                    return false;
                    """,
                    variable=variable,
                )
            )
        else:
            lines.append(f"return hash_equals($expected, {variable});")
        return "\n".join(lines)

    def _made(self) -> str:
        """The signature's text."""
        program = self.program
        if program.algorithm is Algorithm.TOKEN:
            return WRITE[program.encoding.value].format(raw="$secret")
        message = "$body" if program.message == Join((Body(),)) else "$message"
        key = "$secret" if self._key() == "$secret" else "$key"
        if program.algorithm.digest is None:
            name, _, place = program.algorithm.value.partition("-")
            data = f"{key} . {message}" if place == "prefix" else f"{message} . {key}"
            call = f"hash('{name}', {data}"
        else:
            call = f"hash_hmac('{program.algorithm.digest}', {message}, {key}"
        if program.encoding is Encoding.HEX:
            return f"{call})"
        return WRITE[program.encoding.value].format(raw=f"{call}, true)")

    def _key(self) -> str:
        key = self.program.key
        text = (
            f"\\Normalizer::normalize($secret, \\Normalizer::{key.normalize})" if key.normalize else "$secret"
        )
        if key.form is not KeyForm.UTF8:
            if key.strip_prefix:
                text = f"preg_replace('~^{literal_in_regex(key.strip_prefix, '~')}~', '', {text})"
            text = f"base64_decode({text})" if key.form is KeyForm.BASE64 else f"hex2bin({text})"
        return f"hash('{key.digest}', {text}, true)" if key.digest else text

    def _public(self) -> str:
        program, shown = self.program, self.program.presented
        text = "$element" if shown.several else self._name(shown.variable)
        if shown.prefix or shown.after:
            ends = f"^{literal_in_regex(shown.prefix, '~')}|{literal_in_regex(shown.after, '~')}$"
            text = f"preg_replace('~{ends}~', '', {text})"
        raw = f"$raw = {READ[program.encoding].format(text=text)};"
        check = CHECKS[program.algorithm]
        if shown.several:
            tried = f"{raw}\nif ({check}) {{\n    return true;\n}}"
            each = f"foreach ({self._name(shown.variable)} as $element)"
            attempt = f"{each} {{\n{indent(tried, '    ')}\n}}\nreturn false;"
        else:
            attempt = f"{raw}\nreturn {check};"
        key = KEYS[program.public_form.value if program.public_form else ""]
        return f"$key = {key};\n$message = {self._data(program.message)};\n{attempt}"


def _refused(condition: str) -> str:
    return f"if ({condition}) {{\n    return false;\n}}"
