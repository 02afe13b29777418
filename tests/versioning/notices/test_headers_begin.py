"""Test that no text claims another beginning of the deprecation headers than `Api.negotiate` has."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning import Api, HeadersBegin, Release, announcements, lifecycle, timeline
from hook_widgets.versioning.planning import form_input
from hook_widgets.versioning.planning.date_formatting import in_full
from tests.versioning.apis import day

NOTICES = {"Deprecation", "Sunset", "Link", "Warning"}
CLAIM = re.compile(
    r"^(?:As of (?P<begin>.*), every|Every) response from version 1 (?P<now>now )?includes these headers:$",
    re.MULTILINE,
)
SECOND = timedelta(seconds=1)


def sent(api: Api, at: datetime) -> set[str]:
    """Return the names of the notices in a response of version 1."""
    decision = api.negotiate("/api/v1/orders", at=at)
    outcome = decision.route or decision.response
    assert outcome is not None
    return NOTICES & {name for name, _ in outcome.headers}


def api_of(deprecated: datetime, months: int, begin: HeadersBegin, *, warn: bool = True) -> Api:
    dates = lifecycle(deprecated, months=months)
    released = day("1990-01-01")
    return Api(
        releases=(Release(1, released, lifecycle=dates), Release(2)), headers_begin=begin, warn=warn,
        migration_guide="https://example.com/guide",
    )  # fmt: skip


lifecycles = st.builds(
    api_of,
    st.datetimes(
        datetime(2000, 1, 1),  # noqa: DTZ001 (what hypothesis wants)
        datetime(2100, 1, 1),  # noqa: DTZ001
        timezones=st.sampled_from([UTC, ZoneInfo("Europe/Berlin"), ZoneInfo("Pacific/Auckland")]),
    ).map(lambda moment: moment.replace(microsecond=0)),
    st.integers(12, 40),
    st.sampled_from(HeadersBegin),
)


@given(lifecycles)
def test_the_headers_begin_with_the_announcement_or_at_once(api):
    dates = api.release(1).lifecycle
    before = dates.deprecated.astimezone(UTC) - SECOND
    early = NOTICES if api.headers_begin is HeadersBegin.AT_ONCE else set()

    assert early == sent(api, before) == sent(api, api.release(1).released)
    for at in (dates.deprecated, dates.sunset.astimezone(UTC) - SECOND, dates.sunset):
        assert sent(api, at) == NOTICES


@given(lifecycles)
def test_no_notice_claims_another_beginning_than_negotiate_has(api):
    for notice in announcements(api, 1)[:3]:
        (claim,) = CLAIM.finditer(notice.text)
        deprecated = api.release(1).lifecycle.deprecated
        assert sent(api, notice.due) == NOTICES  # the headers that it quotes
        if claim["begin"]:
            assert claim["begin"] == in_full(deprecated)
            assert not sent(api, deprecated.astimezone(UTC) - SECOND)
        else:
            assert claim["now"]
            early = notice.due if notice.due > deprecated else api.release(1).released
            assert sent(api, early) == NOTICES


@given(lifecycles, st.integers(-400, 400))
def test_the_chip_says_when_headers_are_sent_before_the_announcement(api, days):
    at = api.release(1).lifecycle.deprecated.astimezone(UTC) + timedelta(days=days)
    row = timeline(api, at)[0]

    assert ("headers already sent" in row.summary) == (row.status == "active" and bool(sent(api, at)))


def test_the_form_has_the_choice_and_keeps_it():
    rows = [["1", "", "2026-12-01", "", ""], ["2", "", "", "", ""]]
    now = day("2026-11-22")

    for text, expected in [
        ("", HeadersBegin.ANNOUNCEMENT), ("at_once", HeadersBegin.AT_ONCE), ("At once", HeadersBegin.AT_ONCE)
    ]:  # fmt: skip
        api = form_input.read_form({"versions": rows, "headers_begin": text}, now=now).api
        assert expected is api.headers_begin
        assert expected.value == form_input.form_texts(api)["headers_begin"]
    with pytest.raises(InvalidApi, match="cannot be read from 'later'") as caught:
        form_input.read_form({"versions": rows, "headers_begin": "later"}, now=now)
    assert "headers_begin" == caught.value.field


def test_another_beginning_is_rejected():
    with pytest.raises(InvalidApi, match="headers_begin is 'soon'; choose from announcement, at_once"):
        Api(releases=(Release(1),), headers_begin="soon")  # type: ignore[arg-type]
