"""A comparison ends, whatever is in the documents: with a result, or with an error that says why."""

from __future__ import annotations

import contextlib
import json

import pytest

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.compat import compare
from tests.security.hostile_documents import SHAPES, SIZE, changed, filled
from tests.support.guard import ends_in_time


@pytest.mark.parametrize("shape", SHAPES)
def test_a_large_document_of_any_shape_is_compared_or_rejected_in_seconds(shape: str):
    old = filled(SHAPES[shape])
    new = changed(old)
    assert len(json.dumps(old)) > SIZE / 2
    with ends_in_time(), contextlib.suppress(InvalidDocument):
        compare(old, new)


ALIASES = "a0: &a0 [x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 12)
)
MERGES = "k0: &k0 {a: 1}\n" + "".join(f"k{i}: &k{i} {{<<: *k{i - 1}, x{i}: 1}}\n" for i in range(1, 20_000))


@pytest.mark.parametrize("text", [ALIASES, MERGES], ids=["aliases", "merges"])
def test_a_small_yaml_text_that_stands_for_a_large_document_is_rejected(text: str):
    with ends_in_time(), pytest.raises(InvalidDocument, match="2,000,000 values"):
        compare(text, text)
