"""The verdict of a check, with its steps."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

from hook_widgets.errors import (
    MalformedRequest,
    MissingHeader,
    SignatureMismatch,
    TimestampOutsideTolerance,
    VerificationError,
)


class Reason(StrEnum):
    """The reason of a verdict on a request, or on a response to a handshake."""

    VALID = "valid"
    MISSING_HEADER = "missing_header"
    MALFORMED_HEADER = "malformed_header"
    MALFORMED_BODY = "malformed_body"
    BODY_HASH_DIFFERS = "body_hash_differs"
    SIGNATURE_DIFFERS = "signature_differs"
    TIMESTAMP_OUTSIDE_TOLERANCE = "timestamp_outside_tolerance"
    RESPONSE_DIFFERS = "response_differs"


_ERRORS: Final = {
    Reason.MISSING_HEADER: MissingHeader,
    Reason.MALFORMED_HEADER: MalformedRequest,
    Reason.MALFORMED_BODY: MalformedRequest,
    Reason.BODY_HASH_DIFFERS: SignatureMismatch,
    Reason.SIGNATURE_DIFFERS: SignatureMismatch,
    Reason.TIMESTAMP_OUTSIDE_TOLERANCE: TimestampOutsideTolerance,
}


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a check, and its outcome.

    Attributes:
        label: what is checked, such as ``"Timestamp"``.
        ok: whether it passed.
        text: the outcome in words.
    """

    label: str
    ok: bool
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The outcome of a verification. It is true if the request should be accepted.

    Attributes:
        ok: True if a receiver should accept the request.
        reason: the reason, as one of a closed list.
        detail: the reason as a sentence for people; never holds the expected signature.
        steps: the steps of the check, in order.
        key_index: the index of the key that matches the signature, in the sequence given to `verify` (0 for a
            single key); None if no key matches, and if a browser tab holds the key.
    """

    ok: bool
    reason: Reason
    detail: str
    steps: tuple[Step, ...] = ()
    key_index: int | None = None

    def __bool__(self) -> bool:
        return self.ok

    def raise_for_failure(self) -> Self:
        """Return this verdict if it is positive.

        Raises:
            SignatureMismatch: the signature or a signed hash differs.
            TimestampOutsideTolerance: the request is too old or from the future.
            MissingHeader: a header with the signature or a signed value is missing.
            MalformedRequest: a header or the body is malformed.
            VerificationError: the response to a handshake differs.
        """
        if not self.ok:
            raise _ERRORS.get(self.reason, VerificationError)(self)
        return self
