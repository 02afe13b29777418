"""What a check comes to, in steps."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Why a request verifies or does not, or why an answer to a handshake will not do."""

    VALID = "valid"
    MISSING_HEADER = "missing_header"
    MALFORMED_HEADER = "malformed_header"
    MALFORMED_BODY = "malformed_body"
    BODY_HASH_DIFFERS = "body_hash_differs"
    SIGNATURE_DIFFERS = "signature_differs"
    TIMESTAMP_OUTSIDE_TOLERANCE = "timestamp_outside_tolerance"
    ANSWER_DIFFERS = "answer_differs"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was looked at, and how it turned out."""

    label: str
    ok: bool
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a request is what it claims to be.

    Attributes:
        ok: whether a receiver should accept it.
        reason: why, as one of a closed list.
        detail: why, as a sentence for a person; never holds the expected signature.
        steps: what was looked at, in order.
    """

    ok: bool
    reason: Reason
    detail: str
    steps: tuple[Step, ...] = ()

    def __bool__(self) -> bool:
        return self.ok
