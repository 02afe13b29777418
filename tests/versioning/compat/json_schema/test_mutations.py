"""Known changes of valid schemas: every applied narrowing and widening is reported.

test_soundness.py checks values near such schemas with jsonschema; these tests check only the reports.
"""

from __future__ import annotations

import copy

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hook_widgets.versioning.compat import DocumentKind, compare
from tests.support.extent import extent

FIELD = {
    "string": [
        {"maxLength": 2},
        {"minLength": 3},
        {"pattern": "^[a-f]"},
        {"enum": ["a", "b"]},
        {"type": "integer"},
    ],
    "integer": [{"minimum": 3}, {"maximum": 3}, {"multipleOf": 3}, {"enum": [1, 2]}, {"type": "null"}],
    "array": [{"maxItems": 1}, {"minItems": 2}, {"uniqueItems": True}, {"items": {"type": "null"}}],
    "object": [{"required": ["z"]}, {"maxProperties": 0}, {"additionalProperties": False}],
}
LEAVES = st.sampled_from(sorted(FIELD)).map(lambda name: {"type": name})
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(lambda below: {"type": "array", "items": below}, inner),
        st.builds(
            lambda fields: {"type": "object", "properties": fields},
            st.dictionaries(st.sampled_from("abc"), inner, min_size=1, max_size=3),
        ),
        st.builds(lambda one: {"allOf": [one, {"title": "merged"}]}, inner),
        st.builds(lambda one: {"anyOf": [one, {"type": "boolean"}]}, inner),
    ),
    max_leaves=6,
)


def leaves(schema):
    """Yield the schemas without subschemas."""
    below = [
        *schema.get("properties", {}).values(),
        *schema.get("allOf", []),
        *schema.get("anyOf", []),
        *([schema["items"]] if "items" in schema else []),
    ]
    if below:
        for child in below:
            yield from leaves(child)
    elif schema.get("type") in FIELD:
        yield schema


@settings(max_examples=extent(30, 300), suppress_health_check=list(HealthCheck))
@given(st.data(), TREES)
def test_a_tightened_part_is_found_however_deep_it_is(data, tree):
    leaf = data.draw(st.sampled_from(list(leaves(tree))))
    loose, strict = copy.deepcopy(tree), copy.deepcopy(tree)
    mutation = data.draw(st.sampled_from(FIELD[leaf["type"]]))
    index = [id(node) for node in leaves(tree)].index(id(leaf))
    list(leaves(strict))[index].update(mutation)

    assert compare(loose, strict, kind=DocumentKind.SCHEMA, direction="request").needs_major, (loose, strict)
    assert compare(strict, loose, kind=DocumentKind.SCHEMA, direction="response").needs_major or mutation == {
        "additionalProperties": False
    }


@pytest.mark.parametrize("word", ["minimum", "maximum"])
def test_the_judge_can_fail(word):
    """jsonschema would find a value for a narrowing that is not reported."""
    old, new = {"type": "integer"}, {"type": "integer", word: 0}
    value = -1 if word == "minimum" else 1

    assert jsonschema.Draft202012Validator(old).is_valid(value)
    assert not jsonschema.Draft202012Validator(new).is_valid(value)
    assert compare(old, new, direction="request").needs_major
