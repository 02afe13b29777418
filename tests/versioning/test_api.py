"""Test the validation of `Api`, and the status of versions at a time."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.deprecation_schedule import lifecycle
from hook_widgets.versioning.negotiation.version_location import VersionLocation
from hook_widgets.versioning.notices.links import parse_links
from hook_widgets.versioning.notices.warning_header import parse_warnings
from hook_widgets.versioning.release import HeadersBegin, Release, Status

AT = datetime(2026, 11, 20, 9, tzinfo=UTC)
TICK = timedelta(microseconds=1)
REMOVED = lifecycle(datetime(2024, 1, 15, 9, tzinfo=UTC))  # until 15 July 2025
ENDING = lifecycle(datetime(2026, 1, 15, 9, tzinfo=UTC))  # until 15 July 2027
COMING = lifecycle(datetime(2027, 1, 15, 9, tzinfo=UTC))

ORDERS = Api(
    name="Orders API",
    releases=(
        Release(1, lifecycle=REMOVED),
        Release(2, lifecycle=ENDING),
        Release(3, lifecycle=COMING),
        Release(4),
        Release(5, stable=False),
        Release(6, released=AT + timedelta(days=1)),
    ),
    migration_guide="https://example.com/from-{old}-to-{new}",
)


def refusal(**arguments: Any) -> InvalidApi:
    with pytest.raises(InvalidApi) as caught:
        Api(**{"releases": (Release(1),), **arguments})
    return caught.value


# --- what it refuses ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": " "}, "name"),
        ({"name": "Orders\r\nX: 1"}, "name"),
        ({"name": None}, "name"),
        ({"releases": ()}, "versions"),
        ({"releases": None}, "versions"),
        ({"releases": (1, 2)}, "versions.0"),
        ({"releases": (Release(2), Release(1), Release(2))}, "versions.2.major"),
        ({"releases": (Release(1, stable=False),)}, "versions"),
        ({"releases": (Release(2, AT), Release(1, AT + TICK))}, "versions.0.released"),
        ({"releases": (Release(1, AT), Release(2), Release(3, AT - TICK))}, "versions.2.released"),
        ({"redirect_unversioned": 1}, "redirect_unversioned"),
        ({"warn": "yes"}, "warn"),
        ({"precedence": ()}, "precedence"),
        ({"precedence": "path"}, "precedence"),
        ({"precedence": None}, "precedence"),
        ({"precedence": ("path", "cookie")}, "precedence"),
        ({"precedence": ("path", VersionLocation.PATH)}, "precedence"),
    ],
)
def test_what_cannot_be_is_rejected_and_the_field_named(arguments, field):
    assert field == refusal(**arguments).field


@pytest.mark.parametrize("name", ["X-Api-Version", "api-version"])
def test_another_name_of_a_header_or_parameter_is_rejected_with_the_nearest_form(name):
    text = str(refusal(precedence=(name,)))

    assert f"'{name}' is not a location of a version" in text
    assert "header (Api-Version: 2)" in text
    assert "query (?version=2)" in text


@pytest.mark.parametrize(
    "prefix",
    [
        "/",
        "api",
        "/api/",
        "//api",
        "/a//b",
        "/./api",
        "/../api",
        "/a b",
        "/a%20b",
        "/ä",
        "/a?b",
        "/a\r\n",
        "/v1",
        "/api/V2",
        7,
    ],
)
def test_a_prefix_is_plain_segments(prefix):
    assert "prefix" == refusal(prefix=prefix).field


@pytest.mark.parametrize("prefix", ["", "/api", "/shop/api", "/~shop/a.b-c_d", "/.well-known", "/videos"])
def test_usual_prefixes_are_taken(prefix):
    assert prefix == Api(releases=(Release(1),), prefix=prefix).prefix


@pytest.mark.parametrize(
    "vendor",
    ["", "a b", "a/b", "a+json", "-a", "a.", ".a", "a..b", "ä", "a;b", "a\r\n", "a.v2", "v1", "x" * 65, None],
)
def test_a_vendor_is_a_facet_of_a_media_type(vendor):
    """A restricted-name of RFC 6838 section 4.2, where '.' separates facets and '+' begins the suffix."""
    assert "vendor" == refusal(vendor=vendor).field


@pytest.mark.parametrize(
    "header", ["", "X Version", "X-Version:", "é", "Accept", "content-type", "Vary", None]
)
def test_a_header_is_a_name_that_nothing_else_has(header):
    assert "header" == refusal(header=header).field


@pytest.mark.parametrize("parameter", ["a b", "v=", "q", "é", None])
def test_a_parameter_of_a_media_type_is_a_name_and_not_its_weight(parameter):
    assert "media_parameter" == refusal(media_parameter=parameter).field


@pytest.mark.parametrize("parameter", ["", "a b", "v=1", "v&w", "é", None])
def test_a_parameter_needs_no_escape(parameter):
    assert "parameter" == refusal(parameter=parameter).field


@pytest.mark.parametrize("vendor", ["example", "Example-1", "big&co.shop", "3m", "a_b^c!d#e$f", "x" * 64])
def test_usual_vendors_are_taken(vendor):
    assert vendor == Api(releases=(Release(1),), vendor=vendor).vendor


@pytest.mark.parametrize("field", ["base_url", "migration_guide"])
@pytest.mark.parametrize(
    "url",
    [
        "api.example.com",
        "/guide",
        "//example.com",
        "ftp://example.com",
        "javascript:alert(1)",
        "http://",
        "https:///guide",
        "https://user:secret@example.com",
        "https://secret@example.com/",
        "https://example.com:0",
        "https://example.com:65536",
        "https://example.com:port",
        "https://exa mple.com",
        "https://example.com/a b",
        "https://example.com/<x>",
        "https://example.com/\r\nX: 1",
        "https://bücher.example",
        "https://example.com/%zz",
        "https://[::1",
        "https://example.com/{version}",
        " ",
        7,
    ],
)
def test_urls_are_http_ones_without_credentials(field, url):
    error = refusal(**{field: url})

    assert field == error.field
    assert "secret" not in str(error)


@pytest.mark.parametrize(
    ("url", "remedy"),
    [
        ("see the wiki", "is 'see the wiki'; write an http or https URL"),
        ("bücher.example", "write an http or https URL"),
        ("https://example.com/a b", "has a character that no URL holds; percent-encode it"),
        ("HTTPS://example.com/a b", "has a character that no URL holds; percent-encode it"),
    ],
)
def test_a_text_that_is_no_url_is_distinguished_from_a_url_with_a_bad_character(url, remedy):
    assert remedy in str(refusal(base_url=url))


@pytest.mark.parametrize("end", ["?x=1", "/#top", "/shop", "/shop/", "//x"])
def test_a_base_url_ends_with_the_host(end):
    """A path would be part of the address in a 410, but not of the Location of a 308."""
    error = refusal(base_url=f"https://example.com{end}")

    assert ("base_url", True) == (error.field, "end it with the host" in str(error))


def test_a_base_url_may_have_a_port_and_a_slash():
    assert "https://[::1]:8443" == Api(releases=(Release(1),), base_url="https://[::1]:8443/").base_url


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda api: pickle.loads(pickle.dumps(api))])
def test_a_record_can_be_copied_and_sent_to_another_process(copied):
    again = copied(ORDERS)

    assert (ORDERS, hash(ORDERS)) == (again, hash(again))
    assert ORDERS.headers(3, AT) == again.headers(3, AT)


# --- versions at a time -------------------------------------------------------------------------------------


def test_releases_are_sorted_and_may_be_any_iterable():
    api = Api(releases=iter([Release(3), Release(1)]), precedence=["query"])  # type: ignore[arg-type]

    assert (1, 3) == api.majors == tuple(release.major for release in api.releases)
    assert (VersionLocation.QUERY,) == api.precedence
    assert api == replace(api)
    assert hash(api) == hash(replace(api))


def test_each_version_has_the_status_of_its_release():
    for release in ORDERS.releases:
        moments = [AT, datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)]
        if release.released:
            moments += [release.released - TICK, release.released]
        if release.lifecycle:
            for moment in (release.lifecycle.deprecated, release.lifecycle.sunset):
                moments += [moment - TICK, moment, moment + TICK]
        for moment in moments:
            assert release.status(moment) == ORDERS.status(release.major, moment)


def test_planned_and_removed_versions_are_not_supported():
    assert (2, 3, 4, 5) == ORDERS.supported(AT)
    assert (2, 3, 4, 5, 6) == ORDERS.supported(AT + timedelta(days=1))
    assert (1, 2, 3, 4, 5) == ORDERS.supported(REMOVED.sunset - TICK)


def test_the_latest_stable_version_is_no_preview_and_not_planned():
    assert 4 == ORDERS.latest_stable(AT)
    assert 6 == ORDERS.latest_stable(AT + timedelta(days=1))


def test_a_deprecated_version_is_the_default_only_when_no_other_is_left():
    failed = Api(releases=(Release(1), Release(2, lifecycle=ENDING)))
    last = Api(releases=(Release(1, lifecycle=ENDING), Release(2, lifecycle=ENDING)))

    assert 1 == failed.latest_stable(AT)
    assert 2 == last.latest_stable(AT)


def test_a_preview_is_never_the_default_even_when_it_is_all_there_is_and_deprecated():
    api = Api(releases=(Release(1, lifecycle=REMOVED), Release(2, stable=False, lifecycle=ENDING)))

    assert Status.DEPRECATED == api.status(2, AT)
    assert api.default(AT) is None


def test_versions_may_be_released_together():
    assert (1, 2) == Api(releases=(Release(1, AT), Release(2, AT))).majors


def test_without_a_stable_version_there_is_no_default():
    api = Api(releases=(Release(1, lifecycle=REMOVED), Release(2, stable=False)))

    assert api.default(AT) is None
    with pytest.raises(InvalidApi, match="no stable version") as caught:
        api.latest_stable(AT)
    assert "versions" == caught.value.field


def test_users_of_an_old_version_move_once_to_the_latest():
    assert (4, 4, None, None) == tuple(ORDERS.successor(major, AT) for major in (1, 3, 4, 5))


@pytest.mark.parametrize("major", [0, 7, "2", None, [], True, 1.0])
def test_an_unknown_version_is_rejected(major):
    calls = [
        lambda: ORDERS.release(major),
        lambda: ORDERS.status(major, AT),
        lambda: ORDERS.headers(major, AT),
        lambda: ORDERS.successor(major, AT),
        lambda: ORDERS.path(major),
        lambda: ORDERS.base_path(major),
    ]
    for call in calls:
        with pytest.raises(InvalidApi) as caught:
            call()
        assert "version" == caught.value.field


def test_a_time_without_a_zone_is_rejected():
    naive = datetime(2026, 11, 20)  # noqa: DTZ001 - the point of the test
    for call in (ORDERS.supported, ORDERS.latest_stable, lambda at: ORDERS.status(1, at)):
        with pytest.raises(InvalidApi, match="zone"):
            call(naive)
    for target in ("/api/v2", "/elsewhere"):
        with pytest.raises(InvalidApi, match="zone"):
            ORDERS.negotiate(target, at=naive)


# --- addresses ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("", "/api/v4"),
        ("/", "/api/v4/"),
        ("/orders?limit=5", "/api/v4/orders?limit=5"),
        ("?limit=5", "/api/v4?limit=5"),
        ("/orders?a=1&version=2&b=2", "/api/v4/orders?a=1&b=2"),
        ("/../../admin", "/api/v4/admin"),
        ("/%2e%2e/%2E%2E/admin", "/api/v4/admin"),
        ("//evil.example", "/api/v4//evil.example"),
        ("/\\evil.example", "/api/v4/%5Cevil.example"),
        ("/a\r\nSet-Cookie: x", "/api/v4/a%0D%0ASet-Cookie:%20x"),
        ("/é%20%zz", "/api/v4/%C3%A9%20%25zz"),
    ],
)
def test_the_address_of_a_resource_stays_below_its_version(target, expected):
    assert expected == ORDERS.path(4, target)


@pytest.mark.parametrize(
    "target", ["orders", "https://evil.example/", "\\orders", "#x", " /orders", None, b"/orders", 5]
)
def test_a_target_begins_with_a_slash_or_a_question_mark(target):
    with pytest.raises(InvalidApi) as caught:
        ORDERS.path(4, target)
    assert "target" == caught.value.field


def test_where_paths_name_no_versions_the_query_does():
    api = Api(releases=(Release(1), Release(2)), precedence=(VersionLocation.HEADER, VersionLocation.QUERY))

    assert "/api/orders?a=1&version=2" == api.path(2, "/orders?a=1&version=1")
    assert "/api?version=2" == api.path(2)
    assert "/api/orders?version=1" == replace(ORDERS, precedence=(VersionLocation.HEADER,)).path(
        4, "/orders?version=1"
    )


@pytest.mark.parametrize(
    ("location", "prefix", "expected"),
    [
        (VersionLocation.PATH, "/api", "/api/v4"),
        (VersionLocation.PATH, "", "/v4"),
        (VersionLocation.HEADER, "/api", "/api"),
        (VersionLocation.QUERY, "", ""),
    ],
)
def test_what_a_middleware_takes_off_and_what_is_left_are_the_whole_path(location, prefix, expected):
    api = replace(ORDERS, precedence=(location,), prefix=prefix)

    assert expected == api.base_path(4)
    assert api.base_path(4) + "/orders" == api.path(4, "/orders").partition("?")[0]


def test_an_address_never_begins_with_two_slashes():
    """They would mean a host; a leading '/.' changes nothing else (RFC 3986 section 3.3)."""
    api = Api(releases=(Release(1),), prefix="", precedence=(VersionLocation.QUERY,))

    assert "/.//evil.example/x?version=1" == api.path(1, "//evil.example/x")
    route = api.negotiate("/.//evil.example/x?version=1", at=AT).route
    assert route is not None
    assert "//evil.example/x" == route.target
    assert "/?version=1" == api.path(1)


# --- headers ------------------------------------------------------------------------------------------------


def test_a_version_in_use_says_only_which_one_it_is():
    assert (("Api-Version", "4"),) == ORDERS.headers(4, AT)
    assert (("Api-Version", "5"),) == ORDERS.headers(5, AT)


def test_a_deprecated_version_carries_all_notices():
    headers = ORDERS.headers(2, AT, target="/orders?limit=5")

    guide = '<https://example.com/from-2-to-4>; rel="deprecation"; type="text/html"'
    successor = '</api/v4/orders?limit=5>; rel="successor-version"'
    assert (
        ("Api-Version", "2"),
        ("Deprecation", "@1768467600"),
        ("Sunset", "Thu, 15 Jul 2027 09:00:00 GMT"),
        ("Link", f"{guide}, {successor}"),
    ) == headers
    assert 1768467600 == ENDING.deprecated.timestamp()


def test_a_deprecation_is_announced_ahead_and_stays_on_the_410():
    """RFC 9745 section 2.1: the date may be in the future."""
    early = replace(ORDERS, headers_begin=HeadersBegin.AT_ONCE)
    for major, dates in ((3, COMING), (1, REMOVED)):
        headers = dict(early.headers(major, AT))
        assert f"@{int(dates.deprecated.timestamp())}" == headers["Deprecation"]
    assert Status.ACTIVE == ORDERS.status(3, AT)
    assert (("Api-Version", "3"),) == ORDERS.headers(3, AT)


def test_a_planned_version_has_no_responses_and_so_no_headers():
    assert () == ORDERS.headers(6, AT)


def test_without_guide_and_successor_there_is_no_link():
    api = Api(releases=(Release(1, lifecycle=ENDING),))

    assert ["Api-Version", "Deprecation", "Sunset"] == [name for name, _ in api.headers(1, AT)]


def test_a_last_version_has_a_guide_only_where_its_address_needs_no_successor():
    last = Api(releases=(Release(7, lifecycle=ENDING),), migration_guide="https://example.com/leaving-{old}")

    (link,) = parse_links(dict(last.headers(7, AT))["Link"])
    assert ("https://example.com/leaving-7", "deprecation") == (link.target, link.rel)
    assert "Link" not in dict(replace(last, migration_guide="https://example.com/{new}").headers(7, AT))


def test_a_warning_comes_only_when_asked_for():
    headers = dict(replace(ORDERS, warn=True).headers(2, AT))

    (warning,) = parse_warnings(headers["Warning"])
    assert (299, "Version 2 is deprecated as of 2026-01-15 and removed as of 2027-07-15") == (
        warning.code,
        warning.text,
    )
    assert "Warning" not in dict(ORDERS.headers(2, AT))
    assert (("Api-Version", "4"),) == replace(ORDERS, warn=True).headers(4, AT)
