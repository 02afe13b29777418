"""Collect the texts of a request that may be its signature: in the right place and form, or in another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote

from hook_widgets.webhooks.diagnosis.causes import CauseRef
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.keys.signing import Algorithm
from hook_widgets.webhooks.recordings.pasted.characters import visible
from hook_widgets.webhooks.requests.request import ReceivedRequest
from hook_widgets.webhooks.scheme import Encoding, HeaderValue, Scheme, Signature

_LABEL = re.compile(r"^[A-Za-z0-9_-]{0,16}\(stdin\)= |^[A-Za-z0-9_-]{1,16}\s*[=:,]\s*|^[A-Za-z]+ +")
_QUOTES = "\"' \t“”„‘’‚[](),;"
# The value as programs print it: b'...', ['...'] or ("...",).
_PRINTED = re.compile(r"\s*[\[(]?\s*[bB]?([\"'])([^\"']{1,2000})\1\s*,?\s*[\])]?\s*")
_SEPARATOR = re.compile(r"^0[xX]|[-: ]")  # BitConverter.ToString of .NET writes AB-CD
_MAX_HEX = 512  # characters of a signature in hex with separators
_SIZES = (20, 32, 48, 64)
# An older token that names the sender in JSON, a form, or JSON in a form: token, verification_token.
_TOKEN = re.compile(rb'token(?:=|"\s{0,4}:\s{0,4}"|%22%3A%22)([\w.-]{8,200})')
_TOKEN_NAME = re.compile(rb'(?:^|[&"]|%22)((?:\w{1,40}_)?)$')
_MAX_NAME = 45  # bytes before it
_MAX_TOKENS, _MAX_BODY = 4, 1 << 16
_MAX_CANDIDATES = 64  # more texts that look like signatures are not in any genuine request


class Candidate(NamedTuple):
    """A text that may be the signature.

    Attributes:
        raw: its bytes.
        cause: the reason why its place or form is not the expected one; None if it is.
    """

    raw: bytes
    cause: CauseRef | None = None


def candidates(
    scheme: Scheme, signature: Signature, texts: tuple[str, ...], headers: Headers
) -> tuple[Candidate, ...]:
    """Return the candidates for the signature, those in the right place and form first.

    Args:
        scheme: the scheme that the request should follow.
        signature: the signature of the scheme to look for.
        texts: the texts at the signature's own place.
        headers: the request's headers.
    """
    unique: dict[bytes, Candidate] = {}
    for candidate in _all(scheme, signature, texts, headers):
        unique.setdefault(candidate.raw, candidate)
        if len(unique) == _MAX_CANDIDATES:
            break
    return tuple(unique.values())


def split_header(scheme: Scheme, signature: Signature, headers: Headers) -> str:
    """Return the signature's header if it was split, so that its first line has no signature; "" if not."""
    for name in _carriers(scheme, signature):
        values = headers.get_list(name)
        if len(values) > 1 and not any(_matched(scheme, name, values[0], signature)):
            return name
    return ""


def tokens(
    scheme: Scheme, signature: Signature, texts: tuple[str, ...], request: ReceivedRequest
) -> tuple[Candidate, ...]:
    """Return the texts that may be the secret itself, sent as the signature or beside it.

    A request that has a signature is signed, so a token beside it is none of the secrets that sign.
    """
    carriers = {name.lower() for name in _carriers(scheme, signature)}
    unique: dict[str, CauseRef | None] = dict.fromkeys(texts)
    is_signed = any(signature.encoding.read(text) for text in texts)
    for name, value in request.headers.multi_items():
        lower = name.lower()
        if lower in carriers or lower == "authorization" or lower.endswith("token"):
            beside = CauseRef("secret-shown", name) if is_signed and lower not in carriers else None
            for text in (value.strip(), _LABEL.sub("", value.strip(), count=1)):
                unique.setdefault(text, beside)
    for match in islice(_TOKEN.finditer(request.body[:_MAX_BODY]), _MAX_TOKENS) if is_signed else ():
        start = match.start()
        if before := _TOKEN_NAME.search(request.body[max(start - _MAX_NAME, 0) : start]):
            place = f"{before[1].decode()}token in the body"
            unique.setdefault(match[1].decode(), CauseRef("secret-shown", place))
    return tuple(Candidate(raw, cause) for text, cause in unique.items() if (raw := Encoding.TEXT.read(text)))


def _all(
    scheme: Scheme, signature: Signature, texts: tuple[str, ...], headers: Headers
) -> Iterator[Candidate]:
    encoding = signature.encoding
    for text in texts:
        raw = encoding.read(text)
        if raw:
            yield Candidate(raw)
    for text in texts:
        yield from _repaired(text, encoding)
    carriers = _carriers(scheme, signature)
    for name, shape in carriers.items():
        spec, values = scheme.headers[name], headers.get_list(name)
        for raw in _matched(scheme, name, ",".join(values), signature) if len(values) > 1 else ():
            yield Candidate(raw, CauseRef("signature-split", name))
        for value in values:
            for cause, repaired in (
                ("signature-invisible", visible(value)),
                ("signature-quotes", visible(value).strip(_QUOTES)),
                ("signature-quotes", _PRINTED.sub(r"\2", visible(value))),
                ("signature-quotes", "".join(value.split())),
                ("signature-percent", unquote(value)),
            ):
                for raw in _matched(scheme, name, repaired, signature) if repaired != value else ():
                    yield Candidate(raw, CauseRef(cause))
            elements = value.split(spec.list) if isinstance(spec, HeaderValue) else [value]
            for cause, text in _unlabelled(elements):
                for raw in _likely(text, signature):
                    yield Candidate(raw, _other_encoding(text, raw, encoding) or CauseRef(cause, shape))
    carrier_names = {common_name(name) for name in carriers}
    # The headers that carry this signature and the scheme's other ones.
    checked = {name.lower() for name in scheme.carriers(scheme.signature_names)}
    for name, value in headers.multi_items():
        if name.lower() not in checked:
            renamed = common_name(name) in carrier_names
            cause = "signature-header-renamed" if renamed else "signature-header"
            for text in _pieces(value):
                for raw in _likely(text, signature):
                    yield Candidate(raw, CauseRef(cause, name))


def _matched(scheme: Scheme, name: str, value: str, signature: Signature) -> Iterator[bytes]:
    """Yield the signatures in a header's value of the right shape."""
    spec = scheme.headers[name]
    for element in value.split(spec.list) if isinstance(spec, HeaderValue) else [value]:
        for shape in scheme.header_shapes[name]:
            text = (shape.match(element.strip()) or {}).get(signature.name)
            if text and (raw := signature.encoding.read(text)):
                yield raw


def _repaired(text: str, expected: Encoding) -> Iterator[Candidate]:
    """Yield the signature after one mistake is undone, or decoded from another encoding."""
    for cause, repaired in (
        ("signature-invisible", visible(text)),
        ("signature-quotes", visible(text).strip(_QUOTES)),
        ("signature-percent", unquote(text)),
        ("signature-plus", text.replace(" ", "+")),
        ("signature-padding", text + "=" * (-len(text) % 4)),
    ):
        if repaired != text and (raw := expected.read(repaired)):
            yield Candidate(raw, CauseRef(cause))
    if expected is Encoding.HEX and (raw := _hex(_SEPARATOR.sub("", text[:_MAX_HEX]))):
        yield Candidate(raw, CauseRef("signature-hex-separated"))
    if expected is not Encoding.HEX and (raw := _hex(text)):
        yield Candidate(raw, CauseRef("signature-hex"))
    if expected is not Encoding.BASE64 and (raw := Encoding.BASE64.read(text)):
        yield Candidate(raw, CauseRef("signature-base64"))
    if expected is not Encoding.BASE64URL and (raw := Encoding.BASE64URL.read(text.rstrip("="))):
        yield Candidate(raw, CauseRef("signature-base64-url"))
    inner = Encoding.BASE64.read(text)
    if inner and inner.isascii() and (raw := _hex(inner.decode())):
        yield Candidate(raw, CauseRef("signature-hex-in-base64"))


def _carriers(scheme: Scheme, signature: Signature) -> dict[str, str]:
    """Return the headers that carry the signature, each with the form of its value for people."""
    return {name: scheme.header_template(name).described for name in scheme.carriers({signature.name})}


def _unlabelled(elements: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the texts of a header with another shape than the provider's: without label, or another one."""
    for element in map(str.strip, elements):
        bare = _LABEL.sub("", element, count=1)
        if bare == element:
            yield "signature-label-lost", bare
        else:
            yield "signature-label", bare
            yield "signature-label", _LABEL.sub("", bare, count=1)
    for piece in re.split(r"[,;]\s*| ", " ".join(elements)):
        yield "signature-label", _LABEL.sub("", piece, count=1)


def _pieces(value: str) -> Iterator[str]:
    yield value.strip()
    for piece in re.split(r"[,;]\s*| ", value):
        yield piece.strip()
        yield _LABEL.sub("", piece.strip(), count=1)


def _likely(text: str, signature: Signature) -> Iterator[bytes]:
    """Yield the bytes of a text that has the length of a signature; nothing for any other text."""
    encoding, size = signature.encoding, signature.algorithm.size
    if signature.algorithm is Algorithm.TOKEN:
        if raw := encoding.read(text):
            yield raw
        return
    if not 20 <= len(text) <= 1024:
        return
    fitting = [
        raw
        for raw in (encoding.read(text), _hex(text), Encoding.BASE64.read(text))
        if raw and (len(raw) in _SIZES if size in _SIZES else 64 <= len(raw) <= 512)
    ]
    yield from sorted(fitting, key=lambda raw: len(raw) != size)[:1]  # hex digits are base64, too


def _other_encoding(text: str, raw: bytes, expected: Encoding) -> CauseRef | None:
    """Return the cause that names the encoding of a signature; None if it is the expected one."""
    if expected.read(text) == raw:
        return None
    return CauseRef("signature-hex" if _hex(text) else "signature-base64")


def _hex(text: str) -> bytes | None:
    return Encoding.HEX.read(text) if re.fullmatch(r"(?:[0-9a-fA-F]{2})+", text) else None


def common_name(name: str) -> str:
    """Undo the changes of frameworks to a header's name (``HTTP_X_HUB_SIGNATURE``), in lower case."""
    return name.lower().replace("_", "-").removeprefix("http-")
