"""Select the scheme of a provider that a received request follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.scheme import Scheme
from hook_widgets.webhooks.scheme.timestamps import read_moment
from hook_widgets.webhooks.verification.parsing.errors import ParseError
from hook_widgets.webhooks.verification.parsing.parsed_request import ParsedRequest, value_of

if TYPE_CHECKING:
    from hook_widgets.webhooks.requests.provider import Provider
    from hook_widgets.webhooks.requests.request import Receivable

_CENTURY = 20  # as the first two digits of its years


def choose_scheme(provider: Provider, request: Receivable) -> Scheme:
    """Return the scheme that fits best: by headers, body, method, media type, constants and length.

    If the request has the headers of several signatures, the strongest decides: a weaker scheme, such as one
    that does not sign the body, would accept requests that the stronger one rejects.

    A request with a body is never parsed by a scheme that leaves the body unsigned if another scheme with the
    same signature header covers it: otherwise an attacker with the signature of a request without a body
    could add one.

    The tests run in order on the remaining schemes; a test that none of them passes is ignored. The first
    remaining scheme is returned. If another one has the same signature and differs in the unit of its
    timestamp only, the one in whose unit the timestamp is a plausible time is returned.
    """
    if len(provider.schemes) == 1:
        return provider.schemes[0]
    headers = Headers(request.headers)
    media = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    names = frozenset(name.lower() for name in headers)
    remaining = [scheme for scheme in provider.schemes if not _gives_way(scheme, provider.schemes, names)]
    tests: Iterable[Callable[[Scheme], bool]] = (
        lambda scheme: any(name in headers for name in scheme.carriers({scheme.signatures[0].name})),
        lambda scheme: bool(request.body) == scheme.covers_body,
        lambda scheme: scheme.method == request.method,
        lambda scheme: scheme.content_type in (None, media),
        lambda scheme: _has_constants(scheme, request.body),
        lambda scheme: _has_length(scheme, headers, request.body),
    )
    for test in tests:
        remaining = [scheme for scheme in remaining if test(scheme)] or remaining
    twins = [scheme for scheme in remaining if scheme.signatures == remaining[0].signatures]
    if len(twins) == 1:
        return remaining[0]
    return next((twin for twin in twins if _has_unit(twin, headers, request.body)), remaining[0])


def _gives_way(scheme: Scheme, others: Iterable[Scheme], names: frozenset[str]) -> bool:
    """Return True if a header is present that a stronger scheme checks and this one does not."""
    own = _checked(scheme)
    return any(
        _strength(other) > _strength(scheme) and not names.isdisjoint(_checked(other) - own)
        for other in others
    )


def _checked(scheme: Scheme) -> frozenset[str]:
    """Return the headers that carry the signature or a signed value, in lower case."""
    fields = scheme.signed | {scheme.signatures[0].name}
    return frozenset(name.lower() for name in scheme.headers if scheme.header_template(name).names & fields)


def _strength(scheme: Scheme) -> tuple[bool, bool, bool, int]:
    """Return a sort key: signatures above tokens, then body covered, then time covered, then length."""
    algorithm = scheme.signatures[0].algorithm
    return (
        not algorithm.reveals_secret,
        scheme.covers_body,
        "timestamp" in scheme.signed,
        algorithm.size or 0,
    )


def _has_unit(scheme: Scheme, headers: Headers, body: bytes) -> bool:
    """Return True if the timestamp is a time of this century in the scheme's unit."""
    try:
        parsed = ParsedRequest(scheme, headers, body)
        if scheme.timestamp is None or "timestamp" not in parsed.places:
            return True
        moment = read_moment(parsed.one("timestamp"), scheme.timestamp)
    except (ParseError, ValueError):
        return False
    return moment.year // 100 == _CENTURY


def _has_constants(scheme: Scheme, body: bytes) -> bool:
    """Return True if the body has the constant values of this scheme's bodies."""
    constants = {path: t for path, t in scheme.body_templates.items() if not t.names}
    if not constants:
        return True
    try:
        return all(value_of(body, path, scheme.json_in) == t.text for path, t in constants.items())
    except ParseError:
        return False


def _has_length(scheme: Scheme, headers: Headers, body: bytes) -> bool:
    """Return True if the request has a signature of the algorithm's length."""
    first = scheme.signatures[0]
    try:
        texts = ParsedRequest(scheme, headers, body).all(first.name)
    except ParseError:
        return False
    signatures = (first.encoding.read(text) for text in texts)
    return any(raw is not None and first.algorithm.size in (None, len(raw)) for raw in signatures)
