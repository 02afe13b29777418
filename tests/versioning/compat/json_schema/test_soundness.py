"""Check with jsonschema as the reference implementation that harmless changes are harmless for values."""

from __future__ import annotations

import jsonschema
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from hook_widgets.versioning.compat import DocumentKind, compare
from tests.support.extent import extent
from tests.versioning.compat.json_schema.schemas import instances, pairs

TOLERATED = frozenset({"property-added", "additional-properties-opened", "pattern-properties-opened"})
"""Rules about unknown fields, which clients ignore and strict validators reject."""


def validity(schemas, values) -> list[list[bool]]:
    """Return whether jsonschema accepts each value for each schema; [] for recursive schemas without end."""
    validators = [jsonschema.Draft202012Validator(schema) for schema in schemas]
    try:
        return [[validator.is_valid(value) for validator in validators] for value in values]
    except RecursionError:
        return []


@settings(max_examples=extent(40, 600), suppress_health_check=list(HealthCheck))
@given(st.data())
def test_what_a_request_could_say_it_can_still_say_when_nothing_is_called_breaking(data):
    old, new = data.draw(pairs())
    comparison = compare(old, new, kind=DocumentKind.SCHEMA, direction="request")
    assume(not comparison.needs_major and not any(change.rule in TOLERATED for change in comparison.changes))
    values = data.draw(instances(old, new))
    for value, (before, after) in zip(values, validity((old, new), values), strict=False):
        assert after or not before, (old, new, value)


@settings(max_examples=extent(40, 600), suppress_health_check=list(HealthCheck))
@given(st.data())
def test_what_a_response_says_could_be_said_before_when_nothing_is_called_breaking(data):
    old, new = data.draw(pairs())
    comparison = compare(old, new, kind=DocumentKind.SCHEMA, direction="response")
    assume(not comparison.needs_major and not any(change.rule in TOLERATED for change in comparison.changes))
    values = data.draw(instances(old, new))
    for value, (before, after) in zip(values, validity((old, new), values), strict=False):
        assert before or not after, (old, new, value)
