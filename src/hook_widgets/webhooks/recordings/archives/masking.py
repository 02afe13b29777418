"""Replace credentials in recorded requests, before these are exported."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final
from urllib.parse import unquote_plus

from hook_widgets.errors import WebhookError
from hook_widgets.webhooks import registry
from hook_widgets.webhooks.body import forms, json_edit
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.recordings.exchange import Exchange, RecordedRequest
from hook_widgets.webhooks.scheme import CredentialPlace, credential_places

MASK: Final = "REDACTED"

_NAMES: Final = frozenset(
    {
        "api-key",
        "apikey",
        "authorization",
        "cookie",
        "private-token",
        "proxy-authorization",
        "set-cookie",
        "x-access-token",
        "x-api-key",
        "x-auth-token",
    }
)
_PARAMETER: Final = re.compile(r"(?<=[?&])([^=&#?]*)=([^&#]+)")
_PARAMETER_NAME: Final = re.compile(
    r"token|secret|passw|pwd|api_?key|access_?key|credential|auth", re.IGNORECASE
)
_USER: Final = re.compile(r"(?<=//)[^/?#@]*@")


def masked(exchange: Exchange) -> Exchange:
    """Return the exchange with `MASK` for everything that is a credential.

    These are the values that a provider's token stands in, the values of headers such as Authorization and
    Cookie, and user names and parameters such as ``token`` in the URL. A signature is no credential, even in
    Authorization.
    """
    places, signed = _places(exchange.provider)
    request, response = exchange.request, exchange.response
    body, notes = _body(request.body, places)
    names = _NAMES - signed | {place.name.lower() for place in places if place.part == "header"}
    return replace(
        exchange,
        request=replace(
            request,
            url=_url(request.url, signed),
            headers=_headers(request.headers, names),
            body=body,
            notes=(*request.notes, *notes),
        ),
        response=response and replace(response, headers=_headers(response.headers, _NAMES)),
    )


def masked_request(request: RecordedRequest, provider: str) -> RecordedRequest:
    """Return one request as `masked` does."""
    return masked(Exchange(request=request, provider=provider)).request


def _places(provider: str) -> tuple[tuple[CredentialPlace, ...], frozenset[str]]:
    """Return where a provider's requests carry a credential, and what carries a signature.

    All places of all providers, if the provider is unknown.
    """
    try:
        sources: Iterable[registry.Provider] = (
            [registry.provider(provider)] if provider else registry.providers()
        )
    except WebhookError:  # the file of a user's provider is gone
        sources = registry.providers()
    sources = list(sources)
    schemes = [scheme for source in sources for scheme in source.schemes]
    places = tuple(dict.fromkeys(place for scheme in schemes for place in credential_places(scheme)))
    signed: set[str] = set()
    if provider and len(sources) == 1:
        for scheme in schemes:
            names = {s.name for s in scheme.signatures if not s.algorithm.reveals_secret}
            signed |= {name.lower() for name in scheme.headers if scheme.header_template(name).names & names}
            signed |= {name.lower() for name in scheme.query}
    return places, frozenset(signed)


def _headers(headers: Headers, names: Iterable[str]) -> Headers:
    return Headers(
        (name, MASK if value and name.lower() in names else value) for name, value in headers.multi_items()
    )


def _url(url: str, signed: Iterable[str]) -> str:
    def parameter(match: re.Match[str]) -> str:
        name = unquote_plus(match[1])
        secret = _PARAMETER_NAME.search(name) and name.lower() not in signed
        return f"{match[1]}={MASK}" if secret else match[0]

    return _PARAMETER.sub(parameter, _USER.sub(f"{MASK}@", url))


def _body(body: bytes | None, places: Iterable[CredentialPlace]) -> tuple[bytes | None, list[str]]:
    for place in places:
        if not body or place.part == "header":
            continue
        name = place.name.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
        if name.encode() not in body:
            continue
        changed = _in_json(body, place.name) if place.part == "json" else _in_form(body, place.name)
        if changed is None:
            return None, ["the body is left out, because it may contain the credential"]
        body = changed
    return body, []


def _in_json(body: bytes, pointer: str) -> bytes | None:
    path = ".".join(step.replace("~1", "/").replace("~0", "~") for step in pointer[1:].split("/"))
    try:
        span = json_edit.span(body, path)
    except WebhookError:
        return None
    return body if span is None else body[: span[0]] + f'"{MASK}"'.encode() + body[span[1] :]


def _in_form(body: bytes, name: str) -> bytes | None:
    try:
        pairs = forms.parse_form(body)
    except WebhookError:
        return None
    if b"\n" in body or not pairs:  # a multipart body
        return None
    return forms.encode_form((key, MASK if key == name else value) for key, value in pairs)
