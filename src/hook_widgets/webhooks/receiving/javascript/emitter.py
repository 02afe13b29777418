"""JavaScript: steps, and the signature."""

from __future__ import annotations

import re

from hook_widgets.webhooks.receiving import steps
from hook_widgets.webhooks.receiving.emitter import block, literal_in_regex, regex, shifted
from hook_widgets.webhooks.receiving.javascript.expressions import JavaScriptExpressions, in_template, literal
from hook_widgets.webhooks.receiving.javascript.templates import (
    CHECKS,
    CRC32,
    EQUAL,
    IMPORTED,
    KEYS,
    SORTED,
    VALUE,
)
from hook_widgets.webhooks.receiving.steps import Step
from hook_widgets.webhooks.receiving.values import Body, Join, Variable
from hook_widgets.webhooks.scheme import Encoding
from hook_widgets.webhooks.secret import KeyForm
from hook_widgets.webhooks.signing import Algorithm


class JavaScript(JavaScriptExpressions):
    """Node 18 and later."""

    title = "JavaScript"
    raw_body = 'express.raw({ type: "*/*" }) in Express, Buffer.from(await request.arrayBuffer()) in Next.js'
    all_headers = "as Node has them, with names in lower case: request.headers"
    from_env = "process.env.%s"
    guard = "if (!secret) return false;"

    def _text(self) -> str:
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
        return f"{self._remarks()}\n{imports}{code}"

    # --- steps -------------------------------------------------------------------------------------------

    def _step(self, step: Step) -> str:
        match step:
            case steps.ReadHeader(variable, header, _):
                return f'const {self._name(variable)} = headers[{literal(header.lower())}] ?? "";'
            case steps.ReadHeaders(variable, names, ""):
                listed = ", ".join(literal(name.lower()) for name in names)
                return f'const {self._name(variable)} = [{listed}].map((name) => headers[name] ?? "");'
            case steps.ReadHeaders(variable, _, numbered):
                name = "`" + numbered.lower().replace("{n}", "${n + 1}") + "`"
                return (
                    f"const {self._name(variable)} = Array.from({{ length: 100 }}, "
                    f'(_, n) => headers[{name}] ?? "");'
                )
            case steps.SplitList(variable, of, separator):
                split = f"{self._name(of)}.split({literal(separator)})"
                return f"const {self._name(variable)} = {split}.map((element) => element.trim());"
            case steps.FindElement(variable, elements, prefix, until):
                label, where = literal(prefix), self._name(elements)
                cut = f".split({literal(until)})[0]" if until else ""
                return block(
                    """
                    const @variable@ = (@elements@.find((element) => element.startsWith(@label@)) ?? "")
                      .slice(@length@)@cut@;
                    """,
                    variable=self._name(variable),
                    elements=where,
                    label=label,
                    length=str(len(prefix)),
                    cut=cut,
                )
            case steps.PickElement(variable, elements, position):
                return f'const {self._name(variable)} = {self._name(elements)}[{position}] ?? "";'
            case steps.TakeApart():
                return self._take_apart(step)
            case steps.ParseJson(variable, source, claims):
                text = "body" if isinstance(source, Body) else self._name(source.name)
                if claims:
                    text = f'Buffer.from({text}.split(".")[1] ?? "", "base64url")'
                return self._tried(variable, f"JSON.parse({text})")
            case steps.ParseForm(variable, source):
                text = "body.toString()" if isinstance(source, Body) else self._name(source.name)
                return f"const {self._name(variable)} = new URLSearchParams({text});"
            case steps.Let(variable, value):
                return f"const {self._name(variable)} = {self._value(value)};"
            case steps.CheckTime():
                return self._check_time(step)
            case steps.CheckEqual(left, right):
                return f"if (!equal({self._name(left)}, {self._join(right)})) return false;"

    def _tried(self, variable: str, expression: str) -> str:
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

    def _take_apart(self, step: steps.TakeApart) -> str:
        names = [self._name(part.name) for part in step.shape if isinstance(part, Variable)]
        return block(
            """
            const @match@ = /^@pattern@$/s.exec(@of@);
            if (!@match@) return false;
            const [, @names@] = @match@;
            """,
            match=self._name(step.match),
            pattern=regex(step.shape, "/"),
            of=self._name(step.of),
            names=", ".join(names),
        )

    def _check_time(self, step: steps.CheckTime) -> str:
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
        shift = shifted(step.shift_s)
        return (
            f"const age = Date.now() / 1000 - {f'({sent}{shift})' if shift else sent};\n"
            f"if (!(Math.abs(age) <= {step.tolerance_s})) return false; // seconds, on both sides"
        )

    # --- the signature -----------------------------------------------------------------------------------

    def _result(self) -> str:
        return self._public() if self._is_pair else self._shared()

    def _shared(self) -> str:
        shown = self.program.presented
        lines = self._key()
        message = self.program.message
        if message.is_bytes and len(message.parts) > 1:
            lines.append(f"const message = {self._data(message)};")
        made = self._made("message" if message.is_bytes and len(message.parts) > 1 else self._data(message))
        if shown.before.parts or shown.after:
            expected = f"`{self._inside(shown.before)}${{{made}}}{in_template(shown.after)}`"
        else:
            expected = made
        lines.append(f"const expected = {expected};")
        variable = self._name(shown.variable)
        if shown.several:
            lines.append(f"return {variable}.some((element) => equal(element, expected));")
        else:
            lines.append(f"return equal({variable}, expected);")
        return "\n".join(lines)

    def _inside(self, join: Join) -> str:
        return "".join(
            f"${{{self._name(p.name)}}}" if isinstance(p, Variable) else in_template(p.text)
            for p in join.parts
            if not isinstance(p, Body)
        )

    def _made(self, message: str) -> str:
        """The signature's text."""
        program = self.program
        encoding, key = literal(program.encoding.value), "key" if self._key() else "secret"
        if program.algorithm is Algorithm.TOKEN:
            return (
                "secret" if program.encoding is Encoding.TEXT else f"Buffer.from(secret).toString({encoding})"
            )
        if program.algorithm.digest is not None:
            made = f"createHmac({literal(program.algorithm.digest)}, {key}).update({message})"
        else:
            name, _, place = program.algorithm.value.partition("-")
            pieces = (key, message) if place == "prefix" else (message, key)
            made = f"createHash({literal(name)})" + "".join(f".update({piece})" for piece in pieces)
        return f"{made}.digest({encoding})"

    def _key(self) -> list[str]:
        key = self.program.key
        if self.program.algorithm is Algorithm.TOKEN:
            return []
        text = f'secret.normalize("{key.normalize}")' if key.normalize else "secret"
        if key.form is not KeyForm.UTF8 and key.strip_prefix:
            text += f'.replace(/^{literal_in_regex(key.strip_prefix, "/")}/, "")'
        raw = text if key.form is KeyForm.UTF8 else f'Buffer.from({text}, "{key.form.value}")'
        if key.digest:
            raw = f'createHash("{key.digest}").update({raw}).digest()'
        return [] if raw == "secret" else [f"const key = {raw};"]

    def _public(self) -> str:
        program, shown = self.program, self.program.presented
        variable = self._name(shown.variable)
        text = "element" if shown.several else variable
        text += f'.replace(/^{literal_in_regex(shown.prefix, "/")}/, "")' if shown.prefix else ""
        text += f'.replace(/{literal_in_regex(shown.after, "/")}$/, "")' if shown.after else ""
        raw = f'Buffer.from({text}, "{program.encoding.value}")'
        check = CHECKS[program.algorithm].format(raw=raw)
        returned = f"{variable}.some((element) => {check})" if shown.several else check
        message = self._data(program.message)
        message = message if program.message.is_bytes else f"Buffer.from({message})"
        return block(
            """
            @key@
            const message = @message@;
            return @returned@;
            """,
            key=KEYS[program.public_form.value if program.public_form else ""],
            message=message,
            returned=returned,
        )
