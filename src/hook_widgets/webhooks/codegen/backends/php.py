"""Receivers in PHP 8.0 and later, 64 bits."""

from __future__ import annotations

import re

from hook_widgets.errors import UnsupportedScheme
from hook_widgets.webhooks.codegen.backend import Backend, TextParts
from hook_widgets.webhooks.codegen.ir import Presented, Program
from hook_widgets.webhooks.codegen.ir_values import Body, Digest, Join, Variable
from hook_widgets.webhooks.codegen.literals import Shape, camel, literal_in_regex, regex
from hook_widgets.webhooks.keys.secret import KeyForm, KeySpec
from hook_widgets.webhooks.keys.signing import Algorithm

_ENCODINGS = {
    "hex": "bin2hex({})",
    "base64": "base64_encode({})",
    "base64url": "rtrim(strtr(base64_encode({}), '+/', '-_'), '=')",
    "text": "{}",
}


def literal(value: str | int) -> str:
    """Return a number, or a text in single quotes; in double quotes if it contains line ends or tabs."""
    if isinstance(value, int):
        return str(value)
    if re.search(r"[\n\r\t]", value):
        return _in_double_quotes(value)
    return "'" + re.sub(r"(['\\])", r"\\\1", value) + "'"


def _in_double_quotes(text: str) -> str:
    inner = re.sub(r'(["\\$])', r"\\\1", text)
    return '"' + inner.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'


def _numbered(name: str) -> str:
    """Return an expression for the name of a header with the number ``$n``."""
    return _in_double_quotes(name).replace("{n}", "{$n}")


def _name(name: str) -> str:
    return f"${camel(name)}"


def _concat(parts: TextParts) -> str:
    pieces = (_name(part.name) if isinstance(part, Variable) else literal(part.text) for part in parts)
    return " . ".join(pieces) or "''"


def _data(join: Join) -> str:
    """Return an expression for a string; every PHP string consists of bytes."""
    return " . ".join("$body" if isinstance(run, Body) else _concat(run) for run in join.runs) or "''"


def _pattern(shape: Shape) -> str:
    pattern = regex(shape, "~").replace("\\\\", "\\" * 4).replace("'", "\\'")
    return f"'~^{pattern}$~sD'"


def _characters(text: str) -> str:
    """Return a regular expression for any character besides letters, digits and these."""
    unescaped = literal_in_regex(text, "~-").replace("'", "\\'")
    return f"'~[^A-Za-z0-9{unescaped}]~'"


def _without_ends(text: str, presented: Presented) -> str:
    """Return an expression for a text without the literal texts before and after a signature."""
    if not presented.prefix and not presented.after:
        return text
    ends = f"~^{literal_in_regex(presented.prefix, '~')}|{literal_in_regex(presented.after, '~')}$~"
    return f"preg_replace({literal(ends)}, '', {text})"


def _key(key: KeySpec) -> str:
    """Return an expression for the key."""
    text = f"\\Normalizer::normalize($secret, \\Normalizer::{key.normalize})" if key.normalize else "$secret"
    if key.form is not KeyForm.UTF8:
        if key.strip_prefix:
            prefix = literal(f"~^{literal_in_regex(key.strip_prefix, '~')}~")
            text = f"preg_replace({prefix}, '', {text})"
        text = f"base64_decode({text})" if key.form is KeyForm.BASE64 else f"hex2bin({text})"
    return f"hash('{key.digest}', {text}, true)" if key.digest else text


def _signature(program: Program, key: str, message: str) -> str:
    """Return an expression for the encoded signature of a message."""
    algorithm, encoding = program.algorithm, program.encoding.value
    if algorithm is Algorithm.TOKEN:
        return _ENCODINGS[encoding].format("$secret")
    if algorithm.digest is None:
        name, _, place = algorithm.value.partition("-")
        data = f"{key} . {message}" if place == "prefix" else f"{message} . {key}"
        call = f"hash('{name}', {data}"
    else:
        call = f"hash_hmac('{algorithm.digest}', {message}, {key}"
    return f"{call})" if encoding == "hex" else _ENCODINGS[encoding].format(f"{call}, true)")


def _digest(value: Digest) -> str:
    """Return an expression for an encoded hash."""
    data, encoding = _data(value.data), value.write.value
    if value.algorithm == "crc32":
        return f"(string) crc32({data})" if encoding == "decimal" else f"sprintf('%08x', crc32({data}))"
    if encoding == "decimal":
        raise UnsupportedScheme(
            "PHP has no numbers of this size without an extension; choose another language, or write the "
            "hash as hex"
        )
    if encoding == "hex":
        return f"hash('{value.algorithm}', {data})"
    return _ENCODINGS[encoding].format(f"hash('{value.algorithm}', {data}, true)")


BACKEND = Backend(
    title="PHP",
    folder="php",
    raw_body="file_get_contents('php://input'), or $request->getContent() in Laravel and Symfony",
    all_headers="names in lower case: array_change_key_case(getallheaders())",
    from_env="getenv('%s')",
    name=_name,
    literal=literal,
    concat=_concat,
    data=_data,
    plus=" . ",
    arguments={"headers": "array {}", "body": "string {}", "text": "string {}"},
    encodings=_ENCODINGS,
    decodings={
        "hex": "hex_bytes({})",
        "base64": "base64_decode({})",
        "base64url": "base64_decode(strtr({}, '-_', '+/'))",
    },
    helpers=("json_value", "form_pairs", "der_signature", "hex_bytes"),
    filters=(_pattern, _numbered, _characters, _without_ends, _key, _signature, _digest),
)
