from __future__ import annotations

import copy
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hook_widgets.errors import InvalidDocument, VersioningError
from hook_widgets.versioning.compat import comparison
from hook_widgets.versioning.compat.documents.loading import nested_too_deeply
from hook_widgets.versioning.compat.rules import OPENAPI_RULES, RULES
from tests.support.extent import extent
from tests.versioning.compat.openapi.descriptions import NUMBER, TEXT, api, changes_of
from tests.versioning.compat.openapi.test_swagger import WHOLE

ORDER = {
    "type": "object",
    "required": ["id"],
    "properties": {
        "id": {**NUMBER, "readOnly": True},
        "lines": {"type": "array", "items": {"$ref": "#/components/schemas/Line"}},
        "parent": {"$ref": "#/components/schemas/Order"},
    },
}
JSON = {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}, "example": {"id": 1}}}
SHOP = api(
    {
        "/orders/{id}": {
            "parameters": [
                {"name": "id", "in": "path", "required": True, "schema": NUMBER},
                {"$ref": "#/components/parameters/Limit"},
            ],
            "get": {
                "operationId": "getOrder",
                "tags": ["orders"],
                "responses": {
                    "200": {"description": "", "content": JSON, "headers": {"X-Left": {"schema": NUMBER}}},
                    "default": {"$ref": "#/components/responses/Error"},
                },
                "security": [{"key": []}, {"oauth": ["read"]}],
            },
            "post": {
                "deprecated": True,
                "x-sunset": "2027-01-01",
                "servers": [{"url": "https://{area}.example", "variables": {"area": {"enum": ["eu", "us"]}}}],
                "requestBody": {
                    "required": True,
                    "content": {
                        "multipart/form-data": {"schema": ORDER, "encoding": {"id": {"explode": True}}}
                    },
                },
                "responses": {"2XX": {"description": ""}, "4XX": {"$ref": "#/components/responses/Error"}},
                "callbacks": {"paid": {"{$request.body#/url}": {"post": {"requestBody": {"content": JSON}}}}},
            },
        }
    },
    openapi="3.1.0",
    servers=[{"url": "https://api.example"}],
    security=[{}],
    webhooks={"paid": {"post": {"requestBody": {"content": JSON}, "responses": {}}}},
    components={
        "schemas": {"Order": ORDER, "Line": {"type": "object", "properties": {"price": NUMBER}}},
        "parameters": {"Limit": {"name": "limit", "in": "query", "schema": {**NUMBER, "default": 20}}},
        "responses": {
            "Error": {"description": "", "content": {"application/problem+json": {"schema": TEXT}}}
        },
        "securitySchemes": {
            "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
            "oauth": {
                "type": "oauth2",
                "flows": {"clientCredentials": {"tokenUrl": "https://id", "scopes": {"read": ""}}},
            },
        },
    },
)
WORDS = [
    "$ref",
    "type",
    "get",
    "name",
    "in",
    "schema",
    "content",
    "description",
    "#/components/schemas/Order",
    "x-a",
]
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(WORDS)
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)


def places(value: Any, *path: Any) -> list[tuple[Any, ...]]:
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for step, inner in steps for place in places(inner, *path, step))][bool(not path) :]


def shuffled(value: Any, chance: random.Random) -> Any:
    if isinstance(value, list):
        return [shuffled(item, chance) for item in value]
    if not isinstance(value, dict):
        return value
    names = list(value)
    chance.shuffle(names)
    return {name: shuffled(value[name], chance) for name in names}


def damaged(document: Any, place: tuple[Any, ...], value: Any, *, remove: bool) -> Any:
    broken = copy.deepcopy(document)
    inside = broken
    for step in place[:-1]:
        inside = inside[step]
    if remove:
        del inside[place[-1]]
    else:
        inside[place[-1]] = value
    return broken


@pytest.mark.parametrize("document", [SHOP, WHOLE])
def test_a_document_does_not_differ_from_its_copy(document):
    assert [] == changes_of(document, copy.deepcopy(document))


@given(st.randoms(use_true_random=False), st.sampled_from([SHOP, WHOLE]))
@settings(max_examples=extent(10, 60), deadline=None)
def test_the_order_of_members_does_not_count(chance, document):
    assert [] == changes_of(document, shuffled(document, chance))


@given(st.data(), st.sampled_from([SHOP, WHOLE]), ANYTHING, st.booleans(), st.booleans())
@settings(max_examples=extent(80, 800), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_stands_anywhere_only_errors_of_the_room_come_out(data, document, value, remove, backwards):
    place = data.draw(st.sampled_from(places(document)))
    broken = damaged(document, place, value, remove=remove)
    pair = (broken, document) if backwards else (document, broken)
    with suppress(VersioningError):
        assert all(change.rule in RULES and change.detail for change in changes_of(*pair))


def test_a_document_that_is_nested_without_end_is_rejected():
    deep: Any = {"type": "object"}
    for _ in range(20_000):
        deep = {"type": "array", "items": deep}
    old = api(components={"schemas": {"Deep": deep}})
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Deep"}}}
    old["paths"] = {"/deep": {"get": {"responses": {"200": {"description": "", "content": content}}}}}
    new = old | {"servers": []}
    with pytest.raises(VersioningError, match="nested too deeply"):
        changes_of(old, new)


@pytest.mark.parametrize("name", ["old", "new"])
def test_the_document_that_is_nested_too_deeply_is_named(name: str) -> None:
    deep: Any = []
    for _ in range(5_000):
        deep = [deep]
    documents = {"old": api(), "new": api()} | {name: api(info=deep)}
    with pytest.raises(InvalidDocument, match=f"^the {name} document is nested too deeply") as caught:
        changes_of(documents["old"], documents["new"])
    assert name == caught.value.field


@pytest.mark.parametrize("name", ["old", "new"])
def test_a_comparison_that_exhausts_the_stack_names_the_deeper_document(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhausted(*_args: object, **_kwargs: object) -> None:
        raise RecursionError

    monkeypatch.setattr(comparison, "SchemaDiff", exhausted)
    documents: dict[str, object] = {"old": {"type": "object"}, "new": {"type": "object"}}
    documents[name] = {"type": "object", "properties": {"a": {"type": "object"}}}
    with pytest.raises(InvalidDocument, match=f"^the {name} document") as caught:
        comparison.compare(documents["old"], documents["new"])
    assert name == caught.value.field


def test_a_document_that_contains_itself_is_the_deeper_one() -> None:
    endless: Any = api()
    endless["info"] = [endless]
    error = nested_too_deeply(endless, api())
    assert ("old", True) == (error.field, str(error).startswith("the old document is nested too deeply"))


def test_every_rule_is_shown_by_a_test():
    texts = [path.read_text("utf-8") for path in sorted(Path(__file__).parent.rglob("test_*.py"))]
    missing = [rule.id for rule in OPENAPI_RULES if not any(f'"{rule.id}"' in text for text in texts)]
    # The ids of these two are composed of a word and a suffix.
    assert {"required-header-added", "optional-header-added"} >= set(missing)


def test_ids_of_rules_are_unique_and_each_has_words():
    assert len(OPENAPI_RULES) == len({rule.id for rule in OPENAPI_RULES})
    assert all(rule.title and rule.reason.endswith((".", ").")) for rule in OPENAPI_RULES)
