"""The still form of the rate limit calculator: what comes of the traffic, in a picture, tables and words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from hook_widgets.ratelimit import report
from hook_widgets.ratelimit.run import Run
from hook_widgets.ratelimit.scenario import Algorithm, Scenario
from hook_widgets.ratelimit.sketch import sketch
from hook_widgets.ratelimit.turns import Turn, turns
from hook_widgets.widgets import _entered as entered
from hook_widgets.widgets import _form as form
from hook_widgets.widgets._frames import options
from hook_widgets.widgets._still import Code, Facts, Items, Part, Picture, Still, Table, call

_WIDTHS_PX: Final = (640, 400, 320)  # of the picture
_SENTENCES: Final = (None, 6, 3, 1)  # of the advice


@dataclass(frozen=True, slots=True)
class Calculation:
    """What there is to tell of a calculator.

    Attributes:
        values: the inputs.
        found: what they stand for.
        runs: the runs of the picture, by title.
        python: the lines that make the same widget.
    """

    values: form.Values
    found: Scenario
    runs: Mapping[str, Run]
    python: str

    def stills(self) -> Iterator[Still]:
        """From the form that tells most to the one that tells least."""
        cards, table, made = self._cards(), self._table(), _made(self.python)
        told = self._told()
        shown = next((turn for turn in told if turn.status == 429), told[0])
        headers, advice = _headers(shown, body=False), report.advice(self.found)
        drawn = cache(self._light)
        for most in _SENTENCES:
            yield self._still(cards, drawn(_WIDTHS_PX[0]), table, headers, _advice(advice[:most]), made)
        yield self._still(cards, drawn(_WIDTHS_PX[0]), table, headers, made)
        yield from (self._still(cards, drawn(width_px), table, headers) for width_px in _WIDTHS_PX)
        yield from (self._still(cards, drawn(width_px), table) for width_px in _WIDTHS_PX)
        yield self._still(drawn(_WIDTHS_PX[-1]), table)
        yield self._still(cards, table, headers)
        yield self._still(cards)

    def whole(self, light: str, dark: str, alt: str) -> Still:
        """Everything, for a page of its own.

        Args:
            light: the picture on a light ground, SVG.
            dark: the same on a dark ground.
            alt: what it shows, in words.
        """
        return self._still(
            self._cards(),
            Picture(alt, light, dark),
            self._table(),
            _advice(report.advice(self.found)),
            Facts("Inputs", tuple(_inputs(self.values))),
            *(_headers(turn, body=True) for turn in self._told()),
            _table(report.figures(self.found)),
            _made(self.python),
        )

    def _still(self, *parts: Part) -> Still:
        return Still(_title(self.values), report.status(self.found).text, parts)

    def _cards(self) -> Facts:
        pairs = ((c.title, f"{c.value} ({c.note})" if c.note else c.value) for c in report.cards(self.found))
        return Facts("At a glance", tuple(pairs))

    def _table(self) -> Table:
        make = report.comparison if self.values["compare"] else report.over_time
        return _table(make(self.found))

    def _light(self, width_px: int) -> Picture:
        svg = sketch(self.runs, width_px=width_px, **options(self.found))
        return Picture("The run over time; the table below says the same", svg)

    def _told(self) -> tuple[Turn, ...]:
        return turns(self.found.run)


def unusable(values: form.Values, why: str, python: str) -> Still:
    """The still form while an input cannot be used.

    Args:
        values: the inputs.
        why: what is wrong, in words.
        python: the lines that make the same widget.
    """
    inputs = Facts("Inputs", tuple(_inputs(values)))
    return Still(_title(values), f"The inputs cannot be used at the moment: {why}", (inputs, _made(python)))


def python_of(values: form.Values, usual: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    """The lines that make the same calculator.

    Args:
        values: the inputs.
        usual: what they are when they are not given.
        options: the arguments that are no inputs, and not what they usually are.
    """
    given: dict[str, Any] = {name: values[name] for name in ("algorithm", "pattern", "compare")}
    given |= {field.name: values[field.name] for field in form.FIELDS}
    named = {name: value for name, value in given.items() if value != usual[name]}
    if not options.get("arrivals") and "steady" not in named and "burst" not in named:
        named["steady"] = ""  # else it begins with an example
    return call("RateLimitCalculator", (_limit(values),), named | dict(options))


def _limit(values: form.Values) -> Any:
    rows, preset = values["limits"], values["preset"]
    if preset and entered.of_preset(preset, latency_s="").get("limits") == rows:
        return preset
    if len(rows) == 1 and not rows[0][0].strip():
        return rows[0][1]
    return {name.strip() or f"limit {i}": text for i, (name, text) in enumerate(rows, 1)}


def _title(values: form.Values) -> str:
    limits = ", ".join(f"{name} {text}".strip() for name, text in values["limits"])
    if values["compare"]:
        return f"Rate limit {limits}: five algorithms"
    return f"Rate limit {limits}: {_label(values['algorithm'])}"


def _label(algorithm: str) -> str:
    known = {each.value: each.label for each in Algorithm}
    return known.get(algorithm, algorithm).lower()


def _inputs(values: form.Values) -> Iterator[tuple[str, str]]:
    for name, text in values["limits"]:
        yield f"Limit {name}".strip(), text
    yield "Algorithm", "all five" if values["compare"] else _label(values["algorithm"])
    for field in form.FIELDS:
        if values[field.name]:
            yield field.label, values[field.name]
    yield "Steady traffic comes", str(values["pattern"]).replace("_", "-")


def _advice(sentences: tuple[str, ...]) -> Items:
    return Items("What to do", sentences)


def _headers(turn: Turn, *, body: bool) -> Code:
    lines = [f"HTTP {turn.status}", *(f"{name}: {value}" for name, value in turn.headers)]
    text = f"\n\n{turn.body}" if turn.body and body else ""
    return Code(turn.title, "\n".join(lines) + text if turn.status else turn.body)


def _table(table: report.Table) -> Table:
    return Table(table.caption, table.columns, table.rows)


def _made(python: str) -> Code:
    return Code("In Python", python)
