"""The Python code of a plan decides as the plan does; that for nginx is in `tests/nginx/test_versions.py`."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.versioning import (
    Api,
    Brownout,
    BrownoutResponse,
    HeadersBegin,
    Release,
    VersionLocation,
    lifecycle,
)
from hook_widgets.versioning.negotiation import VersionedAsgi
from hook_widgets.versioning.planning.installation import python_code

BERLIN = ZoneInfo("Europe/Berlin")
START = datetime(2026, 10, 25, 2, 30, tzinfo=BERLIN)  # an hour that comes twice
OUTAGE = Brownout(datetime(2027, 3, 1, 10, tzinfo=BERLIN), datetime(2027, 3, 1, 11, tzinfo=BERLIN))
API = Api(
    name='Olga\'s "Orders"',
    vendor="example.orders",
    base_url="https://api.example.com",
    migration_guide="https://docs.example.com/v{old}-to-v{new}",
    precedence=(VersionLocation.HEADER, VersionLocation.PATH),
    redirect_unversioned=False,
    headers_begin=HeadersBegin.AT_ONCE,
    warn=True,
    brownout_response=BrownoutResponse.GONE,
    releases=(
        Release(1, lifecycle=lifecycle(START, months=6, brownouts=[OUTAGE])),
        Release(2, START, lifecycle=lifecycle(datetime(2026, 12, 1, 10, tzinfo=UTC))),
        Release(4, datetime(2028, 1, 1, tzinfo=UTC), stable=False),
    ),
)


def built(api: Api) -> Api:
    """The API of the code, in front of an application."""
    names: dict = {"app": None}
    exec(compile(python_code(api), "versions.py", "exec"), names)
    assert isinstance(names["app"], VersionedAsgi)
    return names["app"]._api


def test_the_lines_of_the_code_stay_short():
    assert max(map(len, python_code(API).splitlines())) <= 100


@given(
    days=st.integers(-800, 1500),
    target=st.sampled_from(
        ["/api/v1/orders?a=1", "/api/v2/orders", "/api/v4", "/api/v9", "/api/orders", "/"]
    ),
    version=st.sampled_from(["", "1", "2", "x"]),
)
def test_the_code_decides_as_the_plan(days: int, target: str, version: str):
    at = datetime(2026, 12, 1, 12, tzinfo=UTC) + timedelta(days=days)
    headers = {"Api-Version": version} if version else {}

    assert API.negotiate(target, headers, at=at) == built(API).negotiate(target, headers, at=at)


def test_the_code_decides_as_the_plan_in_an_hour_that_comes_twice():
    for fold in (0, 1):
        dates = lifecycle(START.replace(fold=fold))
        api = replace(API, releases=(Release(1, lifecycle=dates), *API.releases[1:]))
        for minutes in (-1, 0, 59, 60, 61):
            at = START.astimezone(UTC) + timedelta(minutes=minutes)

            assert api.headers(1, at) == built(api).headers(1, at)
