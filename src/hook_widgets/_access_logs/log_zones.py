"""Names of time zones behind the times of a log."""

from __future__ import annotations

import re
from string import ascii_letters
from typing import Final

# The first eight: RFC 5322 section 4.3. The others: at one offset only in the IANA time zone database 2026.
NAMED_ZONES: Final = {
    "EST": "-0500", "EDT": "-0400", "CST": "-0600", "CDT": "-0500",
    "MST": "-0700", "MDT": "-0600", "PST": "-0800", "PDT": "-0700",
    "WET": "+0000", "WEST": "+0100", "BST": "+0100", "WAT": "+0100",
    "CET": "+0100", "MET": "+0100", "CEST": "+0200", "MEST": "+0200", "EET": "+0200", "CAT": "+0200",
    "SAST": "+0200", "EEST": "+0300", "EAT": "+0300", "IDT": "+0300", "MSK": "+0300", "PKT": "+0500",
    "WIB": "+0700", "HKT": "+0800", "AWST": "+0800", "JST": "+0900", "KST": "+0900",
    "ACST": "+0930", "AEST": "+1000", "ACDT": "+1030", "AEDT": "+1100", "NZST": "+1200", "NZDT": "+1300",
    "NST": "-0330", "NDT": "-0230", "AST": "-0400", "ADT": "-0300", "AKST": "-0900", "AKDT": "-0800",
    "HST": "-1000", "HDT": "-0900",
}  # fmt: skip
"""Offsets of the zones whose names mean one zone only."""

# Names that several zones had or have, or that are not in the database; a word such as ACT is none of them.
_OTHERS: Final = {
    "AMST", "AMT", "ARST", "ART", "AWDT", "BDT", "BOT", "BRST", "BRT", "CHST", "CLST", "CLT", "COT", "ECT",
    "GST", "ICT", "IRST", "IST", "MSD", "MYT", "NPT", "PHT", "PKST", "PYT", "SGT", "SST", "UYT", "UZT",
    "WAST", "WIT", "WITA",
}  # fmt: skip
_KNOWN: Final = NAMED_ZONES.keys() | {"UTC", "GMT"}
_LEVELS: Final = {
    "DEBUG", "ERROR", "FATAL", "INFO", "TRACE", "WARN", "DBG", "ERR", "FTL", "INF", "VRB", "WRN",
}  # fmt: skip
_NAME: Final = re.compile(
    r"\d:\d\d(?:[.,]\d{1,18})?(?: ?[AaPp]\.?[Mm]\.?)? ([A-Z]{3,5}|[A-Z][a-z]{2,9}/[A-Z][\w/+-]{2,40})"
    r"(?![\w.:/-])( \d{4}\b|[]\"',;\t\r\n]|\Z)?"
)
_PARTS: Final = 100
"""Parts of a log in which names of zones are looked for, evenly over all of it."""
_PART: Final = 3_000  # characters
_OVERLAP: Final = 64  # a name and the time before it


def unclear_zones(text: str) -> tuple[str, ...]:
    r"""Return the names of zones in a log that count as UTC, because they have several offsets or none.

    A name that no zone is known by must end the time, as a word behind it may be anything. Of a log of more
    than 300,000 characters only parts are searched.

    >>> unclear_zones("Tue Oct 13 13:55:36 IST 2026\n2026-10-13 13:55:37 CET x\n2026-10-13 13:55:38 INFO x")
    ('IST',)
    """
    step = max(_PART, len(text) // _PARTS)
    names: set[str] = set()
    for at in range(0, len(text), step):
        end = at + _PART + _OVERLAP
        part = text[at:end]
        names |= _names(part if end >= len(text) else part.rstrip(ascii_letters))  # without half a word
    return tuple(sorted(names - _KNOWN))


def _names(text: str) -> set[str]:
    known = _KNOWN | _OTHERS
    return {
        name
        for name, end in _NAME.findall(text)
        if name in known or "/" in name or (end and name not in _LEVELS)
    }
