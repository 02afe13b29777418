"""Respond to the handshakes of a provider, as a receiver must."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from hook_widgets.errors import HookWidgetsError
from hook_widgets.webhooks.body import locators
from hook_widgets.webhooks.body.template import Template
from hook_widgets.webhooks.keys.key_pair import KeyPair, PublicKey
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.keys.signing import LocalSigner, SigningJob
from hook_widgets.webhooks.requests.handshake import ExpectedResponse, Handshake
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.requests.request import Draft, ReceivedRequest

_FIELD: Final = re.compile(r"\{(\w+)\}")
_NUMBER: Final = re.compile(r"-?\d{1,15}")


@dataclass(frozen=True, slots=True)
class ReceiverResponse:
    """A response of a receiver."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def handshake_response(
    provider: Provider,
    request: ReceivedRequest,
    secret: Secret | KeyPair | PublicKey,
    *,
    genuine: bool,
) -> ReceiverResponse | None:
    """Return the response that the provider expects; None for an event, a forgery or a plain acceptance.

    A handshake without a signature gets the response from any sender, as the provider demands. A token that
    only the provider and the receiver know is not compared: this receiver has none.
    """
    for handshake in provider.handshakes:
        parts = _recognized(provider, handshake, request)
        if parts is None:
            continue
        response = handshake.expected_responses[0]
        if handshake.signed and not genuine:
            return None
        if handshake.signed and response == ExpectedResponse():
            return None  # an accepted event gets the same response
        try:
            return _response(provider, handshake, request, parts, secret)
        except HookWidgetsError:  # a value that cannot be echoed
            return ReceiverResponse(400, {"Content-Type": "text/plain"}, b"")
    return None


def _recognized(provider: Provider, handshake: Handshake, request: ReceivedRequest) -> dict[str, str] | None:
    """Return the values of the provider's parts in a handshake; None if the request is another one."""
    if request.method != handshake.method:
        return None
    query = dict(parse_qsl(urlsplit(request.url).query, keep_blank_values=True))
    event = provider.event(handshake.name)
    parts: dict[str, str] = {}
    for templates, values in (
        (handshake.query, query.get),
        ({**handshake.headers, **event.headers}, request.headers.get),
    ):
        for name, template in templates.items():
            value = values(name)
            if not template:
                continue  # this event lacks the header
            if value is None or (not _FIELD.search(template) and value.partition(";")[0] != template):
                return None
            if field := _FIELD.fullmatch(template):
                parts[field[1]] = value
    markers = handshake.recognized_by
    if handshake.event and not markers and not event.headers:
        return None
    if any(not _has(provider, request.body, path, text) for path, text in markers.items()):
        return None
    return {name: value for name, value in parts.items() if name in provider.parts}


def _has(provider: Provider, body: bytes, path: str, text: str) -> bool:
    try:
        value = locators.written(locators.json_text(body, provider.schemes[0].json_in), path)
    except HookWidgetsError:  # the body is no JSON, or has no such field
        return False
    return value is not None and text in ("", value)


def _response(
    provider: Provider,
    handshake: Handshake,
    request: ReceivedRequest,
    parts: Mapping[str, str],
    secret: Secret | KeyPair | PublicKey,
) -> ReceiverResponse:
    draft = provider.draft(
        event=handshake.name, url=request.url, body=request.body if handshake.event else None, parts=parts
    )
    fields = {**draft.parts, **_signature(draft, handshake, secret)}

    def rendered(template: str) -> str:
        values = {name: fields.get(name) or draft.fields[name] for name in _FIELD.findall(template)}
        return Template(template).render(values).decode()

    response = handshake.expected_responses[0]
    headers = {"Content-Type": "text/plain; charset=utf-8"}
    body = b""
    if response.text is not None:
        body = rendered(response.text).encode()
    elif response.json_members:
        headers["Content-Type"] = "application/json"
        texts = {path: rendered(template) for path, template in response.json_members.items()}
        numbers = {path: int(text) for path, text in texts.items() if _NUMBER.fullmatch(text)}
        body = json.dumps(texts | numbers).encode()
    headers |= {name: rendered(template) for name, template in response.headers.items()}
    return ReceiverResponse(response.status or 200, headers, body)


def _signature(draft: Draft, handshake: Handshake, secret: Secret | KeyPair | PublicKey) -> dict[str, str]:
    """Return the signature that the receiver puts into its response."""
    signature = handshake.signature
    if signature is None or isinstance(secret, PublicKey):
        return {}
    message = signature.template.pieces(draft.fields)
    job = SigningJob(signature.name, signature.algorithm, draft.provider.key.spec, message)
    return {signature.name: signature.encoding.write(LocalSigner(secret).sign([job])[0])}
