"""Test locating versions in paths and queries: RFC 3986 normalisation, and hostile input."""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes, urljoin

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hook_widgets.versioning.negotiation.version_location import (
    LocatedVersion,
    clean,
    in_header,
    in_query,
    is_attempt,
    locate_version,
    major_of,
    without_dots,
)
from hook_widgets.versioning.release import MAX_MAJOR

SEGMENTS = st.sampled_from([".", "..", "a", "v2", "%2e", "%2E%2e", ".%2E", "...", "%2f", "api"])
PATHS = st.lists(SEGMENTS, max_size=7).map(lambda segments: "/" + "/".join(segments))


def decoded_dots(path: str) -> str:
    return re.sub("%2e", ".", path, flags=re.IGNORECASE)


# --- the path -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("/api/v2/orders", LocatedVersion("v2", "/orders", "")),
        ("/api/v2/orders/", LocatedVersion("v2", "/orders/", "")),
        ("/api/v2/orders?limit=5&q=a/b?c", LocatedVersion("v2", "/orders", "?limit=5&q=a/b?c")),
        ("/api/v2/", LocatedVersion("v2", "/", "")),
        ("/api/v2", LocatedVersion("v2", "", "")),
        ("/api/v2?x", LocatedVersion("v2", "", "?x")),
        ("/api/", LocatedVersion(None, "/", "")),
        ("/api", LocatedVersion(None, "", "")),
        ("/api?", LocatedVersion(None, "", "?")),
        ("/api/orders/v2", LocatedVersion(None, "/orders/v2", "")),
        ("/api//v2", LocatedVersion(None, "//v2", "")),
        ("/api/2/orders", LocatedVersion(None, "/2/orders", "")),
        ("/api/videos", LocatedVersion(None, "/videos", "")),
        ("/api/v2/v1/orders", LocatedVersion("v2", "/v1/orders", "")),
        # What is escaped without need is the same (RFC 3986 section 6.2.2.2) ...
        ("/%61pi/v2/orders", LocatedVersion("v2", "/orders", "")),
        ("/api/%762/orders", LocatedVersion("v2", "/orders", "")),
        ("/api/v%32/%6frders", LocatedVersion("v2", "/%6frders", "")),
        # ... and an escaped slash separates nothing.
        ("/api/v2%2Forders", LocatedVersion("v2/orders", "", "")),
        ("/api/orders%2Fv2/x", LocatedVersion(None, "/orders%2Fv2/x", "")),
        # Shapes that name no version that could be, but mean one.
        ("/api/v02/x", LocatedVersion("v02", "/x", "")),
        ("/api/v+2/x", LocatedVersion("v+2", "/x", "")),
        ("/api/v%2B2/x", LocatedVersion("v+2", "/x", "")),
        ("/api/v%202/x", LocatedVersion("v 2", "/x", "")),
        ("/api/v%D9%A2/x", LocatedVersion("v٢", "/x", "")),
        ("/api/v٢/x", LocatedVersion("v٢", "/x", "")),
        ("/api/v/x", LocatedVersion("v", "/x", "")),
        ("/api/V2/x", LocatedVersion("V2", "/x", "")),
        ("/api/v2;a=b/x", LocatedVersion("v2;a=b", "/x", "")),
        ("/api/v2%00/x", LocatedVersion("v2\0", "/x", "")),
        ("/api/v%FF2/x", LocatedVersion("v\ufffd2", "/x", "")),
        # Absolute form (RFC 9112 section 3.2.2).
        ("http://api.example.com/api/v2/x?y", LocatedVersion("v2", "/x", "?y")),
        ("HTTPS://user:pw@evil.example:8443/api/v2", LocatedVersion("v2", "", "")),
    ],
)
def test_the_version_is_the_segment_behind_the_prefix(target, expected):
    assert expected == locate_version(target, "/api")


@pytest.mark.parametrize(
    "target",
    [
        "",
        "/",
        "*",
        "api/v2",
        "/apiary/v2",
        "/api-v2/orders",
        "/API/v2",
        "//api/v2",
        "/v2/api",
        "/x/api/v2",
        "/api%2Fv2",
        "/%2561pi/v2",
        "/api%/v2",
        "/api%0/v2",
        "\\api\\v2",
        "?/api/v2",
        "#/api/v2",
        "api.example.com:443",
        "http://api.example.com",
        "ftp://api.example.com/api/v2",
        "http:/api/v2",
        "/api/../v2",
        "/api/v2/../../admin",
        "/api/%2e%2e/admin",
    ],
)
def test_what_is_not_under_the_prefix_is_none_of_our_business(target):
    assert locate_version(target, "/api") is None


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("/api/v2/../v1/orders", LocatedVersion("v1", "/orders", "")),
        ("/api/v2/%2E%2e/v1/orders", LocatedVersion("v1", "/orders", "")),
        ("/x/../api/v1/orders", LocatedVersion("v1", "/orders", "")),
        ("/x/.%2e/%61pi/./v1/orders", LocatedVersion("v1", "/orders", "")),
        ("/api/v2/a/..", LocatedVersion("v2", "/", "")),
        ("/api/v2/.", LocatedVersion("v2", "/", "")),
        ("/api/v2/...", LocatedVersion("v2", "/...", "")),
        ("/api/v2/x?p=/../../v1", LocatedVersion("v2", "/x", "?p=/../../v1")),
    ],
)
def test_dot_segments_are_gone_before_the_version_is_read(target, expected):
    """Otherwise a removed version could be reached through a server that removes dot segments later."""
    assert expected == locate_version(target, "/api")


def test_without_a_prefix_each_path_is_ours():
    assert LocatedVersion("v2", "/orders", "") == locate_version("/v2/orders", "")
    assert LocatedVersion(None, "//evil.example/x", "") == locate_version("//evil.example/x", "")
    assert LocatedVersion(None, "/", "") == locate_version("http://api.example.com", "")
    assert LocatedVersion(None, "/", "?x") == locate_version("http://api.example.com?x", "")
    assert locate_version("*", "") is None


def test_a_prefix_may_have_several_segments():
    assert LocatedVersion("v2", "/x", "") == locate_version("/shop/api/v2/x", "/shop/api")
    assert LocatedVersion("v2", "/x", "") == locate_version("/sh%6Fp/%61pi/v2/x", "/shop/api")
    assert locate_version("/shop%2Fapi/v2/x", "/shop/api") is None
    assert locate_version("/sh%6Fp", "/shop/api") is None
    assert locate_version("/shop%2Fapi", "/shop/api") is None


def test_a_path_that_names_no_versions_is_left_whole():
    assert LocatedVersion(None, "/v2/orders", "") == locate_version("/api/v2/orders", "/api", in_path=False)


@given(PATHS)
@example("/a/b/c/./../../g")  # RFC 3986 section 5.2.4
@example("/mid/content=5/../6")
def test_dot_segments_go_as_the_standard_library_resolves_them(path):
    theirs = urljoin("http://host/", decoded_dots(path))

    assert theirs == "http://host" + decoded_dots(without_dots(path))


@pytest.mark.parametrize(("path", "expected"), [("/a//../b", "/a/b"), ("/a/..//b", "//b"), ("/..//", "//")])
def test_an_empty_segment_is_one_like_others(path, expected):
    """By the steps of RFC 3986 section 5.2.4; urljoin of the standard library drops it."""
    assert expected == without_dots(path)


@given(st.text(), st.sampled_from(["", "/api", "/shop/api"]), st.booleans())
def test_any_target_can_be_taken_apart(target, prefix, in_path):
    for written in (target, "/" + target, f"{prefix}/{target}", f"{prefix}/v{target}"):
        spot = locate_version(written, prefix, in_path=in_path)
        if spot is not None:
            assert spot.path[:1] in ("", "/")
            assert spot.query[:1] in ("", "?")
            assert spot.version is None or is_attempt(spot.version)


# --- numbers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "02",
        "+2",
        "-2",
        " 2",
        "2 ",
        "2.0",
        "2e0",
        "0x2",
        "1_000",
        "٢",
        "1٢",
        "２",
        "²",
        "Ⅱ",
        "2\n",
        "v2",
        "two",
        "None",
    ],
)
def test_only_plain_ascii_digits_are_a_version(text):
    assert major_of(text) is None


def test_a_number_of_any_length_is_read():
    assert MAX_MAJOR == major_of(str(MAX_MAJOR))
    assert MAX_MAJOR < (major_of(str(MAX_MAJOR + 1)) or 0)
    assert MAX_MAJOR + 1 == major_of("9" * 100_000)


@pytest.mark.parametrize(
    "text", ["v2", "v0", "v-1", "v.2", "v²", "v２", "v1beta1", "V", "v", "v?", "v~", "v 2"]
)
def test_a_v_with_a_number_means_a_version(text):
    assert is_attempt(text)


@pytest.mark.parametrize(
    "text", ["", "2", "video", "vienna", "V_x", "v-cards", "v{version}", "_v2", "ver2", "ѵ2"]
)
def test_other_names_are_resources(text):
    assert not is_attempt(text)


# --- header and query ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["2"], ("2",)),
        (["\t 2 "], ("2",)),
        (["2", "2"], ("2",)),
        (["2,2"], ("2",)),
        (["2", "3"], ("2", "3")),
        (["2, 3"], ("2", "3")),
        ([""], ("",)),
        (["2,"], ("2", "")),
        (["2\r\n"], ("2\r\n",)),
        (["\u00a02"], ("\u00a02",)),
        (['"2"'], ('"2"',)),
    ],
)
def test_a_header_is_split_at_commas_and_loses_only_spaces_and_tabs(values, expected):
    assert expected == in_header(values)


@pytest.mark.parametrize(
    ("query", "asked", "rest"),
    [
        ("", (), ""),
        ("?", (), "?"),
        ("?limit=5", (), "?limit=5"),
        ("?version=2", ("2",), ""),
        ("?version=2&version=2", ("2",), ""),
        ("?version=2&a=1&version=3", ("2", "3"), "?a=1"),
        ("?a=1&version=2&b=%20+&&c", ("2",), "?a=1&b=%20+&&c"),
        ("?%76ersion=%32", ("2",), ""),
        ("?version=", ("",), ""),
        ("?version", ("",), ""),
        ("?version=+2", (" 2",), ""),
        ("?version=%2B2", ("+2",), ""),
        ("?version=2=3", ("2=3",), ""),
        ("?version=%D9%A2", ("٢",), ""),
        ("?version=%FF", ("\ufffd",), ""),
        ("?version=2;a=1", ("2;a=1",), ""),
        ("?Version=2&version[]=3&xversion=4&a=version", (), "?Version=2&version[]=3&xversion=4&a=version"),
        ("?a=%zz%", (), "?a=%zz%"),
        ("??version=2", (), "??version=2"),
    ],
)
def test_a_query_is_read_as_forms_are_and_what_remains_stays_as_written(query, asked, rest):
    assert (asked, rest) == in_query(query)


# --- addresses ----------------------------------------------------------------------------------------------

URI = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*")


@given(st.text() | st.binary().map(lambda data: data.decode("utf-8", "surrogateescape")))
@example("\r\nSet-Cookie: a=b")
@example("/\\evil.example")
@example("\ud800")
@example("%zz%4")
def test_a_clean_address_has_only_what_a_uri_may_hold_and_cleaning_again_changes_nothing(address):
    cleaned = clean(address)

    assert URI.fullmatch(cleaned)
    assert cleaned == clean(cleaned)


@given(st.text(st.characters(exclude_characters="%", exclude_categories=["Cs"])))
def test_cleaning_only_escapes(address):
    assert address.encode() == unquote_to_bytes(clean(address))


def test_bytes_beyond_ascii_come_back_as_they_were():
    assert "/caf%C3%A9/%FF" == clean(b"/caf\xc3\xa9/\xff".decode("utf-8", "surrogateescape"))
