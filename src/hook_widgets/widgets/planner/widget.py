"""VersionPlanner: plan the versions of an API, with the headers and notices of each date."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final

import traitlets as t

from hook_widgets.errors import InvalidApi, UnknownKeyword, VersioningError, nearest
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.deprecation_schedule import Advisory
from hook_widgets.versioning.planning import form_input
from hook_widgets.versioning.planning.announcement import announcements
from hook_widgets.versioning.planning.calendar import calendar
from hook_widgets.versioning.planning.date_formatting import zone_of
from hook_widgets.versioning.planning.form_input import FormInput
from hook_widgets.versioning.planning.plotting.view_model.words import describe_timeline
from hook_widgets.versioning.planning.sample_exchange import exchange
from hook_widgets.versioning.planning.timeline import LifecycleStep, TimelineRow, timeline
from hook_widgets.versioning.release import Status
from hook_widgets.widgets._base import front_end
from hook_widgets.widgets._plot_widget import THEMES, PlotWidget, Text, View, theme_of, written
from hook_widgets.widgets._rpc import Buffers, Deferred, Rpc
from hook_widgets.widgets._uploads import Uploads, in_background
from hook_widgets.widgets.planner import frame as frames
from hook_widgets.widgets.planner.callers import count_log
from hook_widgets.widgets.planner.change_check import check_changes
from hook_widgets.widgets.static_html.document import StaticDocument
from hook_widgets.widgets.static_html.versions import Planning, python_of, unusable

_COLUMNS: Final = tuple(column.name for column in form_input.FORM_COLUMNS)

_STAGE: Final = _COLUMNS.index("stage")
_CHOICES: Final = {field.name: field.choices for field in form_input.FORM_FIELDS}

When = str | date | None
#: A version: its number, dates of release, deprecation and removal, stage, and brownouts.
Version = int | Sequence[int | When] | Mapping[str, int | When]


class VersionPlanner(PlotWidget):
    """Plan releases and removals of API versions; see headers, announcements and calendar of any date.

    Dates are texts such as ``"2027-01-31"`` or ``"2027-01-31 09:00"``, or Python dates.

    Args:
        versions: an `Api`, or a list with a row for each version: its number, dates of release, deprecation
            and removal, ``"stable"`` or ``"preview"``, and its brownouts as in
            ``"2027-03-01 10:00 for 1h; 2027-04-01 10:00 to 14:00"``; values omitted at the end are empty. A
            row may also be a mapping with the keys version, released, deprecated, removed, stage and
            brownouts. None: an example.
        name: display name of the API.
        base_url: base URL of the API, for absolute URLs.
        prefix: part of the path before the version.
        vendor: vendor in the media type ``application/vnd.<vendor>.v2+json``.
        migration_guide: URL; ``{old}`` and ``{new}`` become the versions.
        zone: time zone of all dates; for an `Api` it defaults to the zone of its own dates.
        months: from announcement to removal; usually 18.
        holidays: days on which nothing is announced or removed.
        headers_begin: when responses begin to carry the deprecation headers: ``"announcement"`` or
            ``"at_once"``.
        warn: ``"yes"`` to also send the obsolete ``Warning: 299``.
        brownout_response: response during brownouts: ``"unavailable"`` (503) or ``"gone"`` (410).
        at: date to show; empty for the present.
        version: version whose headers and texts to show; empty for the oldest one with a removal ahead.
        locked: names of inputs that the browser may not change.

    Raises:
        InvalidApi: an input is invalid; `field` names it.
        UnknownKeyword: an argument that does not exist.
    """

    _esm = front_end("planner.js")
    _css = front_end("planner.css")

    name: Text = Text().tag(sync=True)
    base_url: Text = Text().tag(sync=True)
    prefix: Text = Text().tag(sync=True)
    vendor: Text = Text().tag(sync=True)
    migration_guide: Text = Text().tag(sync=True)
    zone: Text = Text().tag(sync=True)
    months: Text = Text().tag(sync=True)
    holidays: Text = Text().tag(sync=True)
    headers_begin: Text = Text().tag(sync=True)
    warn: Text = Text().tag(sync=True)
    brownout_response: Text = Text().tag(sync=True)
    at: Text = Text().tag(sync=True)
    version: Text = Text().tag(sync=True)
    versions: t.List[list[str]] = t.List(
        t.List(t.Unicode(), minlen=min(form_input.ROW_LENGTHS), maxlen=len(_COLUMNS))
    ).tag(sync=True)

    lockable: Sequence[str] = ("versions", *(field.name for field in form_input.FORM_FIELDS))
    cells: Sequence[int] = form_input.ROW_LENGTHS

    def __init__(
        self,
        versions: Api | Sequence[Version] | None = None,
        *,
        locked: Sequence[str] = (),
        **inputs: int | When | Sequence[date | str],
    ) -> None:
        for name in inputs:
            if name not in self.lockable:
                known = (*self.lockable, "locked")
                raise UnknownKeyword(f"VersionPlanner has no argument {name!r}; {nearest(name, known)}")
        self._template = versions if isinstance(versions, Api) else None
        texts = {name: _as_text(name, value) for name, value in inputs.items() if value is not None}
        defaults: dict[str, Any] = {field.name: field.default for field in form_input.FORM_FIELDS}
        super().__init__(
            locked=locked, **{**defaults, **_of_versions(versions, texts.get("zone", "")), **texts}
        )
        self._read_inputs(self._values())  # raise for an invalid input here, not later
        self._by_code = True
        self._uploads = Uploads()
        self._rpc = Rpc(
            self,
            {
                "catalog": lambda _args, _buffers: _catalog(),
                "frame": self._on_frame,
                "export": self._on_export,
                "part": self._uploads.on_part,
                "usage": self._on_usage,
                "changes": self._on_changes,
                "ping": lambda _args, _buffers: {},
            },
            self._lock,
        )
        self.on_msg(self._rpc.receive)

    # -- assignments by code ----------------------------------------------------------------------

    def _inputs_of(self, name: str, value: Any) -> Mapping[str, Any]:
        if name == "versions":
            template = value if isinstance(value, Api) else self._template
            return {**_of_versions(value, ""), "_template": template}
        return {name: _as_text(name, value)}

    def _read_inputs(self, values: Mapping[str, Any]) -> FormInput:
        return form_input.read_form(values, now=_now(), template=values.get("_template", self._template))

    # -- results for code ------------------------------------------------------------------------

    @property
    def api(self) -> Api | None:
        """The current API; None while an input is invalid."""
        form = self._read()
        return None if form is None else form.api

    @property
    def timeline(self) -> tuple[TimelineRow, ...] | None:
        """Status of each version at the date shown; None while an input is invalid."""
        form = self._read()
        return None if form is None else timeline(form.api, form.at)

    @property
    def advisories(self) -> tuple[Advisory, ...] | None:
        """Points to review, such as a notice period under 12 months; None while an input is invalid."""
        form = self._read()
        return None if form is None else form.advisories

    @property
    def figure(self) -> Any:
        """The picture as a new matplotlib figure; None while an input is invalid.

        Raises:
            VersioningError: matplotlib is not installed.
        """
        form = self._read()
        return None if form is None else frames.renderer().plot_timeline(form.api, form.at)

    @property
    def headers(self) -> tuple[tuple[str, str], ...] | None:
        """Headers in responses of the version shown at the date shown; None while an input is invalid."""
        form = self._read()
        return None if form is None else exchange(form.api, form.major, form.at).headers

    @property
    def announcement(self) -> str | None:
        """Announcement for the version shown; None if it has none or an input is invalid."""
        form = self._read()
        notices = () if form is None else announcements(form.api, form.major)
        return next((each.text for each in notices if each.step is LifecycleStep.ANNOUNCEMENT), None)

    @property
    def calendar(self) -> bytes | None:
        """Dates of all versions as an iCalendar file; None while an input is invalid."""
        form = self._read()
        return None if form is None else calendar(form.api, at=_now())

    def __repr__(self) -> str:
        versions = ", ".join(f"v{row[0].lstrip('vV')}" for row in self.versions if row[0])
        return f"VersionPlanner({self.name!r}, {versions}, at={self.at or 'now'!r})"

    # -- static HTML ------------------------------------------------------------------------------

    def _documents(self) -> Iterator[StaticDocument]:
        planning = self._planning()
        return iter((planning,)) if isinstance(planning, StaticDocument) else planning.documents()

    def _full_document(self) -> StaticDocument:
        planning = self._planning()
        if isinstance(planning, StaticDocument):
            return planning
        light, dark = (frames.save(planning.form, "svg", theme=theme).decode() for theme in THEMES)
        return planning.full_document(light, dark, describe_timeline(planning.form.api, planning.form.at))

    def _planning(self) -> Planning | StaticDocument:
        values = self._values()
        python = python_of(values, {"locked": list(self.locked)} if self.locked else {})
        try:
            return Planning(values, self._read_inputs(values), python)
        except VersioningError as error:
            return unusable(values, form_input.form_message(error), python)

    # -- requests of the browser ------------------------------------------------------------------

    def _read(self) -> FormInput | None:
        try:
            return self._read_inputs(self._values())
        except VersioningError:
            return None  # the widget shows the error

    def _on_frame(self, args: Mapping[str, Any], _buffers: Buffers) -> tuple[dict[str, Any], Buffers]:
        return frames.frame(self._values(args.get("inputs")), View.of(args), _now(), self._template)

    def _on_export(self, args: Mapping[str, Any], _buffers: Buffers) -> tuple[dict[str, Any], Buffers]:
        now = _now()
        form = form_input.read_form(self._values(args.get("inputs")), now=now, template=self._template)
        kind, text = str(args.get("format")), str(args.get("text"))
        return frames.file(form, kind, now, theme=theme_of(args), text=text)

    def _on_usage(self, args: Mapping[str, Any], _buffers: Buffers) -> Deferred:
        log = self._uploads.take(args.get("log"))
        form = self._read_inputs(self._values(args.get("inputs")))
        return in_background(self._rpc, lambda: count_log(log, form))

    def _on_changes(self, args: Mapping[str, Any], _buffers: Buffers) -> Deferred:
        old, new = (self._uploads.take(args.get(name)) for name in ("old", "new"))
        form = self._read_inputs(self._values(args.get("inputs")))
        return in_background(self._rpc, lambda: check_changes(old, new, form))


def _now() -> datetime:
    """Return the present minute: a plan has no use for seconds."""
    return datetime.now(UTC).replace(second=0, microsecond=0)


def _catalog() -> dict[str, Any]:
    return {
        "fields": [field.wire() for field in form_input.FORM_FIELDS],
        "cells": [column.wire() for column in form_input.FORM_COLUMNS],
        "stages": [{"id": stage, "title": stage.capitalize()} for stage in ("stable", Status.PREVIEW.value)],
        "zones": list(form_input.zone_names()),
        "texts": [{"id": step.value, "title": step.label} for step in LifecycleStep],
    }


def _of_versions(versions: Api | Sequence[Version] | None, zone: str) -> Mapping[str, Any]:
    """Convert the first argument to inputs."""
    if versions is None:
        return form_input.example_form(_now())
    if isinstance(versions, Api):
        name = getattr(zone_of(versions, _now()), "key", "UTC")  # a fixed offset has no name
        return form_input.form_texts(versions, zone=zone or name)
    if isinstance(versions, str) or not isinstance(versions, Sequence):
        raise InvalidApi(
            'versions= must be an Api or a list of rows, such as [[1, "2024-05-01", "2026-07-01"], [2]]',
            field="versions",
        )
    return {"versions": [_row(version, f"versions.{i}") for i, version in enumerate(versions)]}


def _row(value: object, field: str) -> list[str]:
    version: Any = value
    if isinstance(version, int):
        version = [version]
    if isinstance(version, Mapping):
        for name in version:
            if name not in _COLUMNS:
                raise UnknownKeyword(f"a version has no {name!r}; {nearest(str(name), _COLUMNS)}")
        version = [version.get(name) for name in _COLUMNS]
    if isinstance(version, str | bytes) or not isinstance(version, Sequence) or len(version) > len(_COLUMNS):
        raise InvalidApi(f"a version must be a row of up to six: {', '.join(_COLUMNS)}", field=field)
    row = [_text(name, value, field) for name, value in zip(_COLUMNS, version, strict=False)]
    row += [""] * (len(_COLUMNS) - len(row))
    row[_STAGE] = row[_STAGE] or "stable"
    return row


def _as_text(name: str, value: Any) -> str:
    """Convert a Python value to the text that a person would enter."""
    if name == "holidays" and isinstance(value, list | tuple | set | frozenset):
        return ", ".join(sorted(_text(name, day, name) for day in value))
    return _text(name, value, name)


def _text(name: str, value: Any, field: str) -> str:
    if isinstance(value, datetime) and value.utcoffset() is None:
        raise InvalidApi(f"{name}: {value} has no time zone; write datetime(..., tzinfo=UTC)", field=field)
    text = written(value)
    if not isinstance(text, str):
        choices = " or ".join(repr(choice) for choice, _ in _CHOICES.get(name, ()))
        expected = f"text, {choices}" if choices else "text, a number or a date"
        raise InvalidApi(f"{name} must be {expected}, not {type(value).__name__}", field=field)
    return text
