"""Test the negotiation: every location, every error, every precedence, and hostile requests."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.deprecation_schedule import lifecycle
from hook_widgets.versioning.negotiation.negotiate import Decision, Routed
from hook_widgets.versioning.negotiation.responses import VersioningResponse
from hook_widgets.versioning.negotiation.version_location import VersionLocation
from hook_widgets.versioning.release import Release

AT = datetime(2026, 11, 20, 9, tzinfo=UTC)
REMOVED = lifecycle(datetime(2024, 1, 15, 9, tzinfo=UTC))  # until 15 July 2025
ENDING = lifecycle(datetime(2026, 1, 15, 9, tzinfo=UTC))  # until 15 July 2027

API = Api(
    name="Orders API",
    releases=(
        Release(1, lifecycle=REMOVED),
        Release(2, lifecycle=ENDING),
        Release(3),
        Release(4),
        Release(5, stable=False),
        Release(6, released=AT + timedelta(days=1)),
    ),
    base_url="https://api.example.com",
    migration_guide="https://example.com/from-{old}-to-{new}",
)
ALL = "Api-Version, Accept"


def media(major: object) -> str:
    return f"application/vnd.example.v{major}+json"


def served(target: str = "/api/orders", *headers: tuple[str, str], api: Api = API) -> Routed:
    decision = api.negotiate(target, headers, at=AT)
    assert decision.route is not None, decision
    assert decision.response is None, decision
    return decision.route


def answered(target: str = "/api/orders", *headers: tuple[str, str], api: Api = API) -> VersioningResponse:
    decision = api.negotiate(target, headers, at=AT)
    assert decision.response is not None, decision
    assert decision.route is None, decision
    return decision.response


def refused(target: str = "/api/orders", *headers: tuple[str, str], api: Api = API) -> dict[str, Any]:
    """Return the body of a 400, which must name the versions."""
    outcome = answered(target, *headers, api=api)
    body = json.loads(outcome.body)
    assert (400, outcome.code) == (outcome.status, body["code"])
    assert list(api.supported(AT)) == body["supported_versions"]
    assert all(str(major) in body["detail"] for major in api.supported(AT))
    return body


# --- each location ------------------------------------------------------------------------------------------

LOCATIONS = {
    VersionLocation.PATH: lambda major: (f"/api/v{major}/orders", ()),
    VersionLocation.HEADER: lambda major: ("/api/orders", (("Api-Version", str(major)),)),
    VersionLocation.ACCEPT: lambda major: ("/api/orders", (("Accept", media(major)),)),
    VersionLocation.QUERY: lambda major: (f"/api/orders?version={major}", ()),
}


@pytest.mark.parametrize("location", VersionLocation)
def test_each_location_can_name_each_version_that_is_served(location):
    for major in (2, 3, 4, 5):
        target, headers = LOCATIONS[location](major)
        outcome = served(target, *headers)

        assert (major, location, "/orders", ()) == (
            outcome.major,
            outcome.location,
            outcome.target,
            outcome.overridden,
        )
        assert ("Api-Version", str(major)) in outcome.headers


@pytest.mark.parametrize("location", VersionLocation)
def test_a_removed_version_is_gone_in_each_location(location):
    target, headers = LOCATIONS[location](1)
    outcome = answered(target, *headers)

    assert (410, "version_removed") == (outcome.status, outcome.code)
    assert {
        "type": "about:blank",
        "title": "Gone",
        "status": 410,
        "detail": "Orders API version 1 was removed on 2025-07-15. "
        "Use version 4 instead; see current_version and migration_guide.",
        "code": "version_removed",
        "migration_guide": "https://example.com/from-1-to-4",
        "current_version": "https://api.example.com/api/v4/orders",
    } == json.loads(outcome.body)
    assert "Tue, 15 Jul 2025 09:00:00 GMT" == dict(outcome.headers)["Sunset"]


@pytest.mark.parametrize(
    ("location", "header"),
    [
        (VersionLocation.HEADER, "Api-Version: 4"),
        (VersionLocation.ACCEPT, "Accept: application/vnd.example.v4+json"),
    ],
)
def test_where_no_address_can_name_the_current_version_the_header_is_reported(location, header):
    target, headers = LOCATIONS[location](1)
    response = answered(target, *headers, api=replace(API, precedence=(location,)))

    assert (
        f"Use version 4 instead (send {header}); see current_version" in json.loads(response.body)["detail"]
    )


@pytest.mark.parametrize("location", VersionLocation)
@pytest.mark.parametrize("major", [6, 7, 999_999_999_999_999, 10**30, "9" * 5000])
def test_planned_and_unknown_versions_are_rejected_in_each_location(location, major):
    target, headers = LOCATIONS[location](major)
    body = refused(target, *headers)

    assert "unknown_version" == body["code"]
    assert str(major)[:20] in body["asked"]
    assert 80 >= len(body["asked"])


@pytest.mark.parametrize("location", VersionLocation)
@pytest.mark.parametrize("written", ["0", "02", "+2", "-2", "2.0", "2beta", "٢", ""])
def test_what_is_no_version_is_rejected_in_each_location(location, written):
    target, headers = LOCATIONS[location](written)
    body = refused(target, *headers)

    assert "invalid_version" == body["code"]
    example = {
        VersionLocation.PATH: "/api/v4/",
        VersionLocation.HEADER: "Api-Version: 4",
        VersionLocation.ACCEPT: f"Accept: {media(4)}",
        VersionLocation.QUERY: "?version=4",
    }
    assert example[location] in body["detail"]


@pytest.mark.parametrize("segment", ["V2", "v", "v2;a=b", "v2%00", "v%202", "v2%2Forders"])
def test_a_path_that_nearly_names_a_version_is_no_resource(segment):
    assert "invalid_version" == refused(f"/api/{segment}/orders")["code"]


def test_a_version_appears_and_disappears_at_the_very_instant():
    tick = timedelta(microseconds=1)
    release = AT + timedelta(days=1)

    for target, moment, is_served in (
        ("/api/v6/x", release - tick, False),
        ("/api/v6/x", release, True),
        ("/api/v2/x", ENDING.sunset - tick, True),
        ("/api/v2/x", ENDING.sunset, False),
    ):
        decision = API.negotiate(target, at=moment)
        assert is_served is (decision.route is not None) is (decision.response is None)


def test_the_time_may_be_in_any_zone():
    for at in (REMOVED.sunset, REMOVED.sunset - timedelta(microseconds=1)):
        east = at.astimezone(datetime.fromisoformat("2026-01-01T00:00+14:00").tzinfo)

        assert API.negotiate("/api/v1/x", at=at) == API.negotiate("/api/v1/x", at=east)


@pytest.mark.parametrize("target", ["/health", "/apiary/v2", "*", "host:443", ""])
def test_a_request_outside_the_prefix_is_left_to_the_application(target):
    assert Decision(route=None, response=None) == API.negotiate(target, at=AT)


# --- nothing names a version --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "location"),
    [
        ("/api", "/api/v4"),
        ("/api/", "/api/v4/"),
        ("/api?a=1", "/api/v4?a=1"),
        ("/api/orders", "/api/v4/orders"),
        ("/api/orders/?a=b%20c&d", "/api/v4/orders/?a=b%20c&d"),
        ("/api/./orders/../items", "/api/v4/items"),
        ("/%61pi/orders", "/api/v4/orders"),
        ("http://evil.example/api/orders", "/api/v4/orders"),
        ("/api//evil.example/x", "/api/v4//evil.example/x"),
        ("/api/\\evil.example", "/api/v4/%5Cevil.example"),
        ("/api/%5Cevil.example", "/api/v4/%5Cevil.example"),
        ("/api/x\r\nSet-Cookie: a=b", "/api/v4/x%0D%0ASet-Cookie:%20a=b"),
        ("/api/x?\r\n\r\n<script>", "/api/v4/x?%0D%0A%0D%0A%3Cscript%3E"),
        ("/api/x#//evil.example", "/api/v4/x%23//evil.example"),
        ("/api/@evil.example", "/api/v4/@evil.example"),
        ("/api/videos", "/api/v4/videos"),
    ],
)
def test_an_unversioned_path_is_redirected_to_the_latest_stable_version(target, location):
    outcome = answered(target)

    assert (308, b"", "unversioned") == (outcome.status, outcome.body, outcome.code)
    assert (("Location", location), ("Cache-Control", "no-cache"), ("Vary", ALL)) == outcome.headers


def test_without_redirects_the_latest_stable_version_is_served():
    outcome = served("/api/orders?a=1", api=replace(API, redirect_unversioned=False))

    headers = (("Api-Version", "4"), ("Vary", ALL))
    assert Routed(major=4, location=None, target="/orders?a=1", headers=headers) == outcome


def test_without_versions_in_paths_there_is_nothing_to_redirect_to():
    """The redirected request would name no version either, and so be redirected again."""
    outcome = served("/api/v2/orders", api=replace(API, precedence=(VersionLocation.HEADER,)))

    assert (4, "/v2/orders") == (outcome.major, outcome.target)


def test_without_a_stable_version_a_name_is_needed():
    preview = replace(API, releases=(Release(1, lifecycle=REMOVED), Release(2, stable=False)))
    nothing = replace(API, releases=(Release(1, lifecycle=REMOVED),))

    for api in (preview, nothing):
        body = refused("/api/orders", ("Accept", f"{media(1)};q=0"), api=api)
        assert "no_default_version" == body["code"]
        assert "no stable version is available" in body["detail"]
    assert "/api/v2/" in refused("/api/v9", api=preview)["detail"]
    assert 2 == served("/api/v2", api=preview).major
    body = json.loads(answered("/api/v1/orders", api=nothing).body)
    assert "current_version" not in body
    assert "Orders API version 1 was removed on 2025-07-15." == body["detail"]


# --- several locations --------------------------------------------------------------------------------------


def everywhere(path: int, header: int, accept: int, query: int) -> tuple[str, tuple[tuple[str, str], ...]]:
    return f"/api/v{path}/orders?version={query}&a=1", (
        ("Api-Version", str(header)),
        ("Accept", media(accept)),
    )


@pytest.mark.parametrize("precedence", list(permutations(VersionLocation)))
def test_the_first_place_decides_and_the_others_are_reported(precedence):
    majors = {
        VersionLocation.PATH: 2,
        VersionLocation.HEADER: 3,
        VersionLocation.ACCEPT: 4,
        VersionLocation.QUERY: 5,
    }
    target, headers = everywhere(2, 3, 4, 5)
    outcome = served(target, *headers, api=replace(API, precedence=precedence))

    assert (majors[precedence[0]], precedence[0], "/orders?a=1") == (
        outcome.major,
        outcome.location,
        outcome.target,
    )
    assert tuple((location, majors[location]) for location in precedence[1:]) == outcome.overridden


def test_places_that_agree_are_not_reported():
    target, headers = everywhere(3, 3, 3, 3)

    assert () == served(target, *headers).overridden


def test_a_removed_version_that_is_overridden_does_no_harm_and_one_that_decides_is_gone():
    assert ((VersionLocation.HEADER, 1),) == served("/api/v3/x", ("Api-Version", "1")).overridden
    assert 410 == answered("/api/v1/x", ("Api-Version", "3")).status


@pytest.mark.parametrize("bad", ["02", "7", "2, 3", ""])
def test_a_fault_in_a_place_that_would_not_decide_is_rejected_all_the_same(bad):
    refused("/api/v3/orders", ("Api-Version", bad))
    refused("/api/v3/orders?version=" + bad)
    refused("/api/orders?version=" + bad, ("Api-Version", "3"))


@pytest.mark.parametrize("left_out", VersionLocation)
def test_a_place_that_is_left_out_is_not_read(left_out):
    precedence = tuple(location for location in VersionLocation if location is not left_out)
    api = replace(API, precedence=precedence, redirect_unversioned=False)
    target, headers = LOCATIONS[left_out]("02")
    outcome = served(target, *headers, api=api)

    assert (4, None) == (outcome.major, outcome.location)
    targets = {VersionLocation.PATH: "/v02/orders", VersionLocation.QUERY: "/orders?version=02"}
    assert targets.get(left_out, "/orders") == outcome.target


# --- one location twice -------------------------------------------------------------------------------------


def test_the_same_version_twice_in_one_place_is_one():
    assert 3 == served("/api/orders?version=3&version=3").major
    assert 3 == served("/api/orders", ("Api-Version", "3"), ("API-VERSION", " 3\t")).major
    assert 3 == served("/api/orders", ("api-version", "3, 3")).major


@pytest.mark.parametrize(
    "request_",
    [
        ("/api/orders?version=3&version=4",),
        ("/api/orders", ("Api-Version", "3"), ("api-version", "4")),
        ("/api/orders", ("Api-Version", "4,3")),
        ("/api/orders", ("Api-Version", "3"), ("Api-Version", "7")),
    ],
)
def test_different_versions_in_one_place_are_rejected(request_):
    assert "ambiguous_version" == refused(*request_)["code"]


def test_an_invalid_value_beside_a_good_one_is_rejected():
    assert "03" == refused("/api/orders?version=3&version=03")["asked"]
    assert "" == refused("/api/orders", ("Api-Version", "3"), ("Api-Version", ""))["asked"]


# --- Accept -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "major"),
    [
        (f"{media(2)};q=0.5, {media(3)}", 3),
        (f"{media(2)}, {media(3)}", 3),
        (f"{media(7)}, {media(3)};q=0.1", 3),
        (f"{media(6)}, {media(1)};q=0.9, {media(2)};q=0.001", 2),
        (f"application/vnd.example.v4+xml, {media(3)};q=0.1", 3),
        (f"{media(4)};q=0, {media(3)};q=0.1", 3),
    ],
)
def test_the_best_version_of_accept_that_there_is_counts(value, major):
    assert (major, VersionLocation.ACCEPT) == (
        served("/api/x", ("Accept", value)).major,
        VersionLocation.ACCEPT,
    )


def test_lines_of_accept_are_one_value():
    headers = ("accept", "text/html, " + media(2) + ";q=0.2"), ("ACCEPT", ""), ("Accept", media(3) + ";q=0.3")

    assert 3 == served("/api/orders", *headers).major


def test_only_a_removed_version_in_accept_is_gone_and_only_unknown_ones_are_rejected():
    assert 410 == answered("/api/x", ("Accept", f"{media(7)}, {media(1)};q=0.1")).status
    assert media(8) == refused("/api/x", ("Accept", f"{media(7)};q=0.5, {media(8)}"))["asked"]
    assert (
        "application/vnd.example.v4" == refused("/api/x", ("Accept", "application/vnd.example.v4"))["asked"]
    )


@pytest.mark.parametrize("value", ["", "*/*", "application/json;q=7", ";;;", "application/vnd.other.v9+json"])
def test_an_accept_that_names_no_version_of_ours_says_nothing(value):
    assert 308 == answered("/api/orders", ("Accept", value)).status


def test_header_and_parameter_have_the_names_of_the_api():
    api = replace(API, header="X-Shop-Version", parameter="api-version", media_parameter="v")

    def outcome(target, *headers):
        return api.negotiate(target, headers, at=AT)

    by_header = outcome("/api/orders", ("x-shop-version", "2"), ("Api-Version", "1")).route
    assert (2, VersionLocation.HEADER) == (by_header.major, by_header.location)
    assert ("X-Shop-Version", "2") in by_header.headers
    assert ("Vary", "X-Shop-Version") in by_header.headers
    unknown = outcome("/api/orders", ("Accept", "application/json;v=77")).response
    assert b"requests version 'application/json;v=77', which does not exist" in unknown.body
    by_type = outcome("/api/orders", ("Accept", "application/json;v=2.0")).route
    assert (2, VersionLocation.ACCEPT) == (by_type.major, by_type.location)
    by_query = outcome("/api/orders?version=x&api-version=2").route
    assert (2, "/orders?version=x") == (by_query.major, by_query.target)
    assert (
        b"The X-Shop-Version header contains" in outcome("/api/orders", ("X-Shop-Version", "x")).response.body
    )
    assert b"?api-version=" in outcome("/api/orders?api-version=x").response.body
    no_path = replace(api, precedence=(VersionLocation.QUERY,))
    assert "/api/orders?api-version=2" == no_path.path(2, "/orders?api-version=1")


@pytest.mark.parametrize(
    ("target", "headers"),
    [
        ("/api/orders", [("X-GitHub-Api-Version", "2022-11-28")]),
        ("/api/orders?version=2022-11-28", []),
        ("/api/v2022-11-28/orders", []),
        ("/api/orders", [("Accept", "application/vnd.example.v2022-11-28+json")]),
    ],
)
def test_a_version_by_date_is_asked_for_as_a_date_or_as_its_number(target, headers):
    """GitHub's versions are dates; this one is in its reference."""
    api = Api(releases=(Release(1), Release(20221128)), header="X-GitHub-Api-Version")
    by_number = [(name, value.replace("2022-11-28", "20221128")) for name, value in headers]

    for asked in (target, headers), (target.replace("2022-11-28", "20221128"), by_number):
        route = api.negotiate(*asked, at=AT).route
        assert route is not None
        assert 20221128 == route.major
    other = api.negotiate("/api/orders", [("X-GitHub-Api-Version", "2022-11-2")], at=AT).response
    assert other is not None
    assert 400 == other.status


def test_the_vendor_counts_in_any_letter_case():
    api = replace(API, vendor="Big-Shop")

    assert 3 == served("/api/x", ("Accept", "application/VND.big-SHOP.v3+json"), api=api).major


def test_an_excluded_version_is_not_the_default():
    outcome = answered("/api/orders", ("Accept", f"*/*, {media(4)};q=0"))
    assert "/api/v3/orders" == dict(outcome.headers)["Location"]

    all_stable = ", ".join(f"{media(major)};q=0" for major in (2, 3, 4))
    body = refused("/api/orders", ("Accept", all_stable))
    assert "no_default_version" == body["code"]
    assert "Accept header excludes every stable version" in body["detail"]
    assert 4 == served("/api/v4/orders", ("Accept", all_stable)).major


# --- Vary ---------------------------------------------------------------------------------------------------


def vary(outcome: Routed | VersioningResponse) -> str | None:
    return dict(outcome.headers).get("Vary")


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        (VersionLocation.PATH, None),
        (VersionLocation.HEADER, "Api-Version"),
        (VersionLocation.ACCEPT, ALL),
        (VersionLocation.QUERY, ALL),
    ],
)
def test_vary_names_the_headers_up_to_the_location_that_decided(location, expected):
    """RFC 9110 section 12.5.5: the fields that might have had a part in the choice, also by being absent."""
    for major, find in ((3, served), (1, answered), (7, answered)):
        target, headers = LOCATIONS[location](major)

        assert expected == vary(find(target, *headers))


def test_vary_follows_the_precedence():
    api = replace(API, precedence=(VersionLocation.ACCEPT, VersionLocation.PATH, VersionLocation.HEADER))

    assert "Accept" == vary(served("/api/v3", api=api))
    assert "Accept, Api-Version" == vary(answered("/api", api=api))
    assert (
        vary(answered("/api", api=replace(API, precedence=(VersionLocation.PATH, VersionLocation.QUERY))))
        is None
    )


# --- hostile requests ---------------------------------------------------------------------------------------

VERSIONS = (
    st.integers(2, 4).map(str)
    | st.integers(1, 5).map(str)
    | st.sampled_from(["0", "6", "7", "02", "", "٢", "9" * 5000])
    | st.text(max_size=4)
)
HOSTILE = st.sampled_from(["/", "//", "/..", "/%2e%2E", "/a", "/v2", "\\", "@evil.example", "http:", "\r\n"])
SIGNS = st.sampled_from(["?", "&", "%", "%2F", "#", "*", ";", "="])
ENDS = st.lists(HOSTILE | SIGNS | st.text(max_size=8), max_size=3).map("".join)
MEMBERS = st.builds(
    lambda version, weight: f"{media(version)};q={weight}", VERSIONS, st.sampled_from(["1", "0.5", "0", "2"])
)
HEADERS = st.lists(
    st.tuples(st.just("Api-Version"), VERSIONS)
    | st.tuples(st.just("ACCEPT"), st.lists(MEMBERS, max_size=3).map(", ".join) | st.text())
    | st.tuples(st.text(), st.text()),
    max_size=3,
)
APIS = st.builds(
    Api,
    releases=st.permutations(API.releases).map(lambda r: r[:4]).filter(lambda r: any(x.stable for x in r)),
    prefix=st.sampled_from(["/api", "/shop/api", ""]),
    precedence=st.permutations(list(VersionLocation)).flatmap(
        lambda p: st.integers(1, 4).map(lambda n: tuple(p[:n]))
    ),
    redirect_unversioned=st.booleans(),
    warn=st.booleans(),
    migration_guide=st.sampled_from(["", API.migration_guide]),
)
MOMENTS = st.just(AT) | st.datetimes(timezones=st.just(UTC))


@st.composite
def questions(draw) -> tuple[Api, str, list[tuple[str, str]], datetime]:
    """Draw an API, a target mostly under its prefix, headers that mostly name versions, and a time."""
    api = draw(APIS)
    version = draw(st.just("") | VERSIONS.map(lambda version: f"/v{version}"))
    query = draw(
        st.just("")
        | st.lists(VERSIONS, max_size=2).map(lambda vs: "?a&" + "&".join(f"version={v}" for v in vs))
    )
    start = draw(st.sampled_from([api.prefix] * 4 + ["http://host" + api.prefix, "/x/.." + api.prefix, ""]))
    target = start + version + draw(st.sampled_from(["/orders", "/", ""])) + draw(ENDS) + query
    return api, target, draw(HEADERS), draw(MOMENTS)


@given(questions())
@example((API, "/api/\ud800", [("Accept", "vnd.example\ud800")], AT))
def test_no_request_makes_anything_but_an_answer(question):
    api, target, headers, at = question
    decision = api.negotiate(target, headers, at=at)

    outcome = decision.response or decision.route
    if outcome is None:
        return
    for name, value in outcome.headers:
        assert re.fullmatch(r"[A-Za-z-]+", name)
        assert re.fullmatch(r"[ -~]+", value)
    if response := decision.response:
        assert decision.route is None
        assert response.status in (308, 400, 410)
        location = dict(response.headers).get("Location")
        assert (response.status == 308) == (location is not None) == (response.body == b"")
        if location is None:
            assert response.status == json.loads(response.body)["status"]
        else:
            assert re.match(r"/[^/\\]", location)
            assert "host" == urlsplit(urljoin("http://host/", location)).netloc
    elif route := decision.route:
        assert route.major in api.supported(at)
        assert route.target.startswith("/")


@given(questions())
def test_the_address_of_what_was_served_or_redirected_to_gets_the_same_version(question):
    api, target, headers, at = question
    decision = api.negotiate(target, headers, at=at)
    if decision.response is not None and decision.response.status == 308:
        again = api.negotiate(dict(decision.response.headers)["Location"], at=at).route

        assert again is not None
        assert again.location is VersionLocation.PATH
        assert again.major == api.default(at, excluded=set(api.majors) - {again.major})
    route = decision.route
    if route is not None and {VersionLocation.PATH, VersionLocation.QUERY} & set(api.precedence):
        address = api.path(route.major, route.target)
        again = api.negotiate(address, at=at).route

        assert again is not None
        assert (route.major, ()) == (again.major, again.overridden)
        assert address == api.path(again.major, again.target)
