"""Frames of the calculator (a picture with the data around it) and the files it exports."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from fractions import Fraction
from functools import partial
from typing import Any, Final

from hook_widgets._optional import matplotlib_renderer
from hook_widgets.errors import LimitModelError
from hook_widgets.ratelimit.formatting import percent, seconds, short
from hook_widgets.ratelimit.http.responses import sample_responses
from hook_widgets.ratelimit.limiters.presets import presets
from hook_widgets.ratelimit.planning.inputs import ScenarioInputs, inputs_of
from hook_widgets.ratelimit.planning.levels import split_level
from hook_widgets.ratelimit.planning.scenario import Scenario
from hook_widgets.ratelimit.plotting.svg import draw_run_svg
from hook_widgets.ratelimit.plotting.view_model.words import describe_run
from hook_widgets.ratelimit.reporting.client_code import throttle_codes
from hook_widgets.ratelimit.reporting.limit_sweep import LimitSweep, sweep_limit
from hook_widgets.ratelimit.reporting.preset_facts import preset_facts
from hook_widgets.ratelimit.reporting.report import NOT_COMPARED, Report, ReportTable, report
from hook_widgets.ratelimit.reporting.target_configs import target_configs
from hook_widgets.ratelimit.reporting.time_samples import csv_text, time_csv
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.slider_scale import SliderScale
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from hook_widgets.ratelimit.units import number, rate
from hook_widgets.widgets._plot_widget import View, scales
from hook_widgets.widgets._svg_fallback import light, missing
from hook_widgets.widgets.calculator import form
from hook_widgets.widgets.calculator import inputs as entered
from hook_widgets.widgets.calculator.overlay import overlay_of

renderer: Final = partial(matplotlib_renderer, "hook_widgets.ratelimit.plotting.mpl", LimitModelError)
"""Imports the renderer of the full picture, or raises an error that names matplotlib."""

_PLANNED: Final[Mapping[str, Callable[[Fraction], str]]] = {"s": seconds, "share": percent}
_WITHOUT_UNIT: Final[Mapping[str, Callable[[Fraction], str]]] = {
    "s": seconds,
    "1/s": lambda per_s: f"{short(per_s)}/s",
}
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
        self._last_sweep: LimitSweep | None = None
        self._pictures: OrderedDict[tuple[int, int, float, str], Any] = OrderedDict()

    def frame(
        self,
        values: form.Values,
        view: View,
        part_s: tuple[float, float] | None = None,
        swept: LimitSweep | str | None = None,
    ) -> tuple[dict[str, Any], list[bytes]]:
        """Return the frame for these inputs and its buffers; no buffers on invalid inputs.

        The buffers are the picture, and in a full frame the values that a pointer reads off it. `part_s` is
        the part of the time axis to draw. `swept` is drawn in place of the run, or says why it cannot be.
        """
        steps = form.steps(self._record, values)
        texts = {name: ladder.steps for name, ladder in steps.items()}
        result = {"error": None, "picture": None, "scales": scales(texts, view.scales)}
        try:
            scenario = self.read(values)
            parts = report(scenario, compare=values["compare"])
            runs, extent = parts.runs, options(parts, quick=view.quick)
            sweep = swept if isinstance(swept, LimitSweep) else None
            shown, buffers = self._drawn(runs, extent, view, part_s, sweep)
            alone = NOT_COMPARED if values["compare"] and not parts.compare else ""
            notes = (shown["note"], swept if isinstance(swept, str) else "", alone)
            shown["note"] = " ".join(filter(None, notes))
            result |= _glance(parts)
            if not view.quick:  # the parts below the picture follow when the slider rests
                result |= _below(parts) | {"preset": _preset(str(values["preset"]), scenario)}
            if sweep:
                status = {"level": parts.status.level, "text": sweep.sentence}
                result |= {"status": status, "table": asdict(sweep.table)}
        except LimitModelError as error:
            failure = {
                "error": {"field": error.field, "text": form.message(self._record, error)},
                "fields": self._positions(values, steps, None),
            }
            return result | failure, []
        result["fields"] = self._positions(values, steps, scenario)
        drawn = sweep if shown["media_type"] == "image/png" else None  # a light picture is one of the run
        alt = "" if view.quick else drawn.sentence if drawn else describe_run(runs, **extent)
        if "overlay" in shown:
            result["overlay"] = shown.pop("overlay")
        result["picture"] = shown | {"alt": alt, "quick": view.quick}
        return result, buffers

    def read(self, values: form.Values) -> Scenario:
        """Return the scenario of these inputs; it is simulated once for all views.

        Raises:
            InvalidLimit: an input is invalid; `field` names its trait.
            InvalidArrivals: too many requests.
        """
        if self._last is None or self._last[0] != values:
            self._last = (values, entered.read(self._record, values, self._arrivals))
        return self._last[1]

    def sweep(self, values: form.Values) -> Callable[[], LimitSweep | str]:
        """Return a function that sweeps the limit of these inputs, or returns the reason why it cannot.

        Raises:
            InvalidLimit: an input is invalid; `field` names its trait.
            InvalidArrivals: too many requests.
        """
        scenario, compare, last = self.read(values), bool(values["compare"]), self._last_sweep

        def run() -> LimitSweep | str:
            if last and (last.scenario, last.compare) == (scenario, compare):
                return last
            try:
                self._last_sweep = sweep_limit(scenario, compare=compare)
            except LimitModelError as error:
                return f"The chart shows the run, not the sweep: {error}."
            return self._last_sweep

        return run

    def _drawn(
        self,
        runs: Mapping[str, Run],
        extent: dict[str, Any],
        view: View,
        part_s: tuple[float, float] | None,
        sweep: LimitSweep | None,
    ) -> tuple[dict[str, Any], list[bytes]]:
        """Return the picture for a frame and its buffers; the light picture if the full one cannot be drawn.

        The light picture has no values for a pointer, and no parts.
        """
        if not view.quick and not self._light:  # matplotlib may have been installed since
            self._note = missing(renderer)
        if self._light or self._note:
            document = draw_run_svg(runs, width_px=view.width, theme=view.theme, **extent)
            shown, data = light(document, self._note)
            return shown, [data]
        shown = {"width": view.width, "height": view.height, "media_type": "image/png", "note": ""}
        if sweep:
            size = {"width_in": view.width / 96, "height_in": view.height / 96, "dpi": 96 * view.dpr}
            return shown, [sweep_figure(sweep, theme=view.theme, **size).to_file("png")]
        picture = self._picture(view)
        if part_s is not None:
            png = picture.part(runs, part_s, **extent)
        elif view.quick:
            png = picture.quick(runs, **extent)
        else:
            png = picture.full(runs, **extent)
        if view.quick:  # a pointer reads values off when the slider rests
            return shown, [png]
        overlay, samples = overlay_of(picture, part=part_s is not None)
        return shown | {"overlay": overlay}, [png, samples]

    def _positions(
        self, values: form.Values, steps: Mapping[str, SliderScale], scenario: Scenario | None
    ) -> dict[str, dict[str, Any]]:
        """Return the positions of the sliders: of the scenario, or of the inputs that are valid."""
        planned, suggested = ({}, {}) if scenario is None else (scenario.planned, scenario.suggested)
        limit = (
            _number(form.first_limit(values), rate)
            if scenario is None
            else scenario.inputs.limits[0].rate_of_one_per_s
        )
        positions = {
            f"limits.{i}": _position(None, "", None, _read_as(split_level(text)[0], "1/s"))
            for i, (_, text) in enumerate(values["limits"])
        }
        note = positions.get(form.LIMIT, {}).get("note", "")
        positions[form.LIMIT] = _position(limit, "", steps.get(form.LIMIT), note)
        for name, entry in inputs_of(self._record).items():
            value, shown = None, ""
            if text := str(values[name]).strip():
                value = _number(text, entry.parse) if scenario is None else getattr(scenario.inputs, name)
            elif name in planned:
                value = planned[name]
                shown = _PLANNED.get(entry.unit, short)(value)
            positions[name] = _position(value, shown, steps.get(name), _read_as(text, entry.unit))
            if name in suggested:
                positions[name]["suggested"] = entered.as_text(suggested[name], entry.unit)
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


def save(parts: Report, kind: str, *, theme: str) -> bytes:
    """Return the picture as a file; an SVG is the light picture if the full one cannot be drawn.

    Raises:
        LimitModelError: `kind` is PNG, and matplotlib is not installed.
    """
    if kind == "svg" and missing(renderer):
        return draw_run_svg(parts.runs, theme=theme, **options(parts)).encode()
    data: bytes = renderer().render_run(parts.runs, kind, theme=theme, **options(parts))
    return data


def sweep_figure(sweep: LimitSweep, **options: Any) -> Any:
    """Return the picture of a sweep as a matplotlib figure.

    Raises:
        LimitModelError: matplotlib is not installed.
    """
    current = sweep.scenario.inputs.binding.quota
    return renderer().plot_sweep(sweep.points, sweep.sizes.get, size=sweep.size, current=current, **options)


def save_table(parts: Report) -> bytes:
    """Return the values of the picture, or the comparison of all algorithms, as a CSV file."""
    return table_file(parts.comparison) if parts.compare else time_csv(parts.scenario).encode()


def table_file(table: ReportTable) -> bytes:
    """Return a table as a CSV file."""
    return csv_text([table.columns, *table.rows]).encode()


def options(parts: Report, *, quick: bool = False) -> dict[str, Any]:
    """Return the arguments of a picture that depend on the report: end, queue, band and notes.

    The notes take long; a quick picture leaves room for them.
    """
    scenario = parts.scenario
    possible = () if scenario.algorithm is not None else tuple(scenario.all_runs.values())
    notes = None
    if len(parts.runs) > 1:
        notes = dict.fromkeys(parts.runs, ()) if quick else parts.notes
    return {
        "until_s": scenario.duration_s or None,
        "queued": scenario.queue,
        "possible": possible,
        "notes": notes,
    }


def _glance(parts: Report) -> dict[str, Any]:
    """Return the data beside the picture, updated even while a slider moves."""
    return {"status": asdict(parts.status), "cards": list(map(asdict, parts.cards))}


def _below(parts: Report) -> dict[str, Any]:
    """Return the data below the picture, updated when a slider rests."""
    scenario = parts.scenario
    of_one = f"{parts.algorithm}: " if parts.compare else ""
    return {
        "advice": asdict(parts.advice),
        "code": list(map(asdict, throttle_codes(scenario))),
        "configs": list(map(asdict, target_configs(scenario))),
        "configs_title": f"{of_one}Enforce the limit",
        "table": asdict(parts.table),
        "figures": asdict(parts.figures),
        "headers": [
            {
                "title": of_one + sample.title,
                "status": sample.status,
                "lines": list(map(list, sample.headers)),
                "body": sample.body,
            }
            for sample in sample_responses(scenario.run)
        ],
        "metrics": list(map(asdict, parts.formulas)),
    }


def _preset(name: str, scenario: Scenario) -> dict[str, Any]:
    """Return what is published, assumed and changed of the chosen preset."""
    named = presets().get(name)
    return {"id": name, "facts": list(map(asdict, preset_facts(named, scenario))) if named else []}


def _position(value: object, shown: str, scale: SliderScale | None, note: str = "") -> dict[str, Any]:
    """Return the position of a slider, the meaning of its empty field, and a note on its text."""
    index = None
    if scale is not None:
        index = scale.nearest(Fraction(value)) if isinstance(value, Fraction | int) else 0
    return {"index": index, "shown": shown, "note": note}


def _read_as(text: str, unit: str) -> str:
    """Return how a time or a rate without a unit is read; empty for a text with one."""
    with suppress(LimitModelError):
        value = number(text, "")
        if value and unit in _WITHOUT_UNIT:
            return f"No unit: read as {_WITHOUT_UNIT[unit](value)}."
    return ""


def _number(text: str, parse: Callable[[str, str], Any]) -> object:
    try:
        return parse(text, "")
    except LimitModelError:  # the frame reports the error
        return None
