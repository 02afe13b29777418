"""Static HTML of the rate limit calculator: results as a picture, tables and text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hook_widgets.ratelimit.http.responses import SampleResponse, sample_responses
from hook_widgets.ratelimit.limiters.algorithm import WAITING, WAITING_LABEL, LimitAlgorithm
from hook_widgets.ratelimit.planning.input_parsing import names_of
from hook_widgets.ratelimit.planning.levels import split_level
from hook_widgets.ratelimit.planning.scenario import UNKNOWN
from hook_widgets.ratelimit.plotting.svg import draw_run_svg
from hook_widgets.ratelimit.reporting.report import Report, ReportTable
from hook_widgets.widgets.calculator import form
from hook_widgets.widgets.calculator import inputs as entered
from hook_widgets.widgets.calculator.frame import options
from hook_widgets.widgets.static_html.document import (
    Code,
    Items,
    Part,
    Picture,
    StaticDocument,
    Table,
    call,
)

_WIDTHS_PX: Final = (640, 320)  # of the picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculation:
    """The content of a calculator's static HTML.

    Attributes:
        values: inputs.
        labels: labels of the inputs of the form, by name.
        parts: report on the scenario of the inputs.
        python: Python code that creates the same widget.
    """

    values: form.Values
    labels: Mapping[str, str]
    parts: Report
    python: str

    def documents(self) -> Iterator[StaticDocument]:
        """Yield three documents: with a picture, with a narrow one, and with words alone."""
        cards, table, samples = self._cards(), _table(self.parts.table), self._samples()
        shown = next((sample for sample in samples if sample.status == 429), samples[0])
        headers = _headers(shown, body=False)
        yield from (self._document(cards, self._light(px), table, headers) for px in _WIDTHS_PX)
        yield self._document(cards, table, headers, _advice(self.parts.advice.sentences))

    def full_document(self, light: str, dark: str, alt: str) -> StaticDocument:
        """Return the whole content, for a page of its own."""
        return self._document(
            self._cards(),
            Picture(alt, light, dark),
            _table(self.parts.table),
            _advice(self.parts.advice.sentences),
            Table("Inputs", tuple(_inputs(self.values, self.labels, compared=self._compared))),
            *(_headers(sample, body=True) for sample in self._samples()),
            _table(self.parts.figures),
            _code(self.python),
        )

    @property
    def _compared(self) -> bool:
        return bool(self.values["compare"]) and self.parts.compare

    def _document(self, *parts: Part) -> StaticDocument:
        title = _title(self.values, compared=self._compared)
        return StaticDocument(title, self.parts.status.text, parts)

    def _cards(self) -> Table:
        pairs = ((c.title, f"{c.value} ({c.note})" if c.note else c.value) for c in self.parts.cards)
        return Table("At a glance", tuple(pairs))

    def _light(self, width_px: int) -> Picture:
        svg = draw_run_svg(self.parts.runs, width_px=width_px, **options(self.parts))
        return Picture("The run over time; the table below says the same", svg)

    def _samples(self) -> tuple[SampleResponse, ...]:
        return sample_responses(self.parts.scenario.run)


def unusable(values: form.Values, labels: Mapping[str, str], why: str, python: str) -> StaticDocument:
    """Return the static document while an input is invalid."""
    inputs = Table("Inputs", tuple(_inputs(values, labels, compared=bool(values["compare"]))))
    return StaticDocument(
        _title(values, compared=bool(values["compare"])),
        f"The inputs cannot be used at the moment: {why}",
        (inputs, _code(python)),
    )


def python_of(values: form.Values, defaults: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    """Return Python code that creates the same calculator.

    Args:
        values: inputs.
        defaults: default values of the inputs.
        options: non-default arguments other than inputs.
    """
    inputs = {name: value for name, value in values.items() if name not in ("preset", "limits")}
    limit = _limit(values)
    published = entered.of_preset(limit) if limit == values["preset"] else {}
    named = {name: value for name, value in inputs.items() if value != published.get(name, defaults[name])}
    if not options.get("arrivals") and "steady" not in named and "burst" not in named:
        named["steady"] = ""  # otherwise it starts with the example
    return call("RateLimitCalculator", (limit,), named | dict(options))


def _limit(values: form.Values) -> Any:
    rows, preset = values["limits"], values["preset"]
    if preset and entered.of_preset(preset).get("limits") == rows:
        return preset
    if len(rows) == 1 and not rows[0][0].strip():
        return rows[0][1]
    if not any(name.strip() for name, _ in rows):
        return [text for _, text in rows]
    names = names_of([(name, split_level(text)[1]) for name, text in rows])
    return {name: text for name, (_, text) in zip(names, rows, strict=True)}


def _title(values: form.Values, *, compared: bool) -> str:
    limits = ", ".join(f"{name} {text}".strip() for name, text in values["limits"])
    if compared or values["algorithm"] == UNKNOWN:
        return f"Rate limit {limits}: five algorithms"
    return f"Rate limit {limits}: {_label(values['algorithm'])}"


def _label(algorithm: str) -> str:
    known = {each.value: each.label for each in LimitAlgorithm}
    known |= {WAITING: WAITING_LABEL, UNKNOWN: "not known, all five"}
    return known.get(algorithm, algorithm).lower()


def _inputs(values: form.Values, labels: Mapping[str, str], *, compared: bool) -> Iterator[tuple[str, str]]:
    for name, text in values["limits"]:
        yield f"Limit {name}".strip(), text
    yield "Algorithm", "all five compared" if compared else _label(values["algorithm"])
    for name, label in labels.items():
        if values[name]:
            yield label, values[name]
    yield "Steady traffic comes", str(values["pattern"]).replace("_", "-")


def _advice(sentences: tuple[str, ...]) -> Items:
    return Items("What to do", sentences)


def _headers(sample: SampleResponse, *, body: bool) -> Code:
    lines = [f"HTTP {sample.status}", *(f"{name}: {value}" for name, value in sample.headers)]
    text = f"\n\n{sample.body}" if sample.body and body else ""
    return Code(sample.title, "\n".join(lines) + text if sample.status else sample.body)


def _table(table: ReportTable) -> Table:
    caption = f"{table.caption}. {table.note}" if table.note else table.caption
    return Table(caption, table.rows, table.columns)


def _code(python: str) -> Code:
    return Code("In Python", python)
