"""Mask secrets and valid signatures in what a report shows of requests and responses."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final
from urllib.parse import quote

from hook_widgets.errors import InvalidSecret
from hook_widgets.receivers.reporting.report import MASK, SentRequest, SentResponse
from hook_widgets.receivers.sending import Exchange
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.keys.secret import KeySpec, Secret
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.scheme import SharedSecretSpec

_SHORTEST: Final = 6  # characters of a secret's beginning that are masked, too
_READ: Final = 4000  # characters of a body that are searched
_SHOWN: Final = (
    1500  # characters of a body in a report: so many fewer that a secret cut at _READ is not shown
)
_MAX_HEADERS: Final = 40
_MAX_VALUE: Final = 300  # characters
# Control characters except tab and line ends, and halves of surrogate pairs.
_UNSHOWN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_QUERY: Final = re.compile(r"(?<=[?&])([^=&#]*)=([^&#]*)")


class Redactor:
    """Replaces secrets, in every usual encoding, and valid signatures.

    Args:
        provider: the provider, whose secrets have a known beginning, which may be shown.
        *keys: the keys in this process; those that are no shared secrets show nothing.
    """

    def __init__(self, provider: Provider, *keys: object) -> None:
        self._prefix = known_prefix(provider)
        secrets = [key for key in keys if isinstance(key, Secret)]
        self._secrets = [f for each in secrets for f in spellings(each, provider.key.spec, self._prefix)]
        starts = {self._beginning(form, _SHORTEST) for form in self._secrets}
        longest_first = sorted(starts, key=len, reverse=True)
        self._starts = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")
        self._signatures: set[str] = set()

    def add_signature(self, *texts: str) -> None:
        """Mask these valid signatures from now on."""
        self._signatures.update(text for text in texts if text)

    @property
    def has_secret(self) -> bool:
        """True if the secret is known, so that texts can be searched for it."""
        return bool(self._secrets)

    def leaks(self, text: str) -> bool:
        """Return True if a text holds the secret or its beginning of at least 8 characters."""
        return any(self._beginning(form, 8) in text for form in self._secrets)

    def mask(self, text: str) -> str:
        """Return the text with `MASK` for each secret, beginning of a secret and valid signature.

        What cannot be encoded or shown becomes U+FFFD.
        """
        text = _UNSHOWN.sub("\ufffd", text)
        for signature in sorted(self._signatures, key=len, reverse=True):
            text = text.replace(signature, MASK)
        return self._without_secrets(text)

    def request(self, exchange: Exchange) -> SentRequest:
        """Return the request of an exchange as a report shows it."""
        request = exchange.request
        return SentRequest(
            label=exchange.label,
            method=request.method,
            url=self.mask(mask_query(request.url)),
            headers=self._headers(request.headers),
            body=self._body(request.body[:_READ].decode("utf-8", "replace")),
            body_length=len(request.body),
        )

    def response(self, exchange: Exchange) -> SentResponse:
        """Return the response of an exchange as a report shows it."""
        delivery = exchange.delivery
        return SentResponse(
            status=delivery.status,
            headers=self._headers(delivery.headers),
            body=self._body(delivery.beginning(_READ)),
            error=delivery.error.cause if delivery.error else "",
            elapsed_s=delivery.elapsed_s,
        )

    def _without_secrets(self, text: str) -> str:
        """Replace each secret, and its beginning of `_SHORTEST` characters or more.

        Secrets may begin alike: at each place the longest part of any of them is replaced.
        """
        pieces: list[str] = []
        done = 0
        while match := self._starts.search(text, done):
            at = match.start()
            length = max(
                _common(text, at, form)
                for form in self._secrets
                if text.startswith(self._beginning(form, _SHORTEST), at)
            )
            pieces += [text[done:at], MASK]
            done = at + length
        return "".join((*pieces, text[done:]))

    def _beginning(self, form: str, size: int) -> str:
        """Return the beginning of a form: that many characters after the known prefix."""
        known = len(self._prefix) if form.startswith(self._prefix) else 0
        return form[: known + size]

    def _headers(self, headers: Headers) -> tuple[tuple[str, str], ...]:
        pairs = headers.multi_items()[:_MAX_HEADERS]
        return tuple(
            (self.mask(name[:_READ])[:100], self.mask(value[:_READ])[:_MAX_VALUE]) for name, value in pairs
        )

    def _body(self, text: str) -> str:
        return self.mask(text)[:_SHOWN]


def mask_query(url: str) -> str:
    """Return a URL without the values of its query, which may be credentials.

    >>> mask_query("http://127.0.0.1/hooks?token=s3cr3t&x")
    'http://127.0.0.1/hooks?token=••••&x'
    """
    return _QUERY.sub(rf"\1={MASK}", url)


def known_prefix(provider: Provider) -> str:
    """Return the known beginning of a provider's secrets, or "" for none."""
    return provider.key.prefix if isinstance(provider.key, SharedSecretSpec) else ""


def spellings(secret: Secret, spec: KeySpec, prefix: str) -> Iterator[str]:
    """Yield the usual encodings of a secret and of its key."""
    text = secret.reveal()
    bodies = dict.fromkeys((text.removeprefix(prefix) or text, text))
    keys = [body.encode() for body in bodies]
    with suppress(InvalidSecret):  # its text is masked all the same; signing reports the fault
        keys.append(secret.key_bytes(spec))
    yield from bodies
    for key in dict.fromkeys(keys):
        yield key.hex()
        yield key.hex().upper()
        yield base64.b64encode(key).decode().rstrip("=")
        yield base64.urlsafe_b64encode(key).decode().rstrip("=")
    for body in bodies:
        yield quote(body, safe="")
        yield json.dumps(body)[1:-1]


def _common(text: str, at: int, form: str) -> int:
    """Return how many characters of a form a text has at an index."""
    pairs = zip(text[at : at + len(form)], form, strict=False)
    same = next((n for n, (a, b) in enumerate(pairs) if a != b), None)
    return min(len(text) - at, len(form)) if same is None else same
