"""Recognise the provider of a request by its headers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from hook_widgets.webhooks import registry
from hook_widgets.webhooks.body.template import Template
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.recordings.arguments import HeadersLike, headers_argument
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.scheme import Scheme
from hook_widgets.webhooks.verification.parsing.errors import ParseError
from hook_widgets.webhooks.verification.parsing.parsed_request import ParsedRequest

MAX_PROVIDERS = 8
"""Providers that are named, if more may have sent a request."""


def detect(headers: HeadersLike, body: bytes = b"") -> tuple[Provider, ...]:
    """Return the providers that may have sent a request, the likeliest first; none if none is recognised.

    A provider is considered if the request has a header or body value that carries its signature. Its score
    is what else the request shares with it; rare header names and values count more than common ones.

    Args:
        headers: the headers as received, in any form that `verify` takes.
        body: the raw body; needed only if the body carries the signature.

    >>> [p.id for p in detect({"X-Slack-Signature": "v0=00", "X-Slack-Request-Timestamp": "1790000000"})]
    ['slack']
    """
    return ranked(headers_argument(headers).headers, body)[:MAX_PROVIDERS]


def ranked(fields: Headers, body: bytes) -> tuple[Provider, ...]:
    """Return all providers that may have sent a request, the likeliest first. See `detect`."""
    values = {name.lower(): value for name, value in reversed(fields.multi_items())}
    scores: dict[str, float] = {}
    providers: dict[str, Provider] = {}
    for candidate in _candidates():
        name = candidate.provider.id
        in_body = not candidate.carriers and _body_carries_signature(candidate.scheme, fields, body)
        score = 4.0 if in_body else 0.0
        if in_body or not candidate.carriers.isdisjoint(values):
            score += _score(candidate, values)
        if score > scores.get(name, 0.0):
            scores[name], providers[name] = score, candidate.provider
    # With equal scores, a standard that many providers follow goes first.
    best = sorted(scores, key=lambda name: (-scores[name], providers[name].kind != "generic", name))
    if not best:
        return ()
    threshold = scores[best[0]] / 2
    return tuple(providers[name] for name in best if scores[name] >= threshold)


class _Candidate(NamedTuple):
    """One scheme of a provider, with the headers of its requests in lower case."""

    provider: Provider
    scheme: Scheme
    headers: dict[str, tuple[float, dict[str, float], tuple[Template, ...]]]
    """with the weight of the name, the weight of each constant value, and the shapes of the value"""
    carriers: frozenset[str]  # of the signature


@registry.per_registry
def _candidates(providers: tuple[Provider, ...]) -> tuple[_Candidate, ...]:
    usage = Counter(name for p in providers for name in {h.lower() for s in p.schemes for h in s.headers})
    constants = Counter(
        pair
        for p in providers
        for pair in {(h.lower(), text) for s in p.schemes for h in s.headers for text in _constants(s, h)}
    )

    def weight(of: int) -> float:
        return math.log((1 + len(providers)) / of)

    return tuple(
        _Candidate(
            provider,
            scheme,
            {
                name.lower(): (
                    weight(usage[name.lower()]),
                    {text: weight(constants[name.lower(), text]) for text in _constants(scheme, name)},
                    _shapes(scheme, name),
                )
                for name in scheme.headers
            },
            frozenset(name.lower() for name in scheme.carriers(scheme.signature_names)),
        )
        for provider in providers
        for scheme in provider.schemes
    )


def _shapes(scheme: Scheme, name: str) -> tuple[Template, ...]:
    return (*scheme.header_shapes[name], scheme.header_template(name))


def _constants(scheme: Scheme, name: str) -> set[str]:
    return {shape.text for shape in _shapes(scheme, name) if not shape.names}


def _score(candidate: _Candidate, values: Mapping[str, str]) -> float:
    """Return how well headers, by name in lower case, fit those of a scheme."""
    score = 0.0
    for name, (weight, constants, shapes) in candidate.headers.items():
        value = values.get(name)
        if value is None:
            score -= 0.05 * weight
        elif value in constants:
            score += max(1.5 * weight, constants[value])
        elif any(shape.names and shape.match(value) is not None for shape in shapes):
            score += weight
        elif name in candidate.carriers:
            score += 0.2 * weight
    return score


def _body_carries_signature(scheme: Scheme, headers: Headers, body: bytes) -> bool:
    """Return True if the body carries the scheme's signature."""
    field = scheme.signatures[0].name
    paths = [path for path, shape in scheme.body_templates.items() if field in shape.names]
    paths += [name for name, text in scheme.form.items() if field in Template(text).names]
    # Searching for the names is much cheaper than parsing a long body.
    if not any(all(n.isdigit() or n.encode() in body for n in path.split(".")) for path in paths):
        return False
    try:
        return field in ParsedRequest(scheme, headers, body).values
    except ParseError:
        return False
