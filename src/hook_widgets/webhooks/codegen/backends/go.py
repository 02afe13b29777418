"""Receivers in Go 1.18 and later."""

from __future__ import annotations

import re

from hook_widgets.webhooks.codegen.backend import Backend, TextParts
from hook_widgets.webhooks.codegen.ir import Presented
from hook_widgets.webhooks.codegen.ir_values import Body, Join, Variable
from hook_widgets.webhooks.codegen.literals import Shape, camel, quoted, regex

_PACKAGES = """
bytes crypto crypto/ecdsa crypto/ed25519 crypto/hmac crypto/md5 crypto/rsa crypto/sha1 crypto/sha256
crypto/sha512 crypto/subtle crypto/x509 encoding/base64 encoding/hex encoding/json encoding/pem fmt hash/crc32
math/big net/http net/url regexp sort strconv strings time
"""

# How to start a hash, and how to compute it at once.
_HASHES = {
    "sha1": ("sha1.New", "sha1.Sum"),
    "sha256": ("sha256.New", "sha256.Sum256"),
    "sha384": ("sha512.New384", "sha512.Sum384"),
    "sha512": ("sha512.New", "sha512.Sum512"),
    "md5": ("md5.New", "md5.Sum"),
}


def literal(value: str | int) -> str:
    """Return a Go literal of a text; an index into a list is a text, too."""
    return quoted(str(value))


def _name(name: str) -> str:
    name = camel("request_url" if name == "url" else name)  # `url` is a package
    return re.sub("(Id|Url|Json)$", lambda m: m[0].upper(), name)


def _concat(parts: TextParts) -> str:
    return " + ".join(_name(part.name) if isinstance(part, Variable) else quoted(part.text) for part in parts)


def _data(join: Join) -> str:
    pieces = ["body" if isinstance(run, Body) else f"[]byte({_concat(run)})" for run in join.runs]
    return pieces[0] if len(pieces) == 1 else f"bytes.Join([][]byte{{{', '.join(pieces)}}}, nil)"


def _header(name: str) -> str:
    """Return an expression for the value of a header; repeated lines are joined (RFC 9110 section 5.2)."""
    return f'strings.Join(headers.Values({name}), ", ")'


def _numbered(name: str) -> str:
    """Return an expression for the name of a header with the number ``n``."""
    return quoted(name).replace("{n}", '"+strconv.Itoa(n)+"').removesuffix('+""')


def _compact(expression: str) -> str:
    """Remove the spaces around ``+``, as gofmt does in a sum that is one of several arguments."""
    return expression.replace(" + ", "+")


def _pattern(shape: Shape) -> str:
    pattern = regex(shape, "").replace("`", "\\x60")
    return f"`(?s)^{pattern}$`"


def _without_ends(text: str, presented: Presented) -> str:
    """Return an expression for a text without the literal texts before and after a signature."""
    text = f"strings.TrimPrefix({text}, {quoted(presented.prefix)})" if presented.prefix else text
    return f"strings.TrimSuffix({text}, {quoted(presented.after)})" if presented.after else text


def _new(digest: str) -> str:
    return _HASHES[digest][0]


def _sum(digest: str) -> str:
    return _HASHES[digest][1]


def _imports(code: str) -> list[str]:
    return [p for p in _PACKAGES.split() if re.search(rf"(?<![\w.\"]){p.rpartition('/')[2]}\.[A-Z]", code)]


BACKEND = Backend(
    title="Go",
    folder="go",
    raw_body="io.ReadAll(request.Body), before anything decodes it",
    all_headers="request.Header",
    from_env='os.Getenv("%s")',
    name=_name,
    literal=literal,
    concat=_concat,
    data=_data,
    arguments={"headers": "{} http.Header", "body": "{} []byte", "text": "{} string"},
    encodings={
        "hex": "hex.EncodeToString({})",
        "base64": "base64.StdEncoding.EncodeToString({})",
        "base64url": "base64.RawURLEncoding.EncodeToString({})",
        "decimal": "new(big.Int).SetBytes({}).String()",
        "text": "string({})",
    },
    decodings={
        "hex": "hex.DecodeString({})",
        "base64": "base64.StdEncoding.DecodeString({})",
        "base64url": "base64.RawURLEncoding.DecodeString({})",
    },
    imports=_imports,
    helpers=(
        "find",
        "parameter",
        "parse",
        "value",
        "sortedForm",
        "sortedPairs",
        "sortedParts",
        "when",
        "escape",
        "pathOf",
        "hostOf",
        "signedHeaders",
    ),
    filters=(_header, _numbered, _compact, _pattern, _without_ends, _new, _sum),
)
