"""Frames of the calculator (a picture with the data around it) and the files it exports."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any, Final

from hook_widgets.errors import LimitModelError
from hook_widgets.ratelimit.formatting import seconds, short
from hook_widgets.ratelimit.http.sample_responses import turns
from hook_widgets.ratelimit.optional import figures
from hook_widgets.ratelimit.planning.scenario import Scenario
from hook_widgets.ratelimit.plotting.svg import sketch
from hook_widgets.ratelimit.plotting.view_model.words import describe
from hook_widgets.ratelimit.reporting import report
from hook_widgets.ratelimit.reporting.slider_scale import Ladder
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from hook_widgets.ratelimit.units import rate
from hook_widgets.widgets._plot_widget import View, ladders
from hook_widgets.widgets._svg_fallback import light, missing
from hook_widgets.widgets.calculator import fields as form
from hook_widgets.widgets.calculator import inputs as entered

_MAX_PICTURES: Final = 3  # one for each size and theme of the open views


class Frames:
    """Builds frames, and caches the last scenario and the renderers of the last sizes.

    Args:
        arrivals: traffic that replaces the inputs' traffic.
        light: draw light pictures, as without matplotlib.
    """

    def __init__(self, arrivals: Arrivals | None, *, light: bool = False) -> None:
        self._arrivals = arrivals
        self._light = light
        self._note = ""
        self._last: tuple[form.Values, Scenario] | None = None
        self._pictures: OrderedDict[tuple[int, int, float, str], Any] = OrderedDict()

    def frame(self, values: form.Values, view: View) -> tuple[dict[str, Any], list[bytes]]:
        """Return the frame for these inputs and the bytes of its picture; no bytes on invalid inputs."""
        steps = form.all_steps(values)
        texts = {name: ladder.steps for name, ladder in steps.items()}
        result = {"error": None, "picture": None, "ladders": ladders(texts, view.ladders)}
        try:
            scenario = self.read(values)
            runs = self.runs(scenario, compare=bool(values["compare"]))
            extent = options(scenario)
            shown, data = self._drawn(runs, extent, view)
            result |= _glance(scenario)
            if not view.quick:  # the parts below the picture follow when the slider rests
                result |= _below(scenario, compare=bool(values["compare"]))
        except LimitModelError as error:
            text = entered.in_words(error)
            failure = {
                "error": {"field": error.field, "text": text},
                "fields": _positions(values, steps, None),
            }
            return result | failure, []
        result["fields"] = _positions(values, steps, scenario)
        alt = "" if view.quick else describe(runs, **extent)
        result["picture"] = shown | {"alt": alt, "quick": view.quick}
        return result, [data]

    def read(self, values: form.Values) -> Scenario:
        """Return the scenario of these inputs; it is simulated once for all views.

        Raises:
            InvalidLimit: an input is invalid; `field` names its trait.
            InvalidArrivals: too many requests.
        """
        if self._last is None or self._last[0] != values:
            self._last = (values, entered.read(values, self._arrivals))
        return self._last[1]

    def runs(self, scenario: Scenario, *, compare: bool) -> dict[str, Run]:
        """Return the runs of the picture, by title."""
        return report.titled(scenario.all_runs if compare else {scenario.algorithm: scenario.run})

    def _drawn(
        self, runs: Mapping[str, Run], extent: dict[str, Any], view: View
    ) -> tuple[dict[str, Any], bytes]:
        """Return the picture for a frame and its bytes; the light picture if the full one cannot be drawn."""
        if not view.quick and not self._light:  # matplotlib may have been installed since
            self._note = missing(figures)
        if self._light or self._note:
            return light(sketch(runs, width_px=view.width, theme=view.theme, **extent), self._note)
        picture = self._picture(view)
        draw = picture.quick if view.quick else picture.full
        shown = {"width": view.width, "height": view.height, "media_type": "image/png", "note": ""}
        return shown, draw(runs, **extent)

    def _picture(self, view: View) -> Any:
        key = (view.width, view.height, view.dpr, view.theme)
        if key not in self._pictures:
            width, height, dpr, theme = key
            self._pictures[key] = figures().Picture(width_px=width, height_px=height, dpr=dpr, theme=theme)
        self._pictures.move_to_end(key)
        while len(self._pictures) > _MAX_PICTURES:
            self._pictures.popitem(last=False)
        return self._pictures[key]


def save(scenario: Scenario, runs: Mapping[str, Run], kind: str, *, theme: str) -> bytes:
    """Return the picture as a file; an SVG is the light picture if the full one cannot be drawn.

    Raises:
        LimitModelError: `kind` is PNG, and matplotlib is not installed.
    """
    if kind == "svg" and missing(figures):
        return sketch(runs, theme=theme, **options(scenario)).encode()
    data: bytes = figures().save(runs, kind, theme=theme, **options(scenario))
    return data


def options(scenario: Scenario) -> dict[str, Any]:
    """Return the arguments of a picture that depend on the scenario: its end and its queue."""
    return {"until_s": scenario.duration_s or None, "queued": scenario.queue}


def _glance(scenario: Scenario) -> dict[str, Any]:
    """Return the data beside the picture, updated even while a slider moves."""
    return {
        "status": asdict(report.status(scenario)),
        "cards": [asdict(card) for card in report.cards(scenario)],
    }


def _below(scenario: Scenario, *, compare: bool) -> dict[str, Any]:
    """Return the data below the picture, updated when a slider rests."""
    return {
        "advice": list(report.advice(scenario)),
        "table": asdict(report.comparison(scenario) if compare else report.over_time(scenario)),
        "figures": asdict(report.figures(scenario)),
        "headers": [
            {
                "title": sample.title,
                "status": sample.status,
                "lines": list(map(list, sample.headers)),
                "body": sample.body,
            }
            for sample in turns(scenario.run)
        ],
        "formulas": [
            {
                "title": metric.title,
                "value": report.worded(scenario, metric),
                "formula": metric.formula,
                "put_in": report.put_in(metric),
                "source": metric.source,
            }
            for metric in scenario.plan.facts.values()
        ],
    }


def _positions(
    values: form.Values, steps: Mapping[str, Ladder], scenario: Scenario | None
) -> dict[str, dict[str, Any]]:
    """Return the position of each slider, and the meaning of each empty field."""
    planned: dict[str, tuple[Fraction, str]] = {}
    if scenario is not None:
        capacity = Fraction(scenario.plan["capacity"].value)
        planned["capacity"] = (capacity, short(capacity))
        planned["duration_s"] = (scenario.duration_s, seconds(scenario.duration_s))
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
    except LimitModelError:  # the frame reports the error
        return None
