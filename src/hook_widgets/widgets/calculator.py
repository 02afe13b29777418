"""RateLimitCalculator: describe a limit and its traffic, and see what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import traitlets as t

from hook_widgets.errors import RateLimitError, UnknownKeyword, nearest
from hook_widgets.ratelimit.arrivals import Arrivals
from hook_widgets.ratelimit.drawing import figures
from hook_widgets.ratelimit.inputs import Limits, Weights
from hook_widgets.ratelimit.plan import Plan
from hook_widgets.ratelimit.presets import presets
from hook_widgets.ratelimit.quantity import Quantity
from hook_widgets.ratelimit.run import Run
from hook_widgets.ratelimit.scenario import Algorithm, Scenario
from hook_widgets.ratelimit.scene.words import describe
from hook_widgets.ratelimit.traffic import Pattern
from hook_widgets.widgets import _entered as entered
from hook_widgets.widgets import _form as form
from hook_widgets.widgets._base import front_end
from hook_widgets.widgets._frames import Frames, options, save
from hook_widgets.widgets._pictured import MEDIA_TYPES, THEMES, PicturedWidget, Text, View, theme_of
from hook_widgets.widgets._rpc import Buffers, Fault, Rpc
from hook_widgets.widgets._still import Raw, Still
from hook_widgets.widgets._still_limit import Calculation, python_of, unusable


class RateLimitCalculator(PicturedWidget):
    """See whether traffic fits an API's limit, what each client may send, and what to configure.

    All inputs are numbers or text as in `hook_widgets.ratelimit.plan`: ``"1000/hour"``, ``"250 ms"``,
    ``"15 %"``; an empty text is the same as leaving it out.

    Args:
        limit: such as ``"1000/hour"``, the name of a preset (``"pro"``, ``"github-user"``), or several limits
            by name.
        algorithm: how the API counts: ``"token_bucket"``, ``"leaky_bucket"``, ``"fixed_window"``,
            ``"sliding_log"`` or ``"sliding_counter"``.
        pattern: how steady traffic comes: ``"poisson"``, ``"steady"``, ``"on_off"``, ``"ramp"`` or
            ``"diurnal"``.
        compare: show all five algorithms on the same requests.
        arrivals: traffic of your own, such as ``Arrivals.from_log(path)``, in place of steady and bursts.
        locked: names of inputs that the browser may not change.
        inputs: the other inputs, as arguments of `hook_widgets.ratelimit.scenario.scenario`: capacity,
            cushion, in_flight, steady, burst, burst_window_s, burst_every_s, clients, weights, concurrency,
            latency_s, timeout_s, retries, duration_s, seed.

    Raises:
        InvalidLimit: an input cannot be.
        InvalidArrivals: there would be too many requests.
        UnknownKeyword: an argument that does not exist.
    """

    _esm = front_end("calculator.js")
    _css = front_end("calculator.css")

    preset = t.Unicode().tag(sync=True)
    limits = t.List(t.List(t.Unicode(), minlen=2, maxlen=2)).tag(sync=True)
    algorithm = t.Unicode("token_bucket").tag(sync=True)
    pattern = t.Unicode("poisson").tag(sync=True)
    compare = t.Bool(default_value=False).tag(sync=True)
    capacity = Text().tag(sync=True)
    cushion = Text("15 %").tag(sync=True)
    in_flight = Text().tag(sync=True)
    steady = Text().tag(sync=True)
    burst = Text().tag(sync=True)
    burst_window_s = Text().tag(sync=True)
    burst_every_s = Text().tag(sync=True)
    clients = Text().tag(sync=True)
    weights = Text().tag(sync=True)
    concurrency = Text().tag(sync=True)
    latency_s = Text().tag(sync=True)
    timeout_s = Text().tag(sync=True)
    retries = Text().tag(sync=True)
    duration_s = Text().tag(sync=True)
    seed = Text("7").tag(sync=True)

    _chosen = ("preset", "limits", "algorithm", "pattern", "compare")
    lockable = (*_chosen, *form.BY_NAME)
    cells = 2

    def __init__(
        self,
        limit: Limits = form.USUAL_LIMIT,
        *,
        algorithm: str = "token_bucket",
        pattern: str = "poisson",
        compare: bool = False,
        arrivals: Arrivals | None = None,
        locked: Sequence[str] = (),
        **inputs: Quantity | Weights | None,
    ) -> None:
        for name in inputs:
            if name not in form.BY_NAME:
                known = ("limit", "algorithm", "pattern", "compare", "arrivals", "locked", *form.BY_NAME)
                raise UnknownKeyword(f"RateLimitCalculator has no argument {name!r}. {nearest(name, known)}")
        self._frames = Frames(arrivals)
        self._arrivals = arrivals
        given = {name: entered.as_text(name, value) for name, value in inputs.items() if value is not None}
        limits = entered.of_limit(limit, latency_s=given.get("latency_s", ""))
        has_traffic = arrivals is not None or "steady" in given or "burst" in given
        defaults = {} if has_traffic else entered.example_for(limits)
        super().__init__(
            algorithm=algorithm,
            pattern=pattern,
            compare=compare,
            locked=locked,
            **{**defaults, **limits, **given},
        )
        self._frames.read(self._values())  # what cannot be is said here, not later
        rpc = Rpc(
            self,
            {
                "catalog": lambda _args, _buffers: _catalog(own_traffic=arrivals is not None),
                "frame": self._on_frame,
                "export": self._on_export,
                "preset": self._on_preset,
                "ping": lambda _args, _buffers: {},
            },
            self._lock,
        )
        self.on_msg(rpc.receive)

    # -- what code may read ---------------------------------------------------------------------

    @property
    def scenario(self) -> Scenario | None:
        """The limit and its traffic as they stand; None while an input is not usable."""
        try:
            return self._frames.read(self._values())
        except RateLimitError:
            return None  # the widget shows what is wrong

    @property
    def plan(self) -> Plan | None:
        """The plan as it stands; None while an input is not usable."""
        found = self.scenario
        return None if found is None else found.plan

    @property
    def run(self) -> Run | None:
        """The simulation of the algorithm that is chosen; None while an input is not usable."""
        found = self.scenario
        return None if found is None else found.run

    @property
    def figure(self) -> Any:
        """The picture as a matplotlib figure of its own; None while an input is not usable.

        Raises:
            RateLimitError: matplotlib is not installed.
        """
        found = self.scenario
        if found is None:
            return None
        runs = self._frames.runs(found, compare=self.compare)
        return figures().plot(runs, **options(found))

    def __repr__(self) -> str:
        limits = ", ".join(text for _, text in self.limits)
        return f"RateLimitCalculator({limits!r}, algorithm={self.algorithm!r}, steady={self.steady!r})"

    # -- without a kernel -----------------------------------------------------------------------

    def _stills(self) -> Iterator[Still]:
        told = self._calculation()
        return iter((told,)) if isinstance(told, Still) else told.stills()

    def _whole(self) -> Still:
        told = self._calculation()
        if isinstance(told, Still):
            return told
        light, dark = (save(told.found, told.runs, "svg", theme=theme).decode() for theme in THEMES)
        return told.whole(light, dark, describe(told.runs, **options(told.found)))

    def _calculation(self) -> Calculation | Still:
        values = self._values()
        more: dict[str, Any] = {} if self._arrivals is None else {"arrivals": Raw("arrivals")}
        if self.locked:
            more["locked"] = list(self.locked)
        python = python_of(values, self.trait_defaults(), more)
        try:
            found = self._frames.read(values)
        except RateLimitError as error:
            return unusable(values, entered.in_words(error), python)
        return Calculation(values, found, self._frames.runs(found, compare=self.compare), python)

    # -- what a browser may ask for -------------------------------------------------------------

    def _on_frame(self, args: Mapping[str, Any], _buffers: Buffers) -> tuple[dict[str, Any], Buffers]:
        return self._frames.frame(self._values(args.get("inputs")), View.of(args))

    def _on_preset(self, args: Mapping[str, Any], _buffers: Buffers) -> dict[str, Any]:
        return {"inputs": entered.of_preset(str(args.get("name", "")), latency_s=self.latency_s)}

    def _on_export(self, args: Mapping[str, Any], _buffers: Buffers) -> tuple[dict[str, Any], Buffers]:
        kind = str(args.get("format"))
        if kind not in MEDIA_TYPES:
            raise Fault("unknown_format", "pictures are saved as png or svg")
        values = self._values(args.get("inputs"))
        found = self._frames.read(values)
        runs = self._frames.runs(found, compare=bool(values["compare"]))
        name = "rate-limit-comparison" if values["compare"] else f"rate-limit-{found.algorithm.value}"
        data = save(found, runs, kind, theme=theme_of(args))
        return {"filename": f"{name.replace('_', '-')}.{kind}", "media_type": MEDIA_TYPES[kind]}, [data]


def _catalog(*, own_traffic: bool) -> dict[str, Any]:
    patterns = [{"id": p.value, "title": p.value.replace("_", "-").capitalize(), "note": ""} for p in Pattern]
    return {
        "presets": [
            {
                "id": found.id,
                "title": found.title,
                "kind": found.kind,
                "note": found.note,
                "source": found.source,
                "read": found.read.isoformat() if found.read else "",
            }
            for found in presets().values()
        ],
        "algorithms": [{"id": a.value, "title": a.label, "note": ""} for a in Algorithm],
        "patterns": [] if own_traffic else patterns,
        "fields": [field.wire() for field in form.FIELDS],
    }
