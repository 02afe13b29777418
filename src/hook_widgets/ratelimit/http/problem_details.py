"""Problem documents of rejected requests (RFC 9457) and their status codes.

The problem types are those of draft-ietf-httpapi-ratelimit-headers-10 section 5. To the draft's member
``violated-policies`` this module adds ``retry-after`` and ``limits`` (each exceeded limit with its reset).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.http.ratelimit_headers import QuotaPolicy

_TYPES = "https://iana.org/assignments/http-problem-types#"


class RejectionCause(StrEnum):
    """Reason for rejecting a request; the value is the name of the problem type."""

    QUOTA = "quota-exceeded"
    """The client used up its quota."""
    CAPACITY = "temporary-reduced-capacity"
    """The server is overloaded, for all clients."""
    ABUSE = "abnormal-usage-detected"
    """The client's request pattern looks unintended or hostile."""


@dataclass(frozen=True, slots=True)
class StatusChoice:
    """A status code with the rule behind it.

    Attributes:
        code: 429 or 503.
        rule: one or two sentences on when to use this code.
        source: the specification sections that state the rule.
    """

    code: int
    rule: str
    source: str


_TOO_MANY = StatusChoice(
    429,
    "This client sent too many requests in a given time; it helps when this client slows down. "
    "A server that is well must not say 503: proxies and monitors then count a fault of the server.",
    "RFC 6585 section 4; draft-ietf-httpapi-ratelimit-headers-10 sections 5.1 and 5.3",
)
_OVERLOADED = StatusChoice(
    503,
    "The server cannot serve the request for now, whoever sends it, because of overload or maintenance; "
    "a client within its quota must not be told that it sent too much.",
    "RFC 9110 section 15.6.4; draft-ietf-httpapi-ratelimit-headers-10 section 5.2",
)
_STATUS_CHOICES = {
    RejectionCause.QUOTA: _TOO_MANY,
    RejectionCause.ABUSE: _TOO_MANY,
    RejectionCause.CAPACITY: _OVERLOADED,
}


def choose_status(cause: RejectionCause | str) -> StatusChoice:
    """Return the status code for a rejection, with the rule and its source.

    Raises:
        InvalidHeader: the cause is unknown.

    >>> choose_status("quota-exceeded").code, choose_status("temporary-reduced-capacity").code
    (429, 503)
    """
    try:
        return _STATUS_CHOICES[RejectionCause(cause)]
    except ValueError:
        raise InvalidHeader(f"{shown(cause)} is no cause; choose from {', '.join(RejectionCause)}") from None


@dataclass(frozen=True, slots=True)
class LimitDetail:
    """One exceeded limit in a problem document.

    Attributes:
        policy: the limit, without its partition key (sent only in the header).
        retry_after_s: whole seconds until the request can pass.
        reset_s: whole seconds until the full quota is available again.
        resets_at: the time of that reset, in UTC.
    """

    policy: QuotaPolicy
    retry_after_s: int
    reset_s: int
    resets_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemDetails:
    """The problem document of a rejected request.

    Attributes:
        cause: the problem type.
        violated: the names of the exceeded limits.
        detail: sentences on the cause and on when to retry; may be empty in third-party documents.
        retry_after_s: whole seconds until a retry can succeed, or None.
        limits: the exceeded limits; empty in documents that only name them.
    """

    cause: RejectionCause
    violated: tuple[str, ...]
    detail: str = ""
    retry_after_s: int | None = None
    limits: tuple[LimitDetail, ...] = ()

    def build(self) -> bytes:
        """Serialize the document as UTF-8 encoded JSON."""
        document: dict[str, Any] = {
            "type": _TYPES + self.cause,
            "title": self.cause.replace("-", " ").title(),
            "status": choose_status(self.cause).code,
        }
        if self.detail:
            document["detail"] = self.detail
        document["violated-policies"] = list(self.violated)
        if self.retry_after_s is not None:
            document["retry-after"] = self.retry_after_s
        if self.limits:
            document["limits"] = [_serialize_limit(limit) for limit in self.limits]
        return json.dumps(document, indent=2, ensure_ascii=False).encode() + b"\n"

    @classmethod
    def parse(cls, body: bytes) -> ProblemDetails:
        """Parse a problem document of one of the three types; unknown members are ignored.

        Raises:
            InvalidHeader: the body is not such a document; the message names the invalid member.
        """
        try:
            document = json.loads(body)
        except (ValueError, RecursionError):
            raise InvalidHeader("the body is not JSON, so it is no problem document") from None
        if not isinstance(document, dict):
            raise InvalidHeader("the body is not a JSON object, so it is no problem document")
        kind = document.get("type")
        causes = {_TYPES + cause: cause for cause in RejectionCause}
        if not isinstance(kind, str) or kind not in causes:
            raise InvalidHeader(f"type must be {_TYPES} followed by one of {', '.join(RejectionCause)}")
        violated = _list(document, "violated-policies")
        if not all(isinstance(name, str) for name in violated):
            raise InvalidHeader("violated-policies must be a list of policy names")
        detail = document.get("detail", "")
        if not isinstance(detail, str):
            raise InvalidHeader("detail must be text")
        retry = None if "retry-after" not in document else _whole(document, "retry-after")
        limits = tuple(_parse_limit(limit) for limit in _list(document, "limits"))
        return cls(
            cause=causes[kind], violated=tuple(violated), detail=detail, retry_after_s=retry, limits=limits
        )


def _serialize_limit(limit: LimitDetail) -> dict[str, Any]:
    policy = limit.policy
    members: dict[str, Any] = {"name": policy.name, "quota": policy.quota, "unit": policy.unit}
    if policy.window_s is not None:
        members["window"] = policy.window_s
    members["retry-after"] = limit.retry_after_s
    members["reset"] = limit.reset_s
    members["resets-at"] = limit.resets_at.isoformat().replace("+00:00", "Z")
    return members


def _parse_limit(members: object) -> LimitDetail:
    if not isinstance(members, dict):
        raise InvalidHeader("limits must be a list of objects")
    name, unit, timestamp = members.get("name"), members.get("unit"), members.get("resets-at")
    if not (isinstance(name, str) and isinstance(unit, str) and isinstance(timestamp, str)):
        raise InvalidHeader("each of limits needs the texts name, unit and resets-at")
    try:
        resets_at = datetime.fromisoformat(timestamp).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidHeader(
            f"resets-at is {timestamp[:40]!r}; it must be like 2026-09-21T14:13:51Z"
        ) from None
    window_s = None if "window" not in members else _whole(members, "window")
    policy = QuotaPolicy(name=name, quota=_whole(members, "quota"), window_s=window_s, unit=unit)
    return LimitDetail(policy, _whole(members, "retry-after"), _whole(members, "reset"), resets_at)


def _whole(document: dict[str, Any], member: str) -> int:
    value = document.get(member)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InvalidHeader(f"{member} must be a whole number of at least 0")
    return value


def _list(document: dict[str, Any], member: str) -> list[Any]:
    value = document.get(member, [])
    if not isinstance(value, list):
        raise InvalidHeader(f"{member} must be a list")
    return value
