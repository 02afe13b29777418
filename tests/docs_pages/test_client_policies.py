"""The table of retry policies is made from their records."""

from __future__ import annotations

from docs._ext.client_policies import table
from hook_widgets.ratelimit.clients import client_policies


def test_the_table_has_a_row_of_six_cells_for_each_policy():
    header, line, *rows = table()

    assert {header.count("|"), line.count("|")} == {row.count("|") for row in rows} | {7}
    assert [f"| `{name}`" for name in client_policies()] == [row.split(" | ")[0] for row in rows]
    (stamina,) = (row for row in rows if "`stamina`" in row)
    assert " 9 | ignored | 0.1 to 1.1, 0.2 to 1.2, 0.4 to 1.4, 0.8 to 1.8 s | stamina 26.1.0" in stamina
