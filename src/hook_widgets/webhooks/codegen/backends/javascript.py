"""Receivers in JavaScript, for Node 18 and later."""

from __future__ import annotations

import json

from hook_widgets.webhooks.codegen.backend import Backend, TextParts
from hook_widgets.webhooks.codegen.ir import Presented, Program
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Text, Variable
from hook_widgets.webhooks.codegen.literals import Shape, camel, literal_in_regex, regex
from hook_widgets.webhooks.keys.secret import KeyForm, KeySpec
from hook_widgets.webhooks.keys.signing import Algorithm

_LINE_ENDS = str.maketrans({"\u2028": "\\u2028", "\u2029": "\\u2029"})
_IMPORTED = ("X509Certificate", "createHash", "createHmac", "createPublicKey", "timingSafeEqual")


def literal(value: str | int) -> str:
    """Return a JavaScript literal of a text or number."""
    return json.dumps(value, ensure_ascii=False)


def _in_template(text: str) -> str:
    """Escape a text for a template literal."""
    return literal(text)[1:-1].replace('\\"', '"').replace("`", "\\`").replace("${", "\\${")


def _in_regex(pattern: str) -> str:
    """Escape the line ends that may not occur in a regular expression literal."""
    return pattern.translate(_LINE_ENDS)


def _pattern(shape: Shape) -> str:
    return f"/^{_in_regex(regex(shape, '/'))}$/s"


def _text_pattern(text: str) -> str:
    return _in_regex(literal_in_regex(text, "/"))


def _interpolated(parts: TextParts) -> str:
    """Return the characters of texts inside a template literal."""
    return "".join(
        f"${{{camel(part.name)}}}" if isinstance(part, Variable) else _in_template(part.text)
        for part in parts
    )


def _concat(parts: TextParts) -> str:
    if len(parts) == 1 and isinstance(parts[0], Variable):
        return camel(parts[0].name)
    if all(isinstance(part, Text) for part in parts):
        return literal("".join(part.text for part in parts if isinstance(part, Text)))
    return f"`{_interpolated(parts)}`"


def _data(join: Join) -> str:
    """Return an expression for a string, or for a Buffer if the join contains the body."""
    pieces = [
        "body" if isinstance(run, Body) else f"Buffer.from({_concat(run)})" if join.is_bytes else _concat(run)
        for run in join.runs
    ]
    if len(pieces) > 1:
        return f"Buffer.concat([{', '.join(pieces)}])"
    return pieces[0] if pieces else '""'


def _key(key: KeySpec) -> str:
    """Return an expression for the key."""
    raw = f'secret.normalize("{key.normalize}")' if key.normalize else "secret"
    if key.form is not KeyForm.UTF8:
        if key.strip_prefix:
            raw += f'.replace(/^{_text_pattern(key.strip_prefix)}/, "")'
        raw = f'Buffer.from({raw}, "{key.form.value}")'
    return f'createHash("{key.digest}").update({raw}).digest()' if key.digest else raw


def _signature(program: Program, key: str, message: str) -> str:
    """Return an expression for the encoded signature of a message."""
    encoding = literal(program.encoding.value)
    if program.algorithm is Algorithm.TOKEN:
        return "secret" if program.encoding == "text" else f"Buffer.from(secret).toString({encoding})"
    if program.algorithm.digest is not None:
        mac = f"createHmac({literal(program.algorithm.digest)}, {key}).update({message})"
    else:
        name, _, place = program.algorithm.value.partition("-")
        pieces = (key, message) if place == "prefix" else (message, key)
        mac = f"createHash({literal(name)})" + "".join(f".update({piece})" for piece in pieces)
    return f"{mac}.digest({encoding})"


def _in_frame(signature: str, presented: Presented) -> str:
    """Return an expression for a signature with the texts before and after it."""
    if not presented.before.parts and not presented.after:
        return signature
    before = [part for part in presented.before.parts if not isinstance(part, Body)]
    return f"`{_interpolated(before)}${{{signature}}}{_in_template(presented.after)}`"


def _imports(code: str) -> str:
    names = [name for name in _IMPORTED if f"{name}(" in code]
    names += ["verify as verifySignature"] if "verifySignature(" in code else []
    return f'import {{ {", ".join(names)} }} from "node:crypto";' if names else ""


BACKEND = Backend(
    title="JavaScript",
    folder="javascript",
    raw_body='express.raw({ type: "*/*" }) in Express, Buffer.from(await request.arrayBuffer()) in Next.js',
    all_headers="names in lower case: request.headers, or Object.fromEntries(request.headers) in Next.js",
    from_env="process.env.%s",
    literal=literal,
    concat=_concat,
    data=_data,
    arguments={"headers": "{}", "body": "{}", "text": "{}"},
    encodings={},
    imports=_imports,
    helpers=("equal", "value", "sortAndJoin", "sortedPairs", "crc32"),
    filters=(_pattern, _text_pattern, _key, _signature, _in_frame, _in_template),
)
