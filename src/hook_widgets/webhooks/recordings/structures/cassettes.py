"""Bring the cassettes of VCR, vcrpy and Betamax into the form of HAR, and recognize stubs of WireMock."""

from __future__ import annotations

import re
from typing import Any, Final

from hook_widgets.webhooks.recordings.structures.mappings import Pairs

YAML: Final = re.compile(
    r"(?:---\s{1,9})?(?:version: \d\s{1,9})?(?:(?:http_)?interactions:\s|-\s{1,9}request:\s)"
)
"""The beginning of a cassette in YAML, of which only the form in JSON is read."""

_INTERACTIONS: Final = ("http_interactions", "interactions")
_PATTERNS: Final = ("urlPath", "urlPattern", "urlPathPattern", "urlPathTemplate", "bodyPatterns")
_MATCHERS: Final = (
    "equalTo",
    "matches",
    "doesNotMatch",
    "contains",
    "absent",
    "caseInsensitive",
    "hasExactly",
)


def cassette(value: Pairs) -> Pairs | None:
    """Return the requests of a cassette, with their responses, as HAR; None if it is none."""
    interactions = value.first(*_INTERACTIONS)
    if type(interactions) is not list or not all(map(_is_interaction, interactions)):
        return None
    if not interactions and value.first("recorded_with") is None:
        return None
    return Pairs([("log", Pairs([("entries", [_entry(each) for each in interactions])]))])


def _is_interaction(interaction: Any) -> bool:
    return isinstance(interaction, Pairs) and isinstance(interaction.first("request"), Pairs)


def _entry(interaction: Pairs) -> Pairs:
    request, response = interaction.first("request"), interaction.first("response")
    text, coded = _body(request)
    body = ("body", text) if coded is None else ("postData", coded)
    url, method = request.first("uri", "url"), request.first("method")
    members = Pairs([("method", method), ("url", url), ("headers", request.first("headers")), body])
    entry = Pairs([("request", members)])
    status = response.first("status") if isinstance(response, Pairs) else None
    if isinstance(status, Pairs):
        text, coded = _body(response)
        members = Pairs([("status", status.first("code")), ("statusText", status.first("message"))])
        members += [("headers", response.first("headers")), ("content", coded or Pairs([("text", text)]))]
        entry.append(("response", members))
    return entry


def _body(message: Pairs) -> tuple[Any, Pairs | None]:
    """Return the text of a body, and else its base64 as HAR has it."""
    body = message.first("body")
    if not isinstance(body, Pairs):
        return body, None
    coded = body.first("base64_string")
    return body.first("string"), coded and Pairs([("text", coded), ("encoding", "base64")])


def is_stub(value: Any) -> bool:
    """Return True for a stub of WireMock, which has patterns where a request has values."""
    stubs = value.first("mappings") if isinstance(value, Pairs) else None
    stub = stubs[0] if isinstance(stubs, list) and stubs else value
    request = stub.first("request") if isinstance(stub, Pairs) else None
    if not isinstance(request, Pairs) or stub.first("response") is None:
        return False
    headers = request.first("headers")
    values = [text for _, text in headers] if isinstance(headers, Pairs) else []
    return (
        stub is not value
        or request.first(*_PATTERNS) is not None
        or any(isinstance(text, Pairs) and text.first(*_MATCHERS) is not None for text in values)
    )
