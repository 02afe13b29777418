from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import CatalogError, UnknownName
from hook_widgets.webhooks.body.template import Field, Template


def test_a_template_is_literal_text_and_fields_in_order():
    assert ("v0:", Field("timestamp"), ":", Field("body")) == Template("v0:{timestamp}:{body}").segments


def test_bytes_go_in_untouched_and_text_as_utf8():
    rendered = Template("{a}/{b}").render({"a": b"\xff\x00", "b": "é"})

    assert b"\xff\x00/\xc3\xa9" == rendered


def test_a_missing_field_names_the_nearest_one():
    with pytest.raises(UnknownName, match=r"needs \{timestmp\}.*'timestamp'"):
        Template("{timestmp}").render({"timestamp": "1"})


@pytest.mark.parametrize("text", ["{", "}", "{Body}", "{a b}", "{}", "x{1}"])
def test_a_brace_outside_a_field_is_rejected(text):
    with pytest.raises(CatalogError, match="brace"):
        Template(text)


def test_a_verbatim_template_keeps_its_braces():
    assert b'{"a": "{body}"}' == Template('{"a": "{body}"}', verbatim=True).render({})


def test_a_repeated_field_must_match_itself():
    assert {"a": "1"} == Template("{a}-{a}").match("1-1")
    assert None is Template("{a}-{a}").match("1-2")


@given(t=st.from_regex(r"[0-9]+", fullmatch=True), s=st.from_regex(r"[0-9a-f]*", fullmatch=True))
def test_matching_undoes_rendering(t, s):
    template = Template("t={timestamp},v1={signature}")

    assert {"timestamp": t, "signature": s} == template.match(
        template.render({"timestamp": t, "signature": s}).decode()
    )


@given(
    shape=st.sampled_from(["{a}-{b}", "{a}{b}", "-{a}.{b}-{c}", "{a}", "-", "{a}--{b}-", "t={a},v1={b}"]),
    text=st.text("-.at=,v1", max_size=12),
)
def test_a_text_is_cut_as_a_greedy_regular_expression_cuts_it(shape, text):
    pattern = re.sub(r"\\\{(\w)\\\}", r"(?P<\1>.*)", re.escape(shape))
    match = re.fullmatch(pattern, text, re.DOTALL)

    assert (match and match.groupdict()) == Template(shape).match(text)


@pytest.mark.parametrize("shape", ["00-{a}-{b}-01", "{a}-{b}-{c}!", "{a}-{a}!"])
def test_a_long_hostile_text_is_rejected_at_once(shape):
    assert None is Template(shape).match("-" * 1_000_000)
