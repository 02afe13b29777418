"""Receivers in Python 3.11 and later."""

from __future__ import annotations

import json
import re

from hook_widgets.webhooks.codegen.backend import Backend, TextParts
from hook_widgets.webhooks.codegen.ir import Program
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Text, Variable
from hook_widgets.webhooks.codegen.literals import Shape, regex
from hook_widgets.webhooks.keys.secret import KeyForm, KeySpec
from hook_widgets.webhooks.keys.signing import Algorithm

_PRIMITIVES = "from cryptography.hazmat.primitives"
_STANDARD = ("base64", "hashlib", "hmac", "json", "re", "time", "unicodedata", "zlib")
_MODULES = {
    "ed25519.": f"{_PRIMITIVES}.asymmetric import ed25519",
    "ec.": f"{_PRIMITIVES}.asymmetric import ec",
    "padding.": f"{_PRIMITIVES}.asymmetric import padding",
    "utils.": f"{_PRIMITIVES}.asymmetric import utils",
    "hashes.": f"{_PRIMITIVES} import hashes",
    "serialization.": f"{_PRIMITIVES} import serialization",
    "x509.": "from cryptography import x509",
    "InvalidSignature": "from cryptography.exceptions import InvalidSignature",
}
_ENCODINGS = {
    "hex": "{}.hex()",
    "base64": "base64.b64encode({}).decode()",
    "base64url": 'base64.urlsafe_b64encode({}).rstrip(b"=").decode()',
    "decimal": "str(int.from_bytes({}))",
    "text": "{}.decode()",
}
_KEYS = {
    KeyForm.UTF8: "{}.encode()",
    KeyForm.BASE64: "base64.b64decode({})",
    KeyForm.HEX: "bytes.fromhex({})",
}


def literal(value: str | int) -> str:
    """Return a Python literal of a text or number."""
    return json.dumps(value, ensure_ascii=False)


def _concat(parts: TextParts) -> str:
    if len(parts) == 1 and isinstance(parts[0], Variable):
        return parts[0].name
    if all(isinstance(part, Text) for part in parts):
        return literal("".join(part.text for part in parts if isinstance(part, Text)))
    return 'f"' + "".join(_interpolated(part) for part in parts) + '"'


def _interpolated(part: Text | Variable) -> str:
    """Return the characters of a part inside an f-string."""
    if isinstance(part, Variable):
        return f"{{{part.name}}}"
    return literal(part.text)[1:-1].replace("{", "{{").replace("}", "}}")


def _data(join: Join) -> str:
    return " + ".join("body" if isinstance(run, Body) else _encoded(run) for run in join.runs) or 'b""'


def _encoded(run: TextParts) -> str:
    return f"b{_concat(run)}" if all(isinstance(p, Text) for p in run) else _bytes(_concat(run))


def _bytes(text: str) -> str:
    """Return an expression for the bytes of a text; aiohttp and Sanic decode headers in this way, too."""
    return f'{text}.encode(errors="surrogateescape")'


def _pattern(shape: Shape) -> str:
    pattern = regex(shape, "")
    return f'r"{pattern}"' if '"' not in pattern else literal(pattern)


def _key(key: KeySpec) -> str:
    """Return an expression for the bytes of the key."""
    text = f'unicodedata.normalize("{key.normalize}", secret)' if key.normalize else "secret"
    if key.form is not KeyForm.UTF8 and key.strip_prefix:
        text += f".removeprefix({literal(key.strip_prefix)})"
    raw = _KEYS[key.form].format(text)
    return f"hashlib.{key.digest}({raw}).digest()" if key.digest else raw


def _signature(program: Program, message: str) -> str:
    """Return an expression for the encoded signature of a message."""
    algorithm, encoding = program.algorithm, program.encoding.value
    if algorithm is Algorithm.TOKEN:
        return "secret" if encoding == "text" else _ENCODINGS[encoding].format("secret.encode()")
    if algorithm.digest is None:
        name, _, place = algorithm.value.partition("-")
        raw = f"hashlib.{name}({f'key + {message}' if place == 'prefix' else f'{message} + key'}).digest()"
    elif encoding == "hex":
        return f"hmac.new(key, {message}, {literal(algorithm.digest)}).hexdigest()"
    else:
        raw = f"hmac.digest(key, {message}, {literal(algorithm.digest)})"
    return _ENCODINGS[encoding].format(raw)


def _imports(code: str) -> str:
    standard = [f"import {name}" for name in _STANDARD if re.search(rf"\b{name}\.", code)]
    standard += ["from collections.abc import Mapping"] if "Mapping" in code else []
    standard += ["from datetime import UTC, datetime"] if "datetime." in code else []
    standard += ["from email.utils import parsedate_to_datetime"] if "parsedate" in code else []
    parse = [name for name in ("parse_qsl", "quote") if f"{name}(" in code]
    standard += [f"from urllib.parse import {', '.join(parse)}"] if parse else []
    others = [line for mark, line in _MODULES.items() if re.search(rf"\b{re.escape(mark)}", code)]
    return "\n".join([*standard, *([""] if others else []), *sorted(others)])


BACKEND = Backend(
    title="Python",
    folder="python",
    comment="#",
    raw_body="request.get_data() in Flask, request.body in Django, await request.body() in FastAPI",
    all_headers="a mapping that reads names in any case, such as request.headers",
    from_env='os.environ["%s"]',
    name=str,
    literal=literal,
    concat=_concat,
    data=_data,
    arguments={"headers": "{}: Mapping[str, str]", "body": "{}: bytes", "text": "{}: str"},
    encodings=_ENCODINGS,
    decodings={
        "hex": "bytes.fromhex({})",
        "base64": "base64.b64decode({}, validate=True)",
        "base64url": 'base64.urlsafe_b64decode({} + "==")',
    },
    imports=_imports,
    helpers=("value", "parameter"),
    filters=(_pattern, _key, _signature, _bytes),
)
