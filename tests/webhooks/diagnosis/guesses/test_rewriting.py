"""Re-serialized JSON agrees with encoders that are not ours, and keeps what is not named."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.webhooks.diagnosis.guesses import json_rewriting
from hook_widgets.webhooks.diagnosis.guesses.json_rewriting import COMPACT, SPACED, JsonText, Layout

# Python escapes DEL in ASCII, other encoders do not.
_TEXTS = st.text(st.characters(exclude_characters="\x7f"))
_LEAVES = (
    st.none() | st.booleans() | st.integers() | _TEXTS | st.floats(allow_nan=False, allow_infinity=False)
)
_VALUES = st.recursive(_LEAVES, lambda inner: st.lists(inner) | st.dictionaries(_TEXTS, inner), max_leaves=20)
_DOCUMENTS = st.lists(_VALUES) | st.dictionaries(_TEXTS, _VALUES)


def _read(text):
    document = JsonText.read(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
    assert document is not None
    return document


@given(_DOCUMENTS)
def test_layouts_are_those_of_the_standard_library(value):
    read = _read(json.dumps(value))

    assert json.dumps(value, separators=(",", ":")) == read.write(COMPACT)
    assert json.dumps(value) == read.write(SPACED)
    assert json.dumps(value, indent=2) == read.write(Layout(",", ": ", "  "))
    assert json.dumps(value, indent="\t") == read.write(Layout(",", ": ", "\t"))


@given(_DOCUMENTS)
def test_sorting_is_that_of_the_standard_library(value):
    sorted_text = _read(json.dumps(value, indent=1)).sorted

    assert sorted_text is not None
    assert json.dumps(value, sort_keys=True) == sorted_text.write(SPACED)


@given(_DOCUMENTS)
def test_escapes_come_and_go(value):
    escaped = json.dumps(value)
    try:
        plain = json.dumps(value, ensure_ascii=False)
        plain.encode()
    except UnicodeEncodeError:  # half a surrogate pair has no other spelling
        assert escaped == json_rewriting.unescaped(escaped)
        return

    assert escaped == json_rewriting.ascii_escaped(plain)
    assert json.loads(escaped) == json.loads(json_rewriting.unescaped(escaped))
    assert json.loads(escaped) == json.loads(json_rewriting.slashes_escaped(escaped))
    assert escaped == json_rewriting.slashes_unescaped(json_rewriting.slashes_escaped(escaped))
    assert json.loads(plain) == json.loads(json_rewriting.html_escaped(plain))


@pytest.mark.parametrize("text", ['{"n":1.50,"n":1E+2,"m":-0}', "[1.0, 100000000000000000000]"])
def test_spellings_and_duplicate_keys_stay(text):
    assert text.replace(" ", "") == _read(text).write(COMPACT)


def test_members_that_are_null_can_be_left_out_at_any_depth():
    read = _read('{"a":null,"b":{"c":null,"d":[null,{"e":null}]},"n":1.50}')

    without = read.without_nulls()

    assert without is not None
    assert '{"b":{"d":[null,{}]},"n":1.50}' == without.write(COMPACT)
    assert _read('{"a":1}').without_nulls() is None


@pytest.mark.parametrize("body", [b"", b"1", b'"x"', b"{", b'{"a":}', b"a=b", b"\xff{}", b"[" * 100_000])
def test_what_is_no_json_object_or_array_is_none(body):
    assert JsonText.read(body) is None


def test_a_byte_order_mark_and_space_in_front_are_no_hindrance():
    assert JsonText.read(b'\xef\xbb\xbf {"a":1}') is not None


def test_objects_that_are_nested_too_deep_are_not_sorted():
    assert _read('{"a":' * 300 + "1" + "}" * 300).sorted is None


@pytest.mark.parametrize(
    ("number", "as_float", "as_shortest"),
    [
        ("6", "6.0", "6"),
        ("-6", "-6.0", "-6"),
        ("6.0", "6.0", "6"),
        ("1.50", "1.50", "1.5"),
        ("1e3", "1e3", "1e3"),
    ],
)
def test_numbers_are_spelled_as_other_languages_do(number, as_float, as_shortest):
    assert as_float == json_rewriting.as_float(number)
    assert as_shortest == json_rewriting.as_shortest(number)


@given(_DOCUMENTS, st.sampled_from([None, 1]), st.data())
def test_replaced_tokens_are_those_of_a_text_written_again(value, indent, data):
    read = _read(json.dumps(value, indent=indent).replace("[]", "[ ]"))
    positions = data.draw(st.lists(st.integers(0, len(read.tokens) - 1), unique=True)) if read.tokens else []
    values = {i: data.draw(st.sampled_from(["null", '"é"', "{ }", "1.50"])) for i in positions}

    assert read.with_tokens(values).text == read.replaced(values)
    if read._is_wide:
        for layout in (COMPACT, SPACED, Layout(",", ": ", "  ")):
            assert read.with_tokens(values).write(layout) == read.replaced_in(layout, values)
