"""Parse the rate limit fields of any API leniently into one record.

Malformed fields are ignored, as the IETF draft requires of clients, and listed with the reason; so is every
other field whose name looks like one of a rate limit. Supported:

- ``RateLimit`` and ``RateLimit-Policy`` of draft-ietf-httpapi-ratelimit-headers-08 to -10,
- the single ``RateLimit`` field of draft-07 (``limit=100, remaining=50, reset=5``),
- ``RateLimit-Limit``, ``-Remaining``, ``-Reset``, ``-Policy`` of drafts 00 to 07 (``100, 100;w=60``),
- the same with any prefix (``X-RateLimit-``, ``X-Rate-Limit-``, ``anthropic-ratelimit-``) and with the name
  of the limit before or after (``-limit-requests``, ``-requests-limit``, ``-limit-minute``),
- Reset in seconds (in milliseconds where only these fit the window or refill), as a time in s, ms, us or ns,
  a duration (``6m0s``) or as a date; ``-Reset-After`` in seconds (Discord),
- any ``-Remaining`` with a ``-Limit`` or ``-Reset`` beside it (``x-app-limit-24hour-``, ``X-Toggl-Quota-``),
  any count of what was used with a quota beside it (``X-Plan-Quota-Allotted`` and ``-Current`` of Mashery),
- limits in one value: ``total=100; remaining=0; resets=41`` (Zendesk), ``b=per_hour;q=100;r=0;t=60``
  (Auth0), ``remain:9,limit:10,time:10 second`` (Huawei Cloud),
- used of limit: ``X-Shopify-Shop-Api-Call-Limit: 32/40``, ``Sforce-Limit-Info: api-usage=18/5000``,
- windows, units: ``100;w=21600`` (Docker Hub), ``9;u=cents`` (Helicone), ``20:1`` (Riot), ``9 per minute``,
- buckets: the rate of the refill beside the capacity (Jira, Spring Cloud Gateway); the window is the time
  in which the bucket fills; used and remaining without a limit (Reddit); ``limit:period:penalty`` and
  ``-State`` (Path of Exile); ``-Limit-Status`` (Bybit); ``X-MinLimit-Remaining`` (Xero),
- names before numbers: ``name=default,100;`` (IBM API Connect), ``Compute/Get3Min;159`` (Azure),
- shares: ``-Used-Percent`` (Codex), ``-Utilization`` and ``-Status`` (Claude), ``ent=300&rem=88.5``
  (Copilot); waits of kinds, ``60:transaction, 2700:default;error`` (Sentry),
- ``Rate-Remaining`` beside ``Rate-Limit`` (Qiita), ``Rate-Count`` and ``Rate-Period`` (Planning Center),
  ``-Limit-Remaining`` and ``-Quota-Remaining`` alone, ``group=order; min=59; sec=4`` (Upbit),
  ``X-Current-Token-Count`` (Walmart), ``X-Rl`` and ``X-Ttl`` (ip-api.com),
- ``Retry-After`` in all these forms, ``Retry-After-Ms``, ``X-Retry-In``, also with the name of a limit;
  ``X-Throttle-Wait-Seconds`` (Django REST framework), ``estimated_time_to_regain_access`` (Meta).

Times of the server are compared with its own ``Date``, if the response has one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from typing import Final

from hook_widgets.ratelimit.http.field_names import (
    FAMILY,
    LOOKALIKE,
    RETRY,
    ReceivedFields,
    calendar_window_of_name,
    name_and_role,
    unit_of_name,
    window_of_name,
)
from hook_widgets.ratelimit.http.field_values import (
    MIN_TIMESTAMP_S,
    Policy,
    in_seconds,
    members,
    no_limit,
    not_below_zero,
    parse_count,
    parse_date_field,
    parse_duration,
    parse_number,
    parse_policies,
    parse_quota,
    parse_share,
    parse_wait,
    unit_assumed,
    unit_of,
    wait_unit_assumed,
)
from hook_widgets.ratelimit.http.observed_limit import (
    IN_VALUE,
    MAX_SEARCHED,
    REGAIN,
    SNAPSHOT,
    USED_OF,
    WAITS,
    ObservedLimit,
    api_usage,
    in_value,
    is_refill_in_ms,
    not_stated,
    reader_of,
    regain_s,
    unknown_wait_s,
    with_policies,
    with_shared,
    without_copies,
)
from hook_widgets.ratelimit.http.ratelimit_headers import parse_ratelimit, parse_ratelimit_policy
from hook_widgets.ratelimit.http.rounding import epoch_s
from hook_widgets.ratelimit.units import Number

_BARE_NAME: Final = re.compile(r"(?:^|(?<=,))\s*+([A-Za-z][\w.-]{0,100}+)(?=\s*+;)")
_NAMED_COUNT: Final = re.compile(r"(?:name=)?+[A-Za-z][\w./-]{0,100}+[,;]\s*+(?=[0-9])")
_COMMON_FAMILIES: Final = ("ratelimit", "rate-limit", "x-ratelimit", "x-rate-limit")  # spellings of one thing
# Hugging Face has the kind of a policy before its name.
_BEFORE_NAME: Final = re.compile(r'"[^"]{0,100}+"\s*+;\s*+(?="[^"]{0,100}+"\s*+;)')
_QUOTA: Final = re.compile(r";\s*+q=")
_BELOW_ZERO: Final = re.compile(r"(?:^|,)\s*+(-[0-9.]{1,20})")
_THOUSANDS: Final = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3}){1,4}")
_DIGITS: Final = re.compile(r"[0-9]{1,9}")
_RESETS_IN_MS: Final = ("gw-ratelimit",)  # KuCoin
_RATES_PER_S: Final = ("x-amzn-ratelimit",)  # Selling Partner API
# GitHub rejects with 403 and 429, Binance bans with 418, EVE and X (Twitter) had 420, Shopify has 430.
_REJECTED: Final = (403, 418, 420, 429, 430, 503)


@dataclass(frozen=True, slots=True)
class Observed:
    """The rate limits that one response reports.

    Attributes:
        limits: the reported limits, in the order of their fields.
        retry_after_s: seconds that ``Retry-After`` asks for, or None.
        read: names of the parsed fields, spelled as received.
        ignored: pairs of field name and reason, for the fields that were not used.
        status: the status of the response, or None if it is not known.
        assumed: pairs of field name and assumption, for the fields whose unit or meaning the response does
            not state.
    """

    limits: tuple[ObservedLimit, ...]
    retry_after_s: Fraction | None
    read: tuple[str, ...]
    ignored: tuple[tuple[str, str], ...]
    status: int | None = None
    assumed: tuple[tuple[str, str], ...] = ()

    @property
    def wait_s(self) -> Fraction:
        """Seconds that a compliant client waits before its next request.

        ``Retry-After`` takes precedence (draft-10, section 6). Without it, this is the longest reset of the
        exhausted limits. After a rejection, which only the status tells, it is the shortest reset of the
        limits that do not state what remains, if none is known to be exhausted. It is never zero then: if the
        response does not say, it is the window, and at most 60 s (as GitHub asks, docs.github.com, "Rate
        limits for the REST API"); it is 1 s if it says 0, because fractions of a second may have been cut. A
        quota of zero in another response limits nothing (Brave).
        """
        is_served = self.status not in (None, *_REJECTED)
        timed = [
            (limit.remaining, limit.reset_s)
            for limit in self.limits
            if limit.reset_s is not None and not (is_served and limit.quota == 0)
        ]
        wait = self.retry_after_s
        if wait is None:
            exhausted = (reset_s for remaining, reset_s in timed if remaining is not None and remaining < 1)
            wait = max(exhausted, default=None)
        if self.status in _REJECTED:
            if wait is None:
                is_known = any(limit.remaining is not None and limit.remaining < 1 for limit in self.limits)
                unknown = (reset_s for remaining, reset_s in timed if remaining is None and not is_known)
                wait = min(unknown, default=unknown_wait_s(self.limits))
            return wait or Fraction(1)
        return wait or Fraction(0)


def observe(
    headers: Mapping[str, str] | Iterable[tuple[str, str]],
    *,
    now: datetime | Number,
    status: int | None = None,
) -> Observed:
    """Parse the rate limit fields of a response from any API.

    Args:
        headers: the response's header fields; pass pairs if a field is repeated.
        now: when the response arrived (epoch seconds or an aware datetime).
        status: the status of the response, such as 429, without which a rejection is not recognized.

    Raises:
        InvalidHeader: ``now`` is invalid, or `headers` has no names and values of text; malformed fields are
            listed in ``ignored`` instead.

    >>> headers = {"x-ratelimit-limit": "60", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1790000030"}
    >>> observe(headers, now=1_790_000_000).wait_s
    Fraction(30, 1)
    >>> observe({"x-ratelimit-remaining": "4290"}, now=1_790_000_000, status=403).wait_s
    Fraction(60, 1)
    """
    return _Reader(headers, epoch_s(now)).observed(status)


class _Reader(ReceivedFields):
    def __init__(self, headers: Mapping[str, str] | Iterable[tuple[str, str]], now_s: Fraction) -> None:
        super().__init__(headers)
        date_s = parse_date_field(self.lines.get("date", [""])[0])
        self.now_s = now_s if date_s is None else date_s
        self.are_ms = False

    def observed(self, status: int | None) -> Observed:
        families = self.families()
        limits = [limit for family in dict.fromkeys(["ratelimit", *families]) for limit in self.ietf(family)]
        for family, matches in families.items():
            named, unnamed = self.family(matches)
            if limits and family in _COMMON_FAMILIES:
                unnamed = not_stated(unnamed, limits)
            limits += [*unnamed, *named]
        limits += [limit for stem in self.stems() for limit in self.group(*stem)]
        limits += self.value("sforce-limit-info", api_usage) or ()
        stated_s = self.retry_after_s()
        retry_after_s = in_seconds(stated_s, [limit.reset_s for limit in limits])
        if "retry-after" in self.lines and (assumption := wait_unit_assumed(stated_s, retry_after_s)):
            self.assumed[self.spelling["retry-after"]] = assumption
        for key, name in self.spelling.items():
            if self.is_done(key) or not LOOKALIKE.search(key):
                continue
            if reader := reader_of(key, self.lines[key][0], self.wait):
                limits += self.value(key, reader) or ()
            else:
                self.ignored[name] = "it is no known field of a rate limit"
        ignored, assumed = tuple(self.ignored.items()), tuple(self.assumed.items())
        return Observed(without_copies(limits), retry_after_s, tuple(self.read), ignored, status, assumed)

    def ietf(self, family: str) -> tuple[ObservedLimit, ...]:
        for key in (family, f"{family}-policy"):
            for k, line in enumerate(self.lines.get(key, ())):
                named = line if '"' in line else _BARE_NAME.sub(r'"\1"', line)
                self.lines[key][k] = _BEFORE_NAME.sub("", named)
        text, policy_text = (", ".join(self.lines.get(key, ())) for key in (family, f"{family}-policy"))
        if family != "ratelimit" and '"' not in (text[:1], policy_text[:1]):
            return ()
        if "=" in text.partition(",")[0].partition(";")[0]:
            stated = list(self.value(family, in_value) or ())
            return with_policies(stated, self.value("ratelimit-policy", parse_policies) or [])
        service_limits = self.value(family, parse_ratelimit) or ()
        if not service_limits and not policy_text.startswith('"'):
            return ()  # the policies of drafts 03 to 06 have no names
        states_quotas = 0 < len(service_limits) == len(_QUOTA.findall(text))  # Auth0
        policies = {
            policy.name: ObservedLimit(
                name=policy.name,
                quota=Fraction(policy.quota),
                window_s=_exact(policy.window_s),
                unit=policy.unit,
            )
            for key in ([family] if states_quotas else []) + [f"{family}-policy"]
            for policy in self.value(key, parse_ratelimit_policy) or ()
        }
        limits = [
            replace(
                policies.pop(limit.name, ObservedLimit(name=limit.name)),
                remaining=Fraction(limit.remaining),
                reset_s=_exact(limit.reset_s),
            )
            for limit in service_limits
        ]
        return (*limits, *policies.values())

    def families(self) -> dict[str, list[re.Match[str]]]:
        """Return the fields of limits by their prefixes; the common ones first, then as received."""
        families: dict[str, list[re.Match[str]]] = {family: [] for family in _COMMON_FAMILIES}
        for key in self.lines:
            if match := FAMILY.fullmatch(key):
                families.setdefault(match[1], []).append(match)
        return {family: matches for family, matches in families.items() if matches}

    def family(self, matches: list[re.Match[str]]) -> tuple[list[ObservedLimit], list[ObservedLimit]]:
        """Return the limits that the fields with a prefix state: those with a name, and those without."""
        groups: dict[str, dict[str, str]] = {}
        for match in matches:
            key = match.string
            if RETRY.fullmatch(key) or self.is_done(key):
                continue
            name, role = name_and_role(match[5] or "")
            value = self.lines[key][0]
            is_whole = USED_OF.fullmatch(value) or (not value[:1].isdigit() and IN_VALUE.search(value))
            if key in WAITS or SNAPSHOT.match(value) or (not match[5] and is_whole):
                continue  # all numbers are in the value
            if role == "limit" and parse_duration(value) is not None:
                role = "window"  # AspNetCoreRateLimit
            if not role and any(f"{key}-{end}" in self.lines for end in ("state", "remaining")):
                role = "limit"  # Path of Exile; Requests-Per-Minute beside Requests-Per-Minute-Remaining
            name = "-".join(filter(None, (name or match[3] or match[4], match[2])))  # x-daily-readratelimit
            if role and role in groups.setdefault(name, {}):
                self.ignored[self.spelling[key]] = f"{self.spelling[groups[name][role]]} states it, too"
            elif role:
                groups[name][role] = key
        unnamed = groups.pop("", {})
        for _ in range(2):
            shared = self.group("", unnamed)
            named = [limit for name, keys in groups.items() for limit in self.group(name, keys)]
            if not self.are_ms:
                break  # else again, as those before are in milliseconds, too
        self.are_ms = False
        return with_shared(named, shared)

    def group(self, name: str, keys: Mapping[str, str]) -> list[ObservedLimit]:
        """Return the limits of fields that belong together: several if they are repeated."""
        for key in (keys.get(role, "") for role in ("limit", "remaining", "reset")):
            if _NAMED_COUNT.match(self.lines.get(key, [""])[0]):
                self.lines[key] = [_NAMED_COUNT.sub("", line).rstrip(";") for line in self.lines[key]]
        self.join_thousands(keys)
        quotas, policies = self.quotas(keys.get("limit", ""))
        policies += self.value(keys.get("policy", ""), parse_policies) or []
        states_use = bool(quotas or policies) or ("used" in keys and "limit" not in keys)
        remaining = self.remaining(keys.get("remaining", ""), states_use=states_use)
        after = self.values(keys.get("reset-after", ""), self.wait)
        after = after or self.values(keys.get("reset-ms", ""), self.wait_ms)
        in_ms = keys.get("reset", "").startswith(_RESETS_IN_MS)
        resets = self.values(keys.get("reset", ""), self.wait_ms if in_ms else self.wait)
        resets = after or resets
        if past := self.below_zero(keys.get("reset", "")):
            self.assumed[self.spelling[keys["reset"]]] = f"{past} is read as 0, a time that has passed"
        used = self.values(keys.get("used", ""), not_below_zero(parse_count)) if len(keys) > 1 else []
        if not remaining and len(used) == len(quotas):
            remaining = [max(Fraction(0), quota - count) for quota, count in zip(quotas, used, strict=True)]
        elif not quotas and len(used) == len(remaining) and all(remaining):
            quotas = [left + count for left, count in zip(remaining, used, strict=True)]
            self.assumed[self.spelling[keys["used"]]] = "it is added to what remains, which gives the quota"
        label = self.value(keys.get("name", ""), str) or name
        percent = [] if quotas or remaining else self.percent(keys)
        if percent:
            quotas, remaining = (
                [Fraction(100)] * len(percent),
                [max(Fraction(0), 100 - used) for used in percent],
            )
        elif resets and "status" in keys and not remaining:
            state = self.value(keys["status"], str) or ""
            remaining = [Fraction(0)] if state == "rejected" else []
            resets = [] if state.startswith("allowed") and not quotas else resets
        if not (quotas or remaining or resets):
            return list(with_policies([], policies))
        window = self.longer_window_s(keys, self.window_s(name, keys, quotas), resets)
        size = len(remaining) or len(quotas) or 1
        if len(quotas) not in (0, size):
            field = self.spelling[keys["limit"]]
            self.ignored[field] = f"it has {len(quotas)} values, for {size} limits"
            quotas = []
        sure = in_ms or bool(after) or len(resets) != size
        if len(resets) not in (0, size):
            resets = [max(resets)] * size  # which limit each belongs to is not known; the latest is safe
        limits = [
            ObservedLimit(
                name=label,
                quota=quotas[k] if quotas else None,
                remaining=remaining[k] if remaining else None,
                reset_s=resets[k] if resets else None,
                window_s=window,
                unit="percent" if percent else unit_of_name(name),
            )
            for k in range(size)
        ]
        limits = list(with_policies(limits, policies))
        return limits if sure else self.in_one_unit(limits, keys["reset"], calendar_window_of_name(name))

    def percent(self, keys: Mapping[str, str]) -> list[Fraction]:
        """Return what was used of a limit in percent."""
        shares = self.values(keys.get("share", ""), parse_share)
        return [100 * share for share in shares] or self.values(keys.get("percent", ""), parse_number)

    def remaining(self, key: str, *, states_use: bool) -> list[Fraction]:
        """Return what remains. Below zero, nothing is known, or more was used than a quota that is stated."""
        if below_zero := self.below_zero(key):
            if not states_use:  # Azure OpenAI
                self.value(key, no_limit)
                return []
            self.assumed[self.spelling[key]] = f"{below_zero} is read as 0, as more was used than the limit"
        return self.values(key, parse_count)

    def join_thousands(self, keys: Mapping[str, str]) -> None:
        """Remove the separators of thousands, which are told from a list by a member such as 000."""
        limit = self.lines.get(keys.get("limit", ""), [""])
        if len(limit) > 1 or not _THOUSANDS.fullmatch(limit[0]):
            return
        if ",0" not in limit[0]:
            self.assumed[self.spelling[keys["limit"]]] = f"{limit[0]} is read as several limits"
            return
        for key in (keys.get(role, "") for role in ("limit", "remaining", "used")):
            if _THOUSANDS.fullmatch(", ".join(self.lines.get(key, ()))):
                self.lines[key] = [self.lines[key][0].replace(",", "")]

    def below_zero(self, key: str) -> str:
        """Return the first number below zero in a field; empty if there is none."""
        match = _BELOW_ZERO.search(", ".join(self.lines.get(key, ())))
        return match[1] if match else ""

    def window_s(self, name: str, keys: Mapping[str, str], quotas: list[Fraction]) -> Fraction | None:
        """Return the window of a limit in seconds; of a bucket, the time in which it fills."""
        windows = self.values(keys.get("window", ""), self.wait)
        if windows and "window-unit" in keys:  # of Keap, interval 1 and time unit day
            windows = [windows[0] * unit for unit in self.values(keys["window-unit"], self.wait)]
        elif windows and self.is_in_ms(keys):
            windows = [windows[0] / 1000]
        windows = windows or self.values(keys.get("window-ms", ""), self.wait_ms)
        windows = windows or [60 * count for count in self.values(keys.get("window-min", ""), parse_number)]
        window = windows[0] if windows else window_of_name(name)
        if len(quotas) != 1:
            return window
        if window is None and keys.get("limit", "").startswith(_RATES_PER_S):
            return Fraction(1)
        rates = self.values(keys.get("rate", ""), parse_number)
        return (window or Fraction(1)) * quotas[0] / rates[0] if rates and rates[0] else window

    def longer_window_s(
        self, keys: Mapping[str, str], window_s: Fraction | None, resets: list[Fraction]
    ) -> Fraction | None:
        """Return a window, in minutes if it has no unit and ends long before the time of the reset."""
        key = keys.get("window", "")
        text, reset = (self.lines.get(name, [""])[0] for name in (key, keys.get("reset", "")))
        if not (window_s and resets and _DIGITS.fullmatch(text)) or _DIGITS.fullmatch(reset):
            return window_s
        if max(resets) <= 2 * window_s:
            return window_s
        if max(resets) > 60 * window_s:
            self.ignored[self.spelling[key]] = "its unit is not stated, and the reset is much later"
            self.read.pop(self.spelling[key], None)
            return None
        self.assumed[self.spelling[key]] = f"{text} is read as minutes, as the reset is later"
        return 60 * window_s

    def is_in_ms(self, keys: Mapping[str, str]) -> bool:
        """Return True if a window without a unit is in milliseconds, as the time of the reset is."""
        window, reset = (self.lines.get(keys.get(role, ""), [""])[0] for role in ("window", "reset"))
        return window.isdecimal() and len(window) > 3 and reset.isdecimal() and len(reset) == 13

    def in_one_unit(
        self, limits: list[ObservedLimit], key: str, calendar_s: Fraction | None
    ) -> list[ObservedLimit]:
        """Return limits whose resets are whole numbers in seconds, or in milliseconds where only these fit.

        A reset that fits no window in either, or without one is longer than a day, is ignored.
        """
        texts = self.lines[key] if len(self.lines[key][0]) > 9 else members(self.lines[key])
        if not all(len(text) <= 9 and text.isdecimal() for text in texts):
            return limits
        standard, resets = key == "ratelimit-reset", [limit.reset_s or Fraction(0) for limit in limits]
        stated = [parse_number(text) for text in self.lines.get("retry-after", ()) if _DIGITS.fullmatch(text)]
        waits = [in_seconds(wait_s, resets) or wait_s for wait_s in stated]
        units = [
            unit_of(reset_s, limit.window_s or calendar_s, waits, standard=standard)
            or 1000 * is_refill_in_ms(limit)
            for reset_s, limit in zip(resets, limits, strict=True)
        ]
        self.are_ms = self.are_ms or 1000 in units
        units = [1000] * len(units) if self.are_ms else units
        self.ignored.pop(self.spelling[key], None)
        if 0 in units:
            del self.read[self.spelling[key]]
            self.ignored[self.spelling[key]] = (
                "it may be in seconds or in milliseconds, and the window does not tell which"
            )
        elif assumption := unit_assumed(
            max(resets), limits[0].window_s or calendar_s, waits, units, standard=standard
        ):
            self.assumed[self.spelling[key]] = assumption
        if set(units) == {1}:
            return limits
        return [
            replace(limit, reset_s=limit.reset_s / per_s if limit.reset_s is not None and per_s else None)
            for limit, per_s in zip(limits, units, strict=True)
        ]

    def quotas(self, key: str) -> tuple[list[Fraction], list[Policy]]:
        """Return the quotas of a field, and the policies after them (drafts 00 to 06)."""
        if key not in self.lines:
            return [], []
        if any(";" in line for line in self.lines[key]):
            parsed = self.value(key, parse_policies) or []
            quotas = [q.quota for q in parsed if q.window_s is None] or [q.quota for q in parsed[:1]]
            return quotas, [each for each in parsed if each.window_s is not None]
        stated = self.values(key, parse_quota)
        return [each.quota for each in stated], [each for each in stated if each.window_s is not None]

    def retry_after_s(self) -> Fraction | None:
        """Return the wait that the response asks for; in milliseconds if it does, else in ``Retry-After``."""
        waits, exact = dict[str, Fraction](), list[Fraction]()
        for key in self.lines:
            if key.endswith("-usage") and REGAIN.search(self.lines[key][0], 0, MAX_SEARCHED):
                waits[key] = self.value(key, regain_s) or Fraction(0)
            if not RETRY.fullmatch(key):
                continue
            in_ms = key.endswith(("-ms", "-milliseconds"))
            values = self.values(key, not_below_zero(self.wait_ms if in_ms else self.wait))
            if values:
                waits[key] = max(values)
                exact += [waits[key]] if in_ms else []
        return max(exact) if exact else waits.get("retry-after", max(waits.values(), default=None))

    def wait(self, text: str) -> Fraction:
        """Return the seconds until a time, or of a duration."""
        return parse_wait(text, now_s=self.now_s)

    def wait_ms(self, text: str) -> Fraction:
        """Return a number of milliseconds in seconds."""
        number = parse_number(text)
        return number / 1000 if number < MIN_TIMESTAMP_S * 1000 else self.wait(text)


def _exact(seconds: int | None) -> Fraction | None:
    return None if seconds is None else Fraction(seconds)
