"""Signed requests whose parts can be changed one at a time, and signers without the user's secret."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.keys.key_pair import KeyPair
from hook_widgets.webhooks.keys.signing import LocalSigner, SigningJob, sign_with_bytes
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.requests.request import Draft, WebhookRequest
from hook_widgets.webhooks.scheme import AsymmetricKeySpec, Encoding, HeaderValue, Scheme


class BytesSigner:
    """A signer whose key is these bytes, which may be none: `Secret` rejects an empty one."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def sign(self, jobs: Sequence[SigningJob]) -> list[bytes]:
        """Return the raw signature of each job, in order."""
        return [sign_with_bytes(job.algorithm, self._key, job.pieces) for job in jobs]


def throw_away_signer(provider: Provider, random: Random) -> BytesSigner | LocalSigner:
    """Return a signer with a new key of the kind that the provider uses."""
    if isinstance(provider.key, AsymmetricKeySpec):
        return LocalSigner(KeyPair.generate(provider.key.algorithm))
    return BytesSigner(random.randbytes(16).hex().encode())


@dataclass(frozen=True, slots=True)
class Signed:
    """A draft with its signatures, as bytes."""

    draft: Draft
    raw: Mapping[str, bytes]

    @classmethod
    def of(cls, draft: Draft, raw: Iterable[bytes]) -> Signed:
        """Return a draft with the signatures of its jobs, in their order."""
        names = (signature.name for signature in draft.scheme.signatures)
        return cls(draft, dict(zip(names, raw, strict=True)))

    @property
    def texts(self) -> dict[str, str]:
        """The signatures as the scheme writes them, by their names."""
        return {s.name: s.encoding.write(self.raw[s.name]) for s in self.draft.scheme.signatures}

    def request(
        self,
        texts: Mapping[str, str] | None = None,
        *previous: Mapping[str, str],
        body: bytes | None = None,
        headers: Callable[[list[tuple[str, str]]], Iterable[tuple[str, str]]] | None = None,
    ) -> WebhookRequest:
        """Return the request, or a changed one.

        Args:
            texts: other texts of the signatures, by their names.
            *previous: the texts of signatures by previous secrets.
            body: another body.
            headers: returns other headers.
        """
        values = self.texts if texts is None else texts
        pairs = self.draft.render_headers(values, *previous).multi_items()
        return WebhookRequest(
            method=self.draft.method,
            url=self.draft.url,
            headers=Headers(tuple(headers(pairs)) if headers else pairs),
            body=self.draft.render_body(values) if body is None else body,
        )

    def each(self, change: Callable[[str], str]) -> dict[str, str]:
        """Return the texts of all signatures, each changed."""
        return {name: change(text) for name, text in self.texts.items()}

    def with_fields(self, **fields: bytes | str) -> Signed:
        """Return the same signatures on a draft in which these fields have other values."""
        return replace(self, draft=with_fields(self.draft, **fields))


def with_fields(draft: Draft, **fields: bytes | str) -> Draft:
    """Return a draft in which these template fields have other values, and others follow them."""
    return replace(draft, fields=draft.fields.changed(**fields))


def token_field(scheme: Scheme) -> str:
    """Return the field with the signing input of a token (RFC 7515); "" if the scheme has none."""
    return next((name for name, field in scheme.fields.items() if field.jwt is not None), "")


def with_token_header(draft: Draft, field: str, **members: str) -> Draft:
    """Return a draft in which the header of a token has other members."""
    header, claims = draft.fields.text(field).split(".")
    values = json.loads(Encoding.BASE64URL.read(header) or b"") | members
    return with_fields(draft, **{field: f"{Encoding.BASE64URL.write(json.dumps(values).encode())}.{claims}"})


def signature_headers(draft: Draft) -> list[str]:
    """Return the names of the headers that carry a signature."""
    return [name for name, _ in draft.header_templates if draft.signs_header(name)]


def headers_of_fields(draft: Draft, fields: Iterable[str]) -> list[str]:
    """Return the names of the headers that carry one of these template fields."""
    names = set(fields)
    return [name for name, template in draft.header_templates if template.names & names]


def carrier_of(draft: Draft, field: str) -> str:
    """Return the header that carries a template field, or the field itself if none does."""
    return ", ".join(headers_of_fields(draft, [field])) or field


def signs_time(scheme: Scheme) -> bool:
    """Return True if requests carry a time that is signed."""
    return scheme.timestamp is not None and "timestamp" in scheme.signed


def renamed_schemes(provider: Provider, scheme: Scheme) -> list[str]:
    """Return the schemes of a provider that differ from one in the names of headers alone."""
    return [
        other.name
        for other in provider.schemes
        if other.signatures == scheme.signatures
        and other.headers != scheme.headers
        and list(other.headers.values()) == list(scheme.headers.values())
    ]


def without(*names: str) -> Callable[[list[tuple[str, str]]], list[tuple[str, str]]]:
    """Return a function that drops the headers of these names."""
    lower = {name.lower() for name in names}
    return lambda pairs: [(name, value) for name, value in pairs if name.lower() not in lower]


def without_field(
    scheme: Scheme, header: str, field: str, pairs: list[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """Yield headers without a template field of one of them: an element of its list, or the whole header."""
    spec = scheme.headers.get(header)
    for name, value in pairs:
        if name != header:
            yield name, value
        elif isinstance(spec, HeaderValue):
            parts = zip(spec.elements, value.split(spec.list), strict=False)
            yield name, spec.list.join(part for element, part in parts if field not in element.names)
