"""Inputs of a scenario from what was measured: the traffic in a log, the limits in response headers."""

from __future__ import annotations

import ast
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final
from warnings import catch_warnings, simplefilter

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.formatting import count, percent, seconds, short
from hook_widgets.ratelimit.traffic.workload import MAX_REQUESTS
from hook_widgets.ratelimit.units import duration

if TYPE_CHECKING:
    from hook_widgets.ratelimit.http.observed import Observed
    from hook_widgets.ratelimit.http.observed_limit import ObservedLimit
    from hook_widgets.ratelimit.traffic.logged import LoggedTraffic

_UNITS: Final = {1: "s", 60: "min", 3600: "hour", 86_400: "day"}
_MAX_HEADERS: Final = 20_000  # characters
_LINE: Final = re.compile(r"""[<*\s]*+([A-Za-z0-9!#$%&*+.^_|~-]++)(?:\s*+[:→]\s*+(.*)|\s++=\s++"(.*)"\s*+)""")
# Of YAML, with or without its quotes, and of a list with one value as PowerShell shows it.
_VALUE: Final = re.compile(r"""\[?(?:'([^']*+)'|"([^"]*+)")\]?|[\[{]([^'"\[\]{}]*+)[\]}]""")
_LINE_END: Final = re.compile(r"\r\n?|\n")
_SHOWN: Final = re.compile(r"(?:\w*+\()?(\{.*?|\[.*\])\)?", re.DOTALL)
_STATUS: Final = re.compile(r"[<*\s]*HTTP/[\d.]+ ")


@dataclass(frozen=True, slots=True)
class Measured:
    """Inputs that were read, and sentences on them.

    Attributes:
        inputs: texts of inputs of `scenario` by name.
        limits: pairs of name and text of a limit, in order.
        sentences: what was read, and what could not be.
    """

    inputs: dict[str, str]
    limits: tuple[tuple[str, str], ...]
    sentences: tuple[str, ...]


def inputs_of_log(traffic: LoggedTraffic, levels: Collection[str] = ()) -> Measured:
    r"""Return the inputs that describe the traffic in a log.

    Args:
        traffic: the traffic.
        levels: the levels of the limits, for the share of the busiest: ``"user"`` and ``"ip"``.

    >>> from hook_widgets.ratelimit.traffic.logged import describe_log
    >>> log = b'{"time": 0}' + b'\n{"time": 20}' * 9
    >>> inputs_of_log(describe_log(log)).inputs["burst"]
    '9'
    """
    inputs = {
        "steady": _rate_text(traffic.mean_per_s),
        "burst": str(traffic.burst) if traffic.burst else "",
        "burst_window_s": _span_text(traffic.burst_s) if traffic.burst else "",
        "burst_every_s": "",
        "duration_s": _span_text(traffic.span_s) if traffic.requests + traffic.burst < MAX_REQUESTS else "",
    }
    # What the log does not have stays as it was entered.
    inputs |= {
        name: str(len(keys)) for name, keys in (("ips", traffic.ips), ("users", traffic.users)) if keys
    }
    shares = [
        Fraction(max(keys.values()), keys.total())
        for level, keys in (("ip", traffic.ips), ("user", traffic.users))
        if keys and level in levels
    ]
    if shares:
        inputs["busiest_share"] = f"{math.ceil(max(shares) * 1000) / 10:g}%"
    return Measured(inputs, (), tuple(_log_sentences(traffic, shares)))


def _log_sentences(traffic: LoggedTraffic, shares: list[Fraction]) -> Iterator[str]:
    skipped = f", {count(traffic.skipped, 'line')} skipped" if traffic.skipped else ""
    yield (
        f"Read {count(traffic.requests, 'request')}{skipped}: {seconds(traffic.span_s)} with a mean of "
        f"{_rate_text(traffic.mean_per_s)}, at most {short(traffic.peak)} in one second."
    )
    if rejected := traffic.statuses["429"]:
        share = percent(Fraction(rejected, traffic.requests))
        yield f"{count(rejected, 'request')} of them ({share}) had the response 429 (Too Many Requests)."
    if traffic.burst:
        yield (
            f"Burst: {short(traffic.burst)} requests above the mean within {seconds(traffic.burst_s)}, "
            f"{seconds(traffic.burst_begin_s)} after the first request. It is the largest excess in a "
            "stretch of up to 1 min, in the shortest stretch with nine tenths of it."
        )
    else:
        yield "There is no burst: in no stretch of up to 1 min came more than the mean."
    if traffic.whole_minutes:
        yield "The times end with the minutes: bursts shorter than a minute cannot be seen."
    elif traffic.whole_seconds:
        yield "The times are whole seconds: bursts shorter than a second cannot be seen."
    if traffic.zones:
        names = " and ".join(traffic.zones)
        yield f"Times in {names} count as UTC: the name alone does not tell the offset, as +05:30 does."
    for title, keys in (("IP address", traffic.ips), ("user", traffic.users)):
        if keys:
            yield _keys_sentence(title, keys)
    if len(shares) > 1:
        yield "The share of the busiest is the larger one of both."
    if traffic.requests + traffic.burst >= MAX_REQUESTS:
        yield f"The run is shorter than the log: it has at most {short(MAX_REQUESTS)} requests."


def _keys_sentence(title: str, keys: Counter[str]) -> str:
    several = title + ("es" if title.endswith("s") else "s")
    share = percent(Fraction(max(keys.values()), keys.total()))
    return f"{count(len(keys), title, several)}; the busiest sent {share} of the requests."


def limits_of_headers(
    text: str, read_others: Callable[[str], list[tuple[str, str]]] | None = None
) -> Measured:
    """Return the limits that the headers of a response report.

    Args:
        text: the headers as text, one a line, also with a status line and a body, or as YAML; or as a JSON
            object, also with the response around it.
        read_others: returns the headers in any other text, none if it has none.

    Raises:
        InvalidLimit: no limit with a window can be read.

    >>> limits_of_headers('RateLimit-Policy: "burst";q=100;w=60, "daily";q=5000;w=86400').limits
    (('burst', '100/min'), ('daily', '5000/day'))
    """
    from hook_widgets.ratelimit.http.observed import observe  # no first picture needs it

    if len(text) > _MAX_HEADERS:
        raise InvalidLimit(f"the text has more than {_MAX_HEADERS:,} characters; paste the headers only")
    fault = 'there is no header in this text; paste lines such as RateLimit-Policy: "default";q=100;w=60'
    pairs = list[tuple[str, str]]()
    try:
        pairs = _pairs(text.strip())
    except InvalidLimit as error:
        fault = str(error)
    observed = observe(pairs, now=datetime.now(UTC))
    if read_others is not None and not (observed.read or observed.ignored):
        pairs = [(name, _plain(value)) for name, value in read_others(text)] or pairs
        observed = observe(pairs, now=datetime.now(UTC))
    if not pairs:
        raise InvalidLimit(fault)
    limits, sentences = [], []
    for limit in observed.limits:
        window_s = limit.window_s or _usual_window(limit)
        if limit.unit != "requests":
            sentences.append(f"The limit {limit.name!r} counts {limit.unit}; it was not used.")
            continue
        if not limit.quota or not window_s:
            sentences.append(_unused(limit))
            continue
        limits.append((limit.name, limit_text(limit.quota, window_s)))
        if not limit.window_s:
            sentences.append(
                f"The window of {short(limit.quota)} requests is not in the headers: {seconds(window_s)} is "
                f"the shortest usual one that fits a reset in {seconds(limit.reset_s or 0)}. Check it."
            )
    if not limits:
        raise InvalidLimit(" ".join(sentences) or _nothing(observed))
    names = ", ".join(observed.read)
    read = f"Read {count(len(limits), 'limit')} from {names}."
    ignored = [f"{name} was not used: {reason}." for name, reason in observed.ignored]
    assumed = [f"{name}: {assumption}." for name, assumption in observed.assumed]
    unsaid = (
        "The headers do not say the algorithm, the burst allowance (the whole quota is taken to pass at "
        "once), nor whether a limit is for all requests or for each user or IP."
    )
    return Measured({"burst_allowance": ""}, tuple(limits), (read, *sentences, *assumed, *ignored, unsaid))


def _pairs(text: str) -> list[tuple[str, str]]:
    if shown := _SHOWN.fullmatch(text):
        record = _record(shown[1])
        fields = record.items() if isinstance(record, dict) else record
        return [
            (name, str(value))
            for name, values in fields
            for value in (values if isinstance(values, list) else [values])
            if isinstance(name, str) and isinstance(value, str | int)
        ]
    pairs: list[tuple[str, str]] = []
    ended = False
    for line in _LINE_END.split(text):  # a value may have other characters that Python takes for line ends
        is_status = bool(_STATUS.match(line))
        if ended and not is_status:
            break  # the body
        if is_status:
            pairs, ended = [], False  # of several responses the last one counts
        ended = bool(pairs) and not line.strip(" <*")
        match = _LINE.fullmatch(line)
        if match and not is_status:
            pairs.append((match[1], _plain(match[2] or match[3] or "")))
        elif pairs and not pairs[-1][1]:  # as some browsers copy them, and YAML
            pairs[-1] = (pairs[-1][0], _plain(line))
    return pairs


def _plain(text: str) -> str:
    value = text.strip().removeprefix("- ")
    match = _VALUE.fullmatch(value)
    return value if match is None else match[1] or match[2] or match[3] or ""


def _record(text: str) -> Any:
    """Return a mapping, or a list of pairs, of JSON or as Python shows it (Requests, HTTPX)."""
    for parse in (json.loads, ast.literal_eval):
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError), catch_warnings():
            simplefilter("ignore")  # of escapes in strings
            record = parse(text)
            for part in (record.get("response"), record) if isinstance(record, dict) else ():
                if isinstance(part, dict) and isinstance(part.get("headers"), dict):
                    return part["headers"]
            if isinstance(record, dict) or all(
                isinstance(pair, tuple | list) and len(pair) == 2 for pair in record
            ):
                return record
    raise InvalidLimit("this is no JSON object of headers; paste the headers, one a line")


def _usual_window(limit: ObservedLimit) -> Fraction | None:
    """Return the shortest usual window in which the limit can be reset when it says."""
    if limit.reset_s is None or not limit.reset_s:
        return None
    return next((Fraction(span) for span in _UNITS if span >= limit.reset_s), None)


def _unused(limit: ObservedLimit) -> str:
    name = f" {limit.name!r}" if limit.name else ""
    if not limit.quota:
        return f"The limit{name} has no quota in the headers, so it was not used."
    return f"The limit{name} of {short(limit.quota)} has no window in the headers; look it up and enter it."


def _nothing(observed: Observed) -> str:
    if observed.ignored:
        return "; ".join(f"{name} cannot be used: {reason}" for name, reason in observed.ignored)
    if observed.retry_after_s is not None:
        return "Retry-After says when to try again, not a limit; paste the other headers, too"
    return "none of these headers states a limit; it is in RateLimit-Policy or X-RateLimit-Limit"


def limit_text(quota: Fraction, window_s: Fraction) -> str:
    """Return a limit, or a rate, as a person would enter it."""
    number = f"{float(quota):.15g}"
    unit = _UNITS.get(int(window_s)) if window_s.denominator == 1 else None
    return f"{number}/{unit}" if unit else f"{number} per {float(window_s):g} s"


def _span_text(span_s: int) -> str:
    """Return a duration as a person would enter it; in seconds if it needs three units."""
    text = seconds(span_s)
    return text if duration(text, "") == span_s else f"{span_s} s"


def _rate_text(per_s: Fraction) -> str:
    """Return a rate with four digits in the smallest unit in which it is at least 1."""
    span, unit = next(((span, unit) for span, unit in _UNITS.items() if per_s * span >= 1), (86_400, "day"))
    value = float(per_s * span)
    digits = max(0, 3 - math.floor(math.log10(value)))
    text = f"{value:.{digits}f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text}/{unit}"
