"""What the calculator shows for its inputs: one picture with all that stands around it, and its files."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any, Final

from hook_widgets.errors import RateLimitError
from hook_widgets.ratelimit import report
from hook_widgets.ratelimit.arrivals import Arrivals
from hook_widgets.ratelimit.drawing import figures
from hook_widgets.ratelimit.ladders import Ladder
from hook_widgets.ratelimit.quantity import rate
from hook_widgets.ratelimit.run import Run
from hook_widgets.ratelimit.scenario import Scenario
from hook_widgets.ratelimit.scene.words import describe
from hook_widgets.ratelimit.sketch import sketch
from hook_widgets.ratelimit.turns import turns
from hook_widgets.ratelimit.wording import seconds, short
from hook_widgets.widgets import _entered as entered
from hook_widgets.widgets import _form as form
from hook_widgets.widgets._light import light, missing
from hook_widgets.widgets._pictured import View, ladders

_KEPT_PICTURES: Final = 3  # sizes and themes of the views that are open


class Frames:
    """Makes frames, and keeps the artists of the last sizes and the last scenario.

    Args:
        arrivals: traffic to use in place of what is entered.
        light: show light pictures, as where matplotlib is not installed.
    """

    def __init__(self, arrivals: Arrivals | None, *, light: bool = False) -> None:
        self._arrivals = arrivals
        self._light = light
        self._note = ""
        self._last: tuple[form.Values, Scenario] | None = None
        self._pictures: OrderedDict[tuple[int, int, float, str], Any] = OrderedDict()

    def frame(self, values: form.Values, view: View) -> tuple[dict[str, Any], list[bytes]]:
        """The frame for these inputs in this view, and the bytes of its picture; none on bad inputs."""
        steps = form.all_steps(values)
        texts = {name: ladder.steps for name, ladder in steps.items()}
        made = {"error": None, "picture": None, "ladders": ladders(texts, view.ladders)}
        try:
            found = self.read(values)
            runs = self.runs(found, compare=bool(values["compare"]))
            told_of = options(found)
            shown, data = self._drawn(runs, told_of, view)
            made |= _glance(found)
            if not view.quick:  # what stands below the picture follows when the slider rests
                made |= _below(found, compare=bool(values["compare"]))
        except RateLimitError as error:
            text = entered.in_words(error)
            wrong = {"error": {"field": error.field, "text": text}, "fields": _positions(values, steps, None)}
            return made | wrong, []
        made["fields"] = _positions(values, steps, found)
        alt = "" if view.quick else describe(runs, **told_of)
        made["picture"] = shown | {"alt": alt, "quick": view.quick}
        return made, [data]

    def read(self, values: form.Values) -> Scenario:
        """The scenario of these inputs, which is simulated once for all who show it.

        Raises:
            InvalidLimit: an input cannot be used; its `field` is the trait at fault.
            InvalidArrivals: there would be too many requests.
        """
        if self._last is None or self._last[0] != values:
            self._last = (values, entered.read(values, self._arrivals))
        return self._last[1]

    def runs(self, found: Scenario, *, compare: bool) -> dict[str, Run]:
        """The runs of the picture, by title."""
        return report.titled(found.all_runs if compare else {found.algorithm: found.run})

    def _drawn(
        self, runs: Mapping[str, Run], told_of: dict[str, Any], view: View
    ) -> tuple[dict[str, Any], bytes]:
        """The picture as a frame has it, and its bytes: a light one where the full one cannot be drawn."""
        if not view.quick and not self._light:  # it may have been installed since
            self._note = missing(figures)
        if self._light or self._note:
            return light(sketch(runs, width_px=view.width, theme=view.theme, **told_of), self._note)
        picture = self._picture(view)
        draw = picture.quick if view.quick else picture.full
        shown = {"width": view.width, "height": view.height, "media_type": "image/png", "note": ""}
        return shown, draw(runs, **told_of)

    def _picture(self, view: View) -> Any:
        key = (view.width, view.height, view.dpr, view.theme)
        if key not in self._pictures:
            width, height, dpr, theme = key
            self._pictures[key] = figures().Picture(width_px=width, height_px=height, dpr=dpr, theme=theme)
        self._pictures.move_to_end(key)
        while len(self._pictures) > _KEPT_PICTURES:
            self._pictures.popitem(last=False)
        return self._pictures[key]


def save(found: Scenario, runs: Mapping[str, Run], kind: str, *, theme: str) -> bytes:
    """The picture as a file: a light one where the full one cannot be drawn and it is to be SVG.

    Raises:
        RateLimitError: a PNG is wanted, and matplotlib is not installed.
    """
    if kind == "svg" and missing(figures):
        return sketch(runs, theme=theme, **options(found)).encode()
    data: bytes = figures().save(runs, kind, theme=theme, **options(found))
    return data


def options(found: Scenario) -> dict[str, Any]:
    """How far a picture tells of a scenario, and what queue it shows."""
    return {"until_s": found.duration_s or None, "queued": found.queue}


def _glance(found: Scenario) -> dict[str, Any]:
    """What is seen at a glance beside the picture."""
    return {
        "status": asdict(report.status(found)),
        "cards": [asdict(card) for card in report.cards(found)],
    }


def _below(found: Scenario, *, compare: bool) -> dict[str, Any]:
    """What is read when the picture stands still."""
    return {
        "advice": list(report.advice(found)),
        "table": asdict(report.comparison(found) if compare else report.over_time(found)),
        "figures": asdict(report.figures(found)),
        "headers": [
            {
                "title": turn.title,
                "status": turn.status,
                "lines": list(map(list, turn.headers)),
                "body": turn.body,
            }
            for turn in turns(found.run)
        ],
        "formulas": [
            {
                "title": fact.title,
                "value": report.worded(found, fact),
                "formula": fact.formula,
                "put_in": report.put_in(fact),
                "source": fact.source,
            }
            for fact in found.plan.facts.values()
        ],
    }


def _positions(
    values: form.Values, steps: Mapping[str, Ladder], found: Scenario | None
) -> dict[str, dict[str, Any]]:
    """Where each slider stands, and what an empty field stands for."""
    planned: dict[str, tuple[Fraction, str]] = {}
    if found is not None:
        capacity = Fraction(found.plan["capacity"].value)
        planned["capacity"] = (capacity, short(capacity))
        planned["duration_s"] = (found.duration_s, seconds(found.duration_s))
    texts = {form.LIMIT: form.first_limit(values)} | {f.name: str(values[f.name]) for f in form.FIELDS}
    return {name: _position(name, text, steps.get(name), planned.get(name)) for name, text in texts.items()}


def _position(
    name: str, text: str, ladder: Ladder | None, planned: tuple[Fraction, str] | None
) -> dict[str, Any]:
    shown, value = "", None
    if text.strip():
        value = _read(name, text)
    elif planned is not None:
        value, shown = planned
    at = None
    if ladder is not None:
        at = 0 if value is None else ladder.nearest(value)
    return {"index": at, "shown": shown, "note": ""}


def _read(name: str, text: str) -> Fraction | None:
    reader = rate if name == form.LIMIT else form.BY_NAME[name].read
    try:
        return Fraction(reader(text, ""))
    except RateLimitError:  # the frame says what is wrong with it
        return None
