"""Receivers in Java: javax.crypto and java.security, and Jackson where JSON has to be read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import indent
from typing import Final

from hook_widgets.webhooks.receiving import steps
from hook_widgets.webhooks.receiving.emitter import Emitter, Run, block, quoted, regex, shifted
from hook_widgets.webhooks.receiving.steps import Body, Join, Step, Text, Value, Variable
from hook_widgets.webhooks.scheme import Encoding
from hook_widgets.webhooks.secret import KeyForm
from hook_widgets.webhooks.signing import Algorithm

_EQUAL: Final = """\
private static boolean equal(String left, String right) {
    return MessageDigest.isEqual(utf8(left), utf8(right));
}
"""
_UTF8: Final = """\
private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
}
"""
_CONCAT: Final = """\
private static byte[] concat(byte[]... pieces) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] piece : pieces) {
        all.writeBytes(piece);
    }
    return all.toByteArray();
}
"""
_CRC32: Final = """\
private static long crc32(byte[] data) {
    CRC32 crc = new CRC32();
    crc.update(data);
    return crc.getValue();
}
"""
_FORM: Final = """\
/** Names and values of a form, in their order. */
private static List<String[]> form(String text) {
    return Arrays.stream(text.split("&"))
            .filter(pair -> !pair.isEmpty())
            .map(pair -> (pair + (pair.contains("=") ? "" : "=")).split("=", 2))
            .map(pair -> new String[] {
                URLDecoder.decode(pair[0], StandardCharsets.UTF_8), URLDecoder.decode(pair[1], StandardCharsets.UTF_8)
            })
            .toList();
}
"""
_PARAMETER: Final = """\
private static String parameter(List<String[]> form, String name) {
    return form.stream().filter(pair -> pair[0].equals(name)).map(pair -> pair[1]).findFirst().orElse("");
}
"""
_SORTED: Final = """\
private static String sortedForm(List<String[]> form) {
    return form.stream()
            .map(pair -> pair[0] + "\\0" + pair[1])
            .distinct()
            .sorted()
            .map(pair -> pair.replace("\\0", ""))
            .collect(Collectors.joining());
}
"""
_ESCAPE: Final = """\
/** Percent-encodes all but letters, digits and what is to be kept. */
private static String escape(String text, String kept) {
    StringBuilder escaped = new StringBuilder();
    for (byte b : utf8(text)) {
        boolean letter = b >= 0 && b < 128 && Character.isLetterOrDigit(b);
        escaped.append(letter || kept.indexOf(b) >= 0 ? String.valueOf((char) b) : String.format("%%%02X", b & 0xff));
    }
    return escaped.toString();
}
"""
_HELPERS: Final = (
    ("crc32(", _CRC32),
    ("form(", _FORM),
    ("parameter(", _PARAMETER),
    ("sortedForm(", _SORTED),
    ("escape(", _ESCAPE),
    ("concat(", _CONCAT),
    ("equal(", _EQUAL),
    ("utf8(", _UTF8),
)
_CLASSES: Final = (
    "com.fasterxml.jackson.databind.JsonNode com.fasterxml.jackson.databind.ObjectMapper "
    "java.io.ByteArrayInputStream java.io.ByteArrayOutputStream java.io.IOException java.math.BigInteger "
    "java.net.URLDecoder java.nio.charset.StandardCharsets java.security.GeneralSecurityException "
    "java.security.KeyFactory java.security.MessageDigest java.security.PublicKey java.security.Signature "
    "java.security.SignatureException java.security.cert.CertificateFactory "
    "java.security.spec.X509EncodedKeySpec java.text.Normalizer java.time.Instant java.time.OffsetDateTime "
    "java.time.DateTimeException java.time.ZonedDateTime java.time.format.DateTimeFormatter java.util.Arrays "
    "java.util.Base64 java.util.HexFormat java.util.List java.util.Objects java.util.function.UnaryOperator "
    "java.util.regex.Matcher java.util.regex.Pattern java.util.stream.Collectors java.util.stream.IntStream "
    "java.util.zip.CRC32 javax.crypto.Mac javax.crypto.spec.SecretKeySpec"
).split()
_HASHES: Final = {
    "sha1": "SHA-1",
    "sha256": "SHA-256",
    "sha384": "SHA-384",
    "sha512": "SHA-512",
    "md5": "MD5",
}
_WRITE: Final = {
    "hex": "HexFormat.of().formatHex({raw})",
    "base64": "Base64.getEncoder().encodeToString({raw})",
    "base64url": "Base64.getUrlEncoder().withoutPadding().encodeToString({raw})",
    "decimal": "new BigInteger(1, {raw}).toString()",
    "text": "new String({raw}, StandardCharsets.UTF_8)",
}
_READ: Final = {
    "hex": "HexFormat.of().parseHex({text})",
    "base64": "Base64.getDecoder().decode({text})",
    "base64url": "Base64.getUrlDecoder().decode({text})",
}
_SPKI: Final = 'KeyFactory.getInstance("@type@").generatePublic(new X509EncodedKeySpec(@der@))'
_ED25519: Final = 'concat(HexFormat.of().parseHex("302a300506032b6570032100"), @raw@)'
_CERTIFICATE: Final = (
    'CertificateFactory.getInstance("X.509")\n'
    "        .generateCertificate(new ByteArrayInputStream(utf8(publicKey))).getPublicKey()"
)
_SIGNATURES: Final = {
    Algorithm.ED25519: ("Ed25519", "Ed25519"),
    Algorithm.ECDSA_P256: ("EC", "SHA256withECDSA"),
    Algorithm.ECDSA_P256_RAW: ("EC", "SHA256withECDSAinP1363Format"),
    Algorithm.RSA_SHA256: ("RSA", "SHA256withRSA"),
    Algorithm.RSA_SHA1: ("RSA", "SHA1withRSA"),
}
_CHECK: Final = """\
private static boolean belongs(String presented, PublicKey key, byte[] message) throws GeneralSecurityException {
    Signature signature = Signature.getInstance("@algorithm@");
    signature.initVerify(key);
    signature.update(message);
    try {
        return signature.verify(@raw@);
    } catch (SignatureException | IllegalArgumentException noSignature) {
        return false;
    }
}
"""


class Java(Emitter):
    """Java 17 and later."""

    title = "Java"
    raw_body = "@RequestBody byte[] in Spring, request.getInputStream().readAllBytes() in a servlet"
    from_env = 'System.getenv("%s")'

    def text(self) -> str:
        kinds = {"headers": "UnaryOperator<String>", "body": "byte[]", "text": "String"}
        arguments = ", ".join(f"{kind} {self.name(name)}" for name, kind in self.arguments(kinds))
        lines = self.statements("    ")
        throws = " throws GeneralSecurityException" if "getInstance(" in lines or self.is_pair else ""
        method = f"public static boolean verify({arguments}){throws} {{\n{lines}\n}}\n"
        members = [method] + ([self._check()] if self.is_pair else [])
        for mark, helper in _HELPERS:
            if any(re.search(rf"(?<![\w.]){re.escape(mark)}", member) for member in members):
                members.append(helper)
        inside = indent("\n".join(members), "    ")
        used = [c for c in _CLASSES if re.search(rf"\b{c.rpartition('.')[2]}\b", inside)]
        imports = "".join(f"import {name};\n" for name in sorted(used))
        note = (
            "// headers: reads names in any case: request::getHeader in a servlet, headers::getFirst in Spring.\n"
            if self.program.headers
            else ""
        )
        note += "// Jackson reads the JSON, as Java itself does not.\n" if "ObjectMapper" in inside else ""
        return f"{imports}\n{self.remarks()}\n{note}public final class WebhookVerifier {{\n{inside}}}\n"

    # --- expressions -------------------------------------------------------------------------------------

    def run(self, parts: Run) -> str:
        return " + ".join(
            self.name(part.name) if isinstance(part, Variable) else quoted(part.text) for part in parts
        )

    def data(self, join: Join) -> str:
        """An expression for bytes."""
        pieces = ["body" if isinstance(run, Body) else f"utf8({self.run(run)})" for run in join.runs]
        return pieces[0] if len(pieces) == 1 else f"concat({', '.join(pieces)})"

    def _value(self, value: Value) -> str:
        match value:
            case Join():
                return self.join(value)
            case steps.Digest("crc32", of, write):
                text = f"crc32({self.data(of)})"
                return (
                    f"Long.toString({text})" if write.value == "decimal" else f'String.format("%08x", {text})'
                )
            case steps.Digest(algorithm, of, write):
                raw = f"MessageDigest.getInstance({quoted(_HASHES[algorithm])}).digest({self.data(of)})"
                return _WRITE[write.value].format(raw=raw)
            case steps.JsonValue(document, path, missing):
                pointer = "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)
                return f"{self.name(document)}.at({quoted(pointer)}).asText({quoted(missing)})"
            case steps.FormValue(form, name):
                return f"parameter({self.name(form)}, {quoted(name)})"
            case steps.SortedForm(form):
                return f"sortedForm({self.name(form)})"
            case steps.UrlPart("base"):
                return 'url.split("\\\\?", 2)[0]'
            case steps.UrlPart("query"):
                return 'url.contains("?") ? url.split("\\\\?", 2)[1] : ""'
            case steps.UrlPart("path"):
                return '"/" + url.replaceFirst("^\\\\w+://[^/?]*/?", "").replaceFirst("\\\\?.*", "")'
            case steps.UrlPart():
                return 'url.split("[/?]")[2]'
            case steps.SortedQuery(query):
                return block(
                    """
                    Arrays.stream(@query@.split("&"))
                            .filter(part -> !part.isEmpty())
                            .sorted()
                            .collect(Collectors.joining("&"))
                    """,
                    query=self.name(query),
                )
            case steps.WhenFilled(condition, text):
                return f'{self.name(condition)}.isEmpty() ? "" : {quoted(text)}'
            case steps.Escaped(of, keep):
                return f"escape({self.join(of)}, {quoted(keep)})"
            case steps.JsonLines(document, names):
                return block(
                    """
                    List.of(@names@).stream()
                            .filter(name -> @document@.hasNonNull(name))
                            .map(name -> name + "\\n" + @document@.get(name).asText() + "\\n")
                            .collect(Collectors.joining())
                    """,
                    document=self.name(document),
                    names=", ".join(map(quoted, names)),
                )
            case steps.SignedHeaders(listing):
                return block(
                    """
                    Arrays.stream(@listed@.toLowerCase().split(","))
                            .map(String::strip)
                            .sorted()
                            .map(name -> name + ":" + @each@.strip())
                            .collect(Collectors.joining(";"))
                    """,
                    listed=_header(quoted(listing)),
                    each=_header("name"),
                )

    # --- steps -------------------------------------------------------------------------------------------

    def step(self, step: Step) -> str:
        match step:
            case steps.ReadHeader(variable, header, _):
                return f"String {self.name(variable)} = {_header(quoted(header))};"
            case steps.ReadHeaders(variable, names, ""):
                listed = ", ".join(_header(quoted(name)) for name in names)
                return f"List<String> {self.name(variable)} = List.of({listed});"
            case steps.ReadHeaders(variable, _, numbered):
                name = quoted(numbered).replace("{n}", '" + n + "').removesuffix(' + ""')
                each = f".mapToObj(n -> {_header(name)}).toList();"
                return f"List<String> {self.name(variable)} = IntStream.rangeClosed(1, 100)\n        {each}"
            case steps.SplitList(variable, of, separator):
                split = f"Arrays.stream({self.name(of)}.split(Pattern.quote({quoted(separator)})))"
                return f"List<String> {self.name(variable)} = {split}.map(String::strip).toList();"
            case steps.FindElement(variable, elements, prefix, until):
                return block(
                    """
                    String @variable@ = @elements@.stream()
                            .filter(element -> element.startsWith(@label@))
                            .map(element -> element.substring(@length@)@cut@)
                            .findFirst()
                            .orElse("");
                    """,
                    variable=self.name(variable),
                    elements=self.name(elements),
                    label=quoted(prefix),
                    length=str(len(prefix)),
                    cut=f".split(Pattern.quote({quoted(until)}), 2)[0]" if until else "",
                )
            case steps.PickElement(variable, elements, position):
                found = f"{self.name(elements)}.stream().skip({position}).findFirst()"
                return f'String {self.name(variable)} = {found}.orElse("");'
            case steps.TakeApart(of, shape):
                return self._take_apart(of, shape)
            case steps.ParseJson(variable, source, claims):
                text = "body" if isinstance(source, Body) else self.name(source.name)
                if claims:
                    text = f'Base64.getUrlDecoder().decode({text}.replaceFirst("^[^.]*\\\\.", ""))'
                read = f"new ObjectMapper().readTree({text})"
                return _tried("JsonNode", self.name(variable), read, "IOException | IllegalArgumentException")
            case steps.ParseForm(variable, source):
                whole = isinstance(source, Body)
                text = "new String(body, StandardCharsets.UTF_8)" if whole else self.name(_name(source))
                read = f"form({text})"
                return _tried("List<String[]>", self.name(variable), read, "IllegalArgumentException")
            case steps.Let(variable, value):
                return f"String {self.name(variable)} = {self._value(value)};"
            case steps.CheckTime():
                return self._check_time(step)
            case steps.CheckEqual(left, right):
                return _refused(f"!equal({self.name(left)}, {self.join(right)})")

    def _take_apart(self, of: str, shape: Sequence[Text | Variable | None]) -> str:
        names = [self.name(part.name) for part in shape if isinstance(part, Variable)]
        pattern = regex(shape, "")
        return "\n".join(
            [
                f"Matcher match = Pattern.compile({quoted(pattern)}, Pattern.DOTALL).matcher({self.name(of)});",
                _refused("!match.matches()"),
                *(f"String {name} = match.group({n});" for n, name in enumerate(names, 1)),
            ]
        )

    def _check_time(self, step: steps.CheckTime) -> str:
        variable, shift = self.name(step.variable), shifted(step.shift_s)
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

    def result(self) -> str:
        return self._public() if self.is_pair else self._shared()

    def _shared(self) -> str:
        program, shown = self.program, self.program.presented
        if program.algorithm is Algorithm.TOKEN:
            lines = [_refused("secret.isEmpty()")]
            plain = program.encoding is Encoding.TEXT
            made = "secret" if plain else _WRITE[program.encoding.value].format(raw="utf8(secret)")
        else:
            lines, raw = self._mac()
            made = _WRITE[program.encoding.value].format(raw=raw)
        before = f"{self.join(shown.before)} + " if shown.before.parts else ""
        after = f" + {quoted(shown.after)}" if shown.after else ""
        lines.append(f"String expected = {before}{made}{after};")
        variable = self.name(shown.variable)
        if shown.several:
            lines.append(f"return {variable}.stream().anyMatch(element -> equal(element, expected));")
        else:
            lines.append(f"return equal({variable}, expected);")
        return "\n".join(lines)

    def _mac(self) -> tuple[list[str], str]:
        """Lines that feed the message, and the expression for the signature's bytes."""
        algorithm, key = self.program.algorithm, self._key()
        name = "mac" if algorithm.digest else "hash"
        pieces = [
            f"{name}.update({'body' if isinstance(run, Body) else f'utf8({self.run(run)})'});"
            for run in self.program.message.runs
        ]
        if algorithm.digest is not None:
            title = quoted(f"Hmac{algorithm.digest.upper()}")
            made = [f"Mac mac = Mac.getInstance({title});", f"mac.init(new SecretKeySpec({key}, {title}));"]
            return [*made, *pieces], "mac.doFinal()"
        digest, _, place = algorithm.value.partition("-")
        own = f"hash.update({key});"
        made = [f"MessageDigest hash = MessageDigest.getInstance({quoted(_HASHES[digest])});"]
        return [*made, *([own, *pieces] if place == "prefix" else [*pieces, own])], "hash.digest()"

    def _key(self) -> str:
        key = self.program.key
        text = f"Normalizer.normalize(secret, Normalizer.Form.{key.normalize})" if key.normalize else "secret"
        if key.strip_prefix and key.form is not KeyForm.UTF8:
            text += f'.replaceFirst({quoted("^" + key.strip_prefix)}, "")'
        raw = f"utf8({text})" if key.form is KeyForm.UTF8 else _READ[key.form.value].format(text=text)
        return (
            f"MessageDigest.getInstance({quoted(_HASHES[key.digest])}).digest({raw})" if key.digest else raw
        )

    def _public(self) -> str:
        program, shown = self.program, self.program.presented
        kind = _SIGNATURES[program.algorithm][0]
        form = program.public_form.value if program.public_form else ""
        raw = _READ.get(form, _READ["base64"]).format(text="publicKey")
        der = _ED25519.replace("@raw@", raw) if form in ("hex", "base64") else raw
        key = _CERTIFICATE if form == "certificate" else _SPKI.replace("@type@", kind).replace("@der@", der)
        lines = [f"PublicKey key = {key};", f"byte[] message = {self.data(program.message)};"]
        variable = self.name(shown.variable)
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
        raw = _READ[program.encoding.value].format(text=text)
        return _CHECK.replace("@algorithm@", _SIGNATURES[program.algorithm][1]).replace("@raw@", raw)


def _name(source: Body | Variable) -> str:
    assert isinstance(source, Variable)
    return source.name


def _header(name: str) -> str:
    return f'Objects.requireNonNullElse(headers.apply({name}), "")'


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
