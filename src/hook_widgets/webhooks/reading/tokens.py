"""Reading the token (JWS, RFC 7515) that carries a signature, and holding its claims against the request."""

from __future__ import annotations

import json
from typing import Any

from hook_widgets.errors import UnknownName
from hook_widgets.webhooks.reading.misread import Misread
from hook_widgets.webhooks.scheme import Encoding, Scheme
from hook_widgets.webhooks.scheme.derived import Jwt, NumberClaim
from hook_widgets.webhooks.scheme.fields import Fields
from hook_widgets.webhooks.text.places import is_text

_LARGEST = 10**16


def read(scheme: Scheme, name: str, spec: Jwt, fields: Fields, place: str) -> tuple[str, ...]:
    """Take from a token's claims what they carry, and check those that can be worked out.

    The token's own algorithm is held against the provider's, as every library does (RFC 8725 section 3.1).

    Args:
        scheme: the scheme of the request.
        name: the field that holds the token's signing input.
        spec: the claims that the provider sends.
        fields: the request's fields; learns the values of the claims.
        place: where the token stands, in words.

    Returns:
        The times at which the token says it was made, in Unix seconds; first the one that is not worked out
        from its expiry. An expiry later than usual is none of them.

    Raises:
        Misread: a claim is missing, or is not that of this request.
    """
    header, claims = (_object(text, place) for text in _halves(fields.text(name), place))
    if header.get("alg") != spec.header.get("alg"):
        raise Misread(
            "malformed_header",
            place,
            f"{place}: the token's alg is {str(header.get('alg'))[:20]!r}, and this provider's tokens have "
            f"{spec.header.get('alg')!r}",
        )
    made: list[str] = []
    for claim_name, claim in sorted(spec.claims.items(), key=_rank):
        value = claims.get(claim_name)
        if value is None:
            raise Misread("malformed_header", place, f"{place}: the token has no claim {claim_name!r}")
        template = spec.templates[claim_name]
        if isinstance(claim, NumberClaim):
            text = str(_number(value, claim_name, place) - claim.plus_s)
        else:
            text = str(value)
            if not is_text(text):
                raise Misread("malformed_header", place, f"{place}: the claim {claim_name!r} is no text")
        found = template.match(text) or {}
        learnt = {field: said for field, said in found.items() if field not in fields}
        for field, said in learnt.items():
            fields.know(field, said)
        if isinstance(claim, NumberClaim) and template.text == "{timestamp}":
            if not claim.plus_s or not made or int(text) < int(made[0]):
                made.append(text)
            continue
        if learnt:
            continue
        try:
            expected = template.render(fields).decode()
        except UnknownName:
            continue
        if text != expected:
            raise _difference(scheme, place, claim_name, template.names, expected)
    return tuple(made)


def _rank(item: tuple[str, str | NumberClaim]) -> int:
    """Times that are no expiry come first, then those that are, then texts."""
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
        found = json.loads(raw or b"")
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise _no_token(place)
    return found


def _number(value: object, claim: str, place: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST:
        return value
    raise Misread("malformed_header", place, f"{place}: the claim {claim!r} is no time in whole seconds")


def _no_token(place: str) -> Misread:
    return Misread("malformed_header", place, f"{place}: this is no token of three parts with JSON claims")


def _difference(scheme: Scheme, place: str, claim: str, names: frozenset[str], expected: str) -> Misread:
    needed = scheme.closure(names)
    if "unsigned_body" in needed:
        return Misread(
            "body_hash_differs",
            "Body",
            f"the claim {claim!r} of the token is not that of this body: the body was changed",
        )
    if "url" in needed:
        return Misread(
            "malformed_header",
            "URL",
            f"the claim {claim!r} of the token is of another URL; give the URL as the sender called it",
        )
    return Misread("malformed_header", place, f"{place}: the claim {claim!r} is not {expected!r}")
