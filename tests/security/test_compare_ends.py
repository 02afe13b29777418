"""A comparison ends, whatever is in the documents: with a result, or with an error that says why.

The budget bounds the steps, and a step is a few lines of Python; so no work may go on beside the budget.
"""

from __future__ import annotations

import contextlib
import json
from decimal import Decimal

import pytest

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.compat import compare, comparison
from hook_widgets.versioning.compat.budget import Budget
from hook_widgets.versioning.compat.documents import loading
from tests.security.hostile_documents import SHAPES, SIZE, changed, filled
from tests.support.extent import some
from tests.support.work import at_most_lines

LINES_PER_STEP = 22
LINES_PER_BYTE = 30
LINES_OF_EACH = 10_000


@pytest.fixture
def budgets(monkeypatch: pytest.MonkeyPatch) -> list[Budget]:
    """The budgets of the comparisons of this test; what the first one of a process loads is loaded."""
    for kind in ({"type": "string"}, {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}}, [1]):
        compare(kind, kind)
    created = []

    def create(limit: int | None) -> Budget:
        created.append(Budget(limit))
        return created[-1]

    monkeypatch.setattr(comparison, "Budget", create)
    return created


@pytest.mark.parametrize("shape", some(list(SHAPES), 10))
def test_a_document_of_any_shape_is_compared_or_rejected_without_work_beside_the_budget(
    shape: str, budgets: list[Budget]
):
    old = filled(SHAPES[shape])
    new = changed(old)
    size = len(json.dumps(old))
    assert size > SIZE / 2
    with at_most_lines() as work, contextlib.suppress(InvalidDocument):
        compare(old, new)

    steps = budgets[0].limit - budgets[0].left
    assert work.lines <= LINES_PER_STEP * steps + LINES_PER_BYTE * size + LINES_OF_EACH


def test_a_budget_that_is_used_up_ends_the_comparison():
    old = filled(SHAPES["conditions"])
    with (
        at_most_lines(LINES_PER_STEP * 2_000 + LINES_PER_BYTE * SIZE + LINES_OF_EACH),
        pytest.raises(InvalidDocument, match="takes more than 2,000 steps"),
    ):
        compare(old, changed(old), budget=2_000)


@pytest.mark.parametrize("budget", [-1, float("nan"), 1.5, Decimal(3), "100", b"1", {}, 1j])
def test_a_budget_that_is_no_number_of_steps_is_rejected(budget):
    with pytest.raises(InvalidDocument, match="budget must be a whole number of steps"):
        compare({}, {}, budget=budget)


def test_a_budget_of_an_array_library_is_a_number_of_steps():
    numpy = pytest.importorskip("numpy")

    assert () == compare({}, {}, budget=numpy.uint16(60_000)).changes


ALIASES = "a0: &a0 [x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 12)
)
MERGES = "k0: &k0 {a: 1}\n" + "".join(f"k{i}: &k{i} {{<<: *k{i - 1}, x{i}: 1}}\n" for i in range(1, 1_000))


@pytest.mark.parametrize("text", [ALIASES, MERGES], ids=["aliases", "merges"])
def test_a_small_yaml_text_that_stands_for_a_large_document_is_rejected(
    text: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(loading, "MAX_VALUES", 5_000)
    with at_most_lines(500_000), pytest.raises(InvalidDocument, match="5,000 values"):
        compare(text, text)
