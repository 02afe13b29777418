"""Test that the check finds versions of routes with different protection."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidApi, VersioningError
from hook_widgets.versioning.routes import Route, RouteFaultKind, check_routes

ORDERS = Route("GET", "/api/v2/orders/{id}", authentication="api key", limit="1000/hour", key="api_key")
OLD = replace(ORDERS, path="/api/v1/orders/{order_id}")


def faults(*routes, **options):
    return [(problem.kind, problem.route) for problem in check_routes(routes, **options)]


def test_versions_that_are_protected_alike_have_no_fault():
    assert [] == faults(OLD, ORDERS)


@pytest.mark.parametrize("template", ["{id}", "<int:id>", ":id"])
def test_the_notation_and_the_name_of_a_path_parameter_do_not_matter(template):
    other = replace(OLD, path=f"/api/v1/orders/{template}", limit="10/hour")

    assert [(RouteFaultKind.LIMIT_DIFFERS, f"GET {other.path}")] == faults(other, ORDERS)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"authentication": "none"}, RouteFaultKind.AUTHENTICATION_DIFFERS),
        ({"authentication": ""}, RouteFaultKind.AUTHENTICATION_MISSING),
        ({"limit": "5000/hour"}, RouteFaultKind.LIMIT_DIFFERS),
        ({"limit": ""}, RouteFaultKind.LIMIT_MISSING),
        ({"key": "ip"}, RouteFaultKind.KEY_DIFFERS),
        ({"key": ""}, RouteFaultKind.KEY_MISSING),
    ],
)
def test_an_old_version_that_is_protected_otherwise_is_named(change, fault):
    old = replace(OLD, **change)

    [problem] = check_routes([ORDERS, old])

    assert fault is problem.kind
    assert "GET /api/v1/orders/{order_id}" == problem.route
    assert problem.route in problem.detail


@pytest.mark.parametrize(
    "key", ["api_key version", "{version}:{api_key}", "v1:api_key", "api_key-Version", "apiVersion"]
)
def test_a_key_that_holds_the_version_gives_each_version_a_quota_of_its_own(key):
    alone = replace(ORDERS, key=key)

    assert [(RouteFaultKind.KEY_HAS_VERSION, "GET /api/v2/orders/{id}")] == faults(alone)


@pytest.mark.parametrize("key", ["api_key", "conversion_id", "vendor", "v_key", "subversion"])
def test_a_word_that_only_resembles_a_version_is_no_version(key):
    assert [] == faults(replace(ORDERS, key=key))


def test_letter_case_and_spaces_are_no_difference():
    assert [] == faults(ORDERS, replace(OLD, authentication="API  Key", limit=" 1000/Hour", key="API_KEY"))


def test_a_public_route_is_said_on_purpose():
    assert [] == faults(replace(ORDERS, authentication="none"), replace(OLD, authentication="none"))
    assert [RouteFaultKind.AUTHENTICATION_MISSING] == [
        f for f, _ in faults(replace(ORDERS, authentication=""))
    ]


def test_methods_are_routes_of_their_own():
    assert [] == faults(ORDERS, replace(OLD, method="DELETE", limit="10/hour"))


def test_each_version_is_compared_with_the_most_recent_one():
    ninth, tenth = (
        replace(ORDERS, path="/api/v9/orders/{id}"),
        replace(ORDERS, path="/api/v10/orders/{id}", limit="2/s"),
    )

    [problem] = check_routes([tenth, ninth])

    assert "GET /api/v9/orders/{id}" == problem.route
    assert "/api/v10/orders/{id} counts against '2/s'" in problem.detail


def test_a_route_without_a_version_gets_the_address_to_use():
    [problem] = check_routes([replace(ORDERS, path="/api/orders")])

    assert RouteFaultKind.UNVERSIONED is problem.kind
    assert "/api/v1/orders" in problem.detail


def test_routes_outside_of_the_api_are_not_looked_at():
    assert [] == faults(ORDERS, Route("GET", "/health"), Route("GET", "/apiary/v1/bees"))


def test_a_prefix_under_which_nothing_lies_is_rejected_because_nothing_would_be_found():
    with pytest.raises(InvalidApi, match="prefix of '/v1/orders'") as refused:
        check_routes([Route("GET", "/v1/orders"), Route("GET", "/v2/orders")])

    assert "prefix" == refused.value.field
    assert () == check_routes([])


@pytest.mark.parametrize("prefix", ["api", "https://api.example.com", None, 5])
def test_a_prefix_begins_with_a_slash(prefix):
    with pytest.raises(InvalidApi, match="write it like '/api'") as refused:
        check_routes([ORDERS], prefix=prefix)

    assert "prefix" == refused.value.field


def test_a_colon_within_a_segment_is_part_of_a_name():
    """As in the custom methods of Google's API design guide (AIP-136)."""
    cancel, refund = (replace(ORDERS, path=f"/api/v2/orders/{{id}}:{verb}") for verb in ("cancel", "refund"))

    assert [] == faults(cancel, replace(refund, limit="10/hour"))


def test_the_prefix_may_be_another_one_or_none():
    assert [RouteFaultKind.LIMIT_MISSING] == [
        f for f, _ in faults(Route("GET", "/v1/a", authentication="key"), prefix="")
    ]
    assert [RouteFaultKind.LIMIT_MISSING] == [
        f for f, _ in faults(Route("GET", "/rest/v1/a", authentication="key"), prefix="/rest/")
    ]


def test_the_same_line_twice_is_no_matter_unless_it_differs():
    assert [] == faults(ORDERS, ORDERS)
    assert [(RouteFaultKind.TWICE, "GET /api/v2/orders/{id}")] == faults(ORDERS, replace(ORDERS, key="ip"))


@pytest.mark.parametrize(
    ("route", "field"),
    [
        (Route("get", "/api/v1/a"), "routes.1.method"),
        (Route("", "/api/v1/a"), "routes.1.method"),
        (Route("GET", "api/v1/a"), "routes.1.path"),
        (("GET", "/api/v1/a"), "routes.1"),
        (Route(None, "/api/v1/a"), "routes.1.method"),  # type: ignore[arg-type]
        (Route("GET", 5), "routes.1.path"),  # type: ignore[arg-type]
        (Route("GET", "/api/v1/a", authentication=["key"]), "routes.1.authentication"),  # type: ignore[arg-type]
        (Route("GET", "/api/v1/a", limit=1000), "routes.1.limit"),  # type: ignore[arg-type]
        (Route("GET", "/api/v1/a", key=("ip", "key")), "routes.1.key"),  # type: ignore[arg-type]
    ],
)
def test_a_line_that_is_no_route_is_rejected_by_its_place(route, field):
    with pytest.raises(InvalidApi) as refused:
        check_routes([ORDERS, route])

    assert field == refused.value.field


@pytest.mark.parametrize("routes", [ORDERS, 5, None])
def test_what_is_no_list_of_routes_is_rejected(routes):
    with pytest.raises(InvalidApi, match="list of Route") as refused:
        check_routes(routes)

    assert "routes" == refused.value.field


texts = st.text(max_size=12)


METHODS = st.sampled_from(["GET", "PUT"])
ROUTES = st.builds(Route, METHODS, texts, authentication=texts, limit=texts, key=texts)


@given(st.lists(ROUTES), texts)
def test_no_other_error_escapes(routes, prefix):
    with suppress(VersioningError):
        check_routes(routes, prefix=prefix)
