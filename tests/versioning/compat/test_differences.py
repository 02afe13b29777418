"""Verify the reasons for differences from oasdiff with a reference implementation, jsonschema."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import jsonschema
import pytest

from tests.versioning.compat.cases import Case, Document, cases
from tests.versioning.compat.differences import CONFLICT, NO_EFFECT, ONE_OF, REQUIRED

NAMES = ("name", "breed", "id", "age", "data", "created", "prop1", "prop3", "mode")
LEAVES = (
    None,
    True,
    False,
    -1,
    0,
    1,
    5,
    7,
    12,
    20,
    25,
    1.5,
    "",
    "a",
    "abc",
    "x" * 12,
    "x" * 25,
    "user",
    "alpha",
)

FREED = "TestTransitionClaims_RealChangeAlongsideTransitionStillReported"
"""A case in which a string with fixed values becomes any string."""

FORMERLY_RIGHT: dict[str, Any] = {
    "TestRequestBodyPrefixItemsAdded": ["a"],
    "TestRequestPropertyPrefixItemsAdded": {"details": ["a"]},
    "TestRequestPropertyOneOfAdded": {"name": "Tom", "breed": 1},
    "TestBreaking_ReqBodyNewRequiredPropertyNew": {"id": "1"},
}
"""A request body for each case that only we call breaking: accepted by the old document, not by the new."""


@cache
def values() -> tuple[Any, ...]:
    """Return many values, the same ones each time."""
    random = Random(1)

    def value(depth: int) -> Any:
        kind = random.random()
        if kind < 0.5 or depth > 2:
            return random.choice(LEAVES)
        if kind < 0.65:
            return [value(depth + 1) for _ in range(random.randint(0, 3))]
        return {name: value(depth + 1) for name in random.sample(NAMES, random.randint(0, 4))}

    return tuple(value(0) for _ in range(1_500))


def schemas(document: Document) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every schema of a request or response with its place, which begins with the direction."""
    paths: Any = document["paths"]
    for path, item in paths.items():
        shared = item.get("parameters", [])
        operations = {method: each for method, each in item.items() if isinstance(each, dict)}
        for method, operation in operations.items():
            for parameter in [*shared, *operation.get("parameters", ())]:
                yield (
                    ("request", path, method, parameter["in"], parameter["name"]),
                    parameter.get("schema", {}),
                )
            for kind, media in (operation.get("requestBody", {}).get("content") or {}).items():
                yield ("request", path, method, "body", kind), media.get("schema", {})
            for status, response in (operation.get("responses") or {}).items():
                for kind, media in (response.get("content") or {}).items():
                    yield ("response", path, method, status, kind), media.get("schema", {})


def accepts(document: Document, schema: Any) -> Any:
    """Return a function that validates a value with jsonschema against a schema of a document."""
    is_31 = str(document["openapi"]).startswith("3.1")
    validator = jsonschema.Draft202012Validator if is_31 else jsonschema.Draft4Validator
    return validator({"allOf": [schema], "components": document.get("components", {})}).is_valid


def named(*names: str) -> list[Case]:
    return [case for case in cases() if case.name in names]


@pytest.mark.parametrize("case", named(*NO_EFFECT.cases, FREED), ids=lambda case: case.name)
def test_what_is_listed_as_without_effect_rejects_nothing_and_brings_nothing_new(case: Case) -> None:
    new = dict(schemas(case.new))
    parts = case.old.get("components") == case.new.get("components")
    for place, schema in schemas(case.old):
        if parts and schema == new[place]:
            continue
        before, after = accepts(case.old, schema), accepts(case.new, new[place])
        if place[0] == "response":
            before, after = after, before

        assert [] == [value for value in values() if before(value) and not after(value)]


@pytest.mark.parametrize("case", named(*FORMERLY_RIGHT), ids=lambda case: case.name)
def test_what_only_we_call_breaking_rejects_a_request_that_was_right(case: Case) -> None:
    value = FORMERLY_RIGHT[case.name]
    new = {place: schema for place, schema in schemas(case.new) if "body" in place}
    [(place, schema)] = [(place, schema) for place, schema in schemas(case.old) if "body" in place]

    assert accepts(case.old, schema)(value)
    assert not accepts(case.new, new[place])(value)


def test_each_such_reason_has_a_request_to_show() -> None:
    shown = {expected.rule for case in named(*FORMERLY_RIGHT) for expected in case.expected} | set(
        FORMERLY_RIGHT
    )

    assert shown >= {*ONE_OF.cases, *REQUIRED.cases}
    assert shown & set(CONFLICT.rules)
