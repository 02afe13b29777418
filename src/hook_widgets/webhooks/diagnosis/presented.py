"""The signatures that a request may carry: in the right place and form, or in another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from hook_widgets.webhooks.diagnosis.causes import Mention
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.scheme import Encoding, HeaderValue, Scheme, Signature
from hook_widgets.webhooks.signing import Algorithm

_LABEL = re.compile(r"^[A-Za-z0-9_-]{1,16}\s*[=:,]\s*|^[A-Za-z]+ +")
_SIZES = (20, 32, 48, 64)
_MOST = 64  # candidates; a request with more texts like signatures is no request


class Candidate(NamedTuple):
    """A signature that may be meant.

    Attributes:
        raw: its bytes.
        mention: why it is not where or what it should be; None when it is.
    """

    raw: bytes
    mention: Mention | None = None


def candidates(
    scheme: Scheme, signature: Signature, texts: tuple[str, ...], headers: Headers
) -> tuple[Candidate, ...]:
    """Every signature that may be meant, those in the right place and form first.

    Args:
        scheme: how the request should be signed.
        signature: which of its signatures is looked for.
        texts: what stands in the signature's own place.
        headers: the request's headers.
    """
    found: dict[bytes, Candidate] = {}
    for candidate in _all(scheme, signature, texts, headers):
        found.setdefault(candidate.raw, candidate)
        if len(found) == _MOST:
            break
    return tuple(found.values())


def tokens(
    scheme: Scheme, signature: Signature, given: tuple[str, ...], headers: Headers
) -> tuple[Candidate, ...]:
    """What may be the secret itself, sent in the signature's place or in ``Authorization``."""
    wanted = {name.lower() for name in _carriers(scheme, signature)} | {"authorization"}
    texts: dict[str, None] = dict.fromkeys(given)
    for name, value in headers.pairs:
        if name.lower() in wanted or name.lower().endswith("token"):
            texts[value.strip()] = None
            texts[_LABEL.sub("", value.strip(), count=1)] = None
    return tuple(Candidate(text.encode()) for text in texts if text)


def _all(
    scheme: Scheme, signature: Signature, texts: tuple[str, ...], headers: Headers
) -> Iterator[Candidate]:
    usual = signature.encoding
    for text in texts:
        raw = usual.read(text)
        if raw:
            yield Candidate(raw)
    for text in texts:
        yield from _mended(text, usual)
    carriers = _carriers(scheme, signature)
    for name, shape in carriers.items():
        spec = scheme.headers[name]
        for value in headers.all(name):
            for cause, mended in (
                ("signature-quotes", value.strip("\"' \t")),
                ("signature-percent", unquote(value)),
            ):
                for found in _matched(scheme, name, mended, signature) if mended != value else ():
                    yield Candidate(found, Mention(cause))
            elements = value.split(spec.list) if isinstance(spec, HeaderValue) else [value]
            for cause, text in _unlabelled(elements):
                for raw in _likely(text, signature):
                    yield Candidate(raw, Mention(cause, _described(shape)))
    plain = {_plain(name) for name in carriers}
    taken = {
        name.lower()
        for name, shapes in scheme.header_shapes.items()
        if any(shape.names & scheme.signature_names for shape in shapes)
    }
    for name, value in headers.pairs:
        if name.lower() not in taken:  # the places of this and the scheme's other signatures
            renamed = _plain(name) in plain
            cause = "signature-header-renamed" if renamed else "signature-header"
            for text in _pieces(value):
                for raw in _likely(text, signature):
                    yield Candidate(raw, Mention(cause, name))


def _matched(scheme: Scheme, name: str, value: str, signature: Signature) -> Iterator[bytes]:
    """The signatures in a header's value of the right shape."""
    spec = scheme.headers[name]
    for element in value.split(spec.list) if isinstance(spec, HeaderValue) else [value]:
        for shape in scheme.header_shapes[name]:
            text = (shape.match(element.strip()) or {}).get(signature.name)
            if text and (raw := signature.encoding.read(text)):
                yield raw


def _mended(text: str, usual: Encoding) -> Iterator[Candidate]:
    """The text after one slip is undone, or read in another encoding."""
    for cause, mended in (
        ("signature-quotes", text.strip("\"' \t")),
        ("signature-percent", unquote(text)),
        ("signature-plus", text.replace(" ", "+")),
        ("signature-padding", text + "=" * (-len(text) % 4)),
    ):
        if mended != text and (raw := usual.read(mended)):
            yield Candidate(raw, Mention(cause))
    if usual is not Encoding.HEX and (raw := _hex(text)):
        yield Candidate(raw, Mention("signature-hex"))
    if usual is not Encoding.BASE64 and (raw := Encoding.BASE64.read(text)):
        yield Candidate(raw, Mention("signature-base64"))
    if usual is not Encoding.BASE64URL and (raw := Encoding.BASE64URL.read(text.rstrip("="))):
        yield Candidate(raw, Mention("signature-base64-url"))
    inner = Encoding.BASE64.read(text)
    if inner and inner.isascii() and (raw := _hex(inner.decode())):
        yield Candidate(raw, Mention("signature-hex-in-base64"))


def _carriers(scheme: Scheme, signature: Signature) -> dict[str, str]:
    """The headers that carry the signature, and the text of their template."""
    return {
        name: scheme.header_template(name).text
        for name, shapes in scheme.header_shapes.items()
        if any(signature.name in shape.names for shape in shapes)
    }


def _unlabelled(elements: list[str]) -> Iterator[tuple[str, str]]:
    """Texts in a header of another shape than the provider's: without label, or with another one."""
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
    """The bytes of a text that has the length of a signature; nothing for any other text."""
    usual, size = signature.encoding, signature.algorithm.size
    if signature.algorithm is Algorithm.TOKEN:
        if raw := usual.read(text):
            yield raw
        return
    if not 20 <= len(text) <= 1024:
        return
    for raw in (usual.read(text), _hex(text), Encoding.BASE64.read(text)):
        if raw and (len(raw) in _SIZES if size in _SIZES else 64 <= len(raw) <= 512):
            yield raw
            return


def _hex(text: str) -> bytes | None:
    return Encoding.HEX.read(text) if re.fullmatch(r"(?:[0-9a-fA-F]{2})+", text) else None


def _plain(name: str) -> str:
    """A header's name without what frameworks do to it (``HTTP_X_HUB_SIGNATURE``)."""
    plain = name.lower().replace("_", "-")
    return plain.removeprefix("http-")


def _described(shape: str) -> str:
    return re.sub(r"\{(\w+)\}", r"<\1>", shape)


__all__ = ["Candidate", "candidates", "tokens"]
