"""VersionPlanner: plan the versions of an API, and see what clients and people are told when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final

import traitlets as t

from hook_widgets.errors import InvalidApi, UnknownKeyword, VersioningError, nearest
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning import entered
from hook_widgets.versioning.planning.announcement import announcements
from hook_widgets.versioning.planning.calendar import calendar
from hook_widgets.versioning.planning.datewords import zone_of
from hook_widgets.versioning.planning.drawing import figures
from hook_widgets.versioning.planning.entered import Entered
from hook_widgets.versioning.planning.exchange import exchange
from hook_widgets.versioning.planning.scene.words import describe
from hook_widgets.versioning.planning.timeline import Row, Step, timeline
from hook_widgets.versioning.release import Status
from hook_widgets.widgets import _planned as planned
from hook_widgets.widgets._base import front_end
from hook_widgets.widgets._pictured import THEMES, PicturedWidget, Text, View, theme_of, written
from hook_widgets.widgets._rpc import Buffers, Rpc
from hook_widgets.widgets._still import Still
from hook_widgets.widgets._still_versions import Planning, python_of, unusable

_COLUMNS: Final = tuple(column.name for column in entered.COLUMNS)

When = str | date | None
#: a version: its number, and when it is released, deprecated and removed, and its stage
Version = int | Sequence[int | When] | Mapping[str, int | When]


class VersionPlanner(PicturedWidget):
    """Plan when versions of an API come and go; see headers, announcements and calendar of any date.

    Dates are texts such as ``"2027-01-31"`` or ``"2027-01-31 09:00"``, or dates of Python.

    Args:
        versions: an `Api`, or a list with a row for each version: its number, when it is released, deprecated
            and removed, and ``"stable"`` or ``"preview"``; what is left out at the end is empty. A row may
            also be a mapping with the keys version, released, deprecated, removed and stage. None: an
            example.
        name: the API's name for people.
        base_url: where it is, for full addresses.
        prefix: what stands before the version in a path.
        vendor: as in ``application/vnd.<vendor>.v2+json``.
        migration_guide: an address; ``{old}`` and ``{new}`` become the versions.
        zone: the time zone of all dates; of an `Api`, by default, that of its own.
        months: from announcement to removal; at least 12.
        holidays: days on which nothing is announced or removed.
        at: the date to show; empty for the present.
        version: whose headers and texts to show; empty for the oldest one with a removal ahead.
        locked: names of inputs that the browser may not change.

    Raises:
        InvalidApi: an input cannot be; `field` names it.
        UnknownKeyword: an argument that does not exist.
    """

    _esm = front_end("planner.js")
    _css = front_end("planner.css")

    name = Text().tag(sync=True)
    base_url = Text().tag(sync=True)
    prefix = Text().tag(sync=True)
    vendor = Text().tag(sync=True)
    migration_guide = Text().tag(sync=True)
    zone = Text().tag(sync=True)
    months = Text().tag(sync=True)
    holidays = Text().tag(sync=True)
    at = Text().tag(sync=True)
    version = Text().tag(sync=True)
    versions = t.List(t.List(t.Unicode(), minlen=len(_COLUMNS), maxlen=len(_COLUMNS))).tag(sync=True)

    lockable = ("versions", *(field.name for field in entered.FIELDS))
    cells = len(_COLUMNS)

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
                raise UnknownKeyword(f"VersionPlanner has no argument {name!r}. {nearest(name, known)}")
        self._given = versions if isinstance(versions, Api) else None
        self._found: tuple[dict[str, Any], Entered] | None = None
        given = {name: _as_text(name, value) for name, value in inputs.items() if value is not None}
        usual: dict[str, Any] = {field.name: field.default for field in entered.FIELDS}
        super().__init__(locked=locked, **{**usual, **_of_versions(versions, given.get("zone", "")), **given})
        entered.read(self._values(), now=_now(), given=self._given)  # what cannot be is said here, not later
        rpc = Rpc(
            self,
            {
                "catalog": lambda _args, _buffers: _catalog(),
                "frame": self._on_frame,
                "export": self._on_export,
                "ping": lambda _args, _buffers: {},
            },
            self._lock,
        )
        self.on_msg(rpc.receive)

    # -- what code may read ---------------------------------------------------------------------

    @property
    def api(self) -> Api | None:
        """The API as it stands; None while an input is not usable."""
        found = self._read()
        return None if found is None else found.api

    @property
    def timeline(self) -> tuple[Row, ...] | None:
        """What each version is at the date shown; None while an input is not usable."""
        found = self._read()
        return None if found is None else timeline(found.api, found.at)

    @property
    def figure(self) -> Any:
        """The picture as a matplotlib figure of its own; None while an input is not usable.

        Raises:
            VersioningError: matplotlib is not installed.
        """
        found = self._read()
        return None if found is None else figures().plot(found.api, found.at)

    @property
    def headers(self) -> tuple[tuple[str, str], ...] | None:
        """What answers of the version shown carry at the date shown; None while an input is not usable."""
        found = self._read()
        return None if found is None else exchange(found.api, found.major, found.at).headers

    @property
    def announcement(self) -> str | None:
        """The announcement of the version shown; None while it has none, or an input is not usable."""
        found = self._read()
        told = () if found is None else announcements(found.api, found.major)
        return next((each.text for each in told if each.id == Step.ANNOUNCEMENT), None)

    @property
    def calendar(self) -> bytes | None:
        """The dates of all versions as an iCalendar file; None while an input is not usable."""
        found = self._read()
        return None if found is None else calendar(found.api, at=_now())

    def __repr__(self) -> str:
        versions = ", ".join(f"v{row[0].lstrip('vV')}" for row in self.versions if row[0])
        return f"VersionPlanner({self.name!r}, {versions}, at={self.at or 'now'!r})"

    # -- without a kernel -----------------------------------------------------------------------

    def _stills(self) -> Iterator[Still]:
        told = self._planning()
        return iter((told,)) if isinstance(told, Still) else told.stills()

    def _whole(self) -> Still:
        told = self._planning()
        if isinstance(told, Still):
            return told
        light, dark = (planned.save(told.found, "svg", theme=theme).decode() for theme in THEMES)
        return told.whole(light, dark, describe(told.found.api, told.found.at))

    def _planning(self) -> Planning | Still:
        values = self._values()
        python = python_of(values, {"locked": list(self.locked)} if self.locked else {})
        try:
            return Planning(values, entered.read(values, now=_now(), given=self._given), python)
        except VersioningError as error:
            return unusable(values, str(error), python)

    # -- what a browser may ask for -------------------------------------------------------------

    def _read(self) -> Entered | None:
        try:
            return entered.read(self._values(), now=_now(), given=self._given)
        except VersioningError:
            return None  # the widget shows what is wrong

    def _on_frame(self, args: Mapping[str, Any], _buffers: Buffers) -> tuple[dict[str, Any], Buffers]:
        return planned.frame(self._values(args.get("inputs")), View.of(args), _now(), self._given)

    def _on_export(self, args: Mapping[str, Any], _buffers: Buffers) -> tuple[dict[str, Any], Buffers]:
        now = _now()
        found = entered.read(self._values(args.get("inputs")), now=now, given=self._given)
        kind, text = str(args.get("format")), str(args.get("text"))
        return planned.file(found, kind, now, theme=theme_of(args), text=text)


def _now() -> datetime:
    """The present minute: a plan has no use for seconds."""
    return datetime.now(UTC).replace(second=0, microsecond=0)


def _catalog() -> dict[str, Any]:
    return {
        "fields": [field.wire() for field in entered.FIELDS],
        "cells": [column.wire() for column in entered.COLUMNS],
        "stages": [{"id": stage, "title": stage.capitalize()} for stage in ("stable", Status.PREVIEW.value)],
        "zones": list(entered.zone_names()),
        "texts": [{"id": step.value, "title": step.label} for step in Step],
    }


def _of_versions(versions: Api | Sequence[Version] | None, zone: str) -> Mapping[str, Any]:
    """The inputs that the first argument stands for."""
    if versions is None:
        return entered.example(_now())
    if isinstance(versions, Api):
        usual = getattr(zone_of(versions, _now()), "key", "UTC")  # a fixed offset has no name
        return entered.texts(versions, zone=zone or usual)
    if isinstance(versions, str) or not isinstance(versions, Sequence):
        raise InvalidApi(
            'versions= is an Api or a list of rows, such as [[1, "2024-05-01", "2026-07-01"], [2]]',
            field="versions",
        )
    return {"versions": [_row(version, f"versions.{i}") for i, version in enumerate(versions)]}


def _row(given: object, field: str) -> list[str]:
    version: Any = given
    if isinstance(version, int):
        version = [version]
    if isinstance(version, Mapping):
        for name in version:
            if name not in _COLUMNS:
                raise UnknownKeyword(f"a version has no {name!r}. {nearest(str(name), _COLUMNS)}")
        version = [version.get(name) for name in _COLUMNS]
    if isinstance(version, str) or not isinstance(version, Sequence) or len(version) > len(_COLUMNS):
        raise InvalidApi(f"a version is a row of up to five: {', '.join(_COLUMNS)}", field=field)
    row = [_text(name, value, field) for name, value in zip(_COLUMNS, version, strict=False)]
    row += [""] * (len(_COLUMNS) - len(row))
    return [*row[:-1], row[-1] or "stable"]


def _as_text(name: str, value: Any) -> str:
    """A value given in Python as a person would enter it."""
    if name == "holidays" and isinstance(value, list | tuple | set | frozenset):
        return ", ".join(sorted(_text(name, day, name) for day in value))
    return _text(name, value, name)


def _text(name: str, value: Any, field: str) -> str:
    if isinstance(value, datetime) and value.utcoffset() is None:
        raise InvalidApi(f"{name}: {value} has no time zone; write datetime(..., tzinfo=UTC)", field=field)
    text = written(value)
    if not isinstance(text, str):
        raise InvalidApi(f"{name} must be text, a number or a date, not {type(value).__name__}", field=field)
    return text
