"""The error for a request that does not match its provider's scheme."""

from __future__ import annotations

from hook_widgets.webhooks.scheme import Scheme


class ParseError(Exception):
    """The request does not match its scheme. `inspect` turns the error into a verdict, so it never escapes.

    Attributes:
        reason: the value of a `hook_widgets.webhooks.verification.verify.Reason`.
        label: the part of the request that was checked.
    """

    def __init__(self, reason: str, label: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason
        self.label = label


def malformed(place: str, text: str) -> ParseError:
    """Return the error about a header, or the like, that has a wrong form."""
    return ParseError("malformed_header", place, text)


def unexpected(scheme: Scheme, fact: str) -> ParseError:
    """Return the error for a request with something that no request of its scheme has.

    Args:
        scheme: the scheme.
        fact: what the request has, as the beginning of a sentence.
    """
    return ParseError(
        "malformed_body",
        "Body",
        f"{fact}, which a request of this kind ({scheme.title or scheme.name}) does not have: its body or "
        "its Content-Type was lost or changed",
    )
