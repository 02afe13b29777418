"""Frames of the calculator (a picture with the data around it) and the files it exports."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import asdict
from fractions import Fraction
from functools import partial
from typing import Any, Final

from hook_widgets._optional import matplotlib_renderer
from hook_widgets.errors import LimitModelError
from hook_widgets.ratelimit.formatting import seconds, short
from hook_widgets.ratelimit.http.sample_responses import sample_responses
from hook_widgets.ratelimit.planning.inputs import Input, ScenarioInputs, inputs_of
from hook_widgets.ratelimit.planning.scenario import Scenario
from hook_widgets.ratelimit.plotting.svg import draw_light_svg
from hook_widgets.ratelimit.plotting.view_model.words import describe_run
from hook_widgets.ratelimit.reporting import report
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.slider_scale import SliderScale
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from hook_widgets.ratelimit.units import rate
from hook_widgets.widgets._plot_widget import View, scales
from hook_widgets.widgets._svg_fallback import light, missing
from hook_widgets.widgets.calculator import form
from hook_widgets.widgets.calculator import inputs as entered

renderer: Final = partial(matplotlib_renderer, "hook_widgets.ratelimit.plotting.mpl", LimitModelError)
"""Imports the renderer of the full picture, or raises an error that names matplotlib."""

_MAX_PICTURES: Final = 3  # one for each size and theme of the open views


class Frames:
    """Builds frames, and caches the last scenario and the renderers of the last sizes.

    Args:
        arrivals: traffic that replaces the inputs' traffic.
        record: the inputs.
        light: draw light pictures, as without matplotlib.
    """

    def __init__(
        self,
        arrivals: Arrivals | None,
        record: type[ScenarioInputs] = ScenarioInputs,
        *,
        light: bool = False,
    ) -> None:
        self._arrivals = arrivals
        self._record = record
        self._light = light
        self._note = ""
        self._last: tuple[form.Values, Scenario] | None = None
        self._pictures: OrderedDict[tuple[int, int, float, str], Any] = OrderedDict()

    def frame(self, values: form.Values, view: View) -> tuple[dict[str, Any], list[bytes]]:
        """Return the frame for these inputs and the bytes of its picture; no bytes on invalid inputs."""
        steps = form.steps(self._record, values)
        texts = {name: ladder.steps for name, ladder in steps.items()}
        result = {"error": None, "picture": None, "scales": scales(texts, view.scales)}
        try:
            scenario = self.read(values)
            compare = comparing(scenario, values)
            runs = self.runs(scenario, compare=compare)
            extent = options(scenario)
            shown, data = self._drawn(runs, extent, view)
            result |= _glance(scenario, compare=compare)
            if not view.quick:  # the parts below the picture follow when the slider rests
                result |= _below(scenario, compare=compare)
        except LimitModelError as error:
            failure = {
                "error": {"field": error.field, "text": form.message(self._record, error)},
                "fields": self._positions(values, steps, {}),
            }
            return result | failure, []
        result["fields"] = self._positions(values, steps, scenario.planned)
        alt = "" if view.quick else describe_run(runs, **extent)
        result["picture"] = shown | {"alt": alt, "quick": view.quick}
        return result, [data]

    def read(self, values: form.Values) -> Scenario:
        """Return the scenario of these inputs; it is simulated once for all views.

        Raises:
            InvalidLimit: an input is invalid; `field` names its trait.
            InvalidArrivals: too many requests.
        """
        if self._last is None or self._last[0] != values:
            self._last = (values, entered.read(self._record, values, self._arrivals))
        return self._last[1]

    def runs(self, scenario: Scenario, *, compare: bool) -> dict[str, Run]:
        """Return the runs of the picture, by title."""
        if compare or scenario.algorithm is None:
            return report.runs_by_label(scenario.all_runs)
        return report.runs_by_label({scenario.algorithm: scenario.run})

    def _drawn(
        self, runs: Mapping[str, Run], extent: dict[str, Any], view: View
    ) -> tuple[dict[str, Any], bytes]:
        """Return the picture for a frame and its bytes; the light picture if the full one cannot be drawn."""
        if not view.quick and not self._light:  # matplotlib may have been installed since
            self._note = missing(renderer)
        if self._light or self._note:
            return light(draw_light_svg(runs, width_px=view.width, theme=view.theme, **extent), self._note)
        picture = self._picture(view)
        draw = picture.quick if view.quick else picture.full
        shown = {"width": view.width, "height": view.height, "media_type": "image/png", "note": ""}
        return shown, draw(runs, **extent)

    def _positions(
        self, values: form.Values, steps: Mapping[str, SliderScale], planned: Mapping[str, Fraction]
    ) -> dict[str, dict[str, Any]]:
        positions = {form.LIMIT: _position(form.first_limit(values), None, steps.get(form.LIMIT), None)}
        for name, entry in inputs_of(self._record).items():
            positions[name] = _position(str(values[name]), entry, steps.get(name), planned.get(name))
        return positions

    def _picture(self, view: View) -> Any:
        key = (view.width, view.height, view.dpr, view.theme)
        if key not in self._pictures:
            width, height, dpr, theme = key
            self._pictures[key] = renderer().RunPicture(
                width_px=width, height_px=height, dpr=dpr, theme=theme
            )
        self._pictures.move_to_end(key)
        while len(self._pictures) > _MAX_PICTURES:
            self._pictures.popitem(last=False)
        return self._pictures[key]


def save(scenario: Scenario, runs: Mapping[str, Run], kind: str, *, theme: str) -> bytes:
    """Return the picture as a file; an SVG is the light picture if the full one cannot be drawn.

    Raises:
        LimitModelError: `kind` is PNG, and matplotlib is not installed.
    """
    if kind == "svg" and missing(renderer):
        return draw_light_svg(runs, theme=theme, **options(scenario)).encode()
    data: bytes = renderer().render_run(runs, kind, theme=theme, **options(scenario))
    return data


def comparing(scenario: Scenario, values: form.Values) -> bool:
    """Return True if all algorithms are shown: on request, or because that of the API is not known."""
    return bool(values["compare"]) or scenario.algorithm is None


def options(scenario: Scenario) -> dict[str, Any]:
    """Return the arguments of a picture that depend on the scenario: its end and its queue."""
    return {"until_s": scenario.duration_s or None, "queued": scenario.queue}


def _glance(scenario: Scenario, *, compare: bool) -> dict[str, Any]:
    """Return the data beside the picture, updated even while a slider moves."""
    return {
        "status": asdict(report.report_status(scenario, compare=compare)),
        "cards": [asdict(card) for card in report.report_cards(scenario)],
    }


def _below(scenario: Scenario, *, compare: bool) -> dict[str, Any]:
    """Return the data below the picture, updated when a slider rests."""
    return {
        "advice": asdict(report.report_advice(scenario)),
        "table": asdict(report.comparison_table(scenario) if compare else report.time_table(scenario)),
        "figures": asdict(report.metrics_table(scenario)),
        "headers": [
            {
                "title": sample.title,
                "status": sample.status,
                "lines": list(map(list, sample.headers)),
                "body": sample.body,
            }
            for sample in sample_responses(scenario.run)
        ],
        "metrics": [
            {
                "title": metric.title,
                "value": report.format_metric(scenario, metric),
                "formula": metric.formula,
                "inputs": report.format_formula_inputs(metric),
                "source": metric.source,
            }
            for metric in scenario.plan.metrics.values()
        ],
    }


def _position(
    text: str, entry: Input | None, ladder: SliderScale | None, planned: Fraction | None
) -> dict[str, Any]:
    """Return the position of a slider, and the meaning of its empty field; no `Input` for the limit."""
    shown, value = "", None
    if text.strip():
        value = _number(text, rate if entry is None else entry.parse)
    elif planned is not None:
        value, shown = planned, seconds(planned) if entry and entry.unit == "s" else short(planned)
    index = None
    if ladder is not None:
        index = 0 if value is None else ladder.nearest(value)
    return {"index": index, "shown": shown, "note": ""}


def _number(text: str, parse: Callable[[str, str], Any]) -> Fraction | None:
    try:
        parsed = parse(text, "")
    except LimitModelError:  # the frame reports the error
        return None
    return Fraction(parsed) if isinstance(parsed, Fraction | int) else None
