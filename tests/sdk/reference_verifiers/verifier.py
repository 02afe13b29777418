"""The record of a verifier, and the few things that all adapters need.

An adapter hands a request to a library that verifies it and returns what the library says. It catches only
the error by which that library rejects, so that a parser which fails for another reason never passes for a
rejection.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl

from hook_widgets.webhooks import WebhookRequest

Accepts = Callable[[WebhookRequest, str], bool]
"""Return True if the library accepts a request with this secret, or public key of a key pair."""

Tamper = Callable[[WebhookRequest], WebhookRequest]


def is_form(request: WebhookRequest) -> bool:
    """Return True if the body is a form by its content type."""
    return request.headers["Content-Type"].startswith("application/x-www-form-urlencoded")


def form(request: WebhookRequest) -> dict[str, str]:
    """The parameters of a form body, decoded."""
    return dict(parse_qsl(request.body.decode(), keep_blank_values=True))


def headers(request: WebhookRequest) -> dict[str, str]:
    """The headers by lower-case name, as most frameworks hand them out."""
    return {name.lower(): value for name, value in request.headers.multi_items()}


def claims(token: str) -> dict[str, Any]:
    """The claims of a JSON Web Token, unverified."""
    part = token.split(".")[1]
    loaded: dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return loaded


def holds(
    rejection: type[Exception] | tuple[type[Exception], ...],
    verify: Callable[..., object],
    *args: object,
    says: str = "",
    **keywords: object,
) -> bool:
    """Return True if `verify(*args, **keywords)` raises nothing.

    Args:
        rejection: the error by which the library rejects.
        verify: the library's function.
        *args: for the function.
        says: a pattern that the error's text must contain to be a rejection, where a library raises one class
            for everything.
        **keywords: for the function.
    """
    try:
        verify(*args, **keywords)
    except rejection as error:
        if re.search(says, str(error)) is None:
            raise
        return False
    return True


def change_body(request: WebhookRequest) -> WebhookRequest:
    """The request with something added to its body, which stays well formed: only the signature is wrong."""
    return replace(request, body=request.body + (b"&added=1" if is_form(request) else b" "))


def add_member(request: WebhookRequest) -> WebhookRequest:
    """The request with one more member in its JSON object: for verifiers that re-serialize the body."""
    return replace(request, body=request.body.replace(b"{", b'{"added":1,', 1))


def change_url(request: WebhookRequest) -> WebhookRequest:
    """The request at another URL: for schemes that sign the URL and not the body."""
    return replace(request, url=request.url + "&added=1")


@dataclass(frozen=True)
class Verifier:
    """One library that verifies one provider's requests.

    Attributes:
        provider: the provider's id.
        call: what is called, as its documentation names it.
        accepts: asks it.
        own: whether the library is the provider's own; somebody else's verifier otherwise.
        max_age_s: the age in seconds beyond which it rejects; None when it looks at no clock.
        tamper: changes something that is signed; None when nothing is (plain tokens).
        schemes: the names of the schemes that it knows; empty when it knows them all.
        misses: events for which it departs from the provider's documentation.
        rolls: whether it finds the second of two signatures.
    """

    provider: str
    call: str
    accepts: Accepts
    own: bool = True
    max_age_s: int | None = None
    tamper: Tamper | None = change_body
    schemes: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()
    rolls: bool = True

    def __str__(self) -> str:
        return f"{self.provider}: {self.call}"


def peer(provider: str, call: str, accepts: Accepts, **more: Any) -> Verifier:
    """A verifier of a third party."""
    return Verifier(provider, call, accepts, own=False, **more)
