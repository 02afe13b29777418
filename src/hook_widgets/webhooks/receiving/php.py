"""Receivers in PHP: hash, openssl and sodium, which come with the language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import indent
from typing import Final

from hook_widgets.webhooks.receiving import steps
from hook_widgets.webhooks.receiving.emitter import (
    Emitter,
    Run,
    block,
    camel,
    literal_in_regex,
    regex,
    shifted,
)
from hook_widgets.webhooks.receiving.steps import Body, Join, Step, Text, Value, Variable
from hook_widgets.webhooks.scheme import Encoding
from hook_widgets.webhooks.secret import KeyForm
from hook_widgets.webhooks.signing import Algorithm

_VALUE: Final = """\
/** The text of one value of a JSON document, '' when it is not there. */
function json_value(mixed $document, string|int ...$path): string
{
    foreach ($path as $step) {
        $document = is_array($document) ? $document[$step] ?? null : null;
    }
    if (is_bool($document)) {
        return $document ? 'true' : 'false';
    }
    return is_scalar($document) ? (string) $document : '';
}
"""
_FORM: Final = """\
/** Names and values of a form, in their order. */
function form_pairs(string $form): array
{
    $pairs = [];
    foreach (array_filter(explode('&', $form), 'strlen') as $pair) {
        [$name, $value] = explode('=', $pair, 2) + [1 => ''];
        $pairs[] = [urldecode($name), urldecode($value)];
    }
    return $pairs;
}
"""
_DER: Final = """\
/** An ECDSA signature of two numbers as OpenSSL wants it. */
function der_signature(string $raw): string
{
    $numbers = '';
    foreach (str_split($raw, 32) as $number) {
        $number = ltrim($number, "\\0");
        $number = $number === '' || ord($number[0]) > 127 ? "\\0{$number}" : $number;
        $numbers .= "\\x02" . chr(strlen($number)) . $number;
    }
    return "\\x30" . chr(strlen($numbers)) . $numbers;
}
"""
_HEX: Final = """\
/** The bytes of hexadecimal digits, '' for anything else. */
function hex_bytes(string $text): string
{
    return ctype_xdigit($text) && strlen($text) % 2 === 0 ? hex2bin($text) : '';
}
"""
_HELPERS: Final = (
    ("json_value(", _VALUE),
    ("form_pairs(", _FORM),
    ("der_signature(", _DER),
    ("hex_bytes(", _HEX),
)
_WRITE: Final = {
    "hex": "bin2hex({raw})",
    "base64": "base64_encode({raw})",
    "base64url": "rtrim(strtr(base64_encode({raw}), '+/', '-_'), '=')",
    "text": "{raw}",
}
_READ: Final = {
    Encoding.HEX: "hex_bytes({text})",
    Encoding.BASE64: "base64_decode({text})",
    Encoding.BASE64URL: "base64_decode(strtr({text}, '-_', '+/'))",
}
_KEYS: Final = {
    "hex": "hex2bin($publicKey)",
    "base64": "base64_decode($publicKey)",
    "base64-spki": '"-----BEGIN PUBLIC KEY-----\\n" . chunk_split($publicKey, 64, "\\n")'
    ' . "-----END PUBLIC KEY-----\\n"',
    "certificate": "$publicKey",
}
_CHECKS: Final = {
    Algorithm.ED25519: "strlen($raw) === SODIUM_CRYPTO_SIGN_BYTES"
    " && sodium_crypto_sign_verify_detached($raw, $message, $key)",
    Algorithm.ECDSA_P256: "openssl_verify($message, $raw, $key, OPENSSL_ALGO_SHA256) === 1",
    Algorithm.ECDSA_P256_RAW: "strlen($raw) === 64"
    " && openssl_verify($message, der_signature($raw), $key, OPENSSL_ALGO_SHA256) === 1",
    Algorithm.RSA_SHA256: "openssl_verify($message, $raw, $key, OPENSSL_ALGO_SHA256) === 1",
    Algorithm.RSA_SHA1: "openssl_verify($message, $raw, $key, OPENSSL_ALGO_SHA1) === 1",
}


class Php(Emitter):
    """PHP 8.0 and later, 64 bits."""

    title = "PHP"
    raw_body = "file_get_contents('php://input'), or $request->getContent() in Laravel and Symfony"
    from_env = "getenv('%s')"

    def name(self, name: str) -> str:
        return f"${camel(name)}"

    def text(self) -> str:
        kinds = {"headers": "array", "body": "string", "text": "string"}
        arguments = ", ".join(f"{kind} {self.name(name)}" for name, kind in self.arguments(kinds))
        lines = self.statements("    ")
        helpers = [helper for mark, helper in _HELPERS if mark in lines]
        code = "\n".join([f"function verify({arguments}): bool\n{{\n{lines}\n}}\n", *helpers])
        note = (
            "// $headers: names in lower case: array_change_key_case(getallheaders()).\n"
            if self.program.headers
            else ""
        )
        return f"<?php\n\n{self.remarks()}\n{note}\n{code}"

    # --- expressions -------------------------------------------------------------------------------------

    def run(self, parts: Run) -> str:
        return " . ".join(
            self.name(part.name) if isinstance(part, Variable) else _literal(part.text) for part in parts
        )

    def data(self, join: Join) -> str:
        """An expression for a string of bytes, as every string is one."""
        return " . ".join("$body" if isinstance(run, Body) else self.run(run) for run in join.runs) or "''"

    def let(self, variable: str, value: Value) -> str:
        name = self.name(variable)
        match value:
            case steps.SortedForm(form):
                return block(
                    """
                    $pairs = array_unique(array_map(fn (array $pair): string => implode("\\0", $pair), @form@));
                    sort($pairs, SORT_STRING);
                    @name@ = str_replace("\\0", '', implode('', $pairs));
                    """,
                    form=self.name(form),
                    name=name,
                )
            case steps.SortedQuery(query):
                return block(
                    """
                    $parts = array_filter(explode('&', @query@), 'strlen');
                    sort($parts, SORT_STRING);
                    @name@ = implode('&', $parts);
                    """,
                    query=self.name(query),
                    name=name,
                )
            case steps.JsonLines(document, names):
                return block(
                    """
                    @name@ = '';
                    foreach ([@names@] as $line) {
                        $text = json_value(@document@, $line);
                        @name@ .= $text === '' ? '' : "{$line}\\n{$text}\\n";
                    }
                    """,
                    document=self.name(document),
                    names=", ".join(map(_literal, names)),
                    name=name,
                )
            case steps.SignedHeaders(listing):
                return block(
                    """
                    $names = array_map(
                        fn (string $name): string => strtolower(trim($name)),
                        explode(',', $headers[@listing@] ?? ''),
                    );
                    sort($names, SORT_STRING);
                    @name@ = implode(';', array_map(
                        fn (string $name): string => $name . ':' . trim($headers[$name] ?? ''),
                        $names,
                    ));
                    """,
                    listing=_literal(listing.lower()),
                    name=name,
                )
        return f"{name} = {self._value(value)};"

    def _value(self, value: Value) -> str:
        match value:
            case Join():
                return self.data(value)
            case steps.Digest("crc32", of, write):
                text = f"crc32({self.data(of)})"
                return f"(string) {text}" if write.value == "decimal" else f"sprintf('%08x', {text})"
            case steps.Digest(algorithm, of, write):
                if write.value == "hex":
                    return f"hash('{algorithm}', {self.data(of)})"
                return _WRITE[write.value].format(raw=f"hash('{algorithm}', {self.data(of)}, true)")
            case steps.JsonValue(document, path, missing):
                listed = (_literal(step) if isinstance(step, str) else str(step) for step in path)
                found = f"json_value({', '.join([self.name(document), *listed])})"
                return f"{found} ?: {_literal(missing)}" if missing else found
            case steps.FormValue(form, name):
                return f"array_column(array_reverse({self.name(form)}), 1, 0)[{_literal(name)}] ?? ''"
            case steps.UrlPart("base"):
                return "explode('?', $url, 2)[0]"
            case steps.UrlPart("query"):
                return "explode('?', $url, 2)[1] ?? ''"
            case steps.UrlPart("path"):
                return r"preg_replace('~^\w+://[^/?]*|\?.*~s', '', $url) ?: '/'"
            case steps.UrlPart():
                return r"preg_split('~[/?]~', $url)[2] ?? ''"
            case steps.WhenFilled(condition, text):
                return f"{self.name(condition)} === '' ? '' : {_literal(text)}"
            case steps.Escaped(of, keep):
                kept = literal_in_regex(keep, "~-").replace("'", "\\'")
                each = "fn (array $match): string => rawurlencode($match[0])"
                return f"preg_replace_callback('~[^A-Za-z0-9{kept}]~', {each}, {self.data(of)})"
        raise AssertionError(value)

    # --- steps -------------------------------------------------------------------------------------------

    def step(self, step: Step) -> str:
        match step:
            case steps.ReadHeader(variable, header, _):
                return f"{self.name(variable)} = $headers[{_literal(header.lower())}] ?? '';"
            case steps.ReadHeaders(variable, names, ""):
                listed = ", ".join(f"$headers[{_literal(name.lower())}] ?? ''" for name in names)
                return f"{self.name(variable)} = [{listed}];"
            case steps.ReadHeaders(variable, _, numbered):
                name = '"' + numbered.lower().replace("{n}", "{$n}") + '"'
                each = f"fn (int $n): string => $headers[{name}] ?? ''"
                return f"{self.name(variable)} = array_map({each}, range(1, 100));"
            case steps.SplitList(variable, of, separator):
                split = f"explode({_literal(separator)}, {self.name(of)})"
                return f"{self.name(variable)} = array_map('trim', {split});"
            case steps.FindElement():
                return self._find(step)
            case steps.PickElement(variable, elements, position):
                return f"{self.name(variable)} = {self.name(elements)}[{position}] ?? '';"
            case steps.TakeApart(of, shape):
                return self._take_apart(of, shape)
            case steps.ParseJson(variable, source, claims):
                text = "$body" if isinstance(source, Body) else self.name(source.name)
                if claims:
                    text = f"base64_decode(strtr(explode('.', {text})[1] ?? '', '-_', '+/'))"
                parsed = f"{self.name(variable)} = json_decode({text}, true);"
                return f"{parsed}\n{_refused(f'!is_array({self.name(variable)})')}"
            case steps.ParseForm(variable, source):
                text = "$body" if isinstance(source, Body) else self.name(source.name)
                return f"{self.name(variable)} = form_pairs({text});"
            case steps.Let(variable, value):
                return self.let(variable, value)
            case steps.CheckTime():
                return self._check_time(step)
            case steps.CheckEqual(left, right):
                return _refused(f"!hash_equals({self.data(right)}, {self.name(left)})")

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
            variable=self.name(step.variable),
            elements=self.name(step.elements),
            label=_literal(step.prefix),
            rest=f"explode({_literal(step.until)}, {rest})[0]" if step.until else rest,
        )

    def _take_apart(self, of: str, shape: Sequence[Text | Variable | None]) -> str:
        pattern = regex(shape, "~").replace("'", "\\'")
        names = ", ".join(self.name(part.name) for part in shape if isinstance(part, Variable))
        missed = _refused(f"!preg_match('~^{pattern}$~sD', {self.name(of)}, $match)")
        return f"{missed}\n[, {names}] = $match;"

    def _check_time(self, step: steps.CheckTime) -> str:
        variable, shift = self.name(step.variable), shifted(step.shift_s)
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

    def result(self) -> str:
        return self._public() if self.is_pair else self._shared()

    def _shared(self) -> str:
        program, shown = self.program, self.program.presented
        lines = []
        if program.algorithm is Algorithm.TOKEN:
            lines.append(_refused("$secret === ''"))
        if program.message.parts and program.message != Join((Body(),)):
            lines.append(f"$message = {self.data(program.message)};")
        before = f"{self.data(shown.before)} . " if shown.before.parts else ""
        after = f" . {_literal(shown.after)}" if shown.after else ""
        lines.append(f"$expected = {before}{self._made()}{after};")
        variable = self.name(shown.variable)
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
            return _WRITE[program.encoding.value].format(raw="$secret")
        message = "$body" if program.message == Join((Body(),)) else "$message"
        if program.algorithm.digest is None:
            name, _, place = program.algorithm.value.partition("-")
            data = f"{self._key()} . {message}" if place == "prefix" else f"{message} . {self._key()}"
            call = f"hash('{name}', {data}"
        else:
            call = f"hash_hmac('{program.algorithm.digest}', {message}, {self._key()}"
        if program.encoding is Encoding.HEX:
            return f"{call})"
        return _WRITE[program.encoding.value].format(raw=f"{call}, true)")

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
        text = "$element" if shown.several else self.name(shown.variable)
        if shown.prefix or shown.after:
            ends = f"^{literal_in_regex(shown.prefix, '~')}|{literal_in_regex(shown.after, '~')}$"
            text = f"preg_replace('~{ends}~', '', {text})"
        raw = f"$raw = {_READ[program.encoding].format(text=text)};"
        check = _CHECKS[program.algorithm]
        if shown.several:
            tried = f"{raw}\nif ({check}) {{\n    return true;\n}}"
            attempt = f"foreach ({self.name(shown.variable)} as $element) {{\n{indent(tried, '    ')}\n}}\nreturn false;"
        else:
            attempt = f"{raw}\nreturn {check};"
        key = _KEYS[program.public_form.value if program.public_form else ""]
        return f"$key = {key};\n$message = {self.data(program.message)};\n{attempt}"


def _literal(text: str) -> str:
    """A string between single quotes, or double ones where it has line ends."""
    if re.search(r"[\n\r\t]", text):
        inner = re.sub(r'(["\\$])', r"\\\1", text)
        return '"' + inner.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'
    return "'" + re.sub(r"(['\\])", r"\\\1", text) + "'"


def _refused(condition: str) -> str:
    return f"if ({condition}) {{\n    return false;\n}}"
