"""Convert the texts of a form to an API with its versions, and back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from types import MappingProxyType
from typing import Final
from zoneinfo import ZoneInfo

from hook_widgets.errors import InvalidApi, VersioningError, excerpt, nearest
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.brownouts import BrownoutResponse
from hook_widgets.versioning.dates.instants import instant
from hook_widgets.versioning.deprecation_schedule import MIN_MONTHS, Advisory, lifecycle
from hook_widgets.versioning.planning.date_formatting import duration, local, weekday
from hook_widgets.versioning.planning.form_input.brownouts import brownout_texts, read_brownouts
from hook_widgets.versioning.planning.form_input.dates import read_day, read_moment, written
from hook_widgets.versioning.planning.form_input.fields import (
    FORM_COLUMNS,
    FORM_FIELDS,
    FORM_LABELS,
)
from hook_widgets.versioning.planning.form_input.zones import read_zone
from hook_widgets.versioning.release import HeadersBegin, Release, Status, nearest_form

_MAJOR: Final = re.compile(r"[vV]?\s*([0-9]{1,15})")
_NUMBERED: Final = re.compile(r"[vV]?\s*([0-9]{1,15})[.][0-9.]*")
_COUNT: Final = re.compile(r"([0-9]{1,15})(?:\s*months?)?", re.IGNORECASE)
_MAX_MONTHS: Final = 600
_MAX_ROWS: Final = 60  # a picture of more would be unreadable
ROW_LENGTHS: Final = (len(FORM_COLUMNS) - 1, len(FORM_COLUMNS))
"""Numbers of texts in a row: notebooks that were saved before there were brownouts have five."""
_STAGES: Final = {"stable": True, "preview": False}
_SWITCHES: Final = (
    "precedence",
    "redirect_unversioned",
    "header",
    "parameter",
    "media_parameter",
)  # without a field in the form
_COLUMN_OF: Final = {
    "major": "version",
    "lifecycle": "deprecated",
    "sunset": "removed",
    "final_notice": "removed",
    "reminder": "removed",
    "stable": "stage",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FormInput:
    """The form's values, parsed.

    Attributes:
        api: API with its versions.
        at: time to show, in `zone`.
        major: version to show.
        rows: row of each version, from 0.
        zone: zone of the dates entered.
        months: promised period in calendar months.
        advisories: points to review; each names the input that it concerns, such as
            ``"versions.0.removed"``.
    """

    api: Api
    at: datetime
    major: int
    rows: Mapping[int, int]
    zone: ZoneInfo
    months: int
    advisories: tuple[Advisory, ...] = ()


def read_form(values: Mapping[str, object], *, now: datetime, template: Api | None = None) -> FormInput:
    """Parse the texts of the form.

    Args:
        values: texts by the names of `FORM_FIELDS`, and ``"versions"``: a list of rows with the texts of
            `FORM_COLUMNS`; the last one may be omitted. A missing text has its default; a row of empty texts
            is skipped.
        now: meaning of an empty ``"at"``, with its zone.
        template: an API built in code, for everything without a field: precedence, switches, names and, while
            no holidays are entered, the notices of versions with the same announcement and removal.

    Raises:
        InvalidApi: a text cannot be used; its `field` names it, such as ``"versions.0.deprecated"``.

    >>> form = read_form({"versions": [["v2", "", "2026-07-01", "", ""], ["3", "2026-01-15", "", "", ""]]},
    ...             now=datetime.fromisoformat("2026-11-20T09:00Z"))
    >>> form.major, str(form.api.release(2).lifecycle.sunset)
    (2, '2028-01-03 10:00:00+00:00')
    """
    inputs = {field.name: _text(values.get(field.name, field.default), field.name) for field in FORM_FIELDS}
    zone = read_zone(inputs["zone"])
    with _input("at"):
        at = read_moment(inputs["at"], zone, "the as-of date") if inputs["at"] else _now(now, zone)
    with _input("months"):
        months = _months(inputs["months"])
    with _input("holidays"):
        terms = _Terms(zone, months, _holidays(inputs["holidays"]))
    lifecycle(at, months=months, holidays=terms.holidays)  # reject invalid periods also if nothing has one
    releases: dict[int, Release] = {}
    row_of: dict[int, int] = {}
    for i, row in _rows(values.get("versions", ())):
        release = _release(row, i, terms)
        if release.major in releases:
            raise InvalidApi(
                f"v{release.major} is in rows {row_of[release.major] + 1} and {i + 1}; "
                "give each version one row",
                field=f"versions.{i}.version",
            )
        if template is not None and not terms.holidays:
            release = _with_notices(release, template)
        releases[release.major], row_of[release.major] = release, i
    in_order = tuple(releases[major] for major in sorted(releases))
    with _inputs_of([row_of[release.major] for release in in_order]):
        api = Api(
            name=inputs["name"] or "API",
            releases=in_order,
            prefix=inputs["prefix"],
            vendor=inputs["vendor"] or "example",
            base_url=inputs["base_url"],
            migration_guide=inputs["migration_guide"],
            headers_begin=HeadersBegin(_choice(inputs, "headers_begin")),
            warn=_choice(inputs, "warn") == "yes",
            brownout_response=BrownoutResponse(_choice(inputs, "brownout_response")),
        )
    if template is not None:
        api = replace(api, **{name: getattr(template, name) for name in _SWITCHES})
    # By the present, not the time shown: moving through time keeps the version.
    major = _shown_version(inputs["version"], api, now)
    return FormInput(
        api=api,
        at=at,
        major=major,
        rows=MappingProxyType(row_of),
        zone=zone,
        months=months,
        advisories=(*_general_advisories(api, months), *_advisories(api, row_of)),
    )


def form_texts(api: Api, *, zone: ZoneInfo | str = "UTC") -> dict[str, object]:
    """Return the form's texts for an API; `read_form` with that API as `template` turns them back into it.

    Raises:
        InvalidApi: there is no such zone.

    >>> form_texts(Api(releases=(Release(1),)))["versions"]
    [['1', '', '', '', 'stable', '']]
    """
    known = zone if isinstance(zone, ZoneInfo) else read_zone(zone)
    return {
        "name": api.name,
        "base_url": api.base_url,
        "prefix": api.prefix,
        "vendor": api.vendor,
        "migration_guide": api.migration_guide,
        "headers_begin": api.headers_begin.value,
        "warn": "yes" if api.warn else "no",
        "brownout_response": api.brownout_response.value,
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
        brownout_texts(dates.brownouts, zone) if dates else "",
    ]


def form_message(error: VersioningError) -> str:
    """Return an error's message for the form: a sentence with the label of an input in place of its name."""
    inputs = FORM_COLUMNS if error.field.startswith("versions.") else FORM_FIELDS
    labels = {field.name: field.label for field in inputs}
    text = f"{labels.get(error.subject, error.subject)} {error.problem}".strip()
    return text if re.match("v[0-9]", text) else text[:1].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class _Terms:
    """Settings that apply to every version."""

    zone: ZoneInfo
    months: int
    holidays: frozenset[date]


def _text(value: object, field: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        name = field.rpartition(".")[2]
        raise InvalidApi(f"must be text, not {type(value).__name__}", field=field, subject=name)
    return str(value).strip()


def _choice(inputs: Mapping[str, str], name: str) -> str:
    """Return the value that was chosen; the default of an empty text."""
    field = next(field for field in FORM_FIELDS if field.name == name)
    text = inputs[name].lower().replace(" ", "_") or field.default
    if text not in (known := [value for value, _ in field.choices]):
        raise InvalidApi(
            f"cannot be read from {excerpt(inputs[name])}; {nearest(text, known)}", field=name, subject=name
        )
    return text


def _now(now: datetime, zone: ZoneInfo) -> datetime:
    instant(now, "the present time")
    return local(now, zone)


def _months(text: str) -> int:
    match = _COUNT.fullmatch(text)
    if match is None:
        wrong = f"cannot be read from {excerpt(text)}" if text else "is empty"
        raise InvalidApi(f"the notice period {wrong}; write a whole number of months, such as 18")
    if not 1 <= int(match[1]) <= _MAX_MONTHS:
        raise InvalidApi(
            f"a notice period of {match[1]} months is out of range; write 1 to {_MAX_MONTHS}, usually 18"
        )
    return int(match[1])


def _holidays(text: str) -> frozenset[date]:
    parts = (part.strip() for part in re.split(r"[,;\n]|\s+(?=[0-9]{4}-)", text))
    return frozenset(read_day(part, "a holiday") for part in parts if part)


def _rows(rows: object) -> list[tuple[int, list[str]]]:
    """Return the rows that are not empty, with their indices."""
    if isinstance(rows, str) or not isinstance(rows, Sequence):
        raise InvalidApi("the versions must be a list of rows of six texts", field="versions")
    if len(rows) > _MAX_ROWS:
        raise InvalidApi(
            f"there are {len(rows)} versions, more than the {_MAX_ROWS} of a form; "
            "leave out those long removed",
            field="versions",
        )
    filled = []
    for i, row in enumerate(rows):
        if isinstance(row, str) or not isinstance(row, Sequence) or len(row) not in ROW_LENGTHS:
            names = ", ".join(column.name for column in FORM_COLUMNS)
            raise InvalidApi(
                f"row {i + 1} of the versions must have six texts: {names}", field=f"versions.{i}"
            )
        cells = [
            _text(cell, f"versions.{i}.{column.name}")
            for cell, column in zip(row, FORM_COLUMNS, strict=False)
        ]
        cells += [""] * (len(FORM_COLUMNS) - len(cells))
        if any(cell for cell, column in zip(cells, FORM_COLUMNS, strict=True) if column.name != "stage"):
            filled.append((i, cells))  # a stage is chosen, not entered
    if not filled:
        raise InvalidApi("there is no version; add one, such as 1", field="versions")
    return filled


def _release(row: list[str], i: int, terms: _Terms) -> Release:
    number, released, deprecated, removed, stage, brownouts = row
    with _input(f"versions.{i}.version"):
        major = _major(number)

    def moment(text: str, event: str, name: str) -> datetime | None:
        with _input(f"versions.{i}.{name}"):
            return read_moment(text, terms.zone, f"the {event} of v{major}") if text else None

    begin = moment(released, "release", "released")
    announced = moment(deprecated, "announcement", "deprecated")
    removal = moment(removed, "removal", "removed")
    if (stable := _STAGES.get(stage.lower() or "stable")) is None:
        raise InvalidApi(
            f"v{major}: there is no stage {excerpt(stage)}; {nearest(stage, _STAGES)}",
            field=f"versions.{i}.stage",
        )
    for text, what in ((removed, "a removal"), (brownouts, "brownouts")):
        if text and announced is None:
            raise InvalidApi(
                f"v{major} has {what} and no announcement; write the day of the announcement in Deprecated",
                field=f"versions.{i}.deprecated",
            )
    with _input(f"versions.{i}.brownouts"):
        outages = read_brownouts(brownouts, terms.zone, f"v{major}")
    with _inputs_of([i], f"v{major}:"):
        dates = announced and lifecycle(
            announced,
            months=terms.months,
            sunset=removal,
            holidays=terms.holidays,
            brownouts=outages,
        )
        return Release(major, begin, stable, dates or None)


def _with_notices(release: Release, template: Api) -> Release:
    """Take the notices from an API built in code, whose own holidays apply, if the dates are the same."""
    before = next((each.lifecycle for each in template.releases if each.major == release.major), None)
    now = release.lifecycle
    if before is None or now is None:
        return release
    same = (before.deprecated, before.sunset) == (now.deprecated, now.sunset)
    if not same:
        return release
    # The notices of the template, and the brownouts of the form.
    advisories = [each for each in before.advisories if each.field != "brownouts"]
    advisories += [each for each in now.advisories if each.field == "brownouts"]
    dates = replace(before, brownouts=now.brownouts, advisories=tuple(advisories))
    return replace(release, lifecycle=dates)


def _major(text: str) -> int:
    match = _MAJOR.fullmatch(text)
    if match and int(match[1]):
        return int(match[1])
    parts = _NUMBERED.fullmatch(text)
    if parts and int(parts[1]):
        raise InvalidApi(
            f"{excerpt(text)} is more than a major number; write {parts[1]}, because minor versions break "
            "nothing, so that no client has to request one"
        )
    if match:
        raise InvalidApi("there is no version 0; versions count from 1")
    wrong = f"cannot be read from {excerpt(text)}" if text else "is empty"
    raise InvalidApi(f"the version {wrong}; write its major number, such as 2 or v2{nearest_form(text)}")


def _shown_version(text: str, api: Api, now: datetime) -> int:
    majors = [release.major for release in api.releases]
    if not text:
        leaving = [
            r.major for r in api.releases if r.lifecycle and r.lifecycle.sunset.timestamp() > now.timestamp()
        ]
        served = [major for major in majors if api.status(major, now) is not Status.PLANNED]
        return leaving[0] if leaving else (served or majors)[-1]
    with _input("version"):
        major = _major(text)
    if major not in majors:
        known = ", ".join(f"v{known}" for known in majors)
        raise InvalidApi(f"there is no v{major}; choose from {known}", field="version")
    return major


def _general_advisories(api: Api, months: int) -> Iterator[Advisory]:
    """Yield advisories about the inputs that apply to every version."""
    if months < MIN_MONTHS:
        yield Advisory("months", f"Users need {MIN_MONTHS} months or more to migrate.")
    if not api.migration_guide and any(release.lifecycle for release in api.releases):
        text = 'Responses have no Link; rel="deprecation", which needs the URL of the guide.'
        yield Advisory("migration_guide", text)


def _advisories(api: Api, row_of: Mapping[int, int]) -> Iterator[Advisory]:
    for release in api.releases:
        if release.lifecycle is None:
            continue
        row, name = f"versions.{row_of[release.major]}", f"v{release.major}"
        for advisory in release.lifecycle.advisories:
            yield Advisory(
                f"{row}.{_COLUMN_OF.get(advisory.field, advisory.field)}", f"{name}: {advisory.text}"
            )
        for outage in release.lifecycle.brownouts:
            # An end before the beginning is read as one on the next day, which may be a typo.
            last_day = (outage.ends - timedelta.resolution).date()
            if outage.length < timedelta(days=1) and last_day > outage.starts.date():
                yield Advisory(
                    f"{row}.brownouts",
                    f"{name}: The brownout of {weekday(outage.starts)} ends on the next day at "
                    f"{outage.ends:%H:%M}, after {duration(outage.length)}.",
                )
        if api.successor(release.major, release.lifecycle.sunset) is None:
            yield Advisory(
                f"{row}.removed",
                f"{name}: When it is removed there is no later stable version. Where do its users go?",
            )


@contextmanager
def _input(field: str) -> Iterator[None]:
    """Name this input in an error."""
    try:
        yield
    except InvalidApi as error:
        error.field = field
        raise


@contextmanager
def _inputs_of(rows: Sequence[int], subject: str = "") -> Iterator[None]:
    """Convert an error about an argument to one about the form's input, with a subject if it has none."""
    try:
        yield
    except InvalidApi as error:
        field = _trait(error.field, rows)
        raise InvalidApi(error.problem, field=field, subject=error.subject or subject) from None


def _trait(field: str, rows: Sequence[int]) -> str:
    head, _, rest = field.partition(".")
    if head in FORM_LABELS:
        return field
    row, name = rows[0], field
    if head == "versions":
        version, _, name = rest.partition(".")
        if not (version.isdigit() and int(version) < len(rows)):
            return head
        row = rows[int(version)]
    return f"versions.{row}.{_COLUMN_OF.get(name, name)}".rstrip(".")
