"""Receivers in JavaScript: node:crypto, as an ES module."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from hook_widgets.webhooks.receiving import steps
from hook_widgets.webhooks.receiving.emitter import Emitter, Run, block, literal_in_regex, regex, shifted
from hook_widgets.webhooks.receiving.steps import Body, Join, Step, Text, Value, Variable
from hook_widgets.webhooks.scheme import Encoding
from hook_widgets.webhooks.secret import KeyForm
from hook_widgets.webhooks.signing import Algorithm

_EQUAL: Final = """\
function equal(left, right) {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
"""
_VALUE: Final = """\
/** The text of one value of a JSON document, "" when it is not there. */
function value(document, ...path) {
  return String(path.reduce((node, step) => node?.[step], document) ?? "");
}
"""
_CRC32: Final = """\
function crc32(data) {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 && 0xedb88320);
  }
  return ~crc >>> 0;
}
"""
_KEYS: Final = {
    "hex": 'createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(publicKey, "hex")'
    '.toString("base64url") }, format: "jwk" })',
    "base64": 'createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(publicKey, "base64")'
    '.toString("base64url") }, format: "jwk" })',
    "base64-spki": 'createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" })',
    "certificate": "new X509Certificate(publicKey).publicKey",
}
_CHECKS: Final = {
    Algorithm.ED25519: "verifySignature(null, message, key, {raw})",
    Algorithm.ECDSA_P256: 'verifySignature("sha256", message, key, {raw})',
    Algorithm.ECDSA_P256_RAW: 'verifySignature("sha256", message, {{ key, dsaEncoding: "ieee-p1363" }}, {raw})',
    Algorithm.RSA_SHA256: 'verifySignature("sha256", message, key, {raw})',
    Algorithm.RSA_SHA1: 'verifySignature("sha1", message, key, {raw})',
}
_IMPORTED: Final = (
    "X509Certificate",
    "createHash",
    "createHmac",
    "createPublicKey",
    "timingSafeEqual",
)


class JavaScript(Emitter):
    """Node 18 and later."""

    title = "JavaScript"
    raw_body = 'express.raw({ type: "*/*" }) in Express, Buffer.from(await request.arrayBuffer()) in Next.js'
    from_env = "process.env.%s"

    def text(self) -> str:
        kinds = {"headers": "", "body": "", "text": ""}
        arguments = ", ".join(self.name(name) for name, _ in self.arguments(kinds))
        lines = self.statements("  ")
        helpers = [
            helper
            for mark, helper in (("equal(", _EQUAL), ("value(", _VALUE), ("crc32(", _CRC32))
            if re.search(rf"\b{re.escape(mark)}", lines)
        ]
        code = "\n".join([f"export function verify({arguments}) {{\n{lines}\n}}\n", *helpers])
        names = [name for name in _IMPORTED if f"{name}(" in code]
        names += ["verify as verifySignature"] if "verifySignature(" in code else []
        imports = f'import {{ {", ".join(names)} }} from "node:crypto";\n\n' if names else ""
        note = (
            "// headers: as Node has them, with names in lower case: request.headers.\n"
            if self.program.headers
            else ""
        )
        return f"{self.remarks()}\n{note}{imports}{code}"

    # --- expressions -------------------------------------------------------------------------------------

    def run(self, parts: Run) -> str:
        if len(parts) == 1 and isinstance(parts[0], Variable):
            return self.name(parts[0].name)
        if all(isinstance(part, Text) for part in parts):
            return _literal("".join(part.text for part in parts if isinstance(part, Text)))
        inside = "".join(
            f"${{{self.name(p.name)}}}" if isinstance(p, Variable) else _in_template(p.text) for p in parts
        )
        return f"`{inside}`"

    def data(self, join: Join) -> str:
        """An expression for text or a Buffer, whichever is at hand."""
        runs = join.runs
        if not join.is_bytes:
            return self.join(join)
        if len(runs) == 1:
            return "body"
        pieces = ("body" if isinstance(run, Body) else f"Buffer.from({self.run(run)})" for run in runs)
        return f"Buffer.concat([{', '.join(pieces)}])"

    def _value(self, value: Value) -> str:
        match value:
            case Join():
                return self.join(value)
            case steps.Digest("crc32", of, write):
                text = f"crc32({self.data(of)})"
                return (
                    f"String({text})" if write.value == "decimal" else f'{text}.toString(16).padStart(8, "0")'
                )
            case steps.Digest(algorithm, of, write):
                made = f"createHash({_literal(algorithm)}).update({self.data(of)})"
                if write.value == "decimal":
                    return f'BigInt(`0x${{{made}.digest("hex")}}`).toString()'
                return f"{made}.digest({_literal(write.value)})"
            case steps.JsonValue(document, path, missing):
                found = f"value({', '.join([self.name(document), *map(_literal, path)])})"
                return f"{found} || {_literal(missing)}" if missing else found
            case steps.FormValue(form, name):
                return f'{self.name(form)}.get({_literal(name)}) ?? ""'
            case steps.SortedForm(form):
                return block(
                    """
                    [...new Set([...@form@].map(([name, value]) => `${name}\\0${value}`))]
                      .sort()
                      .map((pair) => pair.replace("\\0", ""))
                      .join("")
                    """,
                    form=self.name(form),
                )
            case steps.UrlPart("base"):
                return 'url.split("?")[0]'
            case steps.UrlPart("query"):
                return r"""url.replace(/^[^?]*\??/, "")"""
            case steps.UrlPart("path"):
                return r"""url.replace(/^\w+:\/\/[^/?]*|\?.*/g, "") || "/" """.strip()
            case steps.UrlPart():
                return r"url.split(/[/?]/)[2]"
            case steps.SortedQuery(query):
                return f'{self.name(query)}.split("&").filter(Boolean).sort().join("&")'
            case steps.WhenFilled(condition, text):
                return f'{self.name(condition)} ? {_literal(text)} : ""'
            case steps.Escaped(of, keep):
                function = "encodeURI" if "/" in keep else "encodeURIComponent"
                return f"{function}({self.join(of)})"
            case steps.JsonLines(document, names):
                return block(
                    """
                    [@names@]
                      .filter((name) => value(@document@, name) !== "")
                      .map((name) => `${name}\\n${value(@document@, name)}\\n`)
                      .join("")
                    """,
                    document=self.name(document),
                    names=", ".join(map(_literal, names)),
                )
            case steps.SignedHeaders(listing):
                return block(
                    """
                    (headers[@listing@] ?? "")
                      .split(",")
                      .map((name) => name.trim().toLowerCase())
                      .sort()
                      .map((name) => `${name}:${(headers[name] ?? "").trim()}`)
                      .join(";")
                    """,
                    listing=_literal(listing.lower()),
                )

    # --- steps -------------------------------------------------------------------------------------------

    def step(self, step: Step) -> str:
        match step:
            case steps.ReadHeader(variable, header, _):
                return f'const {self.name(variable)} = headers[{_literal(header.lower())}] ?? "";'
            case steps.ReadHeaders(variable, names, ""):
                listed = ", ".join(_literal(name.lower()) for name in names)
                return f'const {self.name(variable)} = [{listed}].map((name) => headers[name] ?? "");'
            case steps.ReadHeaders(variable, _, numbered):
                name = "`" + numbered.lower().replace("{n}", "${n + 1}") + "`"
                return (
                    f"const {self.name(variable)} = Array.from({{ length: 100 }}, "
                    f'(_, n) => headers[{name}] ?? "");'
                )
            case steps.SplitList(variable, of, separator):
                split = f"{self.name(of)}.split({_literal(separator)})"
                return f"const {self.name(variable)} = {split}.map((element) => element.trim());"
            case steps.FindElement(variable, elements, prefix, until):
                label, where = _literal(prefix), self.name(elements)
                cut = f".split({_literal(until)})[0]" if until else ""
                return block(
                    """
                    const @variable@ = (@elements@.find((element) => element.startsWith(@label@)) ?? "")
                      .slice(@length@)@cut@;
                    """,
                    variable=self.name(variable),
                    elements=where,
                    label=label,
                    length=str(len(prefix)),
                    cut=cut,
                )
            case steps.PickElement(variable, elements, position):
                return f'const {self.name(variable)} = {self.name(elements)}[{position}] ?? "";'
            case steps.TakeApart(of, shape):
                return self._take_apart(of, shape)
            case steps.ParseJson(variable, source, claims):
                text = "body" if isinstance(source, Body) else self.name(source.name)
                if claims:
                    text = f'Buffer.from({text}.split(".")[1] ?? "", "base64url")'
                return self._tried(variable, f"JSON.parse({text})")
            case steps.ParseForm(variable, source):
                text = "body.toString()" if isinstance(source, Body) else self.name(source.name)
                return f"const {self.name(variable)} = new URLSearchParams({text});"
            case steps.Let(variable, value):
                return f"const {self.name(variable)} = {self._value(value)};"
            case steps.CheckTime():
                return self._check_time(step)
            case steps.CheckEqual(left, right):
                return f"if (!equal({self.name(left)}, {self.join(right)})) return false;"

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
            variable=self.name(variable),
            expression=expression,
        )

    def _take_apart(self, of: str, shape: Sequence[Text | Variable | None]) -> str:
        names = [self.name(part.name) for part in shape if isinstance(part, Variable)]
        return block(
            """
            const match = /^@pattern@$/s.exec(@of@);
            if (!match) return false;
            const [, @names@] = match;
            """,
            pattern=regex(shape, "/"),
            of=self.name(of),
            names=", ".join(names),
        )

    def _check_time(self, step: steps.CheckTime) -> str:
        variable = self.name(step.variable)
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

    def result(self) -> str:
        return self._public() if self.is_pair else self._shared()

    def _shared(self) -> str:
        shown = self.program.presented
        lines = self._key()
        message = self.program.message
        if message.is_bytes and len(message.parts) > 1:
            lines.append(f"const message = {self.data(message)};")
        made = self._made("message" if message.is_bytes and len(message.parts) > 1 else self.data(message))
        if shown.before.parts or shown.after:
            expected = f"`{self._inside(shown.before)}${{{made}}}{_in_template(shown.after)}`"
        else:
            expected = made
        if self.program.algorithm is Algorithm.TOKEN:
            lines.append("if (!secret) return false;")
        lines.append(f"const expected = {expected};")
        variable = self.name(shown.variable)
        if shown.several:
            lines.append(f"return {variable}.some((element) => equal(element, expected));")
        else:
            lines.append(f"return equal({variable}, expected);")
        return "\n".join(lines)

    def _inside(self, join: Join) -> str:
        return "".join(
            f"${{{self.name(p.name)}}}" if isinstance(p, Variable) else _in_template(p.text)
            for p in join.parts
            if not isinstance(p, Body)
        )

    def _made(self, message: str) -> str:
        """The signature's text."""
        program = self.program
        encoding, key = _literal(program.encoding.value), "key" if self._key() else "secret"
        if program.algorithm is Algorithm.TOKEN:
            return (
                "secret" if program.encoding is Encoding.TEXT else f"Buffer.from(secret).toString({encoding})"
            )
        if program.algorithm.digest is not None:
            made = f"createHmac({_literal(program.algorithm.digest)}, {key}).update({message})"
        else:
            name, _, place = program.algorithm.value.partition("-")
            pieces = (key, message) if place == "prefix" else (message, key)
            made = f"createHash({_literal(name)})" + "".join(f".update({piece})" for piece in pieces)
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
        variable = self.name(shown.variable)
        text = "element" if shown.several else variable
        text += f'.replace(/^{literal_in_regex(shown.prefix, "/")}/, "")' if shown.prefix else ""
        text += f'.replace(/{literal_in_regex(shown.after, "/")}$/, "")' if shown.after else ""
        raw = f'Buffer.from({text}, "{program.encoding.value}")'
        check = _CHECKS[program.algorithm].format(raw=raw)
        returned = f"{variable}.some((element) => {check})" if shown.several else check
        message = self.data(program.message)
        message = message if program.message.is_bytes else f"Buffer.from({message})"
        return block(
            """
            const key = @key@;
            const message = @message@;
            return @returned@;
            """,
            key=_KEYS[program.public_form.value if program.public_form else ""],
            message=message,
            returned=returned,
        )


def _literal(value: str | int) -> str:
    return json.dumps(value, ensure_ascii=False)


def _in_template(text: str) -> str:
    inner = json.dumps(text, ensure_ascii=False)[1:-1].replace('\\"', '"')
    return inner.replace("`", "\\`").replace("${", "\\${")
