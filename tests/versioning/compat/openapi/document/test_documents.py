from __future__ import annotations

import copy
from typing import Any

import pytest

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.compat import NotCompared
from hook_widgets.versioning.compat.openapi import compare_openapi
from tests.versioning.compat.openapi.descriptions import (
    INFO,
    NUMBER,
    OK,
    TEXT,
    accepting,
    answering,
    api,
    changes_of,
    get,
    post,
    query,
    rules,
    summarize,
)

COMPONENTS: dict[str, Any] = {
    "parameters": {"Limit": {"name": "limit", "in": "query", "schema": NUMBER}},
    "requestBodies": {"Order": {"content": {"application/json": {"schema": TEXT}}}},
    "responses": {"Error": {"description": "", "content": {"application/json": {"schema": TEXT}}}},
    "headers": {"Left": {"schema": NUMBER}},
    "schemas": {"Name": TEXT},
    "pathItems": {"Orders": {"get": OK}},
}
USES: dict[str, list[Any]] = {
    "parameters": ["parameters", 0],
    "requestBodies": ["requestBody"],
    "responses": ["responses", "400"],
    "headers": ["responses", "200", "headers", "X-Left"],
    "schemas": ["responses", "200", "content", "text/plain", "schema"],
}


def using(kind, value):
    """Return a document that uses this value at the place for its kind."""
    operation: dict[str, Any] = {
        "parameters": [{"name": "page", "in": "query"}],
        "responses": {
            "200": {"description": "", "headers": {}, "content": {"text/plain": {}}},
            "400": {"description": ""},
        },
    }
    *steps, last = USES[kind]
    inside: Any = operation
    for step in steps:
        inside = inside[step]
    inside[last] = value
    return post(operation, components=copy.deepcopy(COMPONENTS))


@pytest.mark.parametrize("kind", USES)
def test_what_is_written_in_place_and_what_is_referred_to_are_the_same(kind):
    ((name, value),) = COMPONENTS[kind].items()
    referring = using(kind, {"$ref": f"#/components/{kind}/{name}"})
    assert [] == rules(using(kind, value), referring)
    assert [] == rules(referring, using(kind, value))


@pytest.mark.parametrize("kind", USES)
@pytest.mark.parametrize("target", ["#/components/{}/Missing", "#/nowhere", "other.yaml#/{}", "#Anchor"])
def test_a_part_behind_a_reference_that_leads_nowhere_is_not_compared(kind, target):
    pointer = "/".join(str(step) for step in USES[kind]).replace("text/plain", "text~1plain")
    place = f"/paths/~1orders/post/{pointer}".removesuffix("/0")
    lost, whole = using(kind, {"$ref": target.format(kind)}), using(kind, *COMPONENTS[kind].values())
    for old, new in ((whole, lost), (lost, whole)):
        comparison = compare_openapi(old, new)
        assert (NotCompared(f"$ref {target.format(kind)!r}", place),) == comparison.not_compared
        # The parameter may be the one that is referred to; it is reported, as no one can know.
        changed = {"parameters": {"parameter-removed", "optional-parameter-added"}}.get(kind, set())
        assert changed >= {change.rule for change in comparison.changes}
    other = compare_openapi(lost, using(kind, {"$ref": "other.yaml"}))
    assert (set(), [place, place]) == ({*other.changes}, [each.path for each in other.not_compared])
    same = compare_openapi(lost, lost | {"security": [{"key": []}]})
    assert {"authentication-required"} == {each.rule for each in same.changes}
    outside = [] if target.startswith("#") else [f"$ref {target.format(kind)!r}"]
    assert outside == [each.construct for each in same.not_compared]


@pytest.mark.parametrize("version", [{"openapi": "3.1.0"}, {"swagger": "2.0", "openapi": None}])
def test_a_parameter_that_leads_nowhere_may_move_in_its_list(version):
    lost, limit = {"$ref": "parameters.yaml#/Page"}, {"name": "limit", "in": "query", "required": True}
    schema = {"type": "integer"} if "swagger" in version else {"schema": NUMBER}
    old, new = (accepting(*sides) | version for sides in ((lost,), (limit | schema, lost)))
    for document in (old, new):
        if "swagger" in version:
            del document["openapi"]
    comparison = compare_openapi(old, new)
    assert ["required-parameter-added"] == [change.rule for change in comparison.changes]
    place = "/paths/~1orders/get/parameters/1"  # the file may have changed
    assert (NotCompared("$ref 'parameters.yaml#/Page'", place),) == comparison.not_compared


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        (get(), api({"/orders": {"$ref": "orders.yaml"}}), "/paths/~1orders"),
        (
            get({**OK, "callbacks": {"paid": {"{$url}": {"post": OK}}}}),
            get({**OK, "callbacks": {"paid": {"$ref": "paid.yaml"}}}),
            "/paths/~1orders/get/callbacks/paid",
        ),
        (
            get({**OK, "security": [{"key": []}]}, components={"securitySchemes": {"key": {"type": "http"}}}),
            get(
                {**OK, "security": [{"key": []}]},
                components={"securitySchemes": {"key": {"$ref": "keys.yaml"}}},
            ),
            "/components/securitySchemes/key",
        ),
        (
            {"swagger": "2.0", "paths": {"/a": {"get": {"responses": {"200": {"schema": TEXT}}}}}},
            {"swagger": "2.0", "paths": {"/a": {"get": {"responses": {"200": {"$ref": "#/responses/A"}}}}}},
            "/paths/~1a/get/responses/200",
        ),
    ],
)
def test_what_a_reference_without_a_target_replaces_is_not_reported_as_gone(old, new, place):
    for sides in ((old, new), (new, old)):
        comparison = compare_openapi(*sides)
        assert ((), [place]) == (comparison.changes, [each.path for each in comparison.not_compared])


def test_a_path_may_be_referred_to_and_members_beside_the_reference_win():
    referring = api({"/orders": {"$ref": "#/components/pathItems/Orders"}}, components=COMPONENTS)
    placed = get(components=COMPONENTS)
    assert [] == rules(placed, referring)
    referring["paths"]["/orders"]["get"] = {**OK, "deprecated": True}
    assert [("endpoint-deprecated", False)] == rules(placed, referring)


def test_references_that_lead_round_in_a_circle_are_rejected():
    components = {
        "parameters": {"a": {"$ref": "#/components/parameters/b"}, "b": {"$ref": "#/components/parameters/a"}}
    }
    circle = accepting({"$ref": "#/components/parameters/a"}, components=components)
    with pytest.raises(InvalidDocument, match="leads back to itself"):
        changes_of(circle, circle | {"x": 1})


def test_references_may_have_escapes_and_percent_signs():
    components = {"parameters": {"a/b~c d": {"name": "limit", "in": "query", "schema": NUMBER}}}
    referring = accepting({"$ref": "#/components/parameters/a~1b~0c%20d"}, components=components)
    assert [] == rules(accepting({"name": "limit", "in": "query", "schema": NUMBER}), referring)


@pytest.mark.parametrize("target", ["#/paths/~1a/get/responses/200/content/text~1plain/schema", "#name"])
def test_what_one_endpoint_borrows_from_another_is_reported_for_both(target):
    reference = {"$ref": target}

    def lending(schema):
        def giving(its):
            return {
                "get": {"responses": {"200": {"description": "", "content": {"text/plain": {"schema": its}}}}}
            }

        return api({"/a": giving({"$anchor": "name", **schema}), "/b": giving(reference)}, openapi="3.1.0")

    changes = summarize(lending(TEXT), lending(NUMBER))
    assert {("type-changed", True, f"GET {path}, response 200") for path in ("/a", "/b")} == set(changes)


def test_what_is_shared_is_reported_in_each_place():
    def used(schema):
        content = {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}}
        operation = {"responses": {"200": {"description": "", "content": content}}}
        return api(
            {path: {"get": operation} for path in ("/a", "/b")}, components={"schemas": {"Order": schema}}
        )

    changes = summarize(used(TEXT), used(NUMBER))
    assert {("type-changed", True, f"GET {path}, response 200") for path in ("/a", "/b")} == set(changes)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        (
            {"type": "integer", "minimum": 1, "exclusiveMinimum": True},
            {"type": "integer", "exclusiveMinimum": 1},
        ),
    ],
)
def test_what_3_0_and_3_1_say_in_other_words_is_no_change(old, new):
    before, after = answering(old), answering(new) | {"openapi": "3.1.0"}
    assert [] == rules(before, after)
    assert [] == rules(after, before)


def test_the_same_words_can_mean_another_thing_in_another_version():
    old = answering({"type": "string", "nullable": True})
    assert [("null-removed", False)] == rules(old, old | {"openapi": "3.1.0"})


@pytest.mark.parametrize("index", ["x", "1", "-1", "0x0", "9" * 5000])
def test_a_reference_to_an_item_that_is_not_there_leads_nowhere(index):
    lost = accepting(
        {"$ref": f"#/components/parameters/list/{index}"}, components={"parameters": {"list": [{}]}}
    )
    assert "/paths/~1orders/get/parameters" == compare_openapi(lost, get()).not_compared[0].path


def test_extensions_beside_paths_are_no_paths():
    old = get()
    old["paths"]["x-internal"] = {"get": OK}
    assert [] == rules(old, get())


def test_null_that_comes_with_the_new_version_is_reported():
    before, after = answering(TEXT), answering({"type": ["string", "null"]}) | {"openapi": "3.1.0"}
    assert [("null-added", True, "GET /orders, response 200")] == summarize(before, after)


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"openapi": "4.0.0"},
        {"openapi": "3"},
        {"openapi": 3},
        {"openapi": None},
        {"openapi": ["3.0.3"]},
        {"swagger": "1.2"},
        {"swagger": "3.0.0"},
        {"openapi": "2.0"},
        [],
        None,
        "openapi: 3.0.3",
    ],
)
def test_a_document_of_another_kind_or_version_is_rejected(document):
    with pytest.raises(InvalidDocument, match=r"the new document is not .*OpenAPI document") as refusal:
        changes_of(get(), document)
    assert "new" == refusal.value.field


@pytest.mark.parametrize(
    ("folder", "old", "new"),
    [
        ("/components/parameters", query(), query(required=True)),
        ("/components/responses", OK["responses"]["200"], {"description": "", "content": {"text/plain": {}}}),
        ("/parameters", {"in": "query", "name": "a"}, {"in": "query", "name": "a", "required": True}),
        ("/components/requestBodies", {"content": {}}, None),
    ],
)
def test_shared_parts_that_nothing_uses_are_not_compared(folder, old, new):
    # pb33f/libopenapi, components_test.go, TestCompareComponents_OpenAPI_Parameters_Removed: breaking
    documents = []
    for part in (old, new):
        named = {"Part": part} if part else {}
        *above, kind = folder.split("/")[1:]
        shared = {"components": {kind: named}} if above else {kind: named}
        documents.append({**(api() if above else {"swagger": "2.0", "info": INFO, "paths": {}}), **shared})
    assert (NotCompared(kind, f"{folder}/Part"),) == compare_openapi(*documents).not_compared
    assert () == compare_openapi(documents[0], documents[0]).not_compared
    used = [document | {"paths": {"/orders": {"get": OK}}} for document in documents]
    assert () == compare_openapi(*used).not_compared


@pytest.mark.parametrize("version", ["3.0.0", "3.0", "3.1.1", "3.2.0", "3.0.3-rc1", 3.1])
def test_versions_that_can_be_read(version):
    assert [] == rules(get(), get() | {"openapi": version})


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ({"paths": []}, "/paths: it must be an object, and is a list"),
        ({"paths": {"/orders": "all"}}, "/paths/~1orders: it must be an object, and is text"),
        ({"paths": {"/orders": {"get": 3}}}, "/paths/~1orders/get: it must be an object, and is a number"),
        ({"servers": {}}, "/servers: it must be a list, and is an object"),
        ({"servers": [{"url": True}]}, "/servers/0/url: it must be text, and is true or false"),
        ({"components": "none"}, "/components: it must be an object, and is text"),
    ],
)
def test_the_error_says_which_document_where_and_what(damage, message):
    with pytest.raises(InvalidDocument) as refusal:
        changes_of(get() | damage, get())
    assert f"the old document, {message}" == str(refusal.value)


def test_a_flag_must_be_true_or_false():
    with pytest.raises(InvalidDocument, match=r"/paths/~1orders/get/deprecated: it must be true or false"):
        changes_of(get({**OK, "deprecated": "yes"}), get())


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"properties": None}, {}),
        ({"properties": {"a": None}}, {"properties": {"a": {}}}),
        ({"properties": []}, {}),
        ({"additionalProperties": []}, {"additionalProperties": {}}),
        ({"enum": None, "maxLength": None, "not": None, "pattern": None, "required": None}, {}),
    ],
)
def test_an_empty_keyword_of_a_schema_says_nothing(written, meant):
    # webflow/openapi-spec, openapi/v2.yml: properties with nothing below; hellosign/hellosign-openapi,
    # openapi.yaml: additionalProperties: [], as PHP writes an empty object
    old, new = (answering({"properties": {"in": schema}}) for schema in (written, meant))
    assert not any(breaking for _, breaking in rules(old, new) + rules(new, old))
    assert ("type-widened", True) in rules(answering({"enum": [None]}), answering(written))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"type": ["string", None]}, {"type": ["string", "null"]}),
        ({"type": ["string", None], "enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"anyOf": [TEXT, {"type": None}]}, {"type": ["string", "null"]}),
    ],
)
def test_the_type_null_without_quotes_is_no_value_of_yaml(written, meant):
    # lithic-com/lithic-openapi, lithic-openapi.yml of November 2023: type: [string, null]
    old, new, text = (answering(schema) | {"openapi": "3.1.0"} for schema in (written, meant, TEXT))
    assert not any(breaking for _, breaking in rules(old, new) + rules(new, old))
    assert any(breaking for _, breaking in rules(text, old))
    assert [] == rules(answering({"type": None}), answering({}))  # 3.0 has no such type


def test_a_schema_that_changes_where_nothing_uses_it_is_reported_and_breaks_nobody():
    # Azure/openapi-diff, SwaggerModelerCompareTests.cs, UnreferencedTypeChanged
    old, new = (get(components={"schemas": {"Unused": schema}}) for schema in (TEXT, NUMBER))
    assert [("component-changed", False, "schema Unused")] == summarize(old, new)
    assert [] == summarize(old, old)


@pytest.mark.parametrize("paths", [{}, {"paths": {}}])
def test_the_schemas_of_a_document_without_endpoints_are_compared(paths):
    # Azure/openapi-diff, SwaggerModelerCompareTests.cs, FormatRemoved: the events of a service
    old, new = (
        {"swagger": "2.0", "info": INFO, **paths, "definitions": {"Event": {"properties": {"size": size}}}}
        for size in ({"type": "integer", "format": "int64"}, {"type": "integer"})
    )
    assert [("format-widened", True, "schema Event, size")] == summarize(old, new)
    assert [("format-narrowed", True, "schema Event, size")] == summarize(new, old)
