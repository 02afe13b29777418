"""The problem document of a refusal (RFC 9457), and which status goes with it.

The types are those of draft-ietf-httpapi-ratelimit-headers-10 section 5, with members of our own beside the
draft's ``violated-policies``: when to retry, and each exceeded limit with its reset.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.headers import Policy

_TYPES = "https://iana.org/assignments/http-problem-types#"


class Cause(StrEnum):
    """Why a request is refused; the value is the name of the problem type."""

    QUOTA = "quota-exceeded"
    """The client used up its quota."""
    CAPACITY = "temporary-reduced-capacity"
    """The server is overloaded, whoever asks."""
    ABUSE = "abnormal-usage-detected"
    """The client's pattern of requests looks unintended or hostile."""


@dataclass(frozen=True, slots=True)
class StatusChoice:
    """A status code and the rule that chose it.

    Attributes:
        code: 429 or 503.
        rule: when this code is right, as a sentence.
        source: where the rule is written.
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
_STATUS = {Cause.QUOTA: _TOO_MANY, Cause.ABUSE: _TOO_MANY, Cause.CAPACITY: _OVERLOADED}


def status_for(cause: Cause | str) -> StatusChoice:
    """The status code for a refusal, with the rule and its source.

    Raises:
        InvalidHeader: no such cause.

    >>> status_for("quota-exceeded").code, status_for("temporary-reduced-capacity").code
    (429, 503)
    """
    try:
        return _STATUS[Cause(cause)]
    except ValueError:
        raise InvalidHeader(f"{cause!r} is no cause; choose from {', '.join(Cause)}") from None


@dataclass(frozen=True, slots=True)
class LimitTold:
    """One exceeded limit as the body tells it.

    Attributes:
        policy: the limit (without its partition key, which stays in the header).
        retry_after_s: whole seconds until the request can pass.
        reset_s: whole seconds until the whole quota is back.
        resets_at: that moment in UTC.
    """

    policy: Policy
    retry_after_s: int
    reset_s: int
    resets_at: datetime


@dataclass(frozen=True, slots=True)
class Problem:
    """The problem document of a refusal.

    Attributes:
        cause: the problem type.
        violated: the names of the exceeded limits.
        detail: what happened and when to retry, as sentences; may be empty in documents of others.
        retry_after_s: whole seconds until a retry makes sense, or None.
        limits: the exceeded limits; empty in documents that only name them.
    """

    cause: Cause
    violated: tuple[str, ...]
    detail: str = ""
    retry_after_s: int | None = None
    limits: tuple[LimitTold, ...] = ()

    def build(self) -> bytes:
        """The document as UTF-8."""
        document: dict[str, Any] = {
            "type": _TYPES + self.cause,
            "title": self.cause.replace("-", " ").title(),
            "status": status_for(self.cause).code,
        }
        if self.detail:
            document["detail"] = self.detail
        document["violated-policies"] = list(self.violated)
        if self.retry_after_s is not None:
            document["retry-after"] = self.retry_after_s
        if self.limits:
            document["limits"] = [_told(limit) for limit in self.limits]
        return json.dumps(document, indent=2, ensure_ascii=False).encode() + b"\n"

    @classmethod
    def parse(cls, body: bytes) -> Problem:
        """Read a problem document of one of the three types; members not known here are passed over.

        Raises:
            InvalidHeader: the body is not such a document; says which member is at fault.
        """
        try:
            document = json.loads(body)
        except (ValueError, RecursionError):
            raise InvalidHeader("the body is not JSON, so it is no problem document") from None
        if not isinstance(document, dict):
            raise InvalidHeader("the body is not a JSON object, so it is no problem document")
        kind = document.get("type")
        causes = {_TYPES + cause: cause for cause in Cause}
        if not isinstance(kind, str) or kind not in causes:
            raise InvalidHeader(f"type must be {_TYPES} followed by one of {', '.join(Cause)}")
        violated = _list(document, "violated-policies")
        if not all(isinstance(name, str) for name in violated):
            raise InvalidHeader("violated-policies must be a list of policy names")
        detail = document.get("detail", "")
        if not isinstance(detail, str):
            raise InvalidHeader("detail must be text")
        retry = None if "retry-after" not in document else _whole(document, "retry-after")
        limits = tuple(_limit(limit) for limit in _list(document, "limits"))
        return cls(causes[kind], tuple(violated), detail, retry, limits)


def _told(limit: LimitTold) -> dict[str, Any]:
    told: dict[str, Any] = {"name": limit.policy.name, "quota": limit.policy.quota, "unit": limit.policy.unit}
    if limit.policy.window_s is not None:
        told["window"] = limit.policy.window_s
    told["retry-after"] = limit.retry_after_s
    told["reset"] = limit.reset_s
    told["resets-at"] = limit.resets_at.isoformat().replace("+00:00", "Z")
    return told


def _limit(told: object) -> LimitTold:
    if not isinstance(told, dict):
        raise InvalidHeader("limits must be a list of objects")
    name, unit, moment = told.get("name"), told.get("unit"), told.get("resets-at")
    if not (isinstance(name, str) and isinstance(unit, str) and isinstance(moment, str)):
        raise InvalidHeader("each of limits needs the texts name, unit and resets-at")
    try:
        resets_at = datetime.fromisoformat(moment).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidHeader(f"resets-at is {moment[:40]!r}; it must be like 2026-09-21T14:13:51Z") from None
    window_s = None if "window" not in told else _whole(told, "window")
    policy = Policy(name, _whole(told, "quota"), window_s, unit)
    return LimitTold(policy, _whole(told, "retry-after"), _whole(told, "reset"), resets_at)


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
