"""Parse the token (JWS, RFC 7515) that carries a signature, and compare its claims with the request."""

from __future__ import annotations

import json
from typing import Any

from hook_widgets.errors import UnknownName
from hook_widgets.webhooks.body.locators import is_text
from hook_widgets.webhooks.scheme import Encoding, Scheme
from hook_widgets.webhooks.scheme.computed_fields import Jwt, NumberClaim
from hook_widgets.webhooks.scheme.fields import Fields
from hook_widgets.webhooks.verification.parsing.errors import ParseError, malformed, unexpected

_MAX_TIME = 10**16


def read(scheme: Scheme, name: str, spec: Jwt, fields: Fields, place: str) -> tuple[str, ...]:
    """Take field values from a token's claims, and check the claims that can be computed from the request.

    The token's algorithm must be the provider's, as every library checks (RFC 8725 section 3.1).

    Returns:
        The times at which the token claims to have been issued, in Unix seconds; first the one that is not
        computed from its expiry. An expiry later than expected is not among them.

    Raises:
        ParseError: a claim is missing, or does not belong to this request.
    """
    header, claims = (_object(text, place) for text in _halves(fields.text(name), place))
    if header.get("alg") != spec.header.get("alg"):
        raise malformed(
            place,
            f"{place}: the token's alg is {str(header.get('alg'))[:20]!r}, and this provider's tokens have "
            f"{spec.header.get('alg')!r}",
        )
    for claim_name in scheme.absent.claims:
        if claims.get(claim_name) not in (None, ""):
            raise unexpected(scheme, f"the token has the claim {claim_name!r}")
    issued: list[str] = []
    for claim_name, claim in sorted(spec.claims.items(), key=_rank):
        value = claims.get(claim_name)
        if value is None:
            raise malformed(place, f"{place}: the token has no claim {claim_name!r}")
        template = spec.templates[claim_name]
        if isinstance(claim, NumberClaim):
            text = str(_number(value, claim_name, place) - claim.plus_s)
        else:
            text = str(value)
            if not is_text(text):
                raise malformed(place, f"{place}: the claim {claim_name!r} is no text")
        values = template.match(text) or {}
        new = {field: value for field, value in values.items() if field not in fields}
        for field, field_value in new.items():
            fields.set(field, field_value)
        if isinstance(claim, NumberClaim) and template.text == "{timestamp}":
            if not claim.plus_s or not issued or int(text) < int(issued[0]):
                issued.append(text)
            continue
        if new:
            continue
        try:
            expected = template.render(fields).decode()
        except UnknownName:
            continue
        if text != expected:
            raise _difference(scheme, place, claim_name, template.names, expected)
    return tuple(issued)


def _rank(item: tuple[str, str | NumberClaim]) -> int:
    """Return a sort key: times that are no expiry first, then expiry times, then texts."""
    claim = item[1]
    return 2 if isinstance(claim, str) else int(claim.plus_s > 0)


def _halves(signing_input: str, place: str) -> list[str]:
    halves = signing_input.split(".")
    if len(halves) != 2:
        raise _no_token(place)
    return halves


def _object(half: str, place: str) -> dict[str, Any]:
    raw = Encoding.BASE64URL.read(half)
    try:
        value = json.loads(raw or b"")
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise _no_token(place)
    return value


def _number(value: object, claim: str, place: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < _MAX_TIME:
        return value
    raise malformed(place, f"{place}: the claim {claim!r} is no time in whole seconds")


def _no_token(place: str) -> ParseError:
    return malformed(place, f"{place}: this is no token of three parts with JSON claims")


def _difference(scheme: Scheme, place: str, claim: str, names: frozenset[str], expected: str) -> ParseError:
    needed = scheme.closure(names)
    if "unsigned_body" in needed:
        return ParseError(
            "body_hash_differs",
            "Body",
            f"the claim {claim!r} of the token is not that of this body: the body was changed",
        )
    if "url" in needed:
        return malformed(
            "URL",
            f"the claim {claim!r} of the token is of another URL; give the URL as the sender called it",
        )
    return malformed(place, f"{place}: the claim {claim!r} is not {expected!r}")
