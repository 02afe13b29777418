"""The directive `calculator-inputs`: a table of the inputs of RateLimitCalculator, from their record."""

from __future__ import annotations

from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from hook_widgets.ratelimit.planning.inputs import GROUPS, Input, PlanInputs, ScenarioInputs, inputs_of

_VALUES = {
    "s": "duration: seconds, or `250 ms`",
    "1/s": "rate: requests per second, or `18/s`",
    "share": "share: `0.15` or `15%`",
    "requests": "number of requests",
    "clients": "number of clients",
    "times": "number",
    "": "",
}


def table(record: type[PlanInputs]) -> Iterator[str]:
    """Yield the lines of a Markdown table of a record's inputs."""
    yield "| group | label | argument | value | if empty | meaning |"
    yield "|---|---|---|---|---|---|"
    for name, entry in inputs_of(record).items():
        cells = (
            GROUPS[entry.group],
            entry.label,
            f"`{name}`",
            _VALUES[entry.unit],
            _empty(entry),
            entry.help,
        )
        yield f"| {' | '.join(cells)} |"


def _empty(entry: Input) -> str:
    return "not allowed" if entry.initial else entry.placeholder


class CalculatorInputs(SphinxDirective):
    """Put the table into the page."""

    def run(self) -> list[nodes.Node]:
        """Return the nodes of the directive."""
        return self.parse_text_to_nodes("\n".join(table(ScenarioInputs)))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_directive("calculator-inputs", CalculatorInputs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
