"""Java: steps, and the signature."""

from __future__ import annotations

import re
from textwrap import indent

from hook_widgets.webhooks.receiving import steps
from hook_widgets.webhooks.receiving.emitter import (
    block,
    literal_in_regex,
    quoted,
    regex,
    shifted,
    without_strings,
)
from hook_widgets.webhooks.receiving.java.expressions import JavaExpressions, header_value
from hook_widgets.webhooks.receiving.java.templates import (
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
from hook_widgets.webhooks.receiving.steps import Step
from hook_widgets.webhooks.receiving.values import Body, Text, Variable
from hook_widgets.webhooks.scheme import Encoding
from hook_widgets.webhooks.secret import KeyForm
from hook_widgets.webhooks.signing import Algorithm


class Java(JavaExpressions):
    """Java 17 and later."""

    title = "Java"
    raw_body = "@RequestBody byte[] in Spring, request.getInputStream().readAllBytes() in a servlet"
    all_headers = "reads names in any case: request::getHeader in a servlet, headers::getFirst in Spring"
    from_env = 'System.getenv("%s")'
    guard = "if (secret.isEmpty()) {\n    return false;\n}"

    def _text(self) -> str:
        kinds = {"headers": "UnaryOperator<String>", "body": "byte[]", "text": "String"}
        arguments = ", ".join(f"{kind} {self._name(name)}" for name, kind in self._arguments(kinds))
        lines = self._statements("    ")
        throws = (
            "\n        throws GeneralSecurityException" if "getInstance(" in lines or self._is_pair else ""
        )
        method = f"public static boolean verify({arguments}){throws} {{\n{lines}\n}}\n"
        members = [method] + ([self._check()] if self._is_pair else [])
        for mark, helper in HELPERS:
            if any(re.search(rf"(?<![\w.]){re.escape(mark)}", member) for member in members):
                members.append(helper)
        inside = indent("\n".join(members), "    ")
        used = [c for c in CLASSES if re.search(rf"\b{c.rpartition('.')[2]}\b", without_strings(inside))]
        imports = "".join(f"import {name};\n" for name in sorted(used))
        note = "// Jackson reads the JSON, as Java itself does not.\n" if "ObjectMapper" in inside else ""
        return f"{imports}\n{self._remarks()}\n{note}public final class WebhookVerifier {{\n{inside}}}\n"

    # --- steps -------------------------------------------------------------------------------------------

    def _step(self, step: Step) -> str:
        match step:
            case steps.ReadHeader(variable, header, _):
                return f"String {self._name(variable)} = {header_value(quoted(header))};"
            case steps.ReadHeaders(variable, names, ""):
                listed = ", ".join(header_value(quoted(name)) for name in names)
                return f"List<String> {self._name(variable)} = List.of({listed});"
            case steps.ReadHeaders(variable, _, numbered):
                name = quoted(numbered).replace("{n}", '" + n + "').removesuffix(' + ""')
                each = f".mapToObj(n -> {header_value(name)}).toList();"
                return f"List<String> {self._name(variable)} = IntStream.rangeClosed(1, 100)\n        {each}"
            case steps.SplitList(variable, of, separator):
                split = f"Arrays.stream({self._name(of)}.split(Pattern.quote({quoted(separator)})))"
                return f"List<String> {self._name(variable)} = {split}.map(String::strip).toList();"
            case steps.FindElement(variable, elements, prefix, until):
                return block(
                    """
                    String @variable@ = @elements@.stream()
                            .filter(element -> element.startsWith(@label@))
                            .map(element -> element.substring(@length@)@cut@)
                            .findFirst()
                            .orElse("");
                    """,
                    variable=self._name(variable),
                    elements=self._name(elements),
                    label=quoted(prefix),
                    length=str(len(prefix)),
                    cut=f".split(Pattern.quote({quoted(until)}), 2)[0]" if until else "",
                )
            case steps.PickElement(variable, elements, position):
                found = f"{self._name(elements)}.stream().skip({position}).findFirst()"
                return f'String {self._name(variable)} = {found}.orElse("");'
            case steps.TakeApart():
                return self._take_apart(step)
            case steps.ParseJson(variable, source, claims):
                text = "body" if isinstance(source, Body) else self._name(source.name)
                if claims:
                    text = f'Base64.getUrlDecoder().decode({text}.replaceFirst(".*\\\\.", ""))'
                read = f"new ObjectMapper().readTree({text})"
                return _tried(
                    "JsonNode", self._name(variable), read, "IOException | IllegalArgumentException"
                )
            case steps.ParseForm(variable, source):
                whole = isinstance(source, Body)
                text = "new String(body, StandardCharsets.UTF_8)" if whole else self._name(_name(source))
                read = f"form({text})"
                return _tried("List<String[]>", self._name(variable), read, "IllegalArgumentException")
            case steps.Let(variable, value):
                return f"String {self._name(variable)} = {self._value(value)};"
            case steps.CheckTime():
                return self._check_time(step)
            case steps.CheckEqual(left, right):
                return _refused(f"!equal({self._name(left)}, {self._join(right)})")

    def _take_apart(self, step: steps.TakeApart) -> str:
        names = [self._name(part.name) for part in step.shape if isinstance(part, Variable)]
        pattern, match = regex(step.shape, ""), self._name(step.match)
        return "\n".join(
            [
                f"Matcher {match} = Pattern.compile({quoted(pattern)}, Pattern.DOTALL)",
                f"        .matcher({self._name(step.of)});",
                _refused(f"!{match}.matches()"),
                *(f"String {name} = {match}.group({n});" for n, name in enumerate(names, 1)),
            ]
        )

    def _check_time(self, step: steps.CheckTime) -> str:
        variable, shift = self._name(step.variable), shifted(step.shift_s)
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
        checked = _refused(late).replace("{\n", "{ // seconds, on both sides\n", 1)
        return f"{_tried('long', 'sent', read + shift, error)}\n{checked}"

    # --- the signature -----------------------------------------------------------------------------------

    def _result(self) -> str:
        return self._public() if self._is_pair else self._shared()

    def _shared(self) -> str:
        program, shown = self.program, self.program.presented
        if program.algorithm is Algorithm.TOKEN:
            lines: list[str] = []
            plain = program.encoding is Encoding.TEXT
            made = "secret" if plain else WRITE[program.encoding.value].format(raw="utf8(secret)")
        else:
            lines, raw = self._mac()
            made = WRITE[program.encoding.value].format(raw=raw)
        before = f"{self._join(shown.before)} + " if shown.before.parts else ""
        after = f" + {quoted(shown.after)}" if shown.after else ""
        lines.append(f"String expected = {before}{made}{after};")
        variable = self._name(shown.variable)
        if shown.several:
            lines.append(f"return {variable}.stream().anyMatch(element -> equal(element, expected));")
        else:
            lines.append(f"return equal({variable}, expected);")
        return "\n".join(lines)

    def _mac(self) -> tuple[list[str], str]:
        """Lines that feed the message, and the expression for the signature's bytes."""
        algorithm, key, own_key = self.program.algorithm, "key", [f"byte[] key = {self._key()};"]
        if self._key() == "utf8(secret)":
            key, own_key = self._key(), []
        name = "mac" if algorithm.digest else "hash"
        pieces = [
            f"{name}.update({'body' if isinstance(run, Body) else f'utf8({self._run(run)})'});"
            for run in self.program.message.runs
        ]
        if algorithm.digest is not None:
            title = quoted(f"Hmac{algorithm.digest.upper()}")
            made = [f"Mac mac = Mac.getInstance({title});", f"mac.init(new SecretKeySpec({key}, {title}));"]
            return [*own_key, *made, *pieces], "mac.doFinal()"
        digest, _, place = algorithm.value.partition("-")
        own = f"hash.update({key});"
        made = [f"MessageDigest hash = MessageDigest.getInstance({quoted(HASHES[digest])});"]
        fed = [own, *pieces] if place == "prefix" else [*pieces, own]
        return [*own_key, *made, *fed], "hash.digest()"

    def _key(self) -> str:
        key = self.program.key
        text = f"Normalizer.normalize(secret, Normalizer.Form.{key.normalize})" if key.normalize else "secret"
        if key.strip_prefix and key.form is not KeyForm.UTF8:
            text += f'.replaceFirst({quoted("^" + literal_in_regex(key.strip_prefix, ""))}, "")'
        raw = f"utf8({text})" if key.form is KeyForm.UTF8 else READ[key.form.value].format(text=text)
        return f"MessageDigest.getInstance({quoted(HASHES[key.digest])}).digest({raw})" if key.digest else raw

    def _public(self) -> str:
        program, shown = self.program, self.program.presented
        kind = SIGNATURES[program.algorithm][0]
        form = program.public_form.value if program.public_form else ""
        raw = READ.get(form, READ["base64"]).format(text="publicKey")
        key = CERTIFICATE if form == "certificate" else SPKI.replace("@type@", kind)
        lines = [] if form == "certificate" else [f"byte[] der = {raw};"]
        if form in ("hex", "base64"):
            lines = [f"byte[] raw = {raw};", ED25519]
        lines += [f"PublicKey key = {key};", f"byte[] message = {self._data(program.message)};"]
        variable = self._name(shown.variable)
        if shown.several:
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
        program, shown = self.program, self.program.presented
        text = "presented"
        text += f'.replaceFirst({quoted("^" + regex([Text(shown.prefix)], ""))}, "")' if shown.prefix else ""
        text += f'.replaceFirst({quoted(regex([Text(shown.after)], "") + "$")}, "")' if shown.after else ""
        raw = READ[program.encoding.value].format(text=text)
        return CHECK.replace("@algorithm@", SIGNATURES[program.algorithm][1]).replace("@raw@", raw)


def _name(source: Body | Variable) -> str:
    assert isinstance(source, Variable)
    return source.name


def _tried(kind: str, variable: str, expression: str, errors: str) -> str:
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


def _refused(condition: str) -> str:
    return f"if ({condition}) {{\n    return false;\n}}"
