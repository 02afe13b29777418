"""Documents are loaded from JSON, YAML and files, and hostile ones are rejected with a clear message."""

from __future__ import annotations

import json
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.compat.documents import loading
from hook_widgets.versioning.compat.documents.loading import read

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def refusal(source) -> str:
    with pytest.raises(InvalidDocument) as caught:
        read(source, name="old")
    assert "old" == caught.value.field
    return str(caught.value)


@given(JSON)
def test_json_text_is_read_as_the_standard_library_reads_it(value):
    text = json.dumps([value])

    assert json.loads(text) == read(text) == read(text.encode()) == read([value])


def test_yaml_is_read_as_version_1_2_reads_it():
    """The core schema (https://yaml.org/spec/1.2.2/ section 10.3.2) lists scalars that are not strings."""
    text = """
    words: [on, no, y, "true", !!str 1, 2026-01-31, 12:30, 0o14, 0xC, 014, 1.5e3, .5]
    rest: [~, null, True, FALSE, 1_000]
    on: 1
    200: ok
    """
    expected = {
        "words": ["on", "no", "y", "true", "1", "2026-01-31", "12:30", 12, 12, 14, 1500.0, 0.5],
        "rest": [None, None, True, False, "1_000"],
        "on": 1,
        "200": "ok",
    }

    assert expected == read(text)


def test_aliases_and_merge_keys_stand_for_what_they_name():
    text = "a: &a {x: 1, y: 2}\nb: *a\nc: {<<: *a, y: 3}\nd: {<<: [{y: 9}, *a]}"

    assert {
        "a": {"x": 1, "y": 2},
        "b": {"x": 1, "y": 2},
        "c": {"y": 3, "x": 1},
        "d": {"y": 9, "x": 1},
    } == read(text)


def test_a_file_is_read_by_its_path(tmp_path):
    file = tmp_path / "old.yaml"
    file.write_bytes(b"\xef\xbb\xbftype: string\n")

    assert {"type": "string"} == read(file)


def test_mappings_and_tuples_become_a_copy_of_their_own():
    source = MappingProxyType({"a": (1, {"b": 2}), 200: None})
    copied = read(source)

    assert {"a": [1, {"b": 2}], "200": None} == copied


BROKEN = [
    ('{"a": 1,, }', "line 1, column 9"),
    ('{"a": 1}\n}', "line 2, column 1"),
    ("a: b: c", "line 1, column 5"),
    ("a:\n  - b\n c", "line 3, column 2"),
    ("a: 1\na: 2", "line 2, column 1: the key 'a' occurs twice"),
    (
        "a:\n\tb: 1\n",
        "line 2, column 1: found character that cannot start any token; indent with spaces, not tabs",
    ),
    ("a:\n  b: 1\n \tc: 2\n", "; indent with spaces, not tabs"),
    ("```yaml\na: 1\n```\n", "; leave out the lines with ```"),
    ('{"a": 1, "a": 2}', "the key 'a' twice"),
    ("a: *x", "alias"),
    ("a: !!python/object:os.system x", "tag"),
    ("a: 1\n---\nb: 2", "second document"),
    ("? [a]\n: b", "key must be plain text"),
    ("a: {<<: 1}", "<< must name a mapping"),
    ("a: 1e999", "too large"),
    ('{"a": NaN}', "NaN"),
    ('{"a": 1e999}', "inf"),
    ("  \n", "empty"),
    ("a: \x07", "character"),
    ("a: {type: s\ud800tring}", "character 12 is half of a surrogate pair; write the whole character"),
    (b"\xff\xfe\x00", "UTF-8"),
    ("openapi.yaml", "not the name or address of a file"),
    ("[" * 5000, "deep"),
    ("[" * 101 + "]" * 101, "deep"),
    ("a: " + "[" * 101 + "]" * 101, "deep"),
    ("a: &a [*a]", "contains itself"),
    ({"a": {1, 2}}, "set"),
    ({(1, 2): 3}, "keys must be text"),
    ({"a": float("nan")}, "nan"),
    (object(), "object"),
    (Path("/nowhere/at/all.json"), "No such file"),
]


@pytest.mark.parametrize(("source", "message"), BROKEN)
def test_a_broken_document_is_rejected_with_its_place(source, message):
    assert message in refusal(source)


def test_a_value_that_contains_itself_is_rejected():
    loop: dict[str, object] = {}
    loop["a"] = loop

    assert "contains itself" in refusal(loop)


def test_aliases_cannot_blow_a_document_up():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]

    assert "too large" in refusal("\n".join(lines))


def test_merge_keys_cannot_blow_a_document_up():
    lines = ["a0: &a0 {x: 1}"]
    lines += [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 10)}]}}" for n in range(1, 40)]

    assert {"x": 1} == read("\n".join(lines))["a39"]  # type: ignore[index]


def test_a_text_that_is_too_long_is_rejected(monkeypatch, tmp_path):
    monkeypatch.setattr(loading, "MAX_BYTES", 10)
    file = tmp_path / "x.json"
    file.write_text('"' + "x" * 20 + '"')

    assert "too large" in refusal(file.read_text())
    assert "too large" in refusal(file)


@given(st.binary(max_size=60) | st.text(max_size=60))
def test_whatever_the_text_only_our_error_comes_out(source):
    try:
        read(source)
    except InvalidDocument:
        return


@given(st.lists(st.sampled_from(list("{}[]:,-&*!|>'\"#%@?~ \n\tab1<")), max_size=40).map("".join))
def test_whatever_yaml_looks_like_only_our_error_comes_out(source):
    try:
        read(source)
    except InvalidDocument:
        return


@pytest.mark.parametrize("text", ["specs/v1", "https://api.example.com/openapi", "old.yaml.j2"])
def test_the_name_of_a_file_is_not_taken_for_a_document(text):
    """Two such names would be equal strings, so the result would be "nothing breaking" for any files."""
    with pytest.raises(InvalidDocument, match="not the name or address of a file") as caught:
        read(text)

    assert "Path" not in str(caught.value)
    assert ["to read a file pass its pathlib.Path"] == caught.value.__notes__


@pytest.mark.parametrize("text", ["# nothing yet", "---\n", "---\n# nothing\n...\n"])
def test_a_yaml_document_without_content_is_empty(text):
    assert "the old document is empty; pass JSON or YAML" == refusal(text)


@pytest.mark.parametrize("digits", [400, 5_000])
def test_whole_numbers_that_no_program_holds_are_rejected_in_every_form(digits):
    number = 10**digits
    for source in ({"maximum": number}, "[1" + "0" * digits + "]"):
        assert "a number of hundreds of digits" in refusal(source)
    assert [10**300] == read([10**300])
