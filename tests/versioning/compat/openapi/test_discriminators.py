"""Discriminators: changed mappings that break clients, and no duplicate reports.

OpenAPI 3.0.3 section 4.7.25 defines ``mapping``, and component names as its default.
"""

from __future__ import annotations

import pytest

from hook_widgets.versioning import compare
from tests.versioning.compat.openapi.descriptions import api

CHANGED = ("discriminator-changed", True)


def document(*names, mapping=None, field="kind", where="response"):
    """Return a document whose request or response is one of these components."""
    discriminator = (
        {"propertyName": field} if mapping is None else {"propertyName": field, "mapping": mapping}
    )
    schema = {
        "oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in names],
        "discriminator": discriminator,
    }
    content = {"content": {"application/json": {"schema": schema}}}
    operation: dict[str, object] = {
        "responses": {"200": {"description": "ok", **(content if where == "response" else {})}}
    }
    if where == "request":
        operation["requestBody"] = content
    schemas = {
        name: {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}, **extra}}
        for name, extra in (
            (name, {"fins" if name == "Eel" else "legs" if name == "Dog" else "lives": {"type": "integer"}})
            for name in names
        )
    }
    return api({"/pets": {"post": operation}}, components={"schemas": schemas})


def mapping(**names):
    return {value: f"#/components/schemas/{name}" for value, name in names.items()}


def summarize(old, new):
    return [(change.rule, change.breaking) for change in compare(old, new).changes]


@pytest.mark.parametrize("mapped", [True, False])
@pytest.mark.parametrize(("where", "breaks"), [("request", True), ("response", False)])
def test_an_alternative_that_goes_takes_its_value_along_and_is_reported_once(mapped, where, breaks):
    names = {"cat": "Cat", "dog": "Dog", "eel": "Eel"}
    fewer = {"cat": "Cat", "dog": "Dog"}
    old = document(*names.values(), mapping=mapping(**names) if mapped else None, where=where)
    new = document(*fewer.values(), mapping=mapping(**fewer) if mapped else None, where=where)

    assert ("alternative-removed", breaks) == summarize(old, new)[0]
    assert ("alternative-added", not breaks) == summarize(new, old)[0]
    assert {"alternative-removed", "component-changed"} == {rule for rule, _ in summarize(old, new)}


def test_a_component_that_is_renamed_under_the_same_value_is_the_same():
    old = document("Cat", "Dog", mapping=mapping(cat="Cat", dog="Dog"))
    new = document("Feline", "Dog", mapping=mapping(cat="Feline", dog="Dog"))

    assert not compare(old, new).needs_major


def test_a_component_that_nothing_maps_is_named_by_its_own_name_so_renaming_it_breaks():
    assert CHANGED == summarize(document("Cat", "Dog"), document("Feline", "Dog"))[0]


def test_a_value_that_is_renamed_breaks_also_when_its_component_is_renamed_too():
    old = document("Cat", "Dog", mapping=mapping(cat="Cat", dog="Dog"))
    value = document("Cat", "Dog", mapping=mapping(feline="Cat", dog="Dog"))
    both = document("Feline", "Dog", mapping=mapping(feline="Feline", dog="Dog"))

    assert CHANGED == summarize(old, value)[0]
    assert CHANGED == summarize(old, both)[0]
    (change,) = compare(old, value).breaking
    assert "The field kind no longer names a schema by cat." == change.detail


def test_a_value_that_names_another_schema_breaks():
    old = document("Cat", "Dog", mapping=mapping(a="Cat", b="Dog"))
    new = document("Cat", "Dog", mapping=mapping(a="Dog", b="Cat"))

    assert [CHANGED] == summarize(old, new)


def test_another_field_that_tells_the_types_apart_breaks():
    (change,) = compare(document("Cat", "Dog"), document("Cat", "Dog", field="type")).changes

    assert CHANGED == (change.rule, change.breaking)
    assert change.path.endswith("/schema/discriminator/propertyName")
    assert 'was "kind" and is now "type"' in change.detail


def test_a_mapping_that_says_what_the_names_say_is_no_change():
    assert [] == summarize(
        document("Cat", "Dog"), document("Cat", "Dog", mapping=mapping(Cat="Cat", Dog="Dog"))
    )


def test_one_schema_that_becomes_one_of_several_has_its_discriminator_reported_once():
    several = document("Cat", "Dog", mapping=mapping(cat="Cat", dog="Dog"))
    single = document("Cat", "Dog")
    content = single["paths"]["/pets"]["post"]["responses"]["200"]["content"]["application/json"]
    content["schema"] = {"$ref": "#/components/schemas/Cat"}

    assert [("alternative-added", True), ("discriminator-added", False)] == summarize(single, several)


def test_a_discriminator_that_becomes_null_is_no_longer_set():
    schema = {"oneOf": [{"type": "string"}, {"type": "object"}]}
    old = {**schema, "discriminator": {"propertyName": "kind"}}

    (change,) = compare(old, {**schema, "discriminator": None}, kind="schema").changes

    expected = 'discriminator was {"propertyName": "kind"} and is no longer set.'
    assert ("discriminator-changed", expected) == (change.rule, change.detail)


def of_parent(dog, *, kinds="oneOf", **legs):
    """Return a document whose response is a parent that its children extend, so each names the others."""
    pet: dict[str, object] = {"type": "object", "properties": {"kind": {"type": "string"}}}
    pet["discriminator"] = {"propertyName": "kind", "mapping": mapping(dog=dog)}
    if kinds:
        pet[kinds] = [{"$ref": f"#/components/schemas/{name}"} for name in ("Cat", dog)]
    parent = {"$ref": "#/components/schemas/Pet"}
    schemas = {"Pet": pet, "Cat": {"allOf": [parent, {"type": "object"}]}}
    schemas[dog] = {"allOf": [parent, {"type": "object", "properties": {"legs": legs}}]}
    response = {"description": "ok", "content": {"application/json": {"schema": parent}}}
    return api({"/pets": {"get": {"responses": {"200": response}}}}, components={"schemas": schemas})


@pytest.mark.parametrize("kinds", ["oneOf", "anyOf", ""])
def test_a_component_that_extends_its_parent_may_be_renamed(kinds):
    old, new = of_parent("Dog", kinds=kinds), of_parent("Hound", kinds=kinds)
    other = of_parent("Hound", kinds=kinds, type="integer")

    assert not compare(old, new).needs_major
    assert compare(other, old).needs_major


@pytest.mark.parametrize("kinds", ["oneOf", "anyOf"])
def test_what_changes_in_a_renamed_component_is_reported_without_its_name(kinds):
    old, new = of_parent("Dog", kinds=kinds, type="string"), of_parent("Hound", kinds=kinds, type="integer")

    assert ["type-changed"] == [change.rule for change in compare(old, new).breaking]


def test_values_that_swap_their_components_are_reported_once():
    old, new = of_parent("Dog"), of_parent("Dog")
    for document, (cat, dog) in ((old, ("Cat", "Dog")), (new, ("Dog", "Cat"))):
        mapped = document["components"]["schemas"]["Pet"]["discriminator"]
        mapped["mapping"] = mapping(cat=cat, dog=dog)

    assert [CHANGED] == summarize(old, new)


def test_swagger_has_only_the_name_of_the_field():
    def swagger(**pet):
        schema = {"type": "object", "discriminator": "kind", "properties": {"kind": {}, **pet}}
        response = {"description": "ok", "schema": {"$ref": "#/definitions/Pet"}}
        paths = {"/pets": {"get": {"responses": {"200": response}}}}
        return {"swagger": "2.0", "info": {}, "paths": paths, "definitions": {"Pet": schema}}

    assert [("property-added", False)] == summarize(swagger(), swagger(age={}))


def of_subtype(legs, *, mapped=(), schema="Pet", more=(), swagger=False):
    """Return a document whose response is a parent that only its subtypes name, and not the reverse."""
    folder = "definitions" if swagger else "components/schemas"

    def extending(name, **properties):
        return {"allOf": [{"$ref": f"#/{folder}/{name}"}, {"type": "object", "properties": properties}]}

    pet = {"type": "object", "properties": {"kind": {"type": "string"}}}
    pet["discriminator"] = "kind" if swagger else {"propertyName": "kind", "mapping": mapping(**dict(mapped))}
    schemas = {"Pet": pet, "Dog": extending("Pet", legs={"type": legs}), "Cat": extending("Pet")}
    schemas |= {name: extending("Dog") for name in more}
    shown = {"allOf": [{"$ref": f"#/{folder}/Pet"}], "description": "Any."}
    shown = {"$ref": f"#/{folder}/{schema}"} if schema else shown
    if swagger:
        paths = {"/pets": {"get": {"responses": {"200": {"description": "ok", "schema": shown}}}}}
        return {"swagger": "2.0", "info": {}, "paths": paths, "definitions": schemas}
    content = {"content": {"application/json": {"schema": shown}}}
    return api(
        {"/pets": {"get": {"responses": {"200": {"description": "ok", **content}}}}},
        components={"schemas": schemas},
    )


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({}, "Dog"),
        ({"swagger": True}, "Dog"),
        ({"mapped": [("hound", "Dog")]}, "hound"),
        ({"schema": None}, "Dog"),
        ({"more": ["Poodle"]}, "Dog"),
    ],
)
def test_what_changes_in_a_subtype_is_reported_although_only_the_subtype_names_its_parent(options, value):
    # OpenAPI 3.0.3 section 4.7.24; Azure/openapi-diff, SwaggerModelerCompareTests.cs, AddedOptionalProperty
    (change,) = compare(of_subtype("string", **options), of_subtype("integer", **options)).distinct()

    assert ("type-changed", True) == (change.rule, change.breaking)
    assert change.location.startswith(f"GET /pets, response 200, ({value}).legs")


def test_a_response_of_one_subtype_is_none_of_the_other():
    assert not compare(of_subtype("string", schema="Cat"), of_subtype("integer", schema="Cat")).needs_major


def test_a_subtype_that_is_gone_is_no_longer_named_by_the_field_of_its_parent():
    more, fewer = of_subtype("string", more=["Poodle"]), of_subtype("string")

    assert CHANGED == summarize(more, fewer)[0]
    assert ("discriminator-added", False) == summarize(fewer, more)[0]
