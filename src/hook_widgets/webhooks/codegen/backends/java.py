"""Receivers in Java 17 and later."""

from __future__ import annotations

import re

from hook_widgets.webhooks.codegen.backend import Backend, TextParts
from hook_widgets.webhooks.codegen.ir import Presented
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Text, Variable
from hook_widgets.webhooks.codegen.literals import (
    Shape,
    camel,
    literal_in_regex,
    quoted,
    regex,
    without_strings,
)
from hook_widgets.webhooks.keys.secret import KeyForm, KeySpec

_CLASSES = """
com.fasterxml.jackson.databind.JsonNode com.fasterxml.jackson.databind.ObjectMapper
java.io.ByteArrayInputStream java.io.ByteArrayOutputStream java.io.IOException java.math.BigInteger
java.net.URLDecoder java.nio.charset.StandardCharsets java.security.GeneralSecurityException
java.security.KeyFactory java.security.MessageDigest java.security.PublicKey java.security.Signature
java.security.SignatureException java.security.cert.CertificateFactory
java.security.spec.X509EncodedKeySpec java.text.Normalizer java.time.DateTimeException java.time.Instant
java.time.OffsetDateTime java.time.ZonedDateTime java.time.format.DateTimeFormatter java.util.Arrays
java.util.Base64 java.util.Comparator java.util.HexFormat java.util.List java.util.Objects
java.util.function.UnaryOperator java.util.regex.Matcher java.util.regex.Pattern
java.util.stream.Collectors java.util.stream.IntStream java.util.zip.CRC32 javax.crypto.Mac
javax.crypto.spec.SecretKeySpec
"""
_HASHES = {"sha1": "SHA-1", "sha256": "SHA-256", "sha384": "SHA-384", "sha512": "SHA-512", "md5": "MD5"}
_DECODINGS = {
    "hex": "HexFormat.of().parseHex({})",
    "base64": "Base64.getDecoder().decode({})",
    "base64url": "Base64.getUrlDecoder().decode({})",
}


def _concat(parts: TextParts) -> str:
    return " + ".join(camel(part.name) if isinstance(part, Variable) else quoted(part.text) for part in parts)


def _data(join: Join) -> str:
    pieces = ["body" if isinstance(run, Body) else f"utf8({_concat(run)})" for run in join.runs]
    return pieces[0] if len(pieces) == 1 else f"concat({', '.join(pieces)})"


def _header(name: str) -> str:
    """Return an expression for the value of a header, "" if it is missing; `name` is an expression, too."""
    return f'Objects.requireNonNullElse(headers.apply({name}), "")'


def _numbered(name: str) -> str:
    """Return an expression for the name of a header with the number ``n``."""
    return quoted(name).replace("{n}", '" + n + "').removesuffix(' + ""')


def _pattern(shape: Shape) -> str:
    return quoted(regex(shape, ""))


def _pointer(path: tuple[str | int, ...]) -> str:
    """Return a literal of a JSON Pointer (RFC 6901)."""
    return quoted("".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path))


def _without_ends(text: str, presented: Presented) -> str:
    """Return an expression for a text without the literal texts before and after a signature."""
    if presented.prefix:
        text += f'.replaceFirst({quoted("^" + regex([Text(presented.prefix)], ""))}, "")'
    if presented.after:
        text += f'.replaceFirst({quoted(regex([Text(presented.after)], "") + "$")}, "")'
    return text


def _instance(digest: str) -> str:
    """Return an expression that starts a hash."""
    return f"MessageDigest.getInstance({quoted(_HASHES[digest])})"


def _key(key: KeySpec) -> str:
    """Return an expression for the bytes of the key."""
    text = f"Normalizer.normalize(secret, Normalizer.Form.{key.normalize})" if key.normalize else "secret"
    if key.strip_prefix and key.form is not KeyForm.UTF8:
        text += f'.replaceFirst({quoted("^" + literal_in_regex(key.strip_prefix, ""))}, "")'
    raw = f"utf8({text})" if key.form is KeyForm.UTF8 else _DECODINGS[key.form.value].format(text)
    return f"{_instance(key.digest)}.digest({raw})" if key.digest else raw


def _imports(code: str) -> list[str]:
    names = without_strings(code)
    return sorted(c for c in _CLASSES.split() if re.search(rf"\b{c.rpartition('.')[2]}\b", names))


BACKEND = Backend(
    title="Java",
    folder="java",
    raw_body="@RequestBody byte[] in Spring, request.getInputStream().readAllBytes() in a servlet",
    all_headers="reads names in any case: request::getHeader in a servlet, headers::getFirst in Spring",
    from_env='System.getenv("%s")',
    literal=quoted,
    concat=_concat,
    data=_data,
    arguments={"headers": "UnaryOperator<String> {}", "body": "byte[] {}", "text": "String {}"},
    encodings={
        "hex": "HexFormat.of().formatHex({})",
        "base64": "Base64.getEncoder().encodeToString({})",
        "base64url": "Base64.getUrlEncoder().withoutPadding().encodeToString({})",
        "decimal": "new BigInteger(1, {}).toString()",
        "text": "new String({}, StandardCharsets.UTF_8)",
    },
    decodings=_DECODINGS,
    imports=_imports,
    helpers=("crc32", "form", "parameter", "sortedForm", "escape", "concat", "equal", "utf8"),
    filters=(_header, _numbered, _pattern, _pointer, _without_ends, _instance, _key),
)
