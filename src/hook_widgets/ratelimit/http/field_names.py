"""Keep the fields of a response by their names, which tell the name of a limit and the role of a value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, TypeVar

from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.http.field_values import members, parse_duration
from hook_widgets.ratelimit.http.observed_limit import AT_ONCE
from hook_widgets.ratelimit.rate_text import CALENDAR_DAYS

T = TypeVar("T")

FAMILY: Final = re.compile(
    r"((?:[a-z0-9]++-)*?(?:(minutely|hourly|daily|monthly)-)?+([a-z0-9]*?)rate-?limits?((?:by[a-z]++)?+))"
    r"(?:-((?s:.++)))?"
)
RETRY: Final = re.compile(
    r"(?:[a-z0-9.]++-)*?(?:(?:retry-?(?:after|in)|throttle-wait)(?s:-.++)?|rate-?limit-retry)"
)
LOOKALIKE: Final = re.compile(
    r"rate-?limit|retry-?after|throttl|quota|(?<!page-)(?<!pagination-)\blimit\b|remain|-left$|\b[qr]p[sm]\b|"
    r"(?:app|api|account|case|page)-usage|used-(?:[a-z]{1,9}-)?weight|order-count|requests?-(?:available|used)|"
    r"requestcounter|token-count|replenish|bucket-level|drip-rate|concurren|used-percent|^x-rl$"
)
# Qiita has Rate-Limit, Rate-Remaining and Rate-Reset; Planning Center has Rate-Count and Rate-Period.
WITHOUT_LIMIT: Final = re.compile(r"((?:[a-z0-9]++-)*?)rate-(remaining|reset|used|count|period)")
# Walmart and ip-api.com: what remains, and the times of the reset.
_PAIRS: Final[dict[str, tuple[str, ...]]] = {
    "x-current-token-count": ("x-next-replenishment-time", "x-next-replenish-time"),
    "x-rl": ("x-ttl",),
}
# X-DayLimit-Remaining and X-AppMinLimit-Remaining of Xero; x-limit-per-second of Etsy.
_NO_STEM: Final = re.compile(r"x-([a-z]*?)(day|hour|min(?:ute)?|sec(?:ond)?)limit-remaining")
# x-remaining-calls-per-minute; x-daily-requests-left of Pipedrive, x-24-hour-requests-left of Apollo.
_LEFT: Final = re.compile(
    r"x-(?:remaining-(?:calls|requests)-per-([a-z]{1,10}+)|((?:[0-9]{1,4}-)?[a-z]{1,10})-(?:calls|requests)-left)"
)
_PER: Final = re.compile(r"x-limit-per-([a-z]{1,10}+)")
# Of these, one is enough if the fields beside it say what it is; a count of what was used needs a quota.
_STEM_ENDS: Final = ("-remaining", "-remain", "-left", "-used-percent")
_USED_ENDS: Final = ("-available", "-current", "-used", "-usage")
_UNITS: Final = (
    *("tokens", "bytes", "images", "characters", "seconds", "minutes", "credits", "points", "cents"),
    "query-time",  # of Trello
)
# Together AI has x-tokenlimit-limit; what a query costs is no request, either.
_UNIT: Final = re.compile(
    rf"\b({'|'.join(_UNITS)}|usd|cost|complexity|(?<!-)token(?=limit|-|\Z)|concurren[a-z]*+)(?:limit)?\b"
)
# At the end of tokens-5-minute, and of day-ip.
_SPAN: Final = re.compile(
    r"(?:(?<![a-z0-9])([0-9]{1,5})-)?(?<![a-z0-9])([a-z0-9]++)(?=(?:-(?:ip|user|key|app|client|account))?\Z)"
)
_PER_S: Final = re.compile(r"(?:^|-)[rqt]p([smhd])$")
_GLUED_ROLE: Final = re.compile(r"(.+)(limit|remaining|reset|used)")
_WINDOWS: Final = ("window", "interval", "period", "time-window", "duration", "renewalperiod")
_RESETS: Final = ("reset", "resets", "resettime", "resetat", "resetson", "next")
ROLES: Final = {
    **dict.fromkeys(
        (
            *("limit", "max", "max-value", "cap", "quota", "total", "allowed", "allotted", "capacity"),
            "burst-capacity",
        ),
        "limit",
    ),
    "current-limit": "limit",  # RevenueCat
    "current-usage": "used",
    "policy": "policy",
    **dict.fromkeys(("fillrate", "fill-rate", "replenish-rate"), "rate"),
    **dict.fromkeys(("remaining", "remain", "left", "available"), "remaining"),
    **dict.fromkeys(
        (
            *("resetafter", "resetseconds", "after", "seconds-until-reset", "time-to-reset", "towait-sec"),
            "remaining-seconds",  # Rollbar
        ),
        "reset-after",
    ),
    "timeremaining": "reset-after",
    **{
        f"{word}-{end}": "reset-after"
        for word in ("reset", "resets")
        for end in ("after", "in", "seconds", "ttl", "after-seconds", "in-seconds")
    },
    **dict.fromkeys(("reset-ms", "reset-milliseconds", "reset-after-ms", "time-reset-ms"), "reset-ms"),
    **dict.fromkeys((*_RESETS, "expires", "expire", "expiry-time"), "reset"),
    **{f"reset-{end}": "reset" for end in ("at", "time", "timestamp", "date", "epoch")},
    **dict.fromkeys(("used", "observed", "consumed", "usage", "count", "state", "current"), "used"),
    "used-percent": "percent",
    "utilization": "share",
    "status": "status",
    **{f"{word}{end}": "window" for word in _WINDOWS for end in ("", "-sec", "-seconds", "-in-sec")},
    **{f"{word}{end}": "window-ms" for word in _WINDOWS for end in ("-ms", "-milliseconds")},
    "window-minutes": "window-min",
    "time-unit": "window-unit",
    **dict.fromkeys(("resource", "name"), "name"),
}


def name_and_role(rest: str) -> tuple[str, str]:
    """Return the name of a limit and the role of a field, from the end of its name; no role if unknown."""
    if rest in ROLES:
        return "", ROLES[rest]
    words = rest.split("-") if rest else []
    for size in (3, 2, 1):
        ends = (words[:size], words[size:]), (words[-size:], words[:-size])
        roles = [("-".join(name), role) for part, name in ends if (role := ROLES.get("-".join(part)))]
        if roles:  # of Limit-Remaining and Limit-Reset, the second word says what the value is
            rest, role = next(
                (each for each in roles if each[1].startswith(("remaining", "reset"))), roles[0]
            )
            return rest.removeprefix("limit-"), role  # Affinity has Limit-User and Limit-User-Remaining
    if glued := _GLUED_ROLE.fullmatch(rest):
        return glued[1].removesuffix("-"), ROLES[glued[2]]  # such as X-RateLimit-ClientLimit
    # Such as X-Rate-Limit, and -Daily beside -Daily-Remaining.
    is_span = parse_duration(rest.replace("-", "")) is not None
    return (rest, "limit" if is_span or not rest else "")


def unit_of_name(name: str) -> str:
    """Return what a limit counts by its name."""
    unit = _UNIT.search(name)
    if unit is not None and unit[1].startswith("concurren"):
        return AT_ONCE
    return "requests" if unit is None else "tokens" if unit[1] == "token" else unit[1]


def window_of_name(name: str) -> Fraction | None:
    """Return the window that the name of a limit ends with; seconds of audio are counted, and are none.

    >>> window_of_name("tokens-5-minute"), window_of_name("perday")
    (Fraction(300, 1), Fraction(86400, 1))
    """
    if per := _PER_S.search(name):
        return parse_duration(per[1])
    span = _SPAN.search(name)
    if span is None or span[2] in _UNITS:
        return None
    return parse_duration(span[0].replace("-", "").removeprefix("per"))


def calendar_window_of_name(name: str) -> Fraction | None:
    """Return about how long the month, quarter or year is that the name of a limit ends with.

    >>> calendar_window_of_name("requests-per-month")
    Fraction(2592000, 1)
    """
    days = CALENDAR_DAYS.get(name.rpartition("-")[2].removeprefix("per"))
    return None if days is None else Fraction(86_400 * days)


def _pairs(headers: Any) -> list[tuple[str, str]]:
    """Return names and values; raise `InvalidHeader` for what has none."""
    fault = "headers must be a mapping, or pairs of a name and a value, of text"
    if isinstance(headers, str):  # texts of two letters would be pairs
        raise InvalidHeader(fault)
    lines = headers.items() if isinstance(headers, Mapping) else headers
    try:
        pairs = [(name, value) for name, value in lines]
    except (TypeError, ValueError):
        raise InvalidHeader(fault) from None
    if not all(isinstance(text, str) for pair in pairs for text in pair):
        raise InvalidHeader(fault)
    return pairs


class ReceivedFields:
    """The header fields of a response, by names in lower case.

    Attributes:
        lines: the values of each field, one for each repetition.
        spelling: the names as received.
        read: names of the parsed fields.
        ignored: the reasons for which fields were not used.
        assumed: what was assumed of fields.
    """

    def __init__(self, headers: Mapping[str, str] | Iterable[tuple[str, str]]) -> None:
        self.lines: dict[str, list[str]] = {}
        self.spelling: dict[str, str] = {}
        self.read: dict[str, None] = {}
        self.ignored: dict[str, str] = {}
        self.assumed: dict[str, str] = {}
        for name, value in _pairs(headers):
            key = name.strip().lower().replace("_", "-").replace("limitpolicy", "limit-policy")
            self.lines.setdefault(key, []).append(value.strip())
            self.spelling.setdefault(key, name)
        self.add_limit_to_names()

    def add_limit_to_names(self) -> None:
        """Rename fields such as Rate-Remaining, if there are others whose names begin with Rate-Limit."""
        parts = [name.partition("rate-limit") for name in self.lines]
        prefixes = {prefix for prefix, word, _ in parts if word}
        for match in filter(None, map(WITHOUT_LIMIT.fullmatch, tuple(self.lines))):
            key = f"{match[1]}rate-limit-{match[2]}"
            if key not in self.lines and match[1] in prefixes:
                self.lines[key] = self.lines.pop(match[0])
                self.spelling[key] = self.spelling.pop(match[0])

    def is_done(self, key: str) -> bool:
        """Return True if a field was read or ignored."""
        name = self.spelling[key]
        return name in self.read or name in self.ignored

    def value(self, key: str, parse: Callable[[str], T]) -> T | None:
        """Return the value of a field, of which repetitions are one list; None if it cannot be read."""
        if key not in self.lines:
            return None
        try:
            parsed = parse(", ".join(self.lines[key]))
        except InvalidHeader as error:
            self.ignored[self.spelling[key]] = str(error)
            return None
        self.read[self.spelling[key]] = None
        return parsed

    def values(self, key: str, parse: Callable[[str], T]) -> list[T]:
        """Return the members of a field; none if one of them cannot be read."""
        return self.value(key, lambda _: [parse(member) for member in members(self.lines[key])]) or []

    def stems(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield names and fields of limits whose fields are only recognized by each other."""
        for key in self.lines:
            if match := _NO_STEM.fullmatch(key):
                yield "-".join(filter(None, match.groups())), {"remaining": key}
            elif left := _LEFT.fullmatch(key):
                yield left[1] or left[2], {"remaining": key}
            elif key.endswith((*_STEM_ENDS, *_USED_ENDS)) and not self.is_done(key):
                stem = key.rpartition("-")[0].removesuffix("-used")
                keys = {
                    role: f"{stem}-{word}" for word, role in ROLES.items() if f"{stem}-{word}" in self.lines
                }
                if "limit" in keys or (
                    key.endswith(_STEM_ENDS) and (len(keys) > 1 or stem.endswith(("limit", "quota")))
                ):
                    yield stem.removeprefix("x-"), keys
            elif key in _PAIRS:
                reset = next((name for name in _PAIRS[key] if name in self.lines), "")
                yield "", {"remaining": key, "reset": reset}
            elif key.endswith("-limit-status"):  # Bybit
                limit = key.removesuffix("-status")
                keys = {"limit": limit, "remaining": key, "reset": f"{limit}-reset-timestamp"}
                if limit in self.lines:
                    yield "", keys
            elif per := _PER.fullmatch(key):
                remaining = "x-remaining-today" if per[1] == "day" else f"x-remaining-this-{per[1]}"
                if remaining in self.lines:
                    yield per[1], {"limit": key, "remaining": remaining}
