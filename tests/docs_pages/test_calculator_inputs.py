"""The table of the calculator's inputs is made from their record."""

from __future__ import annotations

from docs._ext.calculator_inputs import table
from hook_widgets.ratelimit.planning.inputs import ScenarioInputs, inputs_of


def test_the_table_has_a_row_of_six_cells_for_each_input():
    header, line, *rows = table(ScenarioInputs)

    assert {header.count("|"), line.count("|")} == {row.count("|") for row in rows} | {7}
    assert [f"`{name}`" for name in inputs_of(ScenarioInputs)] == [row.split(" | ")[2] for row in rows]
    labels = [entry.label for entry in inputs_of(ScenarioInputs).values()]
    assert labels == [row.split(" | ")[1] for row in rows]
