"""A limit that a response reports, values that state whole limits, and limits stated in parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qsl

from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.http.field_values import Policy, members, parse_duration, parse_number

IN_VALUE: Final = re.compile(
    r'\b(limit|lim|total|q|remain(?:ing)?|rem|r|resets?|t|period|w|b|time(?: left)?)"?\s*+[=:]\s*+'
    r"(?:([0-9]{1,15}+)(?: (second|minute|hour|day)s?\b)?|per_([a-z]{1,10}+))",
    re.IGNORECASE,
)
_IN_VALUE_ROLES: Final = {
    **dict.fromkeys(("limit", "lim", "total", "q"), "quota"),
    **dict.fromkeys(("remaining", "remain", "rem", "r"), "remaining"),
    **dict.fromkeys(("reset", "resets", "t", "time left"), "reset_s"),
    **dict.fromkeys(("period", "w", "b", "time"), "window_s"),
}
USED_OF: Final = re.compile(r"([0-9]{1,15})\s*+/\s*+([0-9]{1,15})")
WAITS: Final = ("x-sentry-rate-limits",)
"""Names of fields that state waits of kinds of requests."""

SNAPSHOT: Final = re.compile(r"ent=[0-9.]{1,20}+&")
MAX_SEARCHED: Final = 10_000  # characters
REGAIN: Final = re.compile(r'"estimated_time_to_regain_access"\s*+:\s*+([1-9][0-9]{0,9}+)')
AT_ONCE: Final = "requests at once"
"""The unit of a limit of concurrent requests."""

_MINUTE_S: Final = Fraction(60)
_LEFT_PER: Final = re.compile(r"\b(sec|min|hour|day)=([0-9]{1,15}+)")
_GROUP: Final = re.compile(r"\bgroup=([\w-]{1,100}+)")
_API_USAGE: Final = re.compile(r"([a-z-]{1,40}+)=([0-9]{1,15}+)/([0-9]{1,15}+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedLimit:
    """One limit reported by a response; values that it does not report are None.

    Attributes:
        name: the policy's name, or empty.
        quota: requests (or other units) per window.
        remaining: those left.
        reset_s: seconds from the response until more (or all) of the quota is available.
        window_s: the window in seconds.
        unit: what is counted: ``"requests"``, or for example ``"tokens"`` if the fields say so.
    """

    name: str = ""
    quota: Fraction | None = None
    remaining: Fraction | None = None
    reset_s: Fraction | None = None
    window_s: Fraction | None = None
    unit: str = "requests"


def unknown_wait_s(limits: Sequence[ObservedLimit]) -> Fraction:
    """Return how long to wait after a rejection that states no reset: the window, and at most a minute."""
    exhausted = [limit for limit in limits if limit.remaining is not None and limit.remaining < 1]
    candidates = exhausted or [limit for limit in limits if limit.remaining is None]
    turns_s = [
        limit.window_s / min(limit.quota, Fraction(1))
        for limit in candidates
        if limit.window_s and limit.quota
    ]
    return min(max(turns_s, default=_MINUTE_S), _MINUTE_S)


def with_shared(
    named: list[ObservedLimit], unnamed: list[ObservedLimit]
) -> tuple[list[ObservedLimit], list[ObservedLimit]]:
    """Join two halves of one limit; give a reset that stands alone to limits that are exhausted."""
    if not named or len(unnamed) != 1:
        return named, unnamed
    shared, stated = unnamed[0], ("quota", "remaining", "reset_s")
    in_window = [_is_in_window(limit, shared.reset_s) for limit in named]
    halves = all(None in (getattr(named[0], name), getattr(shared, name)) for name in stated)
    if len(named) == 1 and halves and in_window[0]:
        missing = [name for name in (*stated, "window_s") if getattr(named[0], name) is None]
        return [replace(named[0], **{name: getattr(shared, name) for name in missing})], []
    if shared.quota is not None or shared.remaining is not None:
        return named, unnamed
    exhausted = [
        limit.remaining is not None and limit.remaining < 1 and fits
        for limit, fits in zip(named, in_window, strict=True)
    ]
    if not any(exhausted) and (len(named) > 1 or not in_window[0]):
        return named, unnamed
    return [
        replace(limit, reset_s=shared.reset_s) if empty and limit.reset_s is None else limit
        for limit, empty in zip(named, exhausted, strict=True)
    ], []


def _is_in_window(limit: ObservedLimit, reset_s: Fraction | None) -> bool:
    """Return False for a reset long after the window of a limit, such as that of a month (Lens).

    No time resets a limit of requests at once.
    """
    if reset_s is None:
        return True
    return limit.unit != AT_ONCE and (limit.window_s is None or reset_s <= 2 * limit.window_s)


def with_policies(limits: list[ObservedLimit], policies: list[Policy]) -> tuple[ObservedLimit, ...]:
    """Give limits the windows and units of the policies with their quota; other policies are limits, too."""
    left = list(policies)
    for k, limit in enumerate(limits):
        policy = next((policy for policy in left if policy.quota == limit.quota), None)
        if policy is None and len(limits) == len(policies) == 1:
            policy = policies[0]  # the quota of the moment may differ from that of the policy
        if policy is not None:
            left.remove(policy)
            quota = policy.quota if limit.quota is None else limit.quota
            unit = limit.unit if policy.unit == "requests" else policy.unit
            limits[k] = replace(limit, quota=quota, window_s=policy.window_s or limit.window_s, unit=unit)
    return (*limits, *(ObservedLimit(**policy._asdict()) for policy in left))


def not_stated(others: list[ObservedLimit], limits: list[ObservedLimit]) -> list[ObservedLimit]:
    """Return the limits that are no limit of the response in an older spelling.

    What remains of a single limit, which only the older spelling states, is filled in.
    """
    quotas = {limit.quota for limit in limits}
    windows = {None, *(limit.window_s for limit in limits)}
    if len(limits) == len(others) == 1 and others[0].quota in (None, limits[0].quota):
        (limit,), (other,) = limits, others
        if limit.remaining is None and limit.reset_s is None:
            limits[0] = replace(limit, remaining=other.remaining, reset_s=other.reset_s)
    return [
        other
        for other in others
        if (other.window_s not in windows if other.quota is None else other.quota not in quotas)
    ]


def with_halves(limits: list[ObservedLimit]) -> list[ObservedLimit]:
    """Join what remains of a limit with the quota of the same window that is stated elsewhere (Apollo)."""
    quotas, remaining = dict[Any, list[int]](), dict[Any, list[int]]()
    for k, limit in enumerate(limits):
        key = limit.window_s, limit.unit
        if limit.window_s and limit.quota is None and limit.remaining is not None:
            remaining.setdefault(key, []).append(k)
        elif limit.window_s and limit.remaining is None and limit.reset_s is None:
            quotas.setdefault(key, []).append(k)
    joined: dict[int, ObservedLimit | None] = {}
    for key, halves in remaining.items():
        if len(halves) == 1 == len(others := quotas.get(key, [])):
            half, other = limits[halves[0]], limits[others[0]]
            joined[others[0]] = replace(half, name=half.name or other.name, quota=other.quota)
            joined[halves[0]] = None
    return [each for k, limit in enumerate(limits) if (each := joined.get(k, limit)) is not None]


def without_copies(limits: list[ObservedLimit]) -> tuple[ObservedLimit, ...]:
    """Join halves, and remove each limit that one with a name repeats, which gets its reset (Kong)."""
    limits = with_halves(limits)
    for limit in [limit for limit in limits if not limit.name and limit.quota is not None]:
        copies = [
            k
            for k, other in enumerate(limits)
            if other.name and (other.quota, other.remaining) == (limit.quota, limit.remaining)
        ]
        if len(copies) == 1 and limits[copies[0]].reset_s is None:
            limits[copies[0]] = replace(limits[copies[0]], reset_s=limit.reset_s)
            limits.remove(limit)
    return tuple(limits)


def is_refill_in_ms(limit: ObservedLimit) -> bool:
    """Return True if the reset is the milliseconds in which what was used is refilled (Azure OpenAI)."""
    if not limit.quota or limit.remaining is None or limit.window_s is None or limit.reset_s is None:
        return False
    refill_s = (limit.quota - limit.remaining) * limit.window_s / limit.quota
    return abs(limit.reset_s - 1000 * refill_s) <= 1


def reader_of(
    key: str, text: str, wait: Callable[[str], Fraction]
) -> Callable[[str], tuple[ObservedLimit, ...]] | None:
    """Return the reader of a value that states whole limits; None if it does not."""
    if SNAPSHOT.match(text):
        return partial(snapshot, key.rpartition("-")[2], wait)
    if key in WAITS:
        return waits
    if IN_VALUE.search(text):
        return in_value
    if "remaining" in key and _LEFT_PER.search(text):
        return left_per
    return used_of if USED_OF.fullmatch(text) else None


def in_value(text: str) -> tuple[ObservedLimit, ...]:
    """Read limits with their numbers in one value; a limit begins where a number is stated again."""
    parts: list[dict[str, Any]] = [{}]
    for name, number, unit, per in IN_VALUE.findall(text[:1000]):
        if name.lower() == "time" and not unit:
            continue  # of Huawei Cloud, "time:10 second"; others may mean the time of day
        role = _IN_VALUE_ROLES[name.lower()]
        if role in parts[-1]:
            parts.append({})
        parts[-1][role] = (
            parse_duration(f"{number}{unit}" if unit else per) if unit or per else Fraction(number)
        )
    limits = [ObservedLimit(**numbers) for numbers in parts]
    if not any(limit.quota is not None or limit.remaining is not None for limit in limits):
        raise InvalidHeader("expected limit=, remaining= and reset= with whole numbers")
    return tuple(limits)


def used_of(text: str) -> tuple[ObservedLimit, ...]:
    """Read ``32/40``: what was used of a limit."""
    match = USED_OF.fullmatch(text)
    if match is None:
        raise InvalidHeader(f"{text[:40]!r} is not written as used/limit")
    if int(match[1]) > int(match[2]):
        raise InvalidHeader(f"{text!r} is no used/limit: more would be used than the limit")
    return (_used("", match[1], match[2]),)


def waits(text: str) -> tuple[ObservedLimit, ...]:
    """Read ``60:transaction, 2700:default;error:key``: seconds in which kinds are rejected (Sentry).

    A member without a number limits nothing, if another has one.
    """
    longest: dict[str, Fraction] = {}
    invalid: InvalidHeader | None = None
    for member in members([text]):
        stated, _, rest = member.partition(":")
        try:
            wait_s = parse_number(stated)
        except InvalidHeader as error:
            invalid = error
            continue
        for kind in rest.partition(":")[0].lower().split(";"):
            longest[kind.strip()] = max(wait_s, longest.get(kind.strip(), wait_s))
    if invalid is not None and not longest:
        raise invalid
    return tuple(
        ObservedLimit(name=kind, remaining=Fraction(0), reset_s=wait_s) for kind, wait_s in longest.items()
    )


def left_per(text: str) -> tuple[ObservedLimit, ...]:
    """Read ``group=order; min=59; sec=4``: what remains in a minute and in a second (Upbit)."""
    group = _GROUP.search(text[:1000])
    return tuple(
        ObservedLimit(
            name=group[1] if group else "", remaining=Fraction(count), window_s=parse_duration(unit)
        )
        for unit, count in _LEFT_PER.findall(text[:1000])
    )


def snapshot(name: str, wait: Callable[[str], Fraction], text: str) -> tuple[ObservedLimit, ...]:
    """Read ``ent=300&rem=88.5&rst=2026-06-30T21:00:00Z``: a quota, and the percent left of it (Copilot)."""
    try:
        fields = dict(parse_qsl(text[:1000], max_num_fields=20))
        quota, left = parse_number(fields["ent"]), parse_number(fields["rem"])
    except (KeyError, ValueError):
        raise InvalidHeader(f"{text[:40]!r} is not written as ent=quota&rem=percent") from None
    reset_s = wait(fields["rst"]) if "rst" in fields else None
    return (ObservedLimit(name=name, quota=quota, remaining=quota * left / 100, reset_s=reset_s),)


def regain_s(text: str) -> Fraction:
    """Return the longest time until calls are served again, which Meta states in minutes, in seconds."""
    return 60 * max(Fraction(minutes) for minutes in REGAIN.findall(text[:MAX_SEARCHED]))


def api_usage(text: str) -> tuple[ObservedLimit, ...]:
    """Read ``api-usage=18/5000; per-app-api-usage=17/250(appName=sample)`` (Salesforce)."""
    usages = _API_USAGE.findall(text[:1000])
    if not usages:
        raise InvalidHeader(f"{text[:40]!r} is not written as api-usage=used/limit")
    return tuple(_used(name.removesuffix("-usage"), used, quota) for name, used, quota in usages)


def _used(name: str, used: str, quota: str) -> ObservedLimit:
    remaining = max(Fraction(0), Fraction(quota) - Fraction(used))
    return ObservedLimit(name=name, quota=Fraction(quota), remaining=remaining)
