"""Values for the parameters of sample bodies: random ones, and checked ones of the user."""

from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from random import Random


class ParamKind(StrEnum):
    """The kind of a parameter's value."""

    ID = "id"
    INTEGER = "integer"
    DECIMAL = "decimal"
    CURRENCY = "currency"
    EMAIL = "email"
    REPOSITORY = "repository"
    TIME = "time"
    TEXT = "text"


# Currencies with two decimals (ISO 4217), so that the amounts of a body still fit them.
CURRENCIES = ("AUD", "CAD", "CHF", "DKK", "EUR", "GBP", "NOK", "NZD", "PLN", "SEK", "SGD", "USD")
_NAMES = (
    "ada",
    "grace",
    "emmy",
    "hedy",
    "joan",
    "katherine",
    "lise",
    "mary",
    "noor",
    "rosalind",
    "sofia",
    "zoe",
)
_HOSTS = ("example.com", "example.net", "example.org")
_OWNERS = (
    "analytical-engines",
    "difference-works",
    "loom-cards",
    "night-shift",
    "paper-tape",
    "punched-cards",
)
_REPOSITORIES = ("barrel", "carriage", "hooks", "ledger", "mill", "store", "tables", "tabulator")

_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
# The prefix that all ids of one type share: cus_, HOOK-, 0x, private-, user-test-, U…;
# never the beginning of a UUID, which may begin with letters, too.
_PREFIX = re.compile(
    r"(?:.*[_|:/.])?"
    rf"(?:(?!{_UUID.pattern}$)(?:[A-Za-z]+-)(?=.))*"
    rf"(?:(?!{_UUID.pattern}$)(?:0x|(?<![_|:/.-])[A-Z]{{1,4}}(?=[0-9]|[0-9a-f]+$)))?",
    re.DOTALL,
)
_SUFFIX = re.compile(r"(?<=[0-9])\.[a-z]{2,4}$")  # of the name of a file: .csv
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_ULID = re.compile(rf"[0-7][{_CROCKFORD}]{{25}}", re.IGNORECASE)
_TIMED = (
    (re.compile("[0-9a-f]{24}"), 8),  # ObjectId of MongoDB
    (re.compile("(?=.*[a-z])(?=.*[A-Z])[0-9A-Za-z]{27}"), 6),  # KSUID
    (re.compile("c[0-9a-z]{24}"), 9),  # cuid
)
"""Forms of ids that begin with a time, and how many characters of them the time has."""

_PHONE = re.compile(r"\+?[0-9]{9,15}")
_FICTITIOUS_PHONE = re.compile(r"\+?(?:447700900[0-9]{3}|1[0-9]{3}55501[0-9]{2})")  # reserved for examples
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+")
_ISO = re.compile(
    r"(?P<day>\d{4}-\d{2}-\d{2})(?:(?P<t>[T ])(?P<time>\d{2}:\d{2}(?::\d{2})?)(?:\.(?P<fraction>\d+))?"
    r"(?P<zone> ?(?:Z|UTC|[+-]\d{2}:?\d{2}|[+-]\d{2}))?)?"
)
_UNIX = {10: 0, 13: 3, 16: 6, 19: 9}  # number of digits of a current Unix time to decimals of a second

FORMS = {
    ParamKind.ID: "an id without spaces, such as the one in the sample",
    ParamKind.INTEGER: "a whole number, such as 4200",
    ParamKind.DECIMAL: "a number with as many decimals as the sample's, such as 42.50",
    ParamKind.CURRENCY: "a currency of three letters (ISO 4217), such as EUR",
    ParamKind.EMAIL: "an e-mail address, such as ada@example.com",
    ParamKind.REPOSITORY: "owner/name, such as analytical-engines/mill",
    ParamKind.TIME: "a time such as 2026-09-01T12:00:00Z, or Unix seconds",
    ParamKind.TEXT: "text of at least one character",
}
"""The required form of a value of each kind, in words."""

_PATTERNS = {
    ParamKind.ID: re.compile(r"[!-~]+"),
    ParamKind.INTEGER: _INTEGER,
    ParamKind.DECIMAL: re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?"),
    ParamKind.CURRENCY: re.compile(r"[A-Za-z]{3}"),
    ParamKind.EMAIL: re.compile(r"[^@\s\"\\<>]+@[^@\s\"\\<>]+"),
    ParamKind.REPOSITORY: re.compile(r"[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)+"),
    ParamKind.TIME: re.compile(r".+"),
    ParamKind.TEXT: re.compile(r"(?s:.+)"),
}


def random_value(kind: ParamKind, sample: str, random: Random) -> str:
    """Return a random value in the sample's form; the sample itself if no meaningful value can be generated.

    The sample is returned for times, for text other than telephone numbers, for 0, and for unknown forms.

    >>> random_value(ParamKind.ID, "cus_TEST0001", Random(1)).startswith("cus_")
    True
    """
    match kind:
        case ParamKind.ID:
            return _id(sample, random)
        case ParamKind.INTEGER | ParamKind.DECIMAL:
            form = (
                _INTEGER
                if kind is ParamKind.INTEGER
                else re.compile(f"{_DECIMAL.pattern}|{_INTEGER.pattern}")
            )
            return _number(sample, random) if form.fullmatch(sample) else sample
        case ParamKind.CURRENCY:
            others = [code for code in CURRENCIES if code != sample.upper()]
            return _in_case(random.choice(others), sample) if len(sample) == 3 else sample
        case ParamKind.EMAIL:
            return f"{random.choice(_NAMES)}{random.randrange(10, 10_000)}@{random.choice(_HOSTS)}"
        case ParamKind.REPOSITORY:
            owner, name = random.choice(_OWNERS), random.choice(_REPOSITORIES)
            return f"{owner}-{random.randrange(2, 1000)}/{name}-{random.randrange(2, 1000)}"
        case ParamKind.TIME:
            return sample  # the other times and the ids of the body, and of other bodies, would contradict it
        case ParamKind.TEXT:
            return _phone(sample, random) if _PHONE.fullmatch(sample) else sample


def normalize(kind: ParamKind, sample: str, value: str) -> str | None:
    """Convert a value of the user to the sample's form; None if it does not have the form of its kind."""
    if not _PATTERNS[kind].fullmatch(value):
        return None
    match kind:
        case ParamKind.CURRENCY:
            return _in_case(value, sample)
        case ParamKind.DECIMAL:
            places, expected = (len(text.partition(".")[2]) for text in (value, sample))
            return value if places == expected else None
        case ParamKind.TIME:
            moment = parse_time(value)
            return None if moment is None or parse_time(sample) is None else format_like(sample, moment)
    return value


def parse_time(text: str) -> datetime | None:
    """Parse a time in one of the forms that webhooks use; in UTC if the text names no zone."""
    if re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", text):
        integer, _, fraction = text.partition(".")
        decimals = _UNIX.get(len(integer))
        if decimals is None:
            return None
        micros = int((integer + (fraction if not decimals else "") + "0" * 6)[: 10 + 6])
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros)
    match = _ISO.fullmatch(text)
    try:
        if match is None:
            from email.utils import parsedate_to_datetime  # loads the whole e-mail package

            moment = parsedate_to_datetime(text)
        else:
            fraction = f".{(match['fraction'] + '000000')[:6]}" if match["fraction"] else ""
            moment = datetime.fromisoformat(
                f"{match['day']}T{match['time'] or '00:00'}{fraction}{_zone(match)}"
            )
    except (ValueError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def format_like(sample: str, moment: datetime) -> str:
    """Format a time like the sample: with its unit, decimals and zone.

    Args:
        sample: a text that `parse_time` can parse.
        moment: the time, with a zone.

    >>> format_like("2026-09-01 12:00:00.50+0200", datetime(2026, 10, 1, tzinfo=UTC))
    '2026-10-01 02:00:00.00+0200'
    """
    match = _ISO.fullmatch(sample)
    if match is not None:
        zone = datetime.fromisoformat(f"2026-01-01T00:00{_zone(match)}").tzinfo or UTC
        local = moment.astimezone(zone)
        clock = local.strftime("%H:%M:%S")[: len(match["time"] or "")]
        fraction = f".{_fraction(local, len(match['fraction']))}" if match["fraction"] else ""
        return f"{local:%Y-%m-%d}{match['t'] or ''}{clock}{fraction}{match['zone'] or ''}"
    if re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", sample):
        integer, dot, decimals = sample.partition(".")
        seconds = (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(seconds=1)
        more = _fraction(moment, _UNIX.get(len(integer), 0))
        return f"{seconds}{more}{dot}{_fraction(moment, len(decimals))}"
    from email.utils import format_datetime, parsedate_to_datetime

    gmt = sample.endswith("GMT")
    zone = UTC if gmt else parsedate_to_datetime(sample).tzinfo or UTC
    return format_datetime(moment.astimezone(zone).replace(microsecond=0), usegmt=gmt)


def _zone(match: re.Match[str]) -> str:
    zone = (match["zone"] or "").strip()
    return "+00:00" if zone in ("Z", "UTC", "") else zone


def _fraction(moment: datetime, decimals: int) -> str:
    return f"{moment.microsecond:06}000"[:decimals]


def _phone(sample: str, random: Random) -> str:
    """Move only the end, so that a number that is reserved for examples stays one."""
    return sample[:-2] + f"{(int(sample[-2:]) + random.randrange(1, 100)) % 100:02}"


def _id(sample: str, random: Random) -> str:
    if _FICTITIOUS_PHONE.fullmatch(sample):
        return _phone(sample, random)
    if suffix := _SUFFIX.search(sample):
        return _id(sample[: suffix.start()], random) + suffix[0]
    prefix = (_PREFIX.match(sample) or [""])[0]
    rest = sample[len(prefix) :]
    if _UUID.fullmatch(rest):
        new = str(uuid.UUID(int=random.getrandbits(128)))
        new = new[:14] + rest[14].lower() + new[15:19] + rest[19].lower() + new[20:]  # version and variant
        time = {"1": 18, "7": 13}.get(rest[14], 0)  # characters of it
        new = rest[:time].lower() + new[time:]
        return prefix + (new.upper() if rest.upper() == rest and rest.lower() != rest else new)
    if _ULID.fullmatch(rest):
        tail = "".join(random.choice(_CROCKFORD) for _ in range(16))
        return prefix + rest[:10] + (tail.lower() if rest.islower() else tail)
    letters = {char for char in rest if char.isalpha()}
    is_hex = len(rest) >= 8 and letters and (letters <= set("abcdef") or letters <= set("ABCDEF"))
    hexadecimal = "0123456789abcdef" if rest.islower() else "0123456789ABCDEF"
    new = "".join(_like(char, random, hexadecimal if is_hex else "") for char in rest)
    if not prefix and rest[:1].isdigit() and not letters:
        new = rest[0] + new[1:]  # a number of the same size
    time = next((count for form, count in _TIMED if form.fullmatch(rest)), 0)
    return prefix + rest[:time] + new[time:]


def _like(char: str, random: Random, hexadecimal: str) -> str:
    if not (char.isascii() and char.isalnum()):
        return char
    if hexadecimal:
        return random.choice(hexadecimal)
    if char.isdigit():
        return random.choice("0123456789")
    letters = "abcdefghijklmnopqrstuvwxyz"
    return random.choice(letters if char.islower() else letters.upper())


def _number(sample: str, random: Random) -> str:
    if not sample.strip("-0."):
        return sample  # a zero has a meaning, such as nothing paid, that another amount would change
    first = True
    digits = []
    for char in sample:
        if char.isdigit():
            digits.append(
                char if first and char == "0" else random.choice("123456789" if first else "0123456789")
            )
            first = False
        else:
            digits.append(char)
    return "".join(digits)


def _in_case(code: str, sample: str) -> str:
    return code.lower() if sample.islower() else code.upper()
