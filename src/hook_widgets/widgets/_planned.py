"""What the planner shows for its inputs: one picture with all that stands around it, and its files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from hook_widgets.errors import VersioningError
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning import entered, stops
from hook_widgets.versioning.planning.announcement import announcements, slug
from hook_widgets.versioning.planning.calendar import calendar
from hook_widgets.versioning.planning.datewords import in_full, weekday
from hook_widgets.versioning.planning.drawing import figures
from hook_widgets.versioning.planning.entered import Entered
from hook_widgets.versioning.planning.entered.dates import written
from hook_widgets.versioning.planning.exchange import exchange
from hook_widgets.versioning.planning.scene.words import describe
from hook_widgets.versioning.planning.sketch import sketch
from hook_widgets.versioning.planning.timeline import Row, csv, table, timeline
from hook_widgets.versioning.release import Status
from hook_widgets.widgets._light import light, missing
from hook_widgets.widgets._pictured import MEDIA_TYPES, View, ladders
from hook_widgets.widgets._rpc import Fault

_LEVELS: Final = {
    Status.PLANNED: "plain",
    Status.PREVIEW: "plain",
    Status.ACTIVE: "ok",
    Status.DEPRECATED: "warn",
    Status.REMOVED: "bad",
}
FILES: Final = {
    **MEDIA_TYPES,
    "ics": "text/calendar",
    "csv": "text/csv",
    "md": "text/markdown",
}


def frame(
    values: Mapping[str, Any], view: View, now: datetime, given: Api | None
) -> tuple[dict[str, Any], list[bytes]]:
    """The frame for these inputs in this view, and the bytes of its picture; none on bad inputs."""
    made: dict[str, Any] = {"error": None, "picture": None, "ladders": None, "fields": {}}
    try:
        found = entered.read(values, now=now, given=given)
        shown, data = _drawn(found, view)
        rows = timeline(found.api, found.at)
        made |= _through_time(found, now, view)
        made |= _glance(found, rows)
        if not view.quick:  # what stands below the picture follows when the slider rests
            made |= _below(found, rows)
    except VersioningError as error:
        return made | {"error": {"field": error.field, "text": str(error)}}, []
    alt = "" if view.quick else describe(found.api, found.at)
    made["picture"] = shown | {"alt": alt, "quick": view.quick}
    return made, [data]


def file(
    found: Entered, kind: str, now: datetime, *, theme: str, text: str
) -> tuple[dict[str, Any], list[bytes]]:
    """A file of what the inputs stand for: its name and media type, and its bytes.

    Raises:
        Fault: there is no such kind of file, or no such text.
    """
    api, at, name = found.api, found.at, f"{slug(found.api.name)}-versions"
    if kind in MEDIA_TYPES:
        data = save(found, kind, theme=theme)
    elif kind == "ics":
        data = calendar(api, at=now)
    elif kind == "csv":
        data = csv(timeline(api, at)).encode()
    elif kind == "md":
        told = {each.id: each for each in announcements(api, found.major)}
        if text not in told:
            raise Fault("unknown_text", f"v{found.major} has no such text; give it a date of deprecation")
        data = told[text].text.encode()
        return {"filename": told[text].filename, "media_type": FILES[kind]}, [data]
    else:
        raise Fault("unknown_format", f"files are saved as {', '.join(FILES)}")
    return {"filename": f"{name}.{kind}", "media_type": FILES[kind]}, [data]


def save(found: Entered, kind: str, *, theme: str) -> bytes:
    """The picture as a file: a light one where the full one cannot be drawn and it is to be SVG.

    Raises:
        VersioningError: a PNG is wanted, and matplotlib is not installed.
    """
    if kind == "svg" and missing(figures):
        return sketch(found.api, found.at, theme=theme).encode()
    data: bytes = figures().save(found.api, found.at, kind, theme=theme)
    return data


def _drawn(found: Entered, view: View) -> tuple[dict[str, Any], bytes]:
    """The picture as a frame has it, and its bytes: a light one where the full one cannot be drawn."""
    if note := missing(figures):
        made = sketch(found.api, found.at, width_px=view.width, theme=view.theme, title=False)
        return light(made, note)
    drawn = figures().picture(found.api, found.at, width_px=view.width, dpr=view.dpr, theme=view.theme)
    shown = {"width": drawn.width, "height": drawn.height, "media_type": MEDIA_TYPES["png"], "note": ""}
    return shown, drawn.png


def _through_time(found: Entered, now: datetime, view: View) -> dict[str, Any]:
    """Where the date shown is, and what stands before and after it."""
    present = now.astimezone(found.zone)
    steps = stops.ladder(found.api, present)
    # At the present time the field is emptied, so that it goes on with the clock.
    ways = ["" if step.title == stops.NOW else written(step.at, found.zone) for step in steps]
    before, after = stops.around(found.api, found.at)
    fields = {"at": _field(stops.position(steps, found.at), f"now, {present:%Y-%m-%d}")}
    for release in found.api.releases:
        if release.lifecycle is not None:
            name = f"versions.{found.places[release.major]}.removed"
            fields[name] = _field(None, written(release.lifecycle.sunset, found.zone))
    return {
        "ladders": ladders({"at": ways}, view.ladders),
        "fields": fields,
        "moment": {
            "text": f"{in_full(found.at)}. {_ahead(after)}",
            "previous": before and {"at": written(before.at, found.zone), "title": before.title},
            "next": after and {"at": written(after.at, found.zone), "title": after.title},
        },
    }


def _ahead(after: stops.Stop | None) -> str:
    return f"Next: {after.title}, {weekday(after.at)}." if after else "Nothing is planned after it."


def _field(index: int | None, shown: str) -> dict[str, Any]:
    return {"index": index, "shown": shown, "note": ""}


def _glance(found: Entered, rows: tuple[Row, ...]) -> dict[str, Any]:
    """What is seen at a glance beside the picture."""
    shown = next(row for row in rows if row.major == found.major)
    level = _LEVELS[shown.status]
    got = exchange(found.api, found.major, found.at)
    named = ", ".join(f"{name}: {value}" for name, value in got.sent)
    return {
        "status": {
            "level": "ok" if level == "plain" else level,
            "text": f"{shown.version}: {standing(shown)}",
        },
        "versions": [
            {
                "row": found.places[row.major],
                "version": str(row.major),
                "title": row.version,
                "level": _LEVELS[row.status],
                "status": standing(row),
                "questions": [
                    question.text
                    for question in found.questions
                    if question.field.startswith(f"versions.{found.places[row.major]}.")
                ],
            }
            for row in rows
        ],
        "version": str(found.major),
        "answer": {
            "title": f"{got.request}{f' with {named}' if named else ''}",
            "status": got.status,
            "reason": got.reason,
            "lines": list(map(list, got.headers)),
            "body": got.body,
            "note": "",
            "text": got.text,
        },
    }


def standing(row: Row) -> str:
    """What a version is at the time shown, and what comes next."""
    if row.note.startswith(row.status.value):
        return row.note
    return f"{row.status}, {row.note}" if row.note else row.status.value


def _below(found: Entered, rows: tuple[Row, ...]) -> dict[str, Any]:
    """What is read when the picture stands still."""
    return {
        "table": asdict(table(rows)),
        "texts": [
            {"id": each.id, "text": each.text, "when": f"Due on {in_full(each.due)}"}
            for each in announcements(found.api, found.major)
        ],
        "events": any(release.lifecycle for release in found.api.releases),
    }
