"""Parse the rate limit fields of any API leniently into one record.

Malformed fields are ignored, as the IETF draft requires of clients, and listed with the reason. Supported:

- ``RateLimit`` and ``RateLimit-Policy`` of draft-ietf-httpapi-ratelimit-headers-08 to -10,
- the single ``RateLimit`` field of draft-07 (``limit=100, remaining=50, reset=5``),
- ``RateLimit-Limit``, ``-Remaining``, ``-Reset`` of drafts 00 to 06 (Limit may carry ``100, 100;w=60``),
- ``X-RateLimit-*`` and ``X-Rate-Limit-*``, Reset in epoch seconds (GitHub), epoch milliseconds, or seconds
  from now, distinguished by magnitude,
- ``X-RateLimit-Reset-After`` in seconds with a fraction (Discord),
- ``X-Shopify-Shop-Api-Call-Limit: 32/40``,
- ``Retry-After``, fractions included.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import TypeVar

from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.http.ratelimit_headers import parse_ratelimit, parse_ratelimit_policy
from hook_widgets.ratelimit.http.retry_after import parse_retry_after, retry_wait_s
from hook_widgets.ratelimit.http.rounding import epoch_s
from hook_widgets.ratelimit.units import Number

T = TypeVar("T")

_NUMBER = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,9})?")
_DRAFT_07 = re.compile(r"(limit|remaining|reset)\s*=\s*([0-9]{1,15})")
_QUOTA = re.compile(r"\s*([0-9]{1,15})((?:\s*;\s*[a-z]+\s*=\s*[^;,]*)*)\s*")
# No API asks for a wait of thirty years: a reset from 10**9 is a timestamp, and from 10**12 in milliseconds.
_MIN_TIMESTAMP_S = 10**9
_MIN_TIMESTAMP_MS = 10**12


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedLimit:
    """One limit reported by a response; values that it does not report are None.

    Attributes:
        name: the policy's name, or empty.
        quota: requests per window.
        remaining: requests left.
        reset_s: seconds from the response until more (or all) of the quota is available.
        window_s: the window in seconds.
    """

    name: str = ""
    quota: Fraction | None = None
    remaining: Fraction | None = None
    reset_s: Fraction | None = None
    window_s: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Observed:
    """The rate limits that one response reports.

    Attributes:
        limits: the reported limits, in the order of their fields.
        retry_after_s: seconds that ``Retry-After`` asks for, or None.
        read: names of the parsed fields, spelled as received.
        ignored: pairs of field name and reason, for the malformed fields.
    """

    limits: tuple[ObservedLimit, ...]
    retry_after_s: Fraction | None
    read: tuple[str, ...]
    ignored: tuple[tuple[str, str], ...]

    @property
    def wait_s(self) -> Fraction:
        """Seconds that a compliant client waits before its next request.

        ``Retry-After`` takes precedence (draft-10, section 6). Without it, this is the longest reset of the
        exhausted limits.
        """
        if self.retry_after_s is not None:
            return self.retry_after_s
        resets = (
            limit.reset_s for limit in self.limits if limit.remaining is not None and limit.remaining < 1
        )
        return max((reset for reset in resets if reset is not None), default=Fraction(0))


def observe(headers: Mapping[str, str] | Iterable[tuple[str, str]], *, now: datetime | Number) -> Observed:
    """Parse the rate limit fields of a response from any API.

    Args:
        headers: the response's header fields; pass pairs if a field is repeated.
        now: when the response arrived (epoch seconds or an aware datetime).

    Raises:
        InvalidHeader: ``now`` is invalid; malformed fields are listed in ``ignored`` instead.

    >>> headers = {"x-ratelimit-limit": "60", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1790000030"}
    >>> observe(headers, now=1_790_000_000).wait_s
    Fraction(30, 1)
    """
    return _Reader(headers, epoch_s(now)).observed()


class _Reader:
    def __init__(self, headers: Mapping[str, str] | Iterable[tuple[str, str]], now_s: Fraction) -> None:
        self.now_s = now_s
        self.values: dict[str, str] = {}
        self.spelling: dict[str, str] = {}
        self.read: list[str] = []
        self.ignored: list[tuple[str, str]] = []
        for name, value in headers.items() if isinstance(headers, Mapping) else headers:
            key = name.lower()
            # A repeated field is combined into one list (RFC 9110 section 5.3).
            self.values[key] = f"{self.values[key]}, {value}" if key in self.values else value
            self.spelling.setdefault(key, name)

    def observed(self) -> Observed:
        limits = self.ietf() or self.triple("ratelimit-")
        for prefix in ("x-ratelimit-", "x-rate-limit-"):
            limits = limits or self.triple(prefix)
        limits = limits or self.shopify()
        retry = self.value("retry-after", self.retry)
        return Observed(limits, retry, tuple(self.read), tuple(self.ignored))

    def value(self, key: str, parse: Callable[[str], T]) -> T | None:
        if key not in self.values:
            return None
        try:
            parsed = parse(self.values[key].strip())
        except InvalidHeader as error:
            self.ignored.append((self.spelling[key], str(error)))
            return None
        self.read.append(self.spelling[key])
        return parsed

    def ietf(self) -> tuple[ObservedLimit, ...]:
        if "=" in self.values.get("ratelimit", "").partition(",")[0].partition(";")[0]:
            return self.value("ratelimit", self.draft_07) or ()
        service_limits = self.value("ratelimit", parse_ratelimit) or ()
        if not service_limits and "ratelimit-limit" in self.values:
            return ()  # the policies of drafts 03 to 06 have no names
        policies = {
            policy.name: policy for policy in self.value("ratelimit-policy", parse_ratelimit_policy) or ()
        }
        limits = []
        for limit in service_limits:
            policy = policies.pop(limit.name, None)
            quota = None if policy is None else Fraction(policy.quota)
            window = None if policy is None or policy.window_s is None else Fraction(policy.window_s)
            reset = None if limit.reset_s is None else Fraction(limit.reset_s)
            limits.append(
                ObservedLimit(
                    name=limit.name,
                    quota=quota,
                    remaining=Fraction(limit.remaining),
                    reset_s=reset,
                    window_s=window,
                )
            )
        for policy in policies.values():
            window = None if policy.window_s is None else Fraction(policy.window_s)
            limits.append(ObservedLimit(name=policy.name, quota=Fraction(policy.quota), window_s=window))
        return tuple(limits)

    def draft_07(self, text: str) -> tuple[ObservedLimit, ...]:
        members = {key: Fraction(value) for key, value in _DRAFT_07.findall(text)}
        if not members:
            raise InvalidHeader("expected limit=, remaining= and reset= with whole numbers")
        window = self.value("ratelimit-policy", _window)
        limit, remaining, reset = (members.get(key) for key in ("limit", "remaining", "reset"))
        return (ObservedLimit(name="", quota=limit, remaining=remaining, reset_s=reset, window_s=window),)

    def triple(self, prefix: str) -> tuple[ObservedLimit, ...]:
        quota = self.value(f"{prefix}limit", _quota)
        window = _window(self.values.get(f"{prefix}limit", ""))
        remaining = self.value(f"{prefix}remaining", _number)
        # Reset-After is always in seconds; the unit of Reset must be guessed.
        reset = self.value(f"{prefix}reset-after", _number)
        if reset is None:
            reset = self.value(f"{prefix}reset", self.reset)
        if quota is remaining is reset is None:
            return ()
        name = self.values.get(f"{prefix}resource", "")
        return (ObservedLimit(name=name, quota=quota, remaining=remaining, reset_s=reset, window_s=window),)

    def shopify(self) -> tuple[ObservedLimit, ...]:
        return self.value("x-shopify-shop-api-call-limit", _used_of) or ()

    def reset(self, text: str) -> Fraction:
        number = _number(text)
        if number < _MIN_TIMESTAMP_S:
            return number
        timestamp = number / 1000 if number >= _MIN_TIMESTAMP_MS else number
        return max(Fraction(0), timestamp - self.now_s)

    def retry(self, text: str) -> Fraction:
        if _NUMBER.fullmatch(text):
            return Fraction(text)
        return retry_wait_s(parse_retry_after(text, now=self.now_s), self.now_s)


def _number(text: str) -> Fraction:
    if not _NUMBER.fullmatch(text):
        raise InvalidHeader(f"{text[:40]!r} is no number")
    return Fraction(text)


def _quota(text: str) -> Fraction:
    match = _QUOTA.match(text)
    if match is None:
        raise InvalidHeader(f"{text[:40]!r} does not begin with a number")
    return Fraction(match[1])


def _window(text: str) -> Fraction | None:
    for member in text.split(","):
        match = re.search(r";\s*w\s*=\s*([0-9]{1,15})\b", member)
        if match:
            return Fraction(match[1])
    return None


def _used_of(text: str) -> tuple[ObservedLimit, ...]:
    match = re.fullmatch(r"([0-9]{1,15})\s*/\s*([0-9]{1,15})", text)
    if match is None:
        raise InvalidHeader(f"{text[:40]!r} is not written as used/limit")
    used, quota = Fraction(match[1]), Fraction(match[2])
    return (ObservedLimit(name="", quota=quota, remaining=max(Fraction(0), quota - used)),)
