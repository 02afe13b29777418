"""Test the Link field (RFC 8288)."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidNotice, VersioningError
from hook_widgets.versioning.notices.links import Link, build_links, parse_links, read_links
from tests.versioning.steps import steps

printable = st.text(alphabet=[chr(code) for code in range(0x20, 0x7F)], max_size=20)
targets = st.text(alphabet="abcXYZ019-._~:/?#[]@!$&'()*+,;=", max_size=20)
names = st.sampled_from(["type", "media", "title", "hreflang", "rev", "crossorigin", "x-y.z!"])
relations = st.sampled_from(
    ["deprecation", "sunset", "successor-version", "Next", "a.b-c", "https://example.com/rel;a,b?c=d"]
)
links = st.builds(
    Link,
    targets,
    st.lists(relations, min_size=1, max_size=3).map(" ".join),
    st.dictionaries(names, printable, max_size=4).map(lambda values: tuple(values.items())),
)
pieces = st.sampled_from(
    (
        *'<>;, \t="%é\x00\n\\',
        *("<a>", "</b?c,d;e>", "rel=next", 'rel="a b"', "rev=y", "title", "anchor=x", "type=text/html"),
        *("title*=UTF-8''%e2%82%ac", ';t="a,b;c<d>"'),
    )
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        # RFC 8288 section 3.5
        (
            '<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter"',
            [Link("http://example.com/TheBook/chapter2", "previous", (("title", "previous chapter"),))],
        ),
        ('</>; rel="http://example.net/foo"', [Link("/", "http://example.net/foo")]),
        ('</terms>; rel="copyright"; anchor="#foo"', [Link("/terms", "copyright", (("anchor", "#foo"),))]),
        (
            [
                "</TheBook/chapter2>; rel=\"previous\"; title*=UTF-8'de'letztes%20Kapitel",
                "</TheBook/chapter4>; rel=\"next\"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel",
            ],
            [
                Link("/TheBook/chapter2", "previous", (("title*", "UTF-8'de'letztes%20Kapitel"),)),
                Link("/TheBook/chapter4", "next", (("title*", "UTF-8'de'n%c3%a4chstes%20Kapitel"),)),
            ],
        ),
        (
            '<http://example.org/>; rel="start http://example.net/relation/other"',
            [Link("http://example.org/", "start http://example.net/relation/other")],
        ),
        (
            '<https://example.org/>; rel="start", <https://example.org/index>; rel="index"',
            [Link("https://example.org/", "start"), Link("https://example.org/index", "index")],
        ),
        # RFC 9745 section 3.1
        (
            '<https://developer.example.com/deprecation>; rel="deprecation"; type="text/html"',
            [Link("https://developer.example.com/deprecation", "deprecation", (("type", "text/html"),))],
        ),
        # RFC 8594 section 9
        (
            '<http://example.net/sunset>;rel="sunset";type="text/html"',
            [Link("http://example.net/sunset", "sunset", (("type", "text/html"),))],
        ),
    ],
)
def test_the_examples_of_the_rfcs_are_read(value, expected):
    assert tuple(expected) == parse_links(value)
    assert tuple(expected) == parse_links(build_links(expected))


def test_an_extended_title_is_decoded():
    # RFC 8288 section 3.5: the letter a with diaeresis, U+00E4
    (link,) = parse_links("</TheBook/chapter4>; rel=\"next\"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel")

    assert "nächstes Kapitel" == link.title


def test_the_extended_title_goes_before_the_plain_one():
    # RFC 8288 section 3.4.1
    (link,) = parse_links("<a>; rel=next; title=\"EUR\"; title*=utf-8''%e2%82%ac")

    assert "€" == link.title
    assert "EUR" == link.get("title")
    assert "" == Link("a", "next").title


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("<a>;rel=next", [("a", "next")]),
        ("  <a>\t;  REL = next  ", [("a", "next")]),
        ("<a>; rel=next,<b>; rel=prev", [("a", "next"), ("b", "prev")]),
        (["<a>; rel=next", "<b>; rel=prev, <c>; rel=up"], [("a", "next"), ("b", "prev"), ("c", "up")]),
        (", ,<a>; rel=next , ,\t, <b>; rel=prev,,", [("a", "next"), ("b", "prev")]),
        ("<a>;; ;rel=next; ", [("a", "next")]),
        ("<a,b;c?d=e;f,g>; rel=next", [("a,b;c?d=e;f,g", "next")]),
        ('<a>; title="x, <b>; rel=prev"; rel=next', [("a", "next")]),
        ('<a>; title="say \\"hi\\", \\\\"; rel=next', [("a", "next")]),
        ("<>; rel=self", [("", "self")]),
        ("<a%20b>; rel=next", [("a%20b", "next")]),
        ("<//[::1]:80/>; rel=next", [("//[::1]:80/", "next")]),
        ("<a>; rel=http://example.com/rel; type=text/html", [("a", "http://example.com/rel")]),
        ('<a>; rel="  next   prev "', [("a", "next prev")]),
        ('<a>; rel="next"; rel="prev"', [("a", "next")]),  # section 3.3: after the first, ignored
        ("<a>; rel=next; rev=made; foo", [("a", "next")]),
        ('<a>; rel="ne\\xt"', [("a", "next")]),
        ("", []),
        (" ,\t, ", []),
        ([], []),
    ],
)
def test_separators_inside_texts_and_targets_separate_nothing(value, expected):
    assert expected == [(link.target, link.rel) for link in parse_links(value)]


def test_names_are_in_lower_case_and_values_decoded():
    (link,) = parse_links('<a>; Rel="NEXT"; Title="say \\"hi\\", \\\\"; hreflang=de; HrefLang=en; flag; e=""')

    assert ("next",) == link.relations
    assert link.has("Next")
    assert not link.has("ne")
    assert 'say "hi", \\' == link.title
    assert (
        ("title", 'say "hi", \\'),
        ("hreflang", "de"),
        ("hreflang", "en"),
        ("flag", ""),
        ("e", ""),
    ) == link.attributes
    assert link.get("type") is None


@pytest.mark.parametrize("name", ["title", "type", "media", "anchor", "title*"])
def test_what_may_occur_once_counts_the_first_time(name):
    # RFC 8288 sections 3.4.1 and B.2
    one, two = ("UTF-8''a", "UTF-8''b") if name == "title*" else ("a", "b")
    (link,) = parse_links(f"<a>; rel=next; {name}={one}; {name}={two}")

    assert ((name, one),) == link.attributes


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("https://example.com/; rel=next", "character 1: expected a target in angle brackets"),
        ("<a; rel=next", "character 1: expected a target"),
        (
            "<a>; rel=next <b>; rel=prev",
            "character 14: expected a semicolon, a comma or the end, found ' <b>",
        ),
        ("<a> rel=next", "expected a semicolon, a comma"),
        ("<a>; rel=", "character 10: expected a value"),
        ("<a>; rel=;", "expected a value"),
        ('<a>; rel="next', "the second quotation mark"),
        ('<a>; rel="next\\"', "the second quotation mark"),
        ('<a>; rel="next"x', "expected a semicolon, a comma"),
        ("<a>; (=b; rel=next", "expected a semicolon, a comma"),
        ("<a>; rel=ü", "expected a value"),
        ("<a>; title=x", "has no rel; say how the target is related"),
        ("<a>", "has no rel"),
        ("<a>; rev=made", "'rev' alone is not enough"),
        ('<a>; rel=""', "needs one relation type or more"),
        ('<a>; rel="  "', "needs one relation type or more"),
        ('<a>; rel="a_b"', "use a registered one such as 'deprecation' or a URI"),
        ('<a>; rel="1a"', "use a registered one"),
        ('<a>; rel="http:"', "use a registered one"),
        ("<a b>; rel=next", "' ' at character 2 of its target; write it percent-encoded as %20"),
        ("<ä>; rel=next", "write it percent-encoded as %C3%A4"),
        ('<a"b>; rel=next', "percent-encoded as %22"),
        ("<a%2>; rel=next", "write a percent sign as %25"),
        ("<a>; rel=next; anchor=<x>", "expected a value"),
        ('<a>; rel=next; anchor="x y"', "character 2 of its anchor"),
        ("<a>; rel=next; title*=plain", "write UTF-8'' and the text percent-encoded"),
        ("<a>; rel=next; title*=ISO-8859-1''%e4", "write UTF-8''"),
        ("<a>; rel=next; title*=UTF-8''%e4", "not UTF-8"),
        ("<a>; rel=next; title*=UTF-8''%e", "write UTF-8''"),
        ("<a>; rel=next\r\nX: y", "control character"),
        ("<a\x00>; rel=next", "control character"),
    ],
)
def test_what_is_malformed_is_rejected_with_its_place(value, problem):
    with pytest.raises(InvalidNotice) as caught:
        parse_links(value)

    assert problem in str(caught.value)
    assert "link" == caught.value.field


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("</a b>; rel=next, </c>; rel=next", ["", "/c"]),
        ("</a>, </c>; rel=next", ["", "/c"]),
        ("<a; rel=next, <c>; rel=next", ["", "c"]),
        ("<a>; rel=, <c>; rel=next", ["", "c"]),
        ("junk, more, <c>; rel=next, <d>; rel=next", ["", "c", "d"]),
        ("<a>; rel=next junk, <c>; rel=next", ["", "c"]),
        ('<a>; rel="next, <c>; rel=next', [""]),  # the open quotation mark took all that follows
        (['<a>; rel="next', "<c>; rel=next"], ["", "c"]),
    ],
)
def test_a_malformed_link_does_not_hide_those_after_it(value, expected):
    assert expected == [link.target if isinstance(link, Link) else "" for link in read_links(value)]


@pytest.mark.parametrize(
    ("target", "rel", "attributes", "problem"),
    [
        ("https://example.com/a b", "next", (), "%20"),
        ("https://example.com/\r\nSet-Cookie: a=b", "next", (), "%0D"),
        ("https://exämple.com/", "next", (), "%C3%A4"),
        ("https://example.com/>; rel=evil", "next", (), "%3E"),
        ("https://example.com/\ud800", "next", (), "percent-encoded"),
        ("https://example.com/100%", "next", (), "%25"),
        (None, "next", (), "its target as text"),
        ("a", "next\r\nX: y", (), "relation type"),
        ("a", 'next"; x="', (), "relation type"),
        ("a", "", (), "one relation type or more"),
        ("a", "a  b", (), "one relation type or more"),
        ("a", " a", (), "one relation type or more"),
        ("a", "a\tb", (), "relation type"),
        ("a", ["next"], (), "rel as text"),
        ("a", "next", {"type": "text/html"}, "tuple of pairs"),
        ("a", "next", (("type",),), "pairs of texts"),
        ("a", "next", (("type", 5),), "pairs of texts"),
        ("a", "next", ("ab",), "pairs of texts"),
        ("a", "next", (("rel", "prev"),), "rel twice"),
        ("a", "next", (("type", "a"), ("type", "b")), "type twice"),
        ("a", "next", (("Type", "a"),), "token in lower case"),
        ("a", "next", (("x y", "a"),), "token in lower case"),
        ("a", "next", (("", "a"),), "token in lower case"),
        ("a", "next", (("title", "a\r\nX: y"),), "control character"),
        ("a", "next", (("anchor", "a b"),), "anchor"),
        ("a", "next", (("title*", "abc"),), "RFC 8187"),
    ],
)
def test_a_link_that_cannot_be_written_is_not_made(target, rel, attributes, problem):
    with pytest.raises(InvalidNotice) as caught:
        Link(target, rel, attributes)

    assert problem in str(caught.value)
    assert "link" == caught.value.field


def test_quotation_marks_and_backslashes_are_escaped():
    link = Link("a", "next", (("title", 'a "b", \\c; rel="evil'),))

    assert '<a>; rel="next"; title="a \\"b\\", \\\\c; rel=\\"evil"' == build_links([link])
    assert (link,) == parse_links(build_links([link]))


def test_a_title_that_is_not_ascii_is_written_as_an_extended_one():
    # RFC 8187 section 3.2.2 encodes "€ rates" so
    built = build_links([Link("a", "next", (("title", "€ rates"),))])

    assert "<a>; rel=\"next\"; title*=UTF-8''%E2%82%AC%20rates" == built
    assert "€ rates" == parse_links(built)[0].title


@pytest.mark.parametrize(
    "attributes",
    [
        (("type", "é"),),
        (("title", "\ud800"),),
        (("title", "a\tb"),),
        (("title", "é"), ("title*", "UTF-8''%c3%a9")),
    ],
)
def test_what_the_field_cannot_carry_is_rejected_when_it_is_written(attributes):
    with pytest.raises(InvalidNotice, match="Link"):
        build_links([Link("a", "next", attributes)])


def test_a_field_without_links_is_left_out():
    with pytest.raises(InvalidNotice, match="leave the field out"):
        build_links([])
    with pytest.raises(InvalidNotice, match="built from Link records"):
        build_links(iter(["<a>; rel=next"]))  # type: ignore[arg-type]


@given(st.lists(links, min_size=1, max_size=4))
def test_what_is_written_is_read_again(given_links):
    assert tuple(given_links) == parse_links(build_links(given_links))


@given(st.text())
def test_any_title_is_read_again(title):
    try:
        written = build_links([Link("a", "next", (("title", title),))])
    except VersioningError:
        assert any(
            character < " " or character == "\x7f" or "\ud800" <= character < "\ue000" for character in title
        )
    else:
        assert title == parse_links(written)[0].title


@given(st.text(), st.text(), st.text(), st.text())
def test_nothing_injects_a_line_or_another_link(target, rel, name, value):
    with contextlib.suppress(VersioningError):
        link = Link(target, rel, ((name, value),))
        written = build_links([link])

        assert written.isprintable()
        assert 1 == len(parse_links(written))


@given(st.one_of(st.text(), st.lists(pieces, max_size=12).map("".join), st.lists(st.text(), max_size=3)))
def test_no_other_error_leaves_the_parser(value):
    with contextlib.suppress(VersioningError):
        parse_links(value)


@pytest.mark.parametrize("value", [None, 5, b"<a>; rel=next", [b"<a>; rel=next"], [None]])
def test_only_text_is_read(value):
    with pytest.raises(InvalidNotice, match="text"):
        parse_links(value)


@pytest.mark.parametrize(
    "value",
    [
        "<" * 100_000,
        "<a>;" * 25_000,
        "<a>" + ";" * 100_000,
        "<a>" + "; " * 50_000 + "@",
        "," * 100_000 + "x",
        ", " * 50_000 + "x",
        " " * 100_000 + "x",
        "<a>" + " " * 100_000 + "x",
        "<a>;b" + " " * 100_000 + "c",
        '<a>;b="' + "\\" * 100_000,
        '<a>;b="' + "\\\\" * 50_000 + "\\",
        ',<a>;b="' * 12_500,
        ",<a b>;c" * 12_500,
        ",<a>;b=(" * 12_500,
        ",<a>;b=;" * 12_500,
        "<a>;rel=x" + ";b=c" * 25_000,
        '<a>;rel="' + "a " * 50_000 + '"',
        "<a>;rel=x;title*=UTF-8''" + "%20" * 33_000 + "%",
        "<" + "%" * 100_000 + ">;rel=x",
    ],
    ids=lambda value: value[:12],
)
def test_a_hostile_text_of_100_kb_is_read_once(value):
    # Quadratic steps would be 10^10 here, and the run would not end.
    assert 100_020 > len(value)
    for link in read_links(value):
        assert isinstance(link, Link | InvalidNotice)


@pytest.mark.parametrize(
    "piece", ["<", "<a>;rel=x,", "<a>;", ",", '<a>;b="', ",<a b>;c", ",<a>;b=(", "<a>;rel=x;b=c ", ";", " "]
)
def test_twice_the_text_is_at_most_twice_the_work(piece):
    once = steps(lambda: list(read_links(piece * 1_000)))

    assert 2.1 * once >= steps(lambda: list(read_links(piece * 2_000)))
