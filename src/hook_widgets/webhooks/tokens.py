"""Reading the token (JWS, RFC 7515) that carries a signature, and holding its claims against the request."""

from __future__ import annotations

import base64
import json
from typing import Any

from hook_widgets.errors import UnknownName
from hook_widgets.webhooks.derived import Jwt, NumberClaim
from hook_widgets.webhooks.fields import Fields
from hook_widgets.webhooks.misread import Misread
from hook_widgets.webhooks.scheme import Scheme


def read(scheme: Scheme, name: str, spec: Jwt, fields: Fields, place: str) -> None:
    """Take from a token's claims what they carry, and check those that can be worked out.

    Args:
        scheme: the scheme of the request.
        name: the field that holds the token's signing input.
        spec: the claims that the provider sends.
        fields: the request's fields; learns the values of the claims.
        place: where the token stands, in words.

    Raises:
        Misread: a claim is missing, or is not that of this request.
    """
    claims = _claims(fields.text(name), place)
    for claim_name, claim in spec.claims.items():
        value = claims.get(claim_name)
        if value is None:
            raise Misread("malformed_header", place, f"{place}: the token has no claim {claim_name!r}")
        template = spec.templates[claim_name]
        text = str(value)
        if isinstance(claim, NumberClaim):
            if not isinstance(value, int) or isinstance(value, bool):
                raise Misread("malformed_header", place, f"{place}: the claim {claim_name!r} is no number")
            text = str(value - claim.plus_s)
        learnt = {field for field in template.match(text) or () if field not in fields}
        for field in learnt:
            fields.know(field, (template.match(text) or {})[field])
        if learnt or isinstance(claim, NumberClaim):
            continue
        try:
            expected = template.render(fields).decode()
        except UnknownName:
            continue
        if text != expected:
            raise _difference(scheme, place, claim_name, template.names, expected)


def _claims(signing_input: str, place: str) -> dict[str, Any]:
    payload = signing_input.rpartition(".")[2]
    try:
        claims = json.loads(
            base64.b64decode(payload + "=" * (-len(payload) % 4), altchars=b"-_", validate=True)
        )
    except ValueError:
        claims = None
    if not isinstance(claims, dict):
        raise Misread("malformed_header", place, f"{place}: this is no token of three parts with JSON claims")
    return claims


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
