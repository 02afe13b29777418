"""Emit Java code for the steps and the signature check."""

from __future__ import annotations

import re

from hook_widgets.webhooks.codegen import ir
from hook_widgets.webhooks.codegen.backend import (
    block,
    indent,
    literal_in_regex,
    quoted,
    regex,
    shift_expression,
    without_strings,
)
from hook_widgets.webhooks.codegen.ir import Step
from hook_widgets.webhooks.codegen.ir_values import Body, Text, Variable
from hook_widgets.webhooks.codegen.java.expressions import JavaExpressions, header_value
from hook_widgets.webhooks.codegen.java.templates import (
    CERTIFICATE,
    CHECK,
    CLASSES,
    ED25519,
    HASHES,
    HELPERS,
    READ,
    SIGNATURES,
    SPKI,
    WRITE,
)
from hook_widgets.webhooks.keys.secret import KeyForm
from hook_widgets.webhooks.keys.signing import Algorithm
from hook_widgets.webhooks.scheme import Encoding


class Java(JavaExpressions):
    """Java 17 and later."""

    title = "Java"
    raw_body = "@RequestBody byte[] in Spring, request.getInputStream().readAllBytes() in a servlet"
    all_headers = "reads names in any case: request::getHeader in a servlet, headers::getFirst in Spring"
    from_env = 'System.getenv("%s")'
    guard = "if (secret.isEmpty()) {\n    return false;\n}"

    def _snippet(self) -> str:
        kinds = {"headers": "UnaryOperator<String>", "body": "byte[]", "text": "String"}
        arguments = ", ".join(f"{kind} {self._name(name)}" for name, kind in self._arguments(kinds))
        lines = self._statements("    ")
        throws = (
            "\n        throws GeneralSecurityException"
            if "getInstance(" in lines or self._has_public_key
            else ""
        )
        method = f"public static boolean verify({arguments}){throws} {{\n{lines}\n}}\n"
        members = [method] + ([self._check()] if self._has_public_key else [])
        for mark, helper in HELPERS:
            if any(re.search(rf"(?<![\w.]){re.escape(mark)}", member) for member in members):
                members.append(helper)
        code = indent("\n".join(members), "    ")
        used = [c for c in CLASSES if re.search(rf"\b{c.rpartition('.')[2]}\b", without_strings(code))]
        imports = "".join(f"import {name};\n" for name in sorted(used))
        note = "// Jackson reads the JSON, as Java itself does not.\n" if "ObjectMapper" in code else ""
        return f"{imports}\n{self._header_comment()}\n{note}public final class WebhookVerifier {{\n{code}}}\n"

    # --- steps -------------------------------------------------------------------------------------------

    def _step(self, step: Step) -> str:
        match step:
            case ir.ReadHeader(variable, header, _):
                return f"String {self._name(variable)} = {header_value(quoted(header))};"
            case ir.ReadHeaders(variable, names, ""):
                listed = ", ".join(header_value(quoted(name)) for name in names)
                return f"List<String> {self._name(variable)} = List.of({listed});"
            case ir.ReadHeaders(variable, _, numbered):
                name = quoted(numbered).replace("{n}", '" + n + "').removesuffix(' + ""')
                each = f".mapToObj(n -> {header_value(name)}).toList();"
                return f"List<String> {self._name(variable)} = IntStream.rangeClosed(1, 100)\n        {each}"
            case ir.SplitList(variable, source, separator):
                split = f"Arrays.stream({self._name(source)}.split(Pattern.quote({quoted(separator)})))"
                return f"List<String> {self._name(variable)} = {split}.map(String::strip).toList();"
            case ir.FindElement(variable, elements, prefix, until):
                return block(
                    """
                    String @variable@ = @elements@.stream()
                            .filter(element -> element.startsWith(@label@))
                            .map(element -> element.substring(@length@)@cut@)
                            .distinct()
                            .collect(Collectors.joining(", "));
                    """,
                    variable=self._name(variable),
                    elements=self._name(elements),
                    label=quoted(prefix),
                    length=str(len(prefix)),
                    cut=f".split(Pattern.quote({quoted(until)}), 2)[0]" if until else "",
                )
            case ir.PickElement(variable, elements, position):
                first = f"{self._name(elements)}.stream().skip({position}).findFirst()"
                return f'String {self._name(variable)} = {first}.orElse("");'
            case ir.MatchPattern():
                return self._match_pattern(step)
            case ir.ParseJson(variable, source, claims):
                text = "body" if isinstance(source, Body) else self._name(source.name)
                if claims:
                    text = f'Base64.getUrlDecoder().decode({text}.replaceFirst(".*\\\\.", ""))'
                read = f"new ObjectMapper().readTree({text})"
                return _try("JsonNode", self._name(variable), read, "IOException | IllegalArgumentException")
            case ir.ParseForm(variable, source):
                is_body = isinstance(source, Body)
                text = "new String(body, StandardCharsets.UTF_8)" if is_body else self._name(_name(source))
                read = f"form({text})"
                return _try("List<String[]>", self._name(variable), read, "IllegalArgumentException")
            case ir.Let(variable, value):
                return f"String {self._name(variable)} = {self._value(value)};"
            case ir.CheckTime():
                return self._check_time(step)
            case ir.CheckEqual(left, right):
                return _reject_if(f"!equal({self._name(left)}, {self._join(right)})")
            case ir.CheckEmpty(source):
                is_body = isinstance(source, Body)
                return _reject_if("body.length > 0" if is_body else f"!{self._name(_name(source))}.isEmpty()")

    def _match_pattern(self, step: ir.MatchPattern) -> str:
        names = [self._name(part.name) for part in step.shape if isinstance(part, Variable)]
        pattern, match = regex(step.shape, ""), self._name(step.match)
        return "\n".join(
            [
                f"Matcher {match} = Pattern.compile({quoted(pattern)}, Pattern.DOTALL)",
                f"        .matcher({self._name(step.source)});",
                _reject_if(f"!{match}.matches()"),
                *(f"String {name} = {match}.group({n});" for n, name in enumerate(names, 1)),
            ]
        )

    def _check_time(self, step: ir.CheckTime) -> str:
        variable, shift = self._name(step.variable), shift_expression(step.shift_s)
        error = "DateTimeException"
        match step.unit.value:
            case "s" | "ms":
                scale = " / 1000" if step.unit.value == "ms" else ""
                read, error = f"Long.parseLong({variable}){scale}", "NumberFormatException"
            case "http-date":
                form = "DateTimeFormatter.RFC_1123_DATE_TIME"
                read = f"ZonedDateTime.parse({variable}, {form}).toEpochSecond()"
            case "iso8601-ms-naive":
                read = f'Instant.parse({variable} + "Z").getEpochSecond()'
            case _:
                read = f"OffsetDateTime.parse({variable}).toEpochSecond()"
        late = f"Math.abs(Instant.now().getEpochSecond() - sent) > {step.tolerance_s}"
        checked = _reject_if(late).replace("{\n", "{ // seconds, on both sides\n", 1)
        return f"{_try('long', 'sent', read + shift, error)}\n{checked}"

    # --- the signature -----------------------------------------------------------------------------------

    def _signature_check(self) -> str:
        return self._public_key_check() if self._has_public_key else self._secret_check()

    def _secret_check(self) -> str:
        program, presented = self.program, self.program.presented
        if program.algorithm is Algorithm.TOKEN:
            lines: list[str] = []
            plain = program.encoding is Encoding.TEXT
            signature = "secret" if plain else WRITE[program.encoding.value].format(raw="utf8(secret)")
        else:
            lines, raw = self._mac()
            signature = WRITE[program.encoding.value].format(raw=raw)
        before = f"{self._join(presented.before)} + " if presented.before.parts else ""
        after = f" + {quoted(presented.after)}" if presented.after else ""
        lines.append(f"String expected = {before}{signature}{after};")
        variable = self._name(presented.variable)
        if presented.is_list:
            lines.append(f"return {variable}.stream().anyMatch(element -> equal(element, expected));")
        else:
            lines.append(f"return equal({variable}, expected);")
        return "\n".join(lines)

    def _mac(self) -> tuple[list[str], str]:
        """Return the lines that hash the message, and the expression for the bytes of the signature."""
        algorithm, key, own_key = self.program.algorithm, "key", [f"byte[] key = {self._key()};"]
        if self._key() == "utf8(secret)":
            key, own_key = self._key(), []
        name = "mac" if algorithm.digest else "hash"
        pieces = [
            f"{name}.update({'body' if isinstance(run, Body) else f'utf8({self._concat(run)})'});"
            for run in self.program.message.runs
        ]
        if algorithm.digest is not None:
            title = quoted(f"Hmac{algorithm.digest.upper()}")
            create = [f"Mac mac = Mac.getInstance({title});", f"mac.init(new SecretKeySpec({key}, {title}));"]
            return [*own_key, *create, *pieces], "mac.doFinal()"
        digest, _, place = algorithm.value.partition("-")
        add_key = f"hash.update({key});"
        create = [f"MessageDigest hash = MessageDigest.getInstance({quoted(HASHES[digest])});"]
        updates = [add_key, *pieces] if place == "prefix" else [*pieces, add_key]
        return [*own_key, *create, *updates], "hash.digest()"

    def _key(self) -> str:
        key = self.program.key
        text = f"Normalizer.normalize(secret, Normalizer.Form.{key.normalize})" if key.normalize else "secret"
        if key.strip_prefix and key.form is not KeyForm.UTF8:
            text += f'.replaceFirst({quoted("^" + literal_in_regex(key.strip_prefix, ""))}, "")'
        raw = f"utf8({text})" if key.form is KeyForm.UTF8 else READ[key.form.value].format(text=text)
        return f"MessageDigest.getInstance({quoted(HASHES[key.digest])}).digest({raw})" if key.digest else raw

    def _public_key_check(self) -> str:
        program, presented = self.program, self.program.presented
        kind = SIGNATURES[program.algorithm][0]
        form = program.public_form.value if program.public_form else ""
        raw = READ.get(form, READ["base64"]).format(text="publicKey")
        key = CERTIFICATE if form == "certificate" else SPKI.replace("@type@", kind)
        lines = [] if form == "certificate" else [f"byte[] der = {raw};"]
        if form in ("hex", "base64"):
            lines = [f"byte[] raw = {raw};", ED25519]
        lines += [f"PublicKey key = {key};", f"byte[] message = {self._data(program.message)};"]
        variable = self._name(presented.variable)
        if presented.is_list:
            lines.append(
                block(
                    """
                    for (String element : @variable@) {
                        if (belongs(element, key, message)) {
                            return true;
                        }
                    }
                    return false;
                    """,
                    variable=variable,
                )
            )
        else:
            lines.append(f"return belongs({variable}, key, message);")
        return "\n".join(lines)

    def _check(self) -> str:
        program, presented = self.program, self.program.presented
        text = "presented"
        text += (
            f'.replaceFirst({quoted("^" + regex([Text(presented.prefix)], ""))}, "")'
            if presented.prefix
            else ""
        )
        text += (
            f'.replaceFirst({quoted(regex([Text(presented.after)], "") + "$")}, "")'
            if presented.after
            else ""
        )
        raw = READ[program.encoding.value].format(text=text)
        encoded = WRITE[program.encoding.value].format(raw="raw")
        canonical = "" if program.encoding is Encoding.HEX else f"equal({encoded}, {text}) && "
        check = CHECK.replace("@algorithm@", SIGNATURES[program.algorithm][1])
        return check.replace("@raw@", raw).replace("@spelt@", canonical)


def _name(source: Body | Variable) -> str:
    assert isinstance(source, Variable)
    return source.name


def _try(kind: str, variable: str, expression: str, errors: str) -> str:
    return block(
        """
        @kind@ @variable@;
        try {
            @variable@ = @expression@;
        } catch (@errors@ malformed) {
            return false;
        }
        """,
        kind=kind,
        variable=variable,
        expression=expression,
        errors=errors,
    )


def _reject_if(condition: str) -> str:
    return f"if ({condition}) {{\n    return false;\n}}"
