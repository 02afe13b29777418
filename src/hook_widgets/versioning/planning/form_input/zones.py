"""Parse time zones as people enter them, and suggest the zone that was meant."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from hook_widgets.errors import InvalidApi, excerpt

_EXPECTED: Final = "write UTC or the zone of a place, such as Europe/Berlin"
_ABBREVIATIONS: Final = {
    name: zone
    for zone, names in {
        "Europe/Berlin": "cet cest met mez mesz",
        "Europe/London": "bst gb",
        "Europe/Lisbon": "wet west",
        "Europe/Athens": "eet eest",
        "Europe/Moscow": "msk",
        "America/New_York": "est edt et eastern",
        "America/Chicago": "cst cdt ct central",
        "America/Denver": "mst mdt mt mountain",
        "America/Los_Angeles": "pst pdt pt pacific",
        "Pacific/Honolulu": "hst",
        "America/Sao_Paulo": "brt",
        "Asia/Kolkata": "ist",
        "Asia/Shanghai": "prc",
        "Asia/Hong_Kong": "hkt",
        "Asia/Singapore": "sgt",
        "Asia/Tokyo": "jst",
        "Asia/Seoul": "kst rok",
        "Australia/Sydney": "aest aedt",
        "Pacific/Auckland": "nzst nzdt nz",
    }.items()
    for name in names.split()
}
_OFFSET: Final = re.compile(r"(?:UTC|GMT)? ?([+-] ?[0-9]{1,2}(?::?[0-9]{2})?)", re.IGNORECASE)
_MAX_LENGTH: Final = 60


def read_zone(text: str) -> ZoneInfo:
    """Return the zone with this name in the IANA time zone database.

    Abbreviations are rejected: CET and EST have no summer time, and CST and IST mean several zones.

    Args:
        text: name as entered; case does not matter.

    Raises:
        InvalidApi: there is no such zone; the message names the nearest one.

    >>> read_zone("europe/berlin").key
    'Europe/Berlin'
    """
    plain = "_".join(text.split())
    if not plain:
        raise InvalidApi(f"the zone is empty; {_EXPECTED}", field="zone")
    known = _names().get(plain.lower()) if len(plain) <= _MAX_LENGTH else None
    if known is None:
        raise InvalidApi(f"there is no zone {excerpt(text)}; {_advice(plain)}", field="zone")
    return ZoneInfo(known)


@cache
def zone_names() -> tuple[str, ...]:
    """Return the zones to offer in a list: UTC, and those of places under their present names.

    >>> zone_names()[0], "Europe/Berlin" in zone_names(), "Asia/Calcutta" in zone_names()
    ('UTC', True, False)
    """
    return ("UTC", *sorted({zone for _, zone in _table()}))


@cache
def _names() -> dict[str, str]:
    """Map lower-case names to zones: those of places, and UTC."""
    return {name.lower(): name for name in available_timezones() if "/" in name} | {"utc": "UTC", "z": "UTC"}


@cache
def _places() -> dict[str, str]:
    """Map each city to its zone, and each country to its first one."""
    first: dict[str, str] = {}
    for code, zone in _table():
        first.setdefault(code, zone)
    cities = {_plain(zone.rpartition("/")[2]): zone for _, zone in _table()}
    return {_plain(name): first[code] for code, name in _lines("iso3166.tab") if code in first} | cities


@cache
def _table() -> tuple[tuple[str, str], ...]:
    """Return the code of each country with each of its zones, the most populous one first."""
    return tuple((code, zone) for code, _, zone, *_ in _lines("zone.tab"))


def _lines(name: str) -> list[list[str]]:
    """Read a table of the time zone database."""
    text = files("tzdata").joinpath("zoneinfo", name).read_text("utf-8")
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]


def _plain(name: str) -> str:
    return name.lower().replace(" ", "_")


def _advice(text: str) -> str:
    offset = _OFFSET.fullmatch(text.replace("_", " "))
    if offset:
        if not offset[1].strip("+-: 0"):
            return "write UTC"
        return f"an offset has no summer time, so {_EXPECTED}"
    if text.upper() in ("GMT", "UCT", "ZULU", "GMT0", "UNIVERSAL", "GREENWICH"):
        return "write UTC, or Europe/London for the clocks of London"
    plain = text.lower()
    places = _places()
    exact = _ABBREVIATIONS.get(plain) or places.get(plain) or places.get(plain.rpartition("/")[2])
    if exact is None and len(text) <= _MAX_LENGTH:
        close = get_close_matches(plain, _names(), n=1, cutoff=0.7) or get_close_matches(
            plain.rpartition("/")[2], places, n=1, cutoff=0.7
        )
        exact = _names().get(close[0]) or places[close[0]] if close else None
    return f"did you mean {exact}?" if exact else _EXPECTED
