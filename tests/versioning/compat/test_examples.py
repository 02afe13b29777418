"""Examples: only what the new example shows and the old one excludes is a change."""

from __future__ import annotations

import pytest
from hypothesis import given

from hook_widgets.versioning.compat import DocumentKind, compare
from tests.versioning.compat.documents.test_loading import JSON


def summarize(old, new, direction="both"):
    changes = compare(old, new, kind=DocumentKind.EXAMPLE, direction=direction).changes
    return [(change.rule, change.path, change.breaking) for change in changes]


DIFFERENCES = [
    ({"a": 1, "b": "x"}, {"a": 1}, ("property-removed", "/b", True)),
    ({"a": 1}, {"a": 1, "b": "x"}, ("property-added", "/b", False)),
    ({"id": 1, "total": 5.5}, {"id": 1, "totals": 5.5}, ("property-renamed", "/totals", True)),
    ({"id": 1}, {"id": "1"}, ("type-changed", "/id", True)),
    ({"id": 1}, {"id": 1.5}, ("type-widened", "/id", True)),
    ({"note": "x"}, {"note": None}, ("null-added", "/note", True)),
    ({"at": "2026-01-31"}, {"at": "2026-01-31T09:00:00Z"}, ("format-changed", "/at", True)),
    ({"at": "2026-01-31"}, {"at": "31.01.2026"}, ("format-widened", "/at", True)),
    ([{"a": 1}, {"a": 2}], [{"a": 1}, {}], ("property-optional", "/0/a", True)),
    ({"list": [1]}, {"list": ["x"]}, ("type-changed", "/list/0", True)),
    ({"list": [[{"a/b": 1}]]}, {"list": [[{"a/b": True}]]}, ("type-changed", "/list/0/0/a~1b", True)),
    ({"a": {"b": 1}}, {"a": [1]}, ("type-changed", "/a", True)),
    ([1], [["1"]], ("type-changed", "/0", True)),
]


@pytest.mark.parametrize(("old", "new", "expected"), DIFFERENCES)
def test_a_difference_is_reported_with_its_place_in_the_example(old, new, expected):
    assert [expected] == summarize(old, new)


NO_EVIDENCE = [
    ({"list": [1]}, {"list": []}),
    ({"list": []}, {"list": [1]}),
    ({"note": None}, {"note": "x"}),
    ({"note": None}, {"note": None}),
    ({"n": 1.5}, {"n": 1}),
    ([{"a": 1}, {"a": None}], [{"a": 1}]),
    ([{"a": 1}, {}], [{"a": 1}, {"a": 2}]),
    ({"at": "2026-01-31"}, {"at": "2026-02-28"}),
    ({"at": "soon"}, {"at": "2026-02-28"}),
]


@pytest.mark.parametrize(("old", "new"), NO_EVIDENCE)
def test_what_an_example_cannot_show_is_no_difference(old, new):
    assert not summarize(old, new)


def test_an_added_field_is_not_called_optional_because_one_example_cannot_tell():
    (change,) = compare({"a": 1}, {"a": 1, "b": 2}).changes

    assert "Field b was added." == change.detail


@given(JSON)
def test_an_example_does_not_differ_from_itself(value):
    assert not summarize([value], [value])


@given(JSON, JSON)
def test_any_two_values_can_be_compared_and_every_path_leads_somewhere(old, new):
    for change in compare([old], [new], kind="example").changes:
        assert _there([old], change.path) or _there([new], change.path), change


def _there(value, path) -> bool:
    for step in path.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        try:
            value = value[int(name)] if isinstance(value, list) else value[name]
        except (LookupError, ValueError, TypeError):
            return False
    return True


def test_the_work_grows_with_the_size_of_an_example_and_not_with_its_depth():
    """Visiting each level twice would be 2**60 visits."""

    def nested(value):
        for _ in range(60):
            value = {"below": value}
        return value

    (change,) = compare(nested(1), nested("1"), kind="example").changes

    assert ("type-changed", "/below" * 60) == (change.rule, change.path)
