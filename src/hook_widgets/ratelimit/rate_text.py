"""Read rates as people write them, and say what to write instead of one that cannot be read."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

_SPELLINGS: Final = {
    Fraction(1, 10**9): "ns nanosecond nanoseconds",
    Fraction(1, 10**6): "us µs μs microsecond microseconds",
    Fraction(1, 10**3): "ms msec millisecond milliseconds",
    Fraction(1): "s sec secs second seconds",
    Fraction(60): "m min mins minute minutes",
    Fraction(3600): "h hr hrs hour hours",
    Fraction(86_400): "d day days",
    Fraction(604_800): "w week weeks",
}
UNITS_S: Final = {name: seconds for seconds, names in _SPELLINGS.items() for name in names.split()}
"""Seconds in each unit of time, by its names."""

# Longer exponents only consume memory.
NUMBER: Final = r"[+-]?(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?"
"""Pattern of a number."""

MAX_TEXT_LENGTH: Final = 500  # int() rejects strings of thousands of digits

CALENDAR_DAYS: Final = {
    **dict.fromkeys(("mo", "month", "months", "monthly", "cycle", "period"), 30),
    **dict.fromkeys(("quarter", "quarters", "quarterly"), 90),
    **dict.fromkeys(("y", "yr", "year", "years", "yearly", "annually"), 365),
}
"""Units of the calendar, which differ in length, with the nearest number of days."""

_CALENDAR_NAMES: Final = {30: "month", 90: "quarter", 365: "year"}
_ADVERBS: Final = {
    "secondly": "s", "minutely": "min", "hourly": "hour", "daily": "day", "weekly": "week", "weekday": "day",
}  # fmt: skip
_SAME: Final = str.maketrans("∕⁄／‐‑‒–—−’", "///------'")  # characters that look alike
_GROUPED: Final = re.compile(
    r"(?<![\d.,])[1-9]\d{0,2}(?:(?:,\d{3})+|(?:'\d{3})+|(?: \d{3})+|(?:\.\d{3}){2,})(?![\d,'])"
)
_FACTORS: Final = {
    "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9,
    "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9,
}  # fmt: skip
_NUMBERS: Final = {
    "a single": 1, "single": 1, "once": 1, "twice": 2,
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "sixty": 60,
}  # fmt: skip
# A number that a word continues is another one, as in 5 lakh and 100 Mio.
_MORE_DIGITS: Final = re.compile(
    rf"(?i:{'|'.join(_NUMBERS)}|half|few|several|couple|dozen|hundred|thousand|[bmt]r?illion|lakh|lac|cr|crore|"
    r"mil|mille|mio|mln|mn|mrd|bn|tn|tsd|tausend|[tlkg百千万萬亿億])s?"
)
_SHORT: Final = r"(?i:(?:[rqt]|[io]t)p[smhd]|hz)\b"
_FACTOR: Final = (
    rf"(?P<factor>[kKMG](?:(?![^\W\d_])|(?={_SHORT}|(?i:r|reqs?|requests?|calls?|tokens?)\b))|"
    r"(?:hundred|thousand|million|billion)\b)?"
)
_AMOUNT: Final = re.compile(rf"(?P<number>{NUMBER})\s*{_FACTOR}")
_BEFORE: Final = (
    r"(?i:(?:(?:an? )?(?:absolute )?max(?:imum)?\b\.?(?: of)?|up to|at most|not? more than|"
    r"(?:rate )?limit\b(?::| of)?|rate\b(?::|=| of)?|<=|≤)\s*)?"
)
_PER: Final = r"(?i:per|an?|each|every|(?:within|over|during|in)(?: an?)?)\b"
_WORD: Final = rf"(?!{_PER}|{_SHORT}|at\b)[^\W\d_]++"
# A word without a blank before it may be a slip, as in 1OO/s.
_GLUED: Final = r"(?i:r|x|reqs?|requests?|calls?|times|hits?|msgs?|ops|tokens?)\b"
_WRITTEN: Final = rf"{NUMBER}|(?i:{'|'.join(_NUMBERS)})(?=[ -])"
_RATE: Final = re.compile(
    rf"(?P<before>{_BEFORE})(?P<number>{_WRITTEN})\s*{_FACTOR}\s*"
    rf"(?P<events>(?:{_GLUED}|(?<=\s){_WORD})(?:[ -]{_WORD}){{0,2}}+)?\.?\s*"
    rf"(?:(?:/(?: ?per\b)?|-per-|\b{_PER})\s*(?:(?:any|every|each|rolling|sliding|fixed)\b\s*)*"
    rf"(?P<count>{_WRITTEN})?[ -]?(?P<unit>[^\W\d_]+)"
    r"(?:[ -](?:(?:rolling|sliding|fixed|time) )?(?:window|interval|period))?\.?"
    r"(?: \((?:[A-Za-z]{2,6}|rolling|sliding)(?: window)?\))?|"
    rf"(?P<short>{_SHORT}))(?i: max(?:imum)?\.?)?"
)
# What is counted may be anything but time, bytes, a share or requests at once.
_NO_EVENTS: Final = re.compile(
    r"(?i:(?:[kmgt]?i?|kilo|mega|giga|tera)(?:b|bytes?|bits?)|percent|concurren\w*|simultaneous\w*|parallel)"
)
_SCOPE_WORD: Final = r"(?!(?:per|every|each|in|for|on|by|from|across)\b)[^\W\d_]++"
_SCOPE: Final = re.compile(
    rf"[ ,]*(?:\bper\b|/)\s*{_SCOPE_WORD}(?:[ -]{_SCOPE_WORD}){{0,2}}+|"
    r"\s\([^()]*+\)$|,?\s(?:for|on|by|from|across)\s[^\d]*+$"
)
# One thousand and five hundred in some languages: three digits of which the last adds nothing to decimals.
_THOUSANDS_OR_DECIMALS: Final = re.compile(r"(?<![\d.,])[1-9]\d{0,2}\.\d\d0(?![\d,.])")
_RANGE: Final = re.compile(rf"(?:between )?({NUMBER})\s?(?:-|to|and)\s?({NUMBER})(?=\D)")
_LABEL: Final = re.compile(rf"([^\W\d][^\d:=]{{0,80}}+)[:=]\s*({NUMBER}\s*{_FACTOR})")
_PER_LABEL: Final = re.compile(rf"/|\b(?i:per)\b|\b{_SHORT}")
_LEADING_NUMBER: Final = re.compile(rf"\s*({NUMBER}\s*(?:(?:[kKMG]|{'|'.join(_FACTORS)})\b)?)")
_RATIO: Final = re.compile(rf"{NUMBER}\s*/\s*{NUMBER}")
_PART: Final = re.compile(rf"\s*({NUMBER})\s*([^\W\d_]*)\s*")
_WORDS: Final = re.compile(r"\d{1,9}|[^\W\d_]+")
_ADVICE: Final = (
    (
        r"(?i:unlimited|no limit|\bnone\b|∞|infinit|fair use)",
        "a rate needs a number; leave it out if there is none",
    ),
    (
        r"\d ?(?:[kKMGT]i?|(?i:kilo|mega|giga|tera))?(?:B|bytes|[kM]?bits?|bps)\b",
        "bytes are no requests; write a rate such as '100/s'",
    ),
    (
        r"concurren|at a time|at once|in parallel",
        "requests at once are no rate; give them as max concurrency (in_flight)",
    ),
)


def parse_number(text: str) -> Fraction | None:
    """Return a number as people write it; None if it cannot be read.

    >>> parse_number("1,000"), parse_number("1.5M"), parse_number("1,5")
    (Fraction(1000, 1), Fraction(1500000, 1), None)
    """
    match = _AMOUNT.fullmatch(_plain(text)) if len(text) <= MAX_TEXT_LENGTH else None
    return None if match is None else _value(match)


def number_advice(text: str) -> str:
    """Return what to write instead of a number that cannot be read; empty if nothing is near."""
    point = with_point(text.strip())
    return f"write {point!r}, with a decimal point" if parse_number(point) is not None else ""


def parse_rate(text: str) -> tuple[Fraction, Fraction, str] | None:
    """Return the number of events, the number of units of time, and the unit; None if it cannot be read.

    >>> parse_rate("5,000 requests per hour"), parse_rate("1 call every 3 s")
    ((Fraction(5000, 1), Fraction(1, 1), 'hour'), (Fraction(1, 1), Fraction(3, 1), 's'))
    """
    match = _RATE.fullmatch(_number_first(text))
    if match is None or not _are_events(match):
        return None
    short = match["short"]
    unit = match["unit"] if short is None else "s" if short[-1] in "zZ" else short[-1].lower()
    return _value(match), _number(match["count"] or "1"), unit


def rate_advice(text: str) -> str:
    """Return what to write instead of a rate that cannot be read; empty if nothing is near."""
    plain = _number_first(text)
    rates = [
        match for match in _RATE.finditer(plain) if match["unit"] is None or match["unit"].lower() in UNITS_S
    ]
    texts = [match[0].strip() for match in rates if _are_events(match)]
    if "burst" in plain.lower() and texts:
        return f"write {texts[0]!r}, and the burst as burst allowance"
    if len(texts) > 1:
        return f"write its limits one by one, as a list: [{', '.join(map(repr, texts))}]"
    if pair := _RANGE.match(plain):
        return f"write one number; the lower is safe: {pair[1] + plain[pair.end() :]!r}"
    if (point := with_point(plain)) != plain and parse_rate(point):
        return f"write {point!r}, with a decimal point"
    if _RATIO.fullmatch(plain):
        return f"write {plain + ' s'!r}, with a unit of time"
    if readings := both_readings(plain):
        return f"write {readings[0]!r} or {readings[1]!r}"
    scopes = [match[0] for match in _SCOPE.finditer(plain) if not _has_time(match[0])]
    counted = _SCOPE.sub(lambda match: match[0] if _has_time(match[0]) else " ", plain)
    if scopes and parse_rate(counted):
        return f"write {' '.join(counted.split())!r}, without {''.join(scopes).strip(' ,')!r}"
    for pattern, advice in _ADVICE:
        if re.search(pattern, plain):
            return advice
    if (match := _RATE.fullmatch(plain)) and not _are_events(match):
        if any(map(_MORE_DIGITS.fullmatch, match["events"].split())):
            return "write the whole number in digits, such as '100000/day'"
        return f"{match['events']} are no requests; write a rate such as '100/s'"
    if plain[:1] in "~≈" and parse_rate(plain[1:]):
        return f"write {plain[1:].strip()!r}"
    return window_advice(point, rate=True)


def window_advice(text: str, *, rate: bool) -> str:
    """Return advice for a window that cannot be expressed, such as a calendar month; empty if none is near.

    >>> window_advice("1000/monthly", rate=True)
    "a window has a fixed length; write '1000/30 day' to count a month as 30 days"
    """
    nearest = nearest_form(text, rate=rate)
    varies = rate or not CALENDAR_DAYS.keys().isdisjoint(_WORDS.findall(text.lower()))
    return f"a window has a fixed length; {nearest}" if nearest and varies else nearest


def parse_duration(text: str) -> list[tuple[Fraction, str]] | None:
    """Return the numbers and units of a duration such as ``"1h 30min"``; None if it cannot be read.

    The unit of a number alone is empty.

    >>> parse_duration("1h30m")
    [(Fraction(1, 1), 'h'), (Fraction(30, 1), 'm')]
    """
    plain, parts, at = _plain(text), list[tuple[Fraction, str]](), 0
    while at < len(plain):
        part = _PART.match(plain, at)
        if part is None or (parts and (not part[2] or not parts[-1][1] or part[1][0] in "+-")):
            return None
        parts.append((Fraction(part[1]), part[2]))
        at = part.end()
    return parts or None


def both_readings(text: str) -> tuple[str, str] | None:
    """Return both meanings of a text with a number whose point may separate thousands; None if there is none.

    People write decimals without a zero at the end, and quotas are round. So 2.125 and 0.500 are decimals.

    >>> both_readings("5.000"), both_readings("1.500 rps"), both_readings("2.125"), both_readings("0.500")
    (('5000', '5'), ('1500 rps', '1.5 rps'), None, None)
    """
    match = _THOUSANDS_OR_DECIMALS.search(text)
    if match is None:
        return None
    before, number, after = text[: match.start()], match[0], text[match.end() :]
    return before + number.replace(".", "") + after, before + number.rstrip("0").rstrip(".") + after


def nearest_form(text: str, *, rate: bool) -> str:
    """Return what to write instead of a window that cannot be expressed; empty if none is near.

    Args:
        text: a rate or a duration that cannot be read.
        rate: True for a rate, which begins with a number of events.
    """
    text = (_number_first if rate else _plain)(text[:MAX_TEXT_LENGTH])
    amount = _LEADING_NUMBER.match(text)
    if rate and amount is None:
        return ""
    if re.search(r"\bhalf\b|\bquarter (?:of an )?hour", text):
        return ""
    if any(character.isnumeric() and not character.isdecimal() for character in text):
        return ""  # such as ½
    if not rate and len(re.findall(NUMBER, text)) > 1:
        return ""
    words = _WORDS.findall(text[amount.end() if rate and amount else 0 :].lower())
    if rate and words[:1] and words[0] in UNITS_S:
        return ""  # a duration
    for i, (before, word) in enumerate(zip(["", *words], words, strict=False)):
        count = int(before) if before.isdecimal() else 1
        days, unit = CALENDAR_DAYS.get(word), _ADVERBS.get(word, word if len(word) > 1 else "")
        if days is None and unit not in UNITS_S:
            continue
        others = [*words[: max(0, i - 1)], *words[i + 1 :]]
        if rate and any(other.isdecimal() or other in UNITS_S for other in others):
            return ""  # more than one number, or unit
        is_plural = unit.endswith("s") and unit[:-1] in UNITS_S
        if not before.isdecimal() and (is_plural or _MORE_DIGITS.fullmatch(before)):
            return ""
        window = f"{count} {unit}" if days is None else f"{count * days} day"
        meaning = f" to count a {_CALENDAR_NAMES[days]} as {days} days" if days else ""
        per = amount[1].strip() + "/" if rate and amount else ""
        nearest = per + window.removeprefix("1 " if per else "")
        return f"write {nearest!r}{meaning}"
    return ""


def _are_events(match: re.Match[str]) -> bool:
    """Return True if a rate counts events, and its number is the same to all readers."""
    if both_readings(match["number"]) and not match["factor"]:
        return False
    events = match["events"] or ""
    return not (
        _has_time(events)
        or any(map(_NO_EVENTS.fullmatch, events.split()))
        or any(map(_MORE_DIGITS.fullmatch, events.split()))
    )


def _has_time(text: str) -> bool:
    """Return True if a word of a text is a unit of time."""
    return any(word in UNITS_S or word in CALENDAR_DAYS for word in _WORDS.findall(text.lower()))


def _value(match: re.Match[str]) -> Fraction:
    return _number(match["number"]) * _FACTORS.get(match["factor"], 1)


def _number(text: str) -> Fraction:
    return Fraction(_NUMBERS[text.lower()] if text[0].isalpha() else text)


def with_point(text: str) -> str:
    """Return a text with a point for the decimal comma of its first number."""
    return re.sub(r"^(\d+),(\d)", r"\1.\2", text)


def _plain(text: str) -> str:
    """Return a text with one kind of blank, slash and hyphen, and its numbers without separators."""
    text = " ".join(text.translate(_SAME).split()).replace("(s)", "s")
    return _GROUPED.sub(lambda match: re.sub("[,' .]", "", match[0]), text)


def _number_first(text: str) -> str:
    """Return a plain text with its number before the words, as of ``Requests per second: 10``."""
    plain = _plain(text)
    label = _LABEL.fullmatch(plain)
    is_rate = label is not None and _PER_LABEL.search(label[1])
    return f"{label[2]} {label[1].strip()}" if label and is_rate else plain
