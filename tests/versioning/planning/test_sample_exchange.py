"""Test that sample exchanges are what `Api.negotiate` decides."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning import Api, Release, VersionLocation, lifecycle
from hook_widgets.versioning.planning.sample_exchange import (
    exchange,
    unknown_exchange,
    unversioned_exchange,
)
from tests.versioning.apis import AT, scenes

OLD = Release(1, lifecycle=lifecycle(datetime(2026, 6, 1, tzinfo=UTC)))
RELEASES = (OLD, Release(2), Release(3, datetime(2030, 1, 1, tzinfo=UTC)))
NOW = datetime(2026, 11, 20, tzinfo=UTC)


def test_a_deprecated_version_is_answered_with_its_notices():
    asked = exchange(Api(releases=RELEASES), 1, NOW)

    assert ("GET /api/v1/orders", (), 200, "OK", "") == (
        asked.request,
        asked.sent,
        asked.status,
        asked.reason,
        asked.body,
    )
    # RFC 9745 section 2: a Structured Field date; RFC 8594 section 3: an HTTP date.
    assert (
        "Api-Version: 1\nDeprecation: @1780272000\nSunset: Wed, 01 Dec 2027 00:00:00 GMT\n"
        'Link: </api/v2/orders>; rel="successor-version"'
    ) == asked.text


def test_a_removed_version_is_gone():
    asked = exchange(Api(releases=RELEASES), 1, datetime(2028, 1, 1, tzinfo=UTC))

    assert (410, "Gone", "version_removed") == (asked.status, asked.reason, json.loads(asked.body)["code"])


def test_a_planned_version_is_rejected_as_an_unknown_one():
    asked = exchange(Api(releases=RELEASES), 3, NOW)

    assert (400, [1, 2]) == (asked.status, json.loads(asked.body)["supported_versions"])


@pytest.mark.parametrize(
    ("locations", "request_line", "sent"),
    [
        ((VersionLocation.HEADER, VersionLocation.PATH), "GET /api/v2/orders", ()),
        ((VersionLocation.HEADER, VersionLocation.QUERY), "GET /api/orders?version=2", ()),
        ((VersionLocation.HEADER, VersionLocation.ACCEPT), "GET /api/orders", (("Api-Version", "2"),)),
        ((VersionLocation.ACCEPT,), "GET /api/orders", (("Accept", "application/vnd.example.v2+json"),)),
    ],
)
def test_the_request_names_the_version_in_a_way_that_the_api_reads(
    locations: tuple[VersionLocation, ...], request_line: str, sent: tuple[tuple[str, str], ...]
):
    asked = exchange(Api(releases=RELEASES, precedence=locations), 2, NOW)

    assert (request_line, sent, 200) == (asked.request, asked.sent, asked.status)
    assert ("Api-Version", "2") in asked.headers


def test_an_unknown_version_or_a_time_without_a_zone_is_rejected():
    api = Api(releases=RELEASES)
    with pytest.raises(InvalidApi) as unknown:
        exchange(api, 9, NOW)
    with pytest.raises(InvalidApi) as naive:
        exchange(api, 1, datetime(2026, 11, 20))  # noqa: DTZ001 - that is what is refused

    assert ("version", "at") == (unknown.value.field, naive.value.field)


@pytest.mark.parametrize("scene", scenes())
def test_requests_without_a_version_and_with_an_unknown_one_are_answered_as_by_the_api(scene):
    api = scenes()[scene]
    unversioned, unknown = unversioned_exchange(api, AT), unknown_exchange(api, AT)

    served = api.default(AT) is not None
    in_path = VersionLocation.PATH in api.precedence
    assert (308 if served and in_path else 200 if served else 400) == unversioned.status
    assert 400 == unknown.status
    assert list(api.supported(AT)) == json.loads(unknown.body)["supported_versions"]
