"""Collect what a request shows by itself if no hypothesis verifies: damage, another secret, other headers.

A hint is not proven by a signature, unlike a finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hook_widgets.webhooks.diagnosis.causes import CauseRef
from hook_widgets.webhooks.diagnosis.evidence import ReceivedEvidence
from hook_widgets.webhooks.diagnosis.guesses.json_rewriting import JsonText
from hook_widgets.webhooks.diagnosis.guesses.json_values import rounded_integers
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.scheme import SharedSecretSpec

if TYPE_CHECKING:
    from hook_widgets.webhooks.requests.provider import Provider

_REPLACEMENT = "\ufffd".encode()
_MAX_JSON = 1 << 20  # bytes of a body in which rounded integers are looked for
_MAX_NAMED = 3  # other providers that are named
# Beginnings of texts that are a shared secret of no provider.
_NEVER_SECRETS = {
    "https://": "a URL",
    "http://": "a URL",
    "-----BEGIN": "a key or certificate in PEM",
    "ssh-": "an SSH key",
}
_MAGIC = {"gzip": b"\x1f\x8b", "x-gzip": b"\x1f\x8b", "deflate": b"\x78"}


def hints_of(evidence: ReceivedEvidence, likely: Iterable[Provider]) -> tuple[CauseRef, ...]:
    """Return what a request shows by itself, the most telling first.

    Args:
        evidence: the request.
        likely: the providers that its headers fit.
    """
    return (*_headers(evidence, likely), *_body(evidence), *_url(evidence), *_sender(evidence))


def secret_hints(key: object, spec: object) -> tuple[CauseRef, ...]:
    """Return why a secret is not the one that signs; the text of the secret is never repeated.

    Args:
        key: the key that was given.
        spec: the definition of the provider's key.
    """
    if not isinstance(key, Secret) or not isinstance(spec, SharedSecretSpec):
        return ()
    text = key.reveal().strip().strip("\"'")
    for beginning, kind in (*spec.mistaken.items(), *_NEVER_SECRETS.items()):
        if text.startswith(beginning):
            return (CauseRef("secret-kind", f"{beginning}… is {kind}, not a {spec.title.lower()}"),)
    if spec.prefix and not text.startswith(spec.prefix):
        return (CauseRef("secret-form", spec.described),)
    return ()


def _headers(evidence: ReceivedEvidence, likely: Iterable[Provider]) -> Iterator[CauseRef]:
    titles = [] if any(p.id == evidence.provider.id for p in likely) else [p.title for p in likely]
    if titles:
        yield CauseRef("provider-headers", " or ".join(titles[:_MAX_NAMED]))


def _body(evidence: ReceivedEvidence) -> Iterator[CauseRef]:
    request, headers = evidence.request, evidence.request.headers
    body = request.body
    encoding = headers.get("Content-Encoding", "").strip().lower()
    compressed = body.startswith(_MAGIC.get(encoding, b"\x1f\x8b"))
    length = headers.get("Content-Length", "").strip()
    if length.isascii() and length.isdigit() and len(length) < 16 and int(length) != len(body):
        sizes = f"{len(body)} bytes, and Content-Length says {length}"
        if len(body) > int(length):
            yield CauseRef("body-longer", sizes)
        elif body or request.method not in ("GET", "HEAD"):
            yield CauseRef("body-cut-off", sizes)
    if _REPLACEMENT in body:
        yield CauseRef("body-replacement", str(body.count(_REPLACEMENT)))
    if encoding and encoding != "identity" and not compressed:
        yield CauseRef("body-content-encoding", encoding)
    if len(body) <= _MAX_JSON and (json_text := JsonText.read(body)) is not None:
        suspects = list(rounded_integers(json_text))
        if suspects:
            yield CauseRef("body-integer-rounded", suspects[0])


def _url(evidence: ReceivedEvidence) -> Iterator[CauseRef]:
    url = evidence.request.url
    if "url" not in evidence.needed or not url:
        return
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    if not parts.netloc:
        yield CauseRef("url-relative", url)
    elif parts.path in ("", "/"):
        yield CauseRef("url-no-path", f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}")


def _sender(evidence: ReceivedEvidence) -> Iterator[CauseRef]:
    provider = evidence.provider
    template = evidence.scheme.closure(evidence.signature.template.names)
    carried = {name for shapes in evidence.scheme.header_shapes.values() for s in shapes for name in s.names}
    for name, part in provider.parts.items():
        if part.value is not None and name in template - carried and name not in evidence.parts:
            yield CauseRef("part-unknown", name)
    if provider.responses.rejected_status is not None:
        yield CauseRef("signature-on-purpose", f"{provider.title} / {provider.responses.rejected_status}")
