"""Whose request it is, told by its headers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from hook_widgets.webhooks import catalog
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.provider import Provider
from hook_widgets.webhooks.reading.carried import Carried
from hook_widgets.webhooks.reading.misread import Misread
from hook_widgets.webhooks.scheme import Scheme
from hook_widgets.webhooks.text.template import Template

_MOST = 8


def detect(headers: Mapping[str, str] | Iterable[tuple[str, str]], body: bytes = b"") -> tuple[Provider, ...]:
    """The providers whose request this may be, the likeliest first; none when no signature is recognised.

    A provider is considered when a place of its signature is there. What it then shares with the request
    counts, rare header names more than common ones.

    Args:
        headers: the headers as received.
        body: the raw body; needed only where the signature stands in it.

    >>> [p.id for p in detect({"X-Slack-Signature": "v0=00", "X-Slack-Request-Timestamp": "1790000000"})]
    ['slack']
    """
    given = Headers(headers)
    scores: dict[str, float] = {}
    known: dict[str, Provider] = {}
    for candidate in _candidates():
        name = candidate.provider.id
        score = _score(candidate, given, body)
        if score > scores.get(name, 0.0):
            scores[name], known[name] = score, candidate.provider
    # Where headers cannot tell, the standard that many providers follow goes first.
    best = sorted(scores, key=lambda name: (-scores[name], known[name].kind != "generic", name))
    if not best:
        return ()
    enough = scores[best[0]] / 2
    return tuple(known[name] for name in best[:_MOST] if scores[name] >= enough)


class _Candidate(NamedTuple):
    """One scheme of a provider, with the headers that its requests have."""

    provider: Provider
    scheme: Scheme
    headers: dict[str, tuple[float, tuple[Template, ...]]]  # lower-case name to weight and shapes
    carriers: frozenset[str]


_made: list[tuple[tuple[Provider, ...], tuple[_Candidate, ...]]] = []  # for the catalogue as it was last


def _candidates() -> tuple[_Candidate, ...]:
    known = catalog.providers()
    if not _made or _made[0][0] is not known:
        _made[:] = [(known, _candidates_of(known))]
    return _made[0][1]


def _candidates_of(known: tuple[Provider, ...]) -> tuple[_Candidate, ...]:
    spread = Counter(name for p in known for name in {h.lower() for s in p.schemes for h in s.headers})
    return tuple(
        _Candidate(
            provider,
            scheme,
            {
                name.lower(): (math.log((1 + len(known)) / spread[name.lower()]), _shapes(scheme, name))
                for name in scheme.headers
            },
            frozenset(
                name.lower()
                for name, shapes in scheme.header_shapes.items()
                if any(shape.names & scheme.signature_names for shape in shapes)
            ),
        )
        for provider in known
        for scheme in provider.schemes
    )


def _shapes(scheme: Scheme, name: str) -> tuple[Template, ...]:
    whole = scheme.header_template(name)
    return (*scheme.header_shapes[name], whole)


def _score(candidate: _Candidate, given: Headers, body: bytes) -> float:
    """How much of this scheme is in the request; 0 when its signature has no place there."""
    there = {name.lower() for name in given}
    inside = not candidate.carriers and _carries(candidate.scheme, given, body)
    if not (candidate.carriers & there or inside):
        return 0.0
    score = 4.0 if inside else 0.0
    for name, (weight, shapes) in candidate.headers.items():
        value = given.get(name)
        if value is None:
            score -= 0.05 * weight
        elif any(not shape.names and shape.text == value for shape in shapes):
            score += 1.5 * weight
        elif any(shape.names and shape.match(value) is not None for shape in shapes):
            score += weight
        elif name in candidate.carriers:
            score += 0.2 * weight
    return score


def _carries(scheme: Scheme, given: Headers, body: bytes) -> bool:
    """Whether the signature stands inside the body."""
    field = scheme.signatures[0].name
    paths = [path for path, shape in scheme.body_templates.items() if field in shape.names]
    paths += [name for name, text in scheme.form.items() if field in Template(text).names]
    # Looking for the names costs nothing beside parsing a long body.
    if not any(all(n.isdigit() or n.encode() in body for n in path.split(".")) for path in paths):
        return False
    try:
        return field in Carried(scheme, given, body).values
    except Misread:
        return False
