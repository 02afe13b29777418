"""Explain why the signatures of two recorded requests differ, from what is recorded: no key is needed."""

from __future__ import annotations

from typing import Final

from hook_widgets.errors import WebhookError
from hook_widgets.webhooks import registry
from hook_widgets.webhooks.keys.key_pair import KeyType
from hook_widgets.webhooks.recordings.exchange import Exchange
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.scheme import Scheme
from hook_widgets.webhooks.scheme.fields import SOURCES
from hook_widgets.webhooks.verification.parsing import Reading, read
from hook_widgets.webhooks.verification.parsing.errors import ParseError

_LABELS: Final = {"url": "URL"}
_MAX_PARTS: Final = 6  # named parts


def explain_difference(before: Exchange, after: Exchange) -> str:
    """Return a sentence on why the signatures of two requests of one provider differ.

    The sentence names the signed parts that differ; "" if the provider is unknown, or if there is nothing to
    explain.

    Args:
        before: the first exchange.
        after: the second one.
    """
    known = before.request.body is not None and after.request.body is not None
    if not known or not before.provider or before.provider != after.provider:
        return ""
    try:
        provider = registry.provider(before.provider)
        readings = [read(provider, exchange.request.received()) for exchange in (before, after)]
        return _explain(provider, *readings)
    except (WebhookError, ParseError):  # no such provider, or a request without a readable signature
        return ""


def _explain(provider: Provider, before: Reading, after: Reading) -> str:
    same = before.candidates == after.candidates
    if before.scheme.name != after.scheme.name:
        names = [reading.scheme.title or reading.scheme.name for reading in (before, after)]
        return f"The signatures differ because the schemes do: {names[0]} and {names[1]}."
    algorithm = before.scheme.signatures[0].algorithm
    if algorithm.reveals_secret:
        return "" if same else "Nothing is signed: the tokens differ."
    if _messages(provider, before) == _messages(provider, after):
        if same:
            return ""
        if algorithm.key_type is KeyType.ECDSA_P256:
            return "No signed part differs: ECDSA signatures differ each time, also with the same key."
        return "The signatures differ because the keys do: no signed part differs."
    parts = _joined(_differing(before, after))
    if same:
        return f"The signature is the same although it covers the {parts}, so one of the two is invalid."
    return f"The signatures differ because signed parts do: {parts}."


def _messages(provider: Provider, reading: Reading) -> list[bytes]:
    return [job.job.message for job in reading.questions(provider.key.spec)]


def _differing(before: Reading, after: Reading) -> list[str]:
    """Return the labels of the signed fields that differ, in the order of the base string."""
    labels: dict[str, None] = {}
    for name in before.scheme.signatures[0].template.order:
        if before.fields[name] != after.fields[name]:
            sources = [field for field in _sources(before.scheme, name) if _differs(field, before, after)]
            labels |= dict.fromkeys(
                _LABELS.get(field, field.replace("_", " ")) for field in sources or [name]
            )
    return list(labels)


def _sources(scheme: Scheme, name: str) -> list[str]:
    """Return the fields that the request itself states, and from which a field is computed."""
    closure = scheme.closure([name])
    stated = closure - SOURCES.keys() - scheme.fields.keys() - {"unsigned_body"}
    return sorted(stated | ({"body"} & closure))


def _differs(field: str, before: Reading, after: Reading) -> bool:
    known = field in before.fields and field in after.fields
    return known and before.fields[field] != after.fields[field]


def _joined(parts: list[str]) -> str:
    shown = parts[:_MAX_PARTS] + ([f"{len(parts) - _MAX_PARTS} more"] if len(parts) > _MAX_PARTS else [])
    return "".join(shown) if len(shown) < 2 else f"{', '.join(shown[:-1])} and {shown[-1]}"
