"""Emit PHP code for the steps and the signature check."""

from __future__ import annotations

from hook_widgets.webhooks.codegen import ir
from hook_widgets.webhooks.codegen.backend import (
    block,
    camel,
    indent,
    literal_in_regex,
    regex,
    shift_expression,
)
from hook_widgets.webhooks.codegen.ir import Step
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Variable
from hook_widgets.webhooks.codegen.php.expressions import PhpExpressions, literal
from hook_widgets.webhooks.codegen.php.templates import (
    CHECKS,
    HELPERS,
    KEYS,
    READ,
    WRITE,
)
from hook_widgets.webhooks.keys.secret import KeyForm
from hook_widgets.webhooks.keys.signing import Algorithm
from hook_widgets.webhooks.scheme import Encoding


class Php(PhpExpressions):
    """PHP 8.0 and later, 64 bits."""

    title = "PHP"
    raw_body = "file_get_contents('php://input'), or $request->getContent() in Laravel and Symfony"
    all_headers = "names in lower case: array_change_key_case(getallheaders())"
    from_env = "getenv('%s')"
    guard = "if ($secret === '') {\n    return false;\n}"

    def _name(self, name: str) -> str:
        return f"${camel(name)}"

    def _snippet(self) -> str:
        kinds = {"headers": "array", "body": "string", "text": "string"}
        arguments = ", ".join(f"{kind} {self._name(name)}" for name, kind in self._arguments(kinds))
        lines = self._statements("    ")
        helpers = [helper for mark, helper in HELPERS if mark in lines]
        code = "\n".join([f"function verify({arguments}): bool\n{{\n{lines}\n}}\n", *helpers])
        return f"<?php\n\n{self._header_comment()}\n\n{code}"

    # --- steps -------------------------------------------------------------------------------------------

    def _step(self, step: Step) -> str:
        match step:
            case ir.ReadHeader(variable, header, _):
                return f"{self._name(variable)} = $headers[{literal(header.lower())}] ?? '';"
            case ir.ReadHeaders(variable, names, ""):
                listed = ", ".join(f"$headers[{literal(name.lower())}] ?? ''" for name in names)
                return f"{self._name(variable)} = [{listed}];"
            case ir.ReadHeaders(variable, _, numbered):
                name = '"' + numbered.lower().replace("{n}", "{$n}") + '"'
                each = f"fn (int $n): string => $headers[{name}] ?? ''"
                return f"{self._name(variable)} = array_map({each}, range(1, 100));"
            case ir.SplitList(variable, source, separator):
                split = f"explode({literal(separator)}, {self._name(source)})"
                return f"{self._name(variable)} = array_map('trim', {split});"
            case ir.FindElement():
                return self._find_element(step)
            case ir.PickElement(variable, elements, position):
                return f"{self._name(variable)} = {self._name(elements)}[{position}] ?? '';"
            case ir.MatchPattern():
                return self._match_pattern(step)
            case ir.ParseJson(variable, source, claims):
                text = "$body" if isinstance(source, Body) else self._name(source.name)
                if claims:
                    text = f"base64_decode(strtr(explode('.', {text})[1] ?? '', '-_', '+/'))"
                parsed = f"{self._name(variable)} = json_decode({text}, true);"
                return f"{parsed}\n{_reject_if(f'!is_array({self._name(variable)})')}"
            case ir.ParseForm(variable, source):
                text = "$body" if isinstance(source, Body) else self._name(source.name)
                return f"{self._name(variable)} = form_pairs({text});"
            case ir.Let(variable, value):
                return self._let(variable, value)
            case ir.CheckTime():
                return self._check_time(step)
            case ir.CheckEqual(left, right):
                return _reject_if(f"!hash_equals({self._data(right)}, {self._name(left)})")
            case ir.CheckEmpty(source):
                text = "$body" if isinstance(source, Body) else self._name(source.name)
                return _reject_if(f"{text} !== ''")

    def _find_element(self, step: ir.FindElement) -> str:
        rest = f"substr($element, {len(step.prefix)})"
        return block(
            """
            @variable@ = [];
            foreach (@elements@ as $element) {
                if (str_starts_with($element, @label@)) {
                    @variable@[] = @rest@;
                }
            }
            @variable@ = implode(', ', array_unique(@variable@, SORT_STRING));
            """,
            variable=self._name(step.variable),
            elements=self._name(step.elements),
            label=literal(step.prefix),
            rest=f"explode({literal(step.until)}, {rest})[0]" if step.until else rest,
        )

    def _match_pattern(self, step: ir.MatchPattern) -> str:
        pattern = regex(step.shape, "~").replace("\\\\", "\\" * 4).replace("'", "\\'")
        names = ", ".join(self._name(part.name) for part in step.shape if isinstance(part, Variable))
        check = _reject_if(f"!preg_match('~^{pattern}$~sD', {self._name(step.source)}, $match)")
        return f"{check}\n[, {names}] = $match;"

    def _check_time(self, step: ir.CheckTime) -> str:
        variable, shift = self._name(step.variable), shift_expression(step.shift_s)
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
        checked = _reject_if(tolerance).replace("{\n", "{ // seconds, on both sides\n", 1)
        return f"$sent = {sent};\n{checked}"

    # --- the signature -----------------------------------------------------------------------------------

    def _signature_check(self) -> str:
        return self._public_key_check() if self._has_public_key else self._secret_check()

    def _secret_check(self) -> str:
        program, presented = self.program, self.program.presented
        lines = []
        if self._key() != "$secret":
            lines.append(f"$key = {self._key()};")
        if program.message.parts and program.message != Join((Body(),)):
            lines.append(f"$message = {self._data(program.message)};")
        before = f"{self._data(presented.before)} . " if presented.before.parts else ""
        after = f" . {literal(presented.after)}" if presented.after else ""
        lines.append(f"$expected = {before}{self._signature()}{after};")
        variable = self._name(presented.variable)
        if presented.is_list:
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

    def _signature(self) -> str:
        """Return an expression for the encoded signature."""
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
                prefix = literal(f"~^{literal_in_regex(key.strip_prefix, '~')}~")
                text = f"preg_replace({prefix}, '', {text})"
            text = f"base64_decode({text})" if key.form is KeyForm.BASE64 else f"hex2bin({text})"
        return f"hash('{key.digest}', {text}, true)" if key.digest else text

    def _public_key_check(self) -> str:
        program, presented = self.program, self.program.presented
        text = "$element" if presented.is_list else self._name(presented.variable)
        if presented.prefix or presented.after:
            ends = f"^{literal_in_regex(presented.prefix, '~')}|{literal_in_regex(presented.after, '~')}$"
            text = f"preg_replace({literal(f'~{ends}~')}, '', {text})"
        raw = f"$raw = {READ[program.encoding].format(text=text)};"
        check = CHECKS[program.algorithm]
        if program.encoding is not Encoding.HEX:  # accept only canonical base64
            check = f"hash_equals({WRITE[program.encoding.value].format(raw='$raw')}, {text}) && {check}"
        if presented.is_list:
            loop_body = f"{raw}\nif ({check}) {{\n    return true;\n}}"
            loop = f"foreach ({self._name(presented.variable)} as $element)"
            attempt = f"{loop} {{\n{indent(loop_body, '    ')}\n}}\nreturn false;"
        else:
            attempt = f"{raw}\nreturn {check};"
        key = KEYS[program.public_form.value if program.public_form else ""]
        return f"$key = {key};\n$message = {self._data(program.message)};\n{attempt}"


def _reject_if(condition: str) -> str:
    return f"if ({condition}) {{\n    return false;\n}}"
