"""Frames of the planner (a picture with the data around it) and the files it exports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from functools import partial
from typing import Any, Final

from hook_widgets._optional import matplotlib_renderer
from hook_widgets.errors import InvalidApi, VersioningError
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.planning import form_input, milestones
from hook_widgets.versioning.planning.announcement import announcements, slug
from hook_widgets.versioning.planning.calendar import calendar
from hook_widgets.versioning.planning.date_formatting import in_full, local, span, weekday
from hook_widgets.versioning.planning.form_input import FormInput
from hook_widgets.versioning.planning.form_input.dates import written
from hook_widgets.versioning.planning.installation import envoy_config, nginx_config, python_code
from hook_widgets.versioning.planning.plotting.svg import draw_timeline_svg
from hook_widgets.versioning.planning.plotting.view_model.words import describe_timeline
from hook_widgets.versioning.planning.sample_exchange import (
    Exchange,
    exchange,
    unknown_exchange,
    unversioned_exchange,
)
from hook_widgets.versioning.planning.timeline import TimelineRow, timeline, timeline_csv, timeline_table
from hook_widgets.versioning.release import Status
from hook_widgets.widgets._plot_widget import MEDIA_TYPES, View, scales
from hook_widgets.widgets._rpc import RpcError
from hook_widgets.widgets._svg_fallback import light, missing

_PACKAGE: Final = "hook_widgets.versioning.planning.plotting.mpl"
renderer: Final = partial(matplotlib_renderer, _PACKAGE, VersioningError)
"""Imports the renderer of the full picture, or raises an error that names matplotlib."""

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
    values: Mapping[str, Any], view: View, now: datetime, template: Api | None
) -> tuple[dict[str, Any], list[bytes]]:
    """Return the frame for these inputs and the bytes of its picture; no bytes on invalid inputs."""
    result: dict[str, Any] = {"error": None, "picture": None, "scales": None, "fields": {}}
    try:
        form = form_input.read_form(values, now=now, template=template)
        shown, data = _drawn(form, view)
        rows = timeline(form.api, form.at)
        result |= _through_time(form, now, view)
        result |= _glance(form, rows)
        if not view.quick:  # the parts below the picture follow when the slider rests
            result |= _below(form, rows)
    except VersioningError as error:
        return result | {"error": {"field": error.field, "text": form_input.form_message(error)}}, []
    alt = "" if view.quick else describe_timeline(form.api, form.at)
    result["picture"] = shown | {"alt": alt, "quick": view.quick}
    return result, [data]


def file(
    form: FormInput, kind: str, now: datetime, *, theme: str, text: str
) -> tuple[dict[str, Any], list[bytes]]:
    """Export a file: return its name and media type, and its bytes.

    Raises:
        RpcError: no such kind of file, or no such text.
    """
    api, at, name = form.api, form.at, f"{slug(form.api.name)}-versions.{kind}"
    if kind in MEDIA_TYPES:
        data = save(form, kind, theme=theme)
    elif kind == "ics":
        data = calendar(api, at=now)
    elif kind == "csv":
        data = timeline_csv(timeline(api, at)).encode()
    elif kind == "md":
        notices = {each.step.value: each for each in announcements(api, form.major)}
        if text not in notices:
            raise RpcError("unknown_text", f"v{form.major} has no such text; give it a date of deprecation")
        data, name = notices[text].text.encode(), notices[text].filename
    else:
        raise RpcError("unknown_format", f"files are saved as {', '.join(FILES)}")
    return {"filename": name, "media_type": FILES[kind]}, [data]


def save(form: FormInput, kind: str, *, theme: str) -> bytes:
    """Return the picture as a file; an SVG is the light picture if the full one cannot be drawn.

    Raises:
        VersioningError: `kind` is PNG, and matplotlib is not installed.
    """
    if kind == "svg" and missing(renderer):
        return draw_timeline_svg(form.api, form.at, theme=theme).encode()
    data: bytes = renderer().render_timeline(form.api, form.at, kind, theme=theme)
    return data


def _drawn(form: FormInput, view: View) -> tuple[dict[str, Any], bytes]:
    """Return the picture for a frame and its bytes; the light picture if the full one cannot be drawn."""
    if note := missing(renderer):
        document = draw_timeline_svg(form.api, form.at, width_px=view.width, theme=view.theme, title=False)
        return light(document, note)
    drawn = renderer().draw_timeline(form.api, form.at, width_px=view.width, dpr=view.dpr, theme=view.theme)
    shown = {"width": drawn.width, "height": drawn.height, "media_type": MEDIA_TYPES["png"], "note": ""}
    return shown, drawn.png


def _through_time(form: FormInput, now: datetime, view: View) -> dict[str, Any]:
    """Return the slider's steps and position, and the milestones around the date shown."""
    present = now.astimezone(form.zone)
    steps = milestones.time_steps(form.api, present)
    # The step of the present empties the field, so that it follows the clock.
    texts = ["" if step.title == milestones.NOW else written(step.at, form.zone) for step in steps]
    before, after = milestones.around(form.api, form.at)
    ahead = f"Next: {after.title}, {weekday(after.at)}." if after else "Nothing is planned after it."
    fields = {"at": _field(milestones.position(steps, form.at), f"now, {present:%Y-%m-%d}")}
    for name in ("months", "migration_guide"):
        notes = [advisory.text for advisory in form.advisories if advisory.field == name]
        fields[name] = _field(None, "", " ".join(notes))
    for release in form.api.releases:
        if release.lifecycle is not None:
            name = f"versions.{form.rows[release.major]}.removed"
            fields[name] = _field(None, written(release.lifecycle.sunset, form.zone))
    return {
        "scales": scales({"at": texts}, view.scales),
        "fields": fields,
        "moment": {
            "text": f"{in_full(form.at)}. {ahead}",
            "previous": before and {"at": written(before.at, form.zone), "title": before.title},
            "next": after and {"at": written(after.at, form.zone), "title": after.title},
        },
    }


def _field(index: int | None, shown: str, note: str = "") -> dict[str, Any]:
    return {"index": index, "shown": shown, "note": note}


def _glance(form: FormInput, rows: tuple[TimelineRow, ...]) -> dict[str, Any]:
    """Return the data beside the picture, updated even while a slider moves."""
    shown = next(row for row in rows if row.major == form.major)
    level, text = _level(shown), f"{shown.version}: {shown.summary}"
    dates = form.api.release(form.major).lifecycle
    if dates is not None and dates.short_notice and shown.status is not Status.REMOVED:
        level, text = "bad" if shown.in_brownout else "warn", f"{text}, short notice"
    return {
        "status": {
            "level": "ok" if level == "plain" else level,
            "text": text,
        },
        "versions": [
            {
                "row": form.rows[row.major],
                "version": str(row.major),
                "title": row.version,
                "level": _level(row),
                "status": row.summary,
                "advisories": [
                    advisory.text
                    for advisory in form.advisories
                    if advisory.field.startswith(f"versions.{form.rows[row.major]}.")
                ],
            }
            for row in rows
        ],
        "version": str(form.major),
        "answer": _answer(exchange(form.api, form.major, form.at), ""),
    }


def _level(row: TimelineRow) -> str:
    return "bad" if row.in_brownout else _LEVELS[row.status]


def _brownout_answers(form: FormInput) -> Iterator[dict[str, Any]]:
    """Yield the response during the next brownout, or the last one, of the version shown."""
    dates = form.api.release(form.major).lifecycle
    outages = dates.brownouts if dates else ()
    ahead = [each for each in outages if each.ends.timestamp() > form.at.timestamp()]
    for each in (*ahead, *outages[-1:])[:1]:
        begin, end = (local(moment, form.zone) for moment in (each.starts, each.ends))
        note = f"A request during the brownout of {span(begin, end)}."
        yield _answer(exchange(form.api, form.major, each.starts), note)


def _answer(sample: Exchange, note: str) -> dict[str, Any]:
    named = ", ".join(f"{name}: {value}" for name, value in sample.sent)
    return {
        "title": f"{sample.request}{f' with {named}' if named else ''}",
        "status": sample.status,
        "reason": sample.reason,
        "lines": list(map(list, sample.headers)),
        "body": sample.body,
        "note": note,
        "text": sample.text,
    }


def _below(form: FormInput, rows: tuple[TimelineRow, ...]) -> dict[str, Any]:
    """Return the data below the picture, updated when a slider rests."""
    return {
        "table": asdict(timeline_table(rows)),
        "texts": [
            {"id": each.step.value, "text": each.text, "when": f"Due on {in_full(each.due)}"}
            for each in announcements(form.api, form.major)
        ],
        "others": [
            *_brownout_answers(form),
            _answer(unversioned_exchange(form.api, form.at), "A request that names no version."),
            _answer(unknown_exchange(form.api, form.at), "A request for a version that does not exist."),
        ],
        "events": any(release.lifecycle for release in form.api.releases),
        "install": list(_installation(form)),
    }


def _installation(form: FormInput) -> Iterator[dict[str, str]]:
    yield {
        "title": "Python middleware",
        "code": python_code(form.api),
        "note": "Sends the headers and responses of each version at any time, brownouts included.",
    }
    with suppress(InvalidApi):  # its versions are not in the path
        yield {
            "title": "nginx",
            "code": nginx_config(form.api, form.at),
            "note": f"As of {in_full(form.at)}. Write it again for each milestone: nginx knows no dates.",
        }
        yield {
            "title": "Envoy",
            "code": envoy_config(form.api, form.at),
            "note": f"As of {in_full(form.at)}. Write it again for each milestone. Links lead to the "
            "version, not to the resource of the request.",
        }
