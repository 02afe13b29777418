"""From texts as a person enters them to an API with its versions, and back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime
from types import MappingProxyType
from typing import Final
from zoneinfo import ZoneInfo

from hook_widgets.errors import InvalidApi, nearest
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.lifecycle import lifecycle
from hook_widgets.versioning.moments import instant
from hook_widgets.versioning.planning.datewords import local
from hook_widgets.versioning.planning.entered.dates import read_day, read_moment, written
from hook_widgets.versioning.planning.entered.form import COLUMNS, FIELDS, LABELS, Field, example
from hook_widgets.versioning.planning.entered.zones import read_zone, zone_names
from hook_widgets.versioning.release import Release

__all__ = ["COLUMNS", "FIELDS", "Entered", "Field", "Question", "example", "read", "texts", "zone_names"]

_MAJOR: Final = re.compile(r"[vV]?\s*([0-9]{1,15})")
_NUMBERED: Final = re.compile(r"[vV]?\s*([0-9]{1,15})[.][0-9.]*")
_COUNT: Final = re.compile(r"([0-9]{1,3})(?:\s*months?)?", re.IGNORECASE)
_MOST_MONTHS: Final = 600
_MOST_ROWS: Final = 60  # a picture of more could not be looked at
_STAGES: Final = {"stable": True, "preview": False}
_SWITCHES: Final = ("precedence", "redirect_unversioned", "warn")  # no field is for them
_TRAITS: Final = {
    "major": "version",
    "sunset": "removed",
    "final_notice": "removed",
    "reminder": "removed",
    "stable": "stage",
}


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody should ask again; no error.

    Attributes:
        field: the input it is about, such as ``"versions.0.removed"``.
        text: the question, as a sentence.
    """

    field: str
    text: str


@dataclass(frozen=True, slots=True)
class Entered:
    """What was entered.

    Attributes:
        api: the API.
        at: the time for which to show it, in the zone.
        major: the version to show.
        places: the row of each version, from 0.
        zone: the zone of what was entered.
        months: the promised period in calendar months.
        questions: what somebody should ask again.
    """

    api: Api
    at: datetime
    major: int
    places: Mapping[int, int]
    zone: ZoneInfo
    months: int
    questions: tuple[Question, ...] = ()


def read(values: Mapping[str, object], *, now: datetime, given: Api | None = None) -> Entered:
    """What these texts stand for.

    Args:
        values: by the names of `FIELDS`, and ``"versions"``: a list of rows with the five texts of `COLUMNS`.
            What is missing is as its default; a row of empty texts is passed over.
        now: the time that an empty ``"at"`` means, with its zone.
        given: an API that code has made, and that says what no text stands for: precedence and switches and,
            while no holidays are entered, the notices of a version that is announced and removed as there.

    Raises:
        InvalidApi: a text cannot be used; its `field` names it, such as ``"versions.0.deprecated"``.

    >>> found = read({"versions": [["v2", "", "2026-07-01", "", ""], ["3", "2026-01-15", "", "", ""]]},
    ...              now=datetime.fromisoformat("2026-11-20T09:00Z"))
    >>> found.major, str(found.api.release(2).lifecycle.sunset)
    (2, '2028-01-03 00:00:00+00:00')
    """
    said = {field.name: _text(values.get(field.name, field.default), field.name) for field in FIELDS}
    zone = read_zone(said["zone"])
    at = read_moment(said["at"], zone, "The date shown", field="at") if said["at"] else _now(now, zone)
    terms = _Terms(zone, _months(said["months"]), _holidays(said["holidays"]))
    with _blaming({}):  # periods that are too short are refused also while no version is deprecated
        lifecycle(at, months=terms.months, holidays=terms.holidays)
    rows = _rows(values.get("versions", ()))
    releases: dict[int, Release] = {}
    places: dict[int, int] = {}
    for i, row in rows:
        found = _release(row, i, terms)
        if found.major in releases:
            raise InvalidApi(
                f"v{found.major} stands in rows {places[found.major] + 1} and {i + 1}. "
                "Give each version one row.",
                field=f"versions.{i}.version",
            )
        if given is not None and not terms.holidays:
            found = _with_notices(found, given)
        releases[found.major], places[found.major] = found, i
    in_order = tuple(releases[major] for major in sorted(releases))
    with _blaming({"versions": "versions"}, [places[release.major] for release in in_order]):
        api = Api(
            name=said["name"] or "API",
            releases=in_order,
            prefix=said["prefix"],
            vendor=said["vendor"] or "example",
            base_url=said["base_url"],
            migration_guide=said["migration_guide"],
        )
    if given is not None:
        api = replace(api, **{name: getattr(given, name) for name in _SWITCHES})
    # By the present and not the time shown: who moves through time keeps looking at one version.
    major = _chosen(said["version"], api, now)
    return Entered(
        api, at, major, MappingProxyType(places), zone, terms.months, tuple(_questions(api, places))
    )


def texts(api: Api, *, zone: ZoneInfo | str = "UTC") -> dict[str, object]:
    """The texts that stand for an API: `read` reads them as the same one when it is given that, too.

    Args:
        api: the API.
        zone: the zone in which to write its dates.

    Raises:
        InvalidApi: there is no such zone.

    >>> texts(Api(releases=(Release(1),)))["versions"]
    [['1', '', '', '', 'stable']]
    """
    known = zone if isinstance(zone, ZoneInfo) else read_zone(zone)
    return {
        "name": api.name,
        "base_url": api.base_url,
        "prefix": api.prefix,
        "vendor": api.vendor,
        "migration_guide": api.migration_guide,
        "zone": known.key,
        "versions": [_row(release, known) for release in api.releases],
    }


def _row(release: Release, zone: ZoneInfo) -> list[str]:
    dates = release.lifecycle
    return [
        str(release.major),
        written(release.released, zone) if release.released else "",
        written(dates.deprecated, zone) if dates else "",
        written(dates.sunset, zone) if dates else "",
        "stable" if release.stable else "preview",
    ]


@dataclass(frozen=True, slots=True)
class _Terms:
    """What counts for every version."""

    zone: ZoneInfo
    months: int
    holidays: frozenset[date]


def _text(value: object, field: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        label = LABELS.get(field, field.rpartition(".")[2].capitalize())
        raise InvalidApi(f"{label} must be text, not {type(value).__name__}.", field=field)
    return str(value).strip()


def _now(now: datetime, zone: ZoneInfo) -> datetime:
    instant(now, "the present time", field="at")
    return local(now, zone)


def _months(text: str) -> int:
    found = _COUNT.fullmatch(text)
    if found is None:
        wrong = f"cannot be read from {_shown(text)}" if text else "are empty"
        raise InvalidApi(
            f"The months until removal {wrong}. Write a whole number of months, such as 18.", field="months"
        )
    if int(found[1]) > _MOST_MONTHS:
        raise InvalidApi(
            f"{found[1]} months until removal are too many. Write at most {_MOST_MONTHS}; 18 is usual.",
            field="months",
        )
    return int(found[1])


def _holidays(text: str) -> frozenset[date]:
    parts = (part.strip() for part in re.split(r"[,;\n]|\s+(?=[0-9]{4}-)", text))
    return frozenset(read_day(part, "A holiday", field="holidays") for part in parts if part)


def _rows(rows: object) -> list[tuple[int, list[str]]]:
    """The rows that are not empty, with their places."""
    if isinstance(rows, str) or not isinstance(rows, Sequence):
        raise InvalidApi("The versions must be a list of rows of five texts.", field="versions")
    if len(rows) > _MOST_ROWS:
        raise InvalidApi(
            f"There are {len(rows)} versions, and a form holds {_MOST_ROWS}. Leave out those long gone.",
            field="versions",
        )
    found = []
    for i, row in enumerate(rows):
        if isinstance(row, str) or not isinstance(row, Sequence) or len(row) != len(COLUMNS):
            names = ", ".join(column.name for column in COLUMNS)
            raise InvalidApi(
                f"Row {i + 1} of the versions must have five texts: {names}.", field=f"versions.{i}"
            )
        cells = [
            _text(cell, f"versions.{i}.{column.name}") for cell, column in zip(row, COLUMNS, strict=True)
        ]
        if any(cells[:-1]):  # a stage is chosen, not entered
            found.append((i, cells))
    if not found:
        raise InvalidApi("There is no version. Add one, such as 1.", field="versions")
    return found


def _release(row: list[str], i: int, terms: _Terms) -> Release:
    at = f"versions.{i}"
    number, released, deprecated, removed, stage = row
    major = _major(number, f"{at}.version")

    def moment(text: str, what: str, name: str) -> datetime | None:
        return (
            read_moment(text, terms.zone, f"The {what} of v{major}", field=f"{at}.{name}") if text else None
        )

    begin = moment(released, "release", "released")
    told = moment(deprecated, "announcement", "deprecated")
    gone = moment(removed, "removal", "removed")
    if (stable := _STAGES.get(stage.lower() or "stable")) is None:
        raise InvalidApi(
            f"v{major}: there is no stage {_shown(stage)}. {nearest(stage, _STAGES)}", field=f"{at}.stage"
        )
    if gone is not None and told is None:
        raise InvalidApi(
            f"v{major} is to be removed, but when is that announced? Write the day in Deprecated.",
            field=f"{at}.deprecated",
        )
    with _blaming({}, [i], f"v{major}: "):
        dates = told and lifecycle(told, months=terms.months, sunset=gone, holidays=terms.holidays)
        return Release(major, begin, stable, dates or None)


def _with_notices(release: Release, given: Api) -> Release:
    """The version with the notices that the given API has for these dates: its own holidays made them."""
    before = next((each.lifecycle for each in given.releases if each.major == release.major), None)
    now = release.lifecycle
    if before is None or now is None:
        return release
    same = (before.deprecated, before.sunset) == (now.deprecated, now.sunset)
    return replace(release, lifecycle=before) if same else release


def _major(text: str, field: str) -> int:
    found = _MAJOR.fullmatch(text)
    if found and int(found[1]):
        return int(found[1])
    parts = _NUMBERED.fullmatch(text)
    if parts and int(parts[1]):
        raise InvalidApi(
            f"{_shown(text)} is more than a major number. Write {parts[1]}: "
            "minor versions break nothing, so nobody has to ask for them.",
            field=field,
        )
    if found:
        raise InvalidApi("There is no version 0. Versions count from 1.", field=field)
    wrong = f"cannot be read from {_shown(text)}" if text else "is empty"
    raise InvalidApi(f"The version {wrong}. Write its major number, such as 2 or v2.", field=field)


def _chosen(text: str, api: Api, now: datetime) -> int:
    majors = [release.major for release in api.releases]
    if not text:
        leaving = [
            r.major for r in api.releases if r.lifecycle and r.lifecycle.sunset.timestamp() > now.timestamp()
        ]
        return (leaving or majors)[0 if leaving else -1]
    major = _major(text, "version")
    if major not in majors:
        known = ", ".join(f"v{known}" for known in majors)
        raise InvalidApi(f"There is no v{major}. Choose from {known}.", field="version")
    return major


def _questions(api: Api, places: Mapping[int, int]) -> Iterator[Question]:
    for release in api.releases:
        if release.lifecycle is None:
            continue
        row, name = f"versions.{places[release.major]}", f"v{release.major}"
        for text in release.lifecycle.questions:
            column = "deprecated" if "announcement" in text else "removed"
            yield Question(f"{row}.{column}", f"{name}: {text}")
        if api.successor(release.major, release.lifecycle.sunset) is None:
            yield Question(
                f"{row}.removed",
                f"{name}: When it is removed there is no later stable version. Where do its users go?",
            )


@contextmanager
def _blaming(fields: Mapping[str, str], places: Sequence[int] = (), prefix: str = "") -> Iterator[None]:
    """Name the input of the form for the argument that is at fault, in a sentence of the form."""
    try:
        yield
    except InvalidApi as error:
        field = _trait(error.field, fields, places)
        raise InvalidApi(_in_words(str(error), field, prefix), field=field) from None


def _in_words(text: str, field: str, prefix: str) -> str:
    if (label := LABELS.get(field)) and text.startswith(f"{field} "):
        text = f"{label}{text.removeprefix(field)}"
    text = f"{prefix}{text}" if prefix and "version " not in text else f"{text[:1].upper()}{text[1:]}"
    return text.rstrip(".") + "."


def _trait(field: str, fields: Mapping[str, str], places: Sequence[int]) -> str:
    head, _, rest = field.partition(".")
    if head in fields:
        row, _, name = rest.partition(".")
        if not (row.isdigit() and int(row) < len(places)):
            return fields[head]
        return ".".join(filter(None, (fields[head], str(places[int(row)]), _TRAITS.get(name, name))))
    if head in LABELS or not places:
        return field
    return f"versions.{places[0]}.{_TRAITS.get(field, field)}".rstrip(".")


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:40]}…")
