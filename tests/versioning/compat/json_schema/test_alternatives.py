"""anyOf and oneOf: alternatives added, removed or changed, and one schema that becomes several."""

from __future__ import annotations

import pytest

from tests.versioning.compat.json_schema.schema_rules import only, rules


def tagged(kind, **properties):
    fields = {"kind": {"const": kind}, **properties}
    return {"type": "object", "properties": fields, "required": ["kind"]}


CAT = tagged("cat", lives={"type": "integer"})
DOG = tagged("dog", name={"type": "string"})


@pytest.mark.parametrize("word", ["anyOf", "oneOf"])
def test_an_alternative_that_excludes_the_others_breaks_readers_when_it_is_added(word):
    one, two = {word: [CAT, tagged("cow")]}, {word: [CAT, tagged("cow"), DOG]}

    assert ["alternative-added"] == rules(one, two, "request")
    assert ["!alternative-added"] == rules(one, two, "response")
    assert ["!alternative-removed"] == rules(two, one, "request")
    assert ["alternative-removed"] == rules(two, one, "response")


@pytest.mark.parametrize("word", ["anyOf", "oneOf"])
def test_one_schema_may_become_one_of_several(word):
    assert ["alternative-added"] == rules(CAT, {word: [DOG, CAT]}, "request")
    assert ["alternative-removed"] == rules({word: [DOG, CAT]}, CAT, "response")


@pytest.mark.parametrize("word", ["anyOf", "oneOf"])
def test_a_change_inside_an_alternative_is_reported_with_its_name(word):
    old = {word: [{"title": "Cat", **CAT}, DOG]}
    new = {word: [DOG, {"title": "Cat", **tagged("cat", lives={"type": "string"})}]}
    change = only(old, new, "response") if word == "anyOf" else only(old, new)

    assert ("type-changed", "(alternative Cat).lives") == (change.rule, change.location)


def test_a_oneof_whose_alternatives_may_overlap_is_for_review():
    """A value that matches two alternatives is rejected (core section 10.2.1.3), so adding one can narrow."""
    old = {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}
    new = {"oneOf": [{"required": ["a"]}, {"required": ["b"]}, {"required": ["c"]}]}

    assert "!undecided" in rules(old, new, "request")
    assert "!undecided" in rules(new, old, "response")


def test_a_schema_that_fits_two_alternatives_of_its_oneof_is_rejected_from_then_on():
    old = {"type": "object", "required": ["foo", "bar"]}
    new = {"oneOf": [{"type": "object", "required": ["foo"]}, {"type": "object", "required": ["bar"]}]}

    assert "!constraint-added" in rules(old, new, "request")


@pytest.mark.parametrize("word", ["anyOf", "oneOf"])
def test_null_as_an_alternative_is_null_in_the_type(word):
    nullable = {word: [CAT, {"type": "null"}]}

    assert ["!null-added"] == rules(CAT, nullable, "response")
    assert ["!null-removed"] == rules(nullable, CAT, "request")
    assert ["rewritten"] == rules(nullable, {**CAT, "type": ["object", "null"]})


def test_an_alternative_that_another_one_includes_changes_nothing():
    loose, strict = {"type": "object", "minProperties": 1}, {"type": "object", "minProperties": 2}
    old = {"anyOf": [loose, {"type": "array", "minItems": 1}, strict]}
    new = {"anyOf": [loose, {"type": "array", "minItems": 1}]}

    assert not [rule for rule in rules(old, new) if rule.startswith("!")]


def test_anyof_that_becomes_oneof_is_narrower():
    alternatives = [{"required": ["a"]}, {"required": ["b"]}]

    assert ["!constraint-added"] == rules({"anyOf": alternatives}, {"oneOf": alternatives}, "request")
    assert ["!constraint-removed"] == rules({"oneOf": alternatives}, {"anyOf": alternatives}, "response")


def test_alternatives_that_contain_themselves_end():
    tree = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#"}}, {"$ref": "#"}]}
    wider = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#"}}, {"$ref": "#"}, CAT]}

    assert not rules(tree, tree)
    assert ["!alternative-added"] == rules(tree, wider, "response")
    assert not [rule for rule in rules(tree, wider, "request") if rule.startswith("!")]


def test_what_is_left_over_for_unevaluated_fields_depends_on_the_branches():
    """Core section 11.3: fields of a branch that matches are evaluated."""
    old = {"anyOf": [CAT, tagged("cow")], "unevaluatedProperties": False}
    new = {"anyOf": [tagged("cat"), tagged("cow")], "unevaluatedProperties": False}

    assert "!undecided" in rules(old, new, "request")
    assert not rules(old, old)
