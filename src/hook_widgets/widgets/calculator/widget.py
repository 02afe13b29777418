"""RateLimitCalculator: describe a limit and its traffic, and see the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any, Final, Unpack

import traitlets as t

from hook_widgets.errors import InvalidArgument, LimitModelError, UnknownKeyword, nearest
from hook_widgets.ratelimit.limiters.algorithm import WAITING, WAITING_LABEL, LimitAlgorithm
from hook_widgets.ratelimit.limiters.presets import presets
from hook_widgets.ratelimit.planning.input_parsing import Limits
from hook_widgets.ratelimit.planning.inputs import ScenarioArguments, ScenarioInputs, inputs_of, with_inputs
from hook_widgets.ratelimit.planning.levels import split_level
from hook_widgets.ratelimit.planning.plan import Plan
from hook_widgets.ratelimit.planning.scenario import UNKNOWN, Scenario
from hook_widgets.ratelimit.plotting.view_model.words import describe_run
from hook_widgets.ratelimit.reporting.client_code import CodeSample
from hook_widgets.ratelimit.reporting.limit_sweep import LimitSweep, sweep_code
from hook_widgets.ratelimit.reporting.measured import Measured, inputs_of_log, limits_of_headers
from hook_widgets.ratelimit.reporting.report import report
from hook_widgets.ratelimit.simulation.result import Run
from hook_widgets.ratelimit.traffic.arrivals import Arrivals
from hook_widgets.ratelimit.traffic.workload import TrafficPattern
from hook_widgets.widgets._base import front_end
from hook_widgets.widgets._plot_widget import MEDIA_TYPES, THEMES, PlotWidget, Text, View, theme_of
from hook_widgets.widgets._rpc import Buffers, Deferred, Rpc, RpcError
from hook_widgets.widgets._uploads import Uploads, in_background
from hook_widgets.widgets.calculator import form
from hook_widgets.widgets.calculator import inputs as entered
from hook_widgets.widgets.calculator.frame import (
    Frames,
    options,
    renderer,
    save,
    save_table,
    sweep_figure,
    table_file,
)
from hook_widgets.widgets.calculator.overlay import part_of
from hook_widgets.widgets.static_html.document import Raw, StaticDocument
from hook_widgets.widgets.static_html.limit import Calculation, python_of, unusable

_EXPORTED: Final = MEDIA_TYPES | {"csv": "text/csv"}
_TEXTS: Final = form.traits(ScenarioInputs)


@with_inputs(ScenarioInputs)
class RateLimitCalculator(PlotWidget):
    """See whether traffic fits an API's limit, what each client may send, and what to configure.

    All inputs are numbers or text as in `hook_widgets.ratelimit.plan`: ``"1000/hour"``, ``"250 ms"``,
    ``"15%"``; an empty text is the same as omitting it.

    Args:
        limit: a limit such as ``"1000/hour"`` or ``"100/min per user"`` (also ``per IP``, ``per endpoint``),
            the name of a preset (``"pro"``, ``"github-user"``), or several limits, listed or by name.
        algorithm: counting method of the API: ``"token_bucket"``, ``"leaky_bucket"``, ``"fixed_window"``,
            ``"sliding_log"``, ``"sliding_counter"``, ``"token_bucket_wait"`` for a token bucket whose
            requests wait, or ``"unknown"`` for the range over all that reject. If omitted: what a preset
            publishes, or a token bucket for a limit of your own.
        pattern: distribution of steady traffic: ``"poisson"``, ``"steady"``, ``"on_off"``, ``"ramp"`` or
            ``"diurnal"``.
        compare: show all five algorithms on the same requests.
        arrivals: your own traffic, such as ``Arrivals.from_log(path)``, instead of steady and bursts.
        locked: names of inputs that the browser may not change.
        inputs: {inputs}

    Raises:
        InvalidLimit: an input is invalid.
        InvalidArrivals: too many requests.
        UnknownKeyword: an argument that does not exist.
    """

    _esm = front_end("calculator.js")
    _css = front_end("calculator.css")

    preset: t.Unicode[str, str | bytes] = t.Unicode().tag(sync=True)
    limits: t.List[list[str]] = t.List(t.List(t.Unicode(), minlen=2, maxlen=2)).tag(sync=True)
    algorithm: t.Unicode[str, str | bytes] = t.Unicode("token_bucket").tag(sync=True)
    pattern: t.Unicode[str, str | bytes] = t.Unicode("poisson").tag(sync=True)
    compare: t.Bool[bool, bool | int] = t.Bool(default_value=False).tag(sync=True)
    input_labels: t.Dict[str, str] = t.Dict(form.labels(ScenarioInputs)).tag(sync=True)
    burst_allowance: Text = _TEXTS["burst_allowance"]
    in_flight: Text = _TEXTS["in_flight"]
    steady: Text = _TEXTS["steady"]
    burst: Text = _TEXTS["burst"]
    burst_window_s: Text = _TEXTS["burst_window_s"]
    users: Text = _TEXTS["users"]
    ips: Text = _TEXTS["ips"]
    endpoints: Text = _TEXTS["endpoints"]
    busiest_share: Text = _TEXTS["busiest_share"]
    clients: Text = _TEXTS["clients"]
    cushion: Text = _TEXTS["cushion"]
    capacity: Text = _TEXTS["capacity"]
    weights: Text = _TEXTS["weights"]
    concurrency: Text = _TEXTS["concurrency"]
    latency_s: Text = _TEXTS["latency_s"]
    timeout_s: Text = _TEXTS["timeout_s"]
    retries: Text = _TEXTS["retries"]
    burst_every_s: Text = _TEXTS["burst_every_s"]
    duration_s: Text = _TEXTS["duration_s"]
    seed: Text = _TEXTS["seed"]

    _selections = ("preset", "limits", "algorithm", "pattern", "compare")
    lockable: Sequence[str] = (*_selections, *inputs_of(ScenarioInputs))
    kernel_only: frozenset[str] = PlotWidget.kernel_only | {"input_labels"}
    #: Inputs of the form, each of which is a text trait.
    record = ScenarioInputs
    cells: Sequence[int] = (2,)

    def __init__(
        self,
        limit: Limits = entered.DEFAULT_LIMIT,
        *,
        algorithm: str = "",
        pattern: str = "poisson",
        compare: bool = False,
        arrivals: Arrivals | None = None,
        locked: Sequence[str] = (),
        **inputs: Unpack[ScenarioArguments],
    ) -> None:
        entries = inputs_of(self.record)
        for name, value in inputs.items():
            if name == "preset":
                raise UnknownKeyword(f"a preset is given as the limit: RateLimitCalculator({value!r})")
            if name not in entries:
                known = ("limit", "algorithm", "pattern", "compare", "arrivals", "locked", *entries)
                raise UnknownKeyword(f"RateLimitCalculator has no argument {name!r}; {nearest(name, known)}")
        self._frames = Frames(arrivals, self.record)
        self._arrivals = arrivals
        arguments: dict[str, Any] = dict(inputs)
        texts = {
            name: entered.argument_text(name, value, entries[name])
            for name, value in arguments.items()
            if value is not None
        }
        limits = entered.of_limit(limit)
        has_traffic = arrivals is not None or "steady" in texts or "burst" in texts
        defaults = {} if has_traffic else entered.example_for(limits)
        super().__init__(
            pattern=pattern,
            compare=compare,
            locked=locked,
            **{**defaults, **limits, **texts, **({"algorithm": algorithm} if algorithm else {})},
        )
        self._frames.read(self._values())  # raise for an invalid input here, not later
        self._by_code = True
        self._uploads = Uploads()
        self._rpc = Rpc(
            self,
            {
                "catalog": lambda _args, _buffers: _catalog(self.record, own_traffic=arrivals is not None),
                "frame": self._on_frame,
                "export": self._on_export,
                "preset": self._on_preset,
                "part": self._uploads.on_part,
                "log": self._on_log,
                "headers": self._on_headers,
                "ping": lambda _args, _buffers: {},
            },
            self._lock,
        )
        self.on_msg(self._rpc.receive)

    # -- assignments by code ----------------------------------------------------------------------

    @property
    def limit(self) -> Limits:
        """The limit as in the constructor: the name of the preset, one limit, or several.

        Raises:
            InvalidLimit: on assignment, if it is no limit and no preset.
        """
        if self.preset:
            return str(self.preset)
        if len(self.limits) == 1 and not self.limits[0][0]:
            return str(self.limits[0][1])
        if all(name for name, _ in self.limits):
            return {name: text for name, text in self.limits}  # noqa: C416 - rows are lists
        return [text for _, text in self.limits]

    @limit.setter
    def limit(self, limit: Limits) -> None:
        inputs = self._inputs_of("limit", limit)
        self._check(inputs)
        self._set(inputs)

    def _inputs_of(self, name: str, value: Any) -> Mapping[str, Any]:
        # Clear what an earlier preset has filled in and the new value does not set.
        earlier = {"burst_allowance": "", "in_flight": ""} if self.preset else {}
        if name == "preset":
            return earlier | entered.of_preset(value) if value else {name: ""}
        if name == "limit" or (name == "limits" and not entered.is_rows(value)):
            return earlier | {"preset": ""} | entered.of_limit(value)
        if name in self._selections:
            return {name: value}
        text = "" if value is None else entered.argument_text(name, value, inputs_of(self.record)[name])
        return {name: str(value) if isinstance(value, int | float) else text}  # without a unit, as assigned

    def _read_inputs(self, values: Mapping[str, Any]) -> Scenario:
        return self._frames.read(values)

    # -- results for code ------------------------------------------------------------------------

    @property
    def scenario(self) -> Scenario | None:
        """The current limit and traffic; None while an input is invalid."""
        try:
            return self._frames.read(self._values())
        except LimitModelError:
            return None  # the widget shows the error

    @property
    def plan(self) -> Plan | None:
        """The current plan; None while an input is invalid."""
        scenario = self.scenario
        return None if scenario is None else scenario.plan

    @property
    def run(self) -> Run | None:
        """Simulation of the chosen algorithm; None while an input is invalid."""
        scenario = self.scenario
        return None if scenario is None else scenario.run

    @property
    def figure(self) -> Any:
        """The picture as a new matplotlib figure; None while an input is invalid.

        Raises:
            LimitModelError: matplotlib is not installed.
        """
        scenario = self.scenario
        if scenario is None:
            return None
        parts = report(scenario, compare=self.compare)
        return renderer().plot_run(parts.runs, **options(parts))

    def __repr__(self) -> str:
        limits = ", ".join(text for _, text in self.limits)
        return f"RateLimitCalculator({limits!r}, algorithm={self.algorithm!r}, steady={self.steady!r})"

    # -- static HTML ------------------------------------------------------------------------------

    def _documents(self) -> Iterator[StaticDocument]:
        calculation = self._calculation()
        return iter((calculation,)) if isinstance(calculation, StaticDocument) else calculation.documents()

    def _full_document(self) -> StaticDocument:
        calculation = self._calculation()
        if isinstance(calculation, StaticDocument):
            return calculation
        parts = calculation.parts
        light, dark = (save(parts, "svg", theme=theme).decode() for theme in THEMES)
        return calculation.full_document(light, dark, describe_run(parts.runs, **options(parts)))

    def _calculation(self) -> Calculation | StaticDocument:
        values = self._values()
        python = self._python(values)
        try:
            scenario = self._frames.read(values)
        except LimitModelError as error:
            return unusable(values, self.input_labels, form.message(self.record, error), python)
        return Calculation(
            values=values,
            labels=self.input_labels,
            parts=report(scenario, compare=self.compare),
            python=python,
        )

    def _python(self, values: form.Values) -> str:
        """Return Python code that creates a calculator with these inputs."""
        more: dict[str, Any] = {} if self._arrivals is None else {"arrivals": Raw("arrivals")}
        if self.locked:
            more["locked"] = list(self.locked)
        # Not those of all traits at once: the default of `layout` is another widget.
        defaults = {name: self.trait_defaults(name) for name in values}
        return python_of(values, defaults, more)

    # -- requests of the browser ------------------------------------------------------------------

    def _on_frame(
        self, args: Mapping[str, Any], _buffers: Buffers
    ) -> tuple[dict[str, Any], list[bytes]] | Deferred:
        values, view = self._values(args.get("inputs")), View.of(args)

        def frame(swept: LimitSweep | str | None = None) -> tuple[dict[str, Any], list[bytes]]:
            frame, buffers = self._frames.frame(values, view, part_of(args), swept)
            if samples := frame.get("code"):
                python, scenario = self._python(values), self._frames.read(values)
                if not scenario.inputs.queued:  # else no limit rejects a request
                    samples.append(asdict(sweep_code(scenario, python, compare=values["compare"])))
                samples.append(asdict(CodeSample("This calculator in Python", python)))
            return frame, buffers

        if args.get("sweep") is True and not view.quick:
            with suppress(LimitModelError):  # of an invalid input, which the frame reports
                return in_background(self._rpc, self._frames.sweep(values), frame)
        return frame()

    def _on_preset(self, args: Mapping[str, Any], _buffers: Buffers) -> dict[str, Any]:
        return {"inputs": entered.of_preset(str(args.get("name", "")))}

    def _on_log(self, args: Mapping[str, Any], _buffers: Buffers) -> Deferred:
        from hook_widgets.ratelimit.traffic.logged import describe_log  # no first picture needs it

        log = self._uploads.take(args.get("log"))
        rows = self._values(args.get("inputs"))["limits"]
        levels = {split_level(text)[1] for _, text in rows}
        return in_background(self._rpc, lambda: (_measured(inputs_of_log(describe_log(log), levels)), []))

    def _on_headers(self, args: Mapping[str, Any], _buffers: Buffers) -> dict[str, Any]:
        return _measured(limits_of_headers(str(args.get("text", "")), _recorded_headers))

    def _on_export(self, args: Mapping[str, Any], _buffers: Buffers) -> tuple[dict[str, Any], Buffers]:
        kind = str(args.get("format"))
        if kind not in _EXPORTED:
            raise RpcError("unknown_format", "pictures are saved as png or svg, their values as csv")
        values = self._values(args.get("inputs"))
        scenario, theme = self._frames.read(values), theme_of(args)
        sweep = self._frames.sweep(values)() if args.get("sweep") is True else None
        if isinstance(sweep, LimitSweep):
            data = (
                table_file(sweep.table) if kind == "csv" else sweep_figure(sweep, theme=theme).to_file(kind)
            )
            return {"filename": f"rate-limit-sweep.{kind}", "media_type": _EXPORTED[kind]}, [data]
        parts = report(scenario, compare=values["compare"])
        algorithm = None if parts.compare else scenario.algorithm
        name = "rate-limit-comparison" if algorithm is None else f"rate-limit-{algorithm.value}"
        data = save_table(parts) if kind == "csv" else save(parts, kind, theme=theme)
        return {"filename": f"{name.replace('_', '-')}.{kind}", "media_type": _EXPORTED[kind]}, [data]


def _recorded_headers(text: str) -> list[tuple[str, str]]:
    """Return the headers of the last response in a text; if it has none, of what else it describes."""
    from hook_widgets.webhooks.recordings.reading import read_recording  # no first picture needs it

    with suppress(InvalidArgument):
        for exchange in reversed(read_recording(text).exchanges):
            return (exchange.response or exchange.request).headers.multi_items()
    return []


def _measured(measured: Measured) -> dict[str, Any]:
    limits = {"preset": "", "limits": list(map(list, measured.limits))} if measured.limits else {}
    return {"inputs": measured.inputs | limits, "sentences": list(measured.sentences)}


def _catalog(record: type[ScenarioInputs], *, own_traffic: bool) -> dict[str, Any]:
    patterns = [
        {"id": p.value, "title": p.value.replace("_", "-").capitalize(), "note": ""} for p in TrafficPattern
    ]
    return {
        "presets": [{"id": each.id, "title": each.title, "kind": each.kind} for each in presets().values()],
        "algorithms": [
            *({"id": a.value, "title": a.label, "note": ""} for a in LimitAlgorithm),
            {"id": WAITING, "title": WAITING_LABEL, "note": "As Wait of Go's x/time/rate, and client-go."},
            {"id": UNKNOWN, "title": "Not known: all five", "note": ""},
        ],
        "patterns": [] if own_traffic else patterns,
        **form.fields(record),
    }
