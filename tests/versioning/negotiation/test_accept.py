"""Test parsing of Accept: the examples of RFC 9110, and every kind of malformed value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.versioning.negotiation import accept
from hook_widgets.versioning.negotiation.accept import MAX_WEIGHT, MediaRange, accepted_versions, parse_accept
from hook_widgets.versioning.release import MAX_MAJOR
from tests.support.work import grows_linearly, never_backtracks

OURS = "application/vnd.example.v{}+json"


def texts(value: str) -> list[tuple[str, int]]:
    return [(f"{r.type}/{r.subtype}", r.weight) for r in parse_accept(value) if isinstance(r, MediaRange)]


# --- the field ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        # RFC 9110 section 12.5.1, in its order.
        ("audio/*; q=0.2, audio/basic", [("audio/*", 200), ("audio/basic", 1000)]),
        (
            "text/plain; q=0.5, text/html,\ttext/x-dvi; q=0.8, text/x-c",
            [("text/plain", 500), ("text/html", 1000), ("text/x-dvi", 800), ("text/x-c", 1000)],
        ),
        (
            "text/*, text/plain, text/plain;format=flowed, */*",
            [("text/*", 1000), ("text/plain", 1000), ("text/plain", 1000), ("*/*", 1000)],
        ),
        (
            (
                "text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, "
                "text/plain;format=fixed;q=0.4, */*;q=0.5"
            ),
            [("text/*", 300), ("text/plain", 700), ("text/plain", 1000), ("text/plain", 400), ("*/*", 500)],
        ),
        # Section 5.6.1.2: empty members say nothing.
        ("a/foo , ,a/bar,a/charlie,", [("a/foo", 1000), ("a/bar", 1000), ("a/charlie", 1000)]),
        ("", []),
        (" ,\t,", []),
    ],
)
def test_a_field_is_a_list_of_ranges_with_weights(value, expected):
    assert expected == texts(value)


@pytest.mark.parametrize(
    "value",
    # RFC 9110 section 8.3.1 calls these equivalent.
    ["text/html;charset=utf-8", 'Text/HTML;Charset="utf-8"', 'text/html; charset="utf-8"'],
)
def test_letter_case_and_quotes_make_no_difference(value):
    assert (MediaRange("text", "html", (("charset", "utf-8"),)),) == parse_accept(value)


@pytest.mark.parametrize(
    ("written", "weight"),
    [
        ("0", 0),
        ("0.", 0),
        ("0.0", 0),
        ("0.000", 0),
        ("0.001", 1),
        ("0.01", 10),
        ("0.5", 500),
        ("0.50", 500),
        ("0.999", 999),
        ("1", 1000),
        ("1.", 1000),
        ("1.000", 1000),
    ],
)
def test_a_weight_has_up_to_three_decimals(written, weight):
    assert [("a/b", weight)] == texts(f"a/b;q={written}")
    assert [("a/b", weight)] == texts(f"a/b ;\t Q={written}")


@pytest.mark.parametrize(
    "written",
    [
        "",
        "-0",
        "-1",
        "+1",
        "2",
        "1.1",
        "1.001",
        "1.0000",
        "0.0001",
        ".5",
        "1e0",
        '"0.5"',
        "high",
        "٠.٥",
        "NaN",
    ],
)
def test_any_other_weight_makes_the_member_malformed(written):
    assert (f"a/b;q={written}", MediaRange("c", "d")) == parse_accept(f"a/b;q={written}, c/d")


def test_a_comma_for_the_decimal_point_makes_two_members():
    assert (MediaRange("a", "b", weight=0), "5") == parse_accept("a/b;q=0,5")


@pytest.mark.parametrize(
    "member",
    [
        "text",
        "text/",
        "/html",
        "*",
        "*;q=.2",
        "text/html/x",
        "text /html",
        "text/ html",
        "text/html; charset = utf-8",
        "text/html;charset",
        "text/html;=utf-8",
        "text/html;charset=",
        'text/html;charset="utf-8',
        'text/html;charset="utf-8"x',
        'text/html;charset="a\x00b"',
        "text/html;q=0.5;q=0.5",
        "text/html charset=utf-8",
        "text/html\r\n",
        "text/\x00html",
        "téxt/html",
        "(text)/html",
    ],
)
def test_a_member_that_the_grammar_does_not_know_is_malformed_alone(member):
    """Its neighbours are still parsed, unless it opens a quote."""
    assert (MediaRange("a", "b"), member) == parse_accept(f"a/b, {member}")
    if member.count('"') != 1:
        assert (member, MediaRange("c", "d")) == parse_accept(f"{member},c/d")


def test_commas_semicolons_and_quotes_inside_quotes_separate_nothing():
    assert (MediaRange("a", "b", (("x", 'c, d/e;q=0 "f"\\'),), 300), MediaRange("g", "h")) == parse_accept(
        'a/b;x="c, d/e;q=0 \\"f\\"\\\\";q=0.3, g/h'
    )


def test_a_quote_that_never_ends_takes_the_rest_with_it():
    assert ('a/b;x="c, d/e',) == parse_accept('a/b;x="c, d/e')
    assert ('a/b;x="c\\',) == parse_accept('a/b;x="c\\')
    assert ('a/b;x="c\\\n, d"', MediaRange("e", "f")) == parse_accept('a/b;x="c\\\n, d", e/f')


def test_semicolons_with_nothing_behind_them_are_allowed():
    """RFC 9110 section 5.6.6: a parameter may be missing."""
    assert (MediaRange("a", "b", (("x", "1"),), 500),) == parse_accept("a/b;; x=1;\t;q=0.5 ;")


def test_a_weight_counts_wherever_it_stands():
    """RFC 9110 section 12.5.1: recipients should process any parameter named q as weight."""
    assert (MediaRange("a", "b", (("x", "1"), ("y", "2")), 100),) == parse_accept("a/b;x=1;q=0.1;y=2")


@given(st.text(st.sampled_from('a/*;q=01.,"\\ \tv'), max_size=60) | st.text())
def test_any_text_is_read_and_each_member_is_in_it(value):
    for member in parse_accept(value):
        if isinstance(member, str):
            assert member in value
        else:
            assert 0 <= member.weight <= MAX_WEIGHT
    accepted_versions(value, "example")


@pytest.mark.parametrize(
    ("before", "piece", "after"),
    [
        ("a/b;", "; \t", "!"),
        ("a/b", " ;", '"'),
        ('a/b;x="', '\\"', ""),
        ("", 'a"', 'a"'),
        ("", ",", ""),
        ("a/b;q=0.", "0", ""),
        ("application/vnd.example.v", "9", "+json"),
        ("", "application/vnd.example.v1+json;q=0.1, ", ""),
    ],
)
def test_the_work_for_a_hostile_value_grows_as_its_length(before, piece, after):
    def read(count: int) -> None:
        hostile = before + piece * count + after
        parse_accept(hostile)
        accepted_versions.__wrapped__("vnd.example" + hostile, "example")

    grows_linearly(read, 500)


@pytest.mark.parametrize("expression", [accept._RANGE, accept._MEMBER, accept._PARAMETER])
def test_the_expressions_never_backtrack(expression):
    assert never_backtracks(expression)


# --- the versions in it -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "majors"),
    [
        (OURS.format(2), (2,)),
        ("Application/VND.Example.V2+JSON", (2,)),
        (f"{OURS.format(1)}, {OURS.format(3)}, {OURS.format(2)}", (3, 2, 1)),
        (f"{OURS.format(1)};q=0.8, {OURS.format(3)};q=0.799", (1, 3)),
        (f"{OURS.format(1)};q=0.5, {OURS.format(2)};q=0.1, {OURS.format(1)};q=0.05", (1, 2)),
        (f"{OURS.format(1)};charset=utf-8;q=0.2, */*;q=0.9, application/json", (1,)),
        (f'{OURS.format(1)};profile="a, b"', (1,)),
        (f"{OURS.format(1)};version=1", (1,)),
        (f"text/html;q=7, {OURS.format(1)}", (1,)),
    ],
)
def test_the_versions_come_in_the_order_of_their_weights(value, majors):
    assert majors == accepted_versions(value, "example").majors
    assert "" == accepted_versions(value, "example").malformed


@pytest.mark.parametrize(
    "value",
    [
        "",
        "*/*",
        "application/*;q=0.1",
        "application/json",
        "application/json;version=1",
        "application/vnd.other.v1+json",
        "application/vnd.example2.v1+json",
        "application/vnd.examplev1+json",
        "application/vnd.example-2.v1+json;q=9",
        "application/vnd.example+json",
        "application/vnd.example.orders.v1+json",
        "application/vnd.example.videos+json",
        "application/x.vnd.example.v1+json",
        "text/vnd.example.v1+json",
        'text/html;profile="application/vnd.example.v9+json"',
        "garbage, ;;;, text/html;q=high",
    ],
)
def test_what_names_no_version_of_ours_says_nothing(value):
    versions = accepted_versions(value, "example")

    assert ((), (), "", "") == (versions.majors, versions.excluded, versions.other_format, versions.malformed)


def test_a_weight_of_zero_excludes_a_version_unless_another_range_wants_it():
    versions = accepted_versions(
        f"{OURS.format(1)};q=0, {OURS.format(2)};q=0.000, {OURS.format(2)};q=0.001", "example"
    )

    assert ((2,), (1,)) == (versions.majors, versions.excluded)


@pytest.mark.parametrize(
    "member",
    [
        *map(OURS.format, ("02", "+2", "-2", "2.0", "0", "", "2beta", "1e3", "٢", "2 ")),
        "application/vnd.example.v+json",
        "application/vnd.example.v2.raw+json",
        "application/vnd.example.v2+json+json",
        f"{OURS.format(2)};q=1.5",
        f"{OURS.format(2)};q=",
        f"{OURS.format(2)};q=0.5;q=0.4",
        f"{OURS.format(2)} q=0.5",
        f'{OURS.format(2)};x="',
        f"{OURS.format(2)};version=1",
        f"{OURS.format(2)};version=2;version=1",
        f"{OURS.format(2)};version=02",
        "application/vnd.example+json;version=2",
        "vnd.example.v2+json",
    ],
)
def test_a_malformed_member_that_names_us_is_a_fault_even_beside_a_good_one(member):
    versions = accepted_versions(f"{OURS.format(1)}, {member}", "example")

    assert versions.malformed
    assert () == versions.majors


@pytest.mark.parametrize("subtype", ["vnd.example.v2+xml", "vnd.example.v2", "vnd.example.v2+"])
def test_another_format_is_an_alternative_that_there_is_not(subtype):
    versions = accepted_versions(f"application/{subtype}, {OURS.format(1)};q=0.1", "example")

    assert ((1,), f"application/{subtype}") == (versions.majors, versions.other_format)
    assert "" == accepted_versions(f"application/{subtype};q=0", "example").other_format


def test_a_number_too_long_for_any_version_is_still_one():
    assert (MAX_MAJOR + 1,) == accepted_versions(OURS.format("9" * 5000), "example").majors


@pytest.mark.parametrize(
    ("value", "majors", "malformed"),
    [
        ("application/json;v=1.0", (1,), ""),
        ("application/json; V=2", (2,), ""),
        ('application/json;v="2"', (2,), ""),
        ("application/vnd.acme+json;v=2", (2,), ""),
        ("application/vnd.acme.v1+json, application/json;v=2;q=0.5", (1, 2), ""),
        ("application/json;v=2022-11-28", (20221128,), ""),
        ("application/json;v=1.1", (), "application/json;v=1.1"),
        ("application/json;v=x", (), "application/json;v=x"),
        ("application/json;version=1, text/html;v=1, application/vnd.other+json;v=1", (), ""),
        ("application/json", (), ""),
    ],
)
def test_a_parameter_of_the_media_type_names_a_version_if_the_api_has_one(value, majors, malformed):
    """Asp.Versioning reads application/json;v=1.0."""
    accepted = accepted_versions(value, "acme", "v")

    assert (majors, malformed) == (accepted.majors, accepted.malformed)
    assert not {*accepted_versions(value, "acme").majors} - {1}, "without it only vnd.acme.v1 names one"


def test_a_vendor_may_have_several_facets_and_odd_characters():
    assert (3,) == accepted_versions("application/vnd.big&co.shop.v3+json", "big&co.shop").majors
    assert "" == accepted_versions("application/vnd.example&co.v02+json;q=9", "example").malformed
