"""Receivers in Ruby 3.0 and later."""

from __future__ import annotations

from hook_widgets.webhooks.codegen.backend import Backend, TextParts
from hook_widgets.webhooks.codegen.ir import Program
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Variable
from hook_widgets.webhooks.codegen.literals import Shape, literal_in_regex, quoted, regex
from hook_widgets.webhooks.keys.secret import KeyForm, KeySpec
from hook_widgets.webhooks.keys.signing import Algorithm

_REQUIRED = (
    ("json", "JSON."),
    ("openssl", "OpenSSL"),
    ("time", "Time.iso8601"),
    ("time", "Time.httpdate"),
    ("uri", "URI."),
    ("zlib", "Zlib."),
)
_ENCODINGS = {
    "hex": '{}.unpack1("H*")',
    "base64": '[{}].pack("m0")',
    "base64url": '[{}].pack("m0").tr("+/", "-_").delete("=")',
    "decimal": '{}.unpack1("H*").to_i(16).to_s',
    "text": "{}",
}


def literal(value: str | int) -> str:
    """Return a Ruby literal of a number, or of a text without interpolation."""
    return quoted(value).replace("#", "\\#") if isinstance(value, str) else str(value)


def _concat(parts: TextParts) -> str:
    if len(parts) == 1 and isinstance(parts[0], Variable):
        return parts[0].name
    interpolated = (f"#{{{p.name}}}" if isinstance(p, Variable) else literal(p.text)[1:-1] for p in parts)
    return f'"{"".join(interpolated)}"'


def _data(join: Join) -> str:
    """Return an expression for a binary string, or for text if the join does not contain the body."""
    runs = ["body" if isinstance(run, Body) else _concat(run) for run in join.runs]
    if len(runs) > 1:
        return " + ".join(f"{run}.b" for run in runs)
    parts = [part for part in join.parts if not isinstance(part, Body)]
    if sum(isinstance(part, Variable) for part in parts) > 1:  # a header is binary, a form or URL is not
        return _concat([Variable(f"{p.name}.b") if isinstance(p, Variable) else p for p in parts])
    return "".join(runs) or '""'


def _pattern(shape: Shape) -> str:
    return rf"/\A{regex(shape, '/')}\z/m"


def _characters(text: str) -> str:
    """Return a regular expression for any character besides letters, digits and these."""
    return f"/[^A-Za-z0-9{literal_in_regex(text, '/-')}]/"


def _key(key: KeySpec) -> str:
    """Return an expression for the key."""
    text = f"secret.unicode_normalize(:{key.normalize.lower()})" if key.normalize else "secret"
    if key.form is not KeyForm.UTF8:
        text += f".delete_prefix({literal(key.strip_prefix)})" if key.strip_prefix else ""
        text = f'{text}.unpack1("m0")' if key.form is KeyForm.BASE64 else f'[{text}].pack("H*")'
    return f"OpenSSL::Digest.digest({literal(key.digest.upper())}, {text})" if key.digest else text


def _signature(program: Program, key: str, message: str) -> str:
    """Return an expression for the encoded signature of a message."""
    algorithm, encoding = program.algorithm, program.encoding.value
    if algorithm is Algorithm.TOKEN:
        return _ENCODINGS[encoding].format("secret")
    if algorithm.digest is None:
        name, _, place = algorithm.value.partition("-")
        pieces = (key, message) if place == "prefix" else (message, key)
        joined = " + ".join(f"{piece}.b" for piece in pieces)
        return _ENCODINGS[encoding].format(f"OpenSSL::Digest.digest({literal(name.upper())}, {joined})")
    arguments = f"({literal(algorithm.digest.upper())}, {key}, {message})"
    if encoding == "hex":
        return f"OpenSSL::HMAC.hexdigest{arguments}"
    return _ENCODINGS[encoding].format(f"OpenSSL::HMAC.digest{arguments}")


def _imports(code: str) -> list[str]:
    return list(dict.fromkeys(library for library, mark in _REQUIRED if mark in code))


BACKEND = Backend(
    title="Ruby",
    folder="ruby",
    comment="#",
    raw_body="request.raw_post in Rails, request.body.read in Sinatra",
    all_headers="reads names in any case, such as request.headers in Rails",
    from_env='ENV.fetch("%s")',
    name=str,
    literal=literal,
    concat=_concat,
    data=_data,
    arguments={"headers": "{}", "body": "{}", "text": "{}"},
    encodings=_ENCODINGS,
    decodings={
        "hex": '[{}].pack("H*")',
        "base64": '{}.unpack1("m")',
        "base64url": '{}.tr("-_", "+/").unpack1("m")',
    },
    imports=_imports,
    helpers=("value", "der"),
    filters=(_pattern, _characters, _key, _signature),
)
