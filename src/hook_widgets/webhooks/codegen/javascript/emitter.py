"""Emit JavaScript code for the steps and the signature check."""

from __future__ import annotations

import re

from hook_widgets.webhooks.codegen import ir
from hook_widgets.webhooks.codegen.backend import block, literal_in_regex, regex, shift_expression
from hook_widgets.webhooks.codegen.ir import Step
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Variable
from hook_widgets.webhooks.codegen.javascript.expressions import (
    JavaScriptExpressions,
    in_regex,
    in_template,
    literal,
)
from hook_widgets.webhooks.codegen.javascript.templates import (
    CHECKS,
    CRC32,
    EQUAL,
    IMPORTED,
    KEYS,
    SORTED,
    VALUE,
)
from hook_widgets.webhooks.keys.secret import KeyForm
from hook_widgets.webhooks.keys.signing import Algorithm
from hook_widgets.webhooks.scheme import Encoding


class JavaScript(JavaScriptExpressions):
    """Node 18 and later."""

    title = "JavaScript"
    raw_body = 'express.raw({ type: "*/*" }) in Express, Buffer.from(await request.arrayBuffer()) in Next.js'
    all_headers = "as Node has them, with names in lower case: request.headers"
    from_env = "process.env.%s"
    guard = "if (!secret) return false;"

    def _snippet(self) -> str:
        kinds = {"headers": "", "body": "", "text": ""}
        arguments = ", ".join(self._name(name) for name, _ in self._arguments(kinds))
        lines = self._statements("  ")
        helpers = [
            helper
            for mark, helper in (
                ("equal(", EQUAL),
                ("value(", VALUE),
                ("sortAndJoin(", SORTED),
                ("crc32(", CRC32),
            )
            if re.search(rf"\b{re.escape(mark)}", lines)
        ]
        code = "\n".join([f"export function verify({arguments}) {{\n{lines}\n}}\n", *helpers])
        names = [name for name in IMPORTED if f"{name}(" in code]
        names += ["verify as verifySignature"] if "verifySignature(" in code else []
        imports = f'import {{ {", ".join(names)} }} from "node:crypto";\n\n' if names else ""
        return f"{self._header_comment()}\n{imports}{code}"

    # --- steps -------------------------------------------------------------------------------------------

    def _step(self, step: Step) -> str:
        match step:
            case ir.ReadHeader(variable, header, _):
                return f'const {self._name(variable)} = headers[{literal(header.lower())}] ?? "";'
            case ir.ReadHeaders(variable, names, ""):
                listed = ", ".join(literal(name.lower()) for name in names)
                return f'const {self._name(variable)} = [{listed}].map((name) => headers[name] ?? "");'
            case ir.ReadHeaders(variable, _, numbered):
                name = "`" + numbered.lower().replace("{n}", "${n + 1}") + "`"
                return (
                    f"const {self._name(variable)} = Array.from({{ length: 100 }}, "
                    f'(_, n) => headers[{name}] ?? "");'
                )
            case ir.SplitList(variable, source, separator):
                split = f"{self._name(source)}.split({literal(separator)})"
                return f"const {self._name(variable)} = {split}.map((element) => element.trim());"
            case ir.FindElement(variable, elements, prefix, until):
                cut = f".split({literal(until)})[0]" if until else ""
                return block(
                    """
                    const @variable@ = @elements@
                      .filter((element) => element.startsWith(@label@))
                      .map((element) => element.slice(@length@)@cut@)
                      .filter((element, n, all) => all.indexOf(element) >= n)
                      .join(", ");
                    """,
                    variable=self._name(variable),
                    elements=self._name(elements),
                    label=literal(prefix),
                    length=str(len(prefix)),
                    cut=cut,
                )
            case ir.PickElement(variable, elements, position):
                return f'const {self._name(variable)} = {self._name(elements)}[{position}] ?? "";'
            case ir.MatchPattern():
                return self._match_pattern(step)
            case ir.ParseJson(variable, source, claims):
                text = "body" if isinstance(source, Body) else self._name(source.name)
                if claims:
                    text = f'Buffer.from({text}.split(".")[1] ?? "", "base64url")'
                return self._try_assign(variable, f"JSON.parse({text})")
            case ir.ParseForm(variable, source):
                text = "body.toString()" if isinstance(source, Body) else self._name(source.name)
                return f"const {self._name(variable)} = new URLSearchParams({text});"
            case ir.Let(variable, value):
                return f"const {self._name(variable)} = {self._value(value)};"
            case ir.CheckTime():
                return self._check_time(step)
            case ir.CheckEqual(left, right):
                return f"if (!equal({self._name(left)}, {self._join(right)})) return false;"
            case ir.CheckEmpty(source):
                text = "body" if isinstance(source, Body) else self._name(source.name)
                return f"if ({text}.length > 0) return false;"

    def _try_assign(self, variable: str, expression: str) -> str:
        return block(
            """
            let @variable@;
            try {
              @variable@ = @expression@;
            } catch {
              return false;
            }
            """,
            variable=self._name(variable),
            expression=expression,
        )

    def _match_pattern(self, step: ir.MatchPattern) -> str:
        names = [self._name(part.name) for part in step.shape if isinstance(part, Variable)]
        return block(
            """
            const @match@ = /^@pattern@$/s.exec(@source@);
            if (!@match@) return false;
            const [, @names@] = @match@;
            """,
            match=self._name(step.match),
            pattern=in_regex(regex(step.shape, "/")),
            source=self._name(step.source),
            names=", ".join(names),
        )

    def _check_time(self, step: ir.CheckTime) -> str:
        variable = self._name(step.variable)
        match step.unit.value:
            case "s":
                sent = f"Number({variable})"
            case "ms":
                sent = f"Number({variable}) / 1000"
            case "iso8601-ms-naive":
                sent = f"Date.parse(`${{{variable}}}Z`) / 1000"
            case _:
                sent = f"Date.parse({variable}) / 1000"
        shift = shift_expression(step.shift_s)
        return (
            f"const age = Date.now() / 1000 - {f'({sent}{shift})' if shift else sent};\n"
            f"if (!(Math.abs(age) <= {step.tolerance_s})) return false; // seconds, on both sides"
        )

    # --- the signature -----------------------------------------------------------------------------------

    def _signature_check(self) -> str:
        return self._public_key_check() if self._has_public_key else self._secret_check()

    def _secret_check(self) -> str:
        presented = self.program.presented
        lines = self._key()
        message = self.program.message
        if message.is_bytes and len(message.parts) > 1:
            lines.append(f"const message = {self._data(message)};")
        signature = self._signature(
            "message" if message.is_bytes and len(message.parts) > 1 else self._data(message)
        )
        if presented.before.parts or presented.after:
            expected = (
                f"`{self._interpolate(presented.before)}${{{signature}}}{in_template(presented.after)}`"
            )
        else:
            expected = signature
        lines.append(f"const expected = {expected};")
        variable = self._name(presented.variable)
        if presented.is_list:
            lines.append(f"return {variable}.some((element) => equal(element, expected));")
        else:
            lines.append(f"return equal({variable}, expected);")
        return "\n".join(lines)

    def _interpolate(self, join: Join) -> str:
        return "".join(
            f"${{{self._name(p.name)}}}" if isinstance(p, Variable) else in_template(p.text)
            for p in join.parts
            if not isinstance(p, Body)
        )

    def _signature(self, message: str) -> str:
        """Return an expression for the encoded signature."""
        program = self.program
        encoding, key = literal(program.encoding.value), "key" if self._key() else "secret"
        if program.algorithm is Algorithm.TOKEN:
            return (
                "secret" if program.encoding is Encoding.TEXT else f"Buffer.from(secret).toString({encoding})"
            )
        if program.algorithm.digest is not None:
            mac = f"createHmac({literal(program.algorithm.digest)}, {key}).update({message})"
        else:
            name, _, place = program.algorithm.value.partition("-")
            pieces = (key, message) if place == "prefix" else (message, key)
            mac = f"createHash({literal(name)})" + "".join(f".update({piece})" for piece in pieces)
        return f"{mac}.digest({encoding})"

    def _key(self) -> list[str]:
        key = self.program.key
        if self.program.algorithm is Algorithm.TOKEN:
            return []
        text = f'secret.normalize("{key.normalize}")' if key.normalize else "secret"
        if key.form is not KeyForm.UTF8 and key.strip_prefix:
            text += f'.replace(/^{in_regex(literal_in_regex(key.strip_prefix, "/"))}/, "")'
        raw = text if key.form is KeyForm.UTF8 else f'Buffer.from({text}, "{key.form.value}")'
        if key.digest:
            raw = f'createHash("{key.digest}").update({raw}).digest()'
        return [] if raw == "secret" else [f"const key = {raw};"]

    def _public_key_check(self) -> str:
        program, presented = self.program, self.program.presented
        variable = self._name(presented.variable)
        text = "element" if presented.is_list else variable
        text += (
            f'.replace(/^{in_regex(literal_in_regex(presented.prefix, "/"))}/, "")'
            if presented.prefix
            else ""
        )
        text += (
            f'.replace(/{in_regex(literal_in_regex(presented.after, "/"))}$/, "")' if presented.after else ""
        )
        raw = f'Buffer.from({text}, "{program.encoding.value}")'
        check = CHECKS[program.algorithm].format(raw=raw)
        # Node ignores undecodable characters, so accept only the canonical encoding of a signature.
        signature = f"{text}.toLowerCase()" if program.encoding is Encoding.HEX else text
        check = f'equal({raw}.toString("{program.encoding.value}"), {signature}) && {check}'
        result = f"{variable}.some((element) => {check})" if presented.is_list else check
        message = self._data(program.message)
        message = message if program.message.is_bytes else f"Buffer.from({message})"
        return block(
            """
            @key@
            const message = @message@;
            return @result@;
            """,
            key=KEYS[program.public_form.value if program.public_form else ""],
            message=message,
            result=result,
        )
