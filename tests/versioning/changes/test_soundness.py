"""An outside judge: values decide, by jsonschema, whether what compare() calls harmless is so."""

from __future__ import annotations

import jsonschema
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from hook_widgets.versioning.changes import Kind, compare
from tests.versioning.changes.schemas import instances, pairs

TOLERATED = frozenset({"property-added", "additional-properties-opened", "pattern-properties-opened"})
"""Rules about fields that clients pass over; a strict validator does not."""


def judged(schemas, values) -> list[list[bool]]:
    """Whether jsonschema accepts each value by each schema; nothing for schemas that demand themselves."""
    judges = [jsonschema.Draft202012Validator(schema) for schema in schemas]
    try:
        return [[judge.is_valid(value) for judge in judges] for value in values]
    except RecursionError:
        return []


@settings(max_examples=120, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_what_a_request_could_say_it_can_still_say_when_nothing_is_called_breaking(data):
    old, new = data.draw(pairs())
    found = compare(old, new, kind=Kind.SCHEMA, direction="request")
    assume(not found.needs_major and not any(change.rule in TOLERATED for change in found.changes))
    values = data.draw(instances(old, new))
    for value, (before, after) in zip(values, judged((old, new), values), strict=False):
        assert after or not before, (old, new, value)


@settings(max_examples=120, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_what_a_response_says_could_be_said_before_when_nothing_is_called_breaking(data):
    old, new = data.draw(pairs())
    found = compare(old, new, kind=Kind.SCHEMA, direction="response")
    assume(not found.needs_major and not any(change.rule in TOLERATED for change in found.changes))
    values = data.draw(instances(old, new))
    for value, (before, after) in zip(values, judged((old, new), values), strict=False):
        assert before or not after, (old, new, value)
