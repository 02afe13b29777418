"""Test reading all notices of a response's headers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidApi, InvalidNotice
from hook_widgets.versioning.deprecation_schedule import lifecycle
from hook_widgets.versioning.notices.deprecation import build_deprecation
from hook_widgets.versioning.notices.links import Link, build_links
from hook_widgets.versioning.notices.reading import Notices, read_notices
from hook_widgets.versioning.notices.sunset import build_sunset
from hook_widgets.versioning.notices.warning_header import build_warning
from hook_widgets.versioning.release import Status

TICK = timedelta(microseconds=1)
DATES = lifecycle(datetime(2026, 1, 15, 9, tzinfo=UTC))
LINKS = [Link("https://example.com/v1", "deprecation sunset"), Link("/v2/orders", "successor-version")]
HEADERS = [
    ("Content-Type", "application/json"),
    ("Date", "Sat, 21 Nov 2026 12:00:00 GMT"),
    ("Deprecation", build_deprecation(DATES.deprecated)),
    ("Sunset", build_sunset(DATES.sunset)),
    ("Link", build_links(LINKS)),
    ("Warning", build_warning("v1 is deprecated", date=datetime(2026, 11, 21, 12, tzinfo=UTC))),
]
names = st.sampled_from(["Deprecation", "SUNSET", "link", "Warning", "Date", "X"])
values = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        ["@1688169599", "true", "Wed, 11 Nov 2026 11:11:11 GMT", "<a>; rel=next", '299 - "a"', '"']
    ),
)


def test_all_four_notices_are_read_at_once():
    notices = read_notices(HEADERS)

    assert DATES.deprecated == notices.deprecated
    assert DATES.sunset == notices.sunset
    assert tuple(LINKS) == notices.links
    assert ["v1 is deprecated"] == [warning.text for warning in notices.warnings]
    assert () == notices.problems


@pytest.mark.parametrize("case", [str.lower, str.upper, str.title])
def test_names_are_read_in_any_case_from_pairs_and_mappings(case):
    assert read_notices(HEADERS) == read_notices([(case(name), value) for name, value in HEADERS])
    assert read_notices(HEADERS) == read_notices({case(name): value for name, value in HEADERS})


def test_no_headers_tell_nothing():
    notices = read_notices([])

    assert Notices() == notices
    assert "Neither deprecated nor to be removed, as far as the headers tell." == notices.describe(
        DATES.sunset
    )
    assert notices.days_left(DATES.sunset) is None
    assert Status.ACTIVE == notices.status(DATES.sunset)


def test_the_targets_of_a_relation_are_those_about_this_resource():
    notices = read_notices(
        [
            ("Link", '<https://example.com/v1>; rel="Deprecation sunset", </v2>; rel="successor-version"'),
            ("Link", '</v9>; rel="successor-version"; anchor="/other"'),
        ]
    )

    assert ("https://example.com/v1",) == notices.targets("deprecation")
    assert ("https://example.com/v1",) == notices.targets("Sunset")
    assert ("/v2",) == notices.targets("successor-version")
    assert () == notices.targets("latest-version")
    assert 3 == len(notices.links)


@pytest.mark.parametrize(
    ("at", "status", "days", "words"),
    [
        (
            DATES.deprecated - TICK,
            Status.ACTIVE,
            546,
            "To be deprecated at 2026-01-15 09:00 UTC. To be removed at 2027-07-15 09:00 UTC, in 546 days.",
        ),
        (
            DATES.deprecated,
            Status.DEPRECATED,
            546,
            "Deprecated since 2026-01-15 09:00 UTC. To be removed at 2027-07-15 09:00 UTC, in 546 days.",
        ),
        (DATES.deprecated + TICK, Status.DEPRECATED, 545, "in 545 days."),
        (DATES.sunset - timedelta(days=1), Status.DEPRECATED, 1, "in 1 day."),
        (DATES.sunset - TICK, Status.DEPRECATED, 0, "in less than a day."),
        (
            DATES.sunset,
            Status.REMOVED,
            0,
            "Was to be removed at 2027-07-15 09:00 UTC: it may be gone at any time.",
        ),
        (DATES.sunset + timedelta(days=9), Status.REMOVED, 0, "Was to be removed"),
    ],
)
def test_the_state_at_a_time_is_reported_in_words_and_days(at, status, days, words):
    # 2026-01-15 to 2027-07-15 are 365 + 181 days
    notices = read_notices(HEADERS)
    elsewhere = at.astimezone(ZoneInfo("Asia/Tokyo"))

    assert status == notices.status(at) == notices.status(elsewhere)
    assert days == notices.days_left(at) == notices.days_left(elsewhere)
    assert words in notices.describe(at)
    assert notices.describe(at) == notices.describe(elsewhere)


def test_a_question_needs_a_time_with_its_zone():
    naive = datetime(2026, 1, 1, tzinfo=UTC).replace(tzinfo=None)
    notices = read_notices(HEADERS)
    for question in (notices.status, notices.days_left, notices.describe):
        with pytest.raises(InvalidApi, match="no time zone"):
            question(naive)


def test_a_sunset_before_the_deprecation_is_a_problem():
    # RFC 9745 section 4: the Sunset date MUST NOT be earlier
    notices = read_notices({"Deprecation": "@1688169599", "Sunset": "Fri, 30 Jun 2023 23:59:58 GMT"})

    assert 1 == len(notices.problems)
    assert "is earlier than Deprecation" in notices.problems[0]
    assert "RFC 9745 section 4" in notices.problems[0]
    assert notices.deprecated is not None
    assert notices.sunset is not None
    assert "Problems in the headers: 1." in notices.describe(DATES.sunset)


def test_a_sunset_at_the_very_second_of_the_deprecation_is_none():
    notices = read_notices({"Deprecation": "@1688169599", "Sunset": "Fri, 30 Jun 2023 23:59:59 GMT"})

    assert () == notices.problems


@pytest.mark.parametrize(
    ("name", "value", "problem", "lost"),
    [
        ("Deprecation", "true", "Deprecation is 'true', as drafts before RFC 9745", "deprecated"),
        ("Deprecation", "@1\n", "Deprecation has the control character", "deprecated"),
        ("Sunset", "2027-07-15", "Sunset is '2027-07-15', which is no HTTP-date", "sunset"),
        ("Link", "</a>", "Link to '/a' has no rel", "links"),
        ("Link", "\x00", "Link has the control character", "links"),
        ("Warning", "deprecated!", "Warning is malformed", "warnings"),
        ("Warning", "\x00", "Warning has the control character", "warnings"),
    ],
)
def test_a_malformed_field_is_a_problem_and_hides_no_other(name, value, problem, lost):
    notices = read_notices([(key, value if key == name else text) for key, text in HEADERS])

    assert 1 == len(notices.problems)
    assert notices.problems[0].startswith(problem)
    all_notices = read_notices(HEADERS)
    for field in ("deprecated", "sunset", "links", "warnings"):
        assert (field == lost) == (getattr(all_notices, field) != getattr(notices, field))


@pytest.mark.parametrize("name", ["Deprecation", "Sunset"])
def test_a_field_sent_twice_is_a_problem(name):
    notices = read_notices([*HEADERS, *[pair for pair in HEADERS if pair[0] == name]])

    assert (f"{name} is sent 2 times; it has one value, so send it once",) == notices.problems


def test_what_is_well_formed_beside_a_malformed_member_is_kept():
    notices = read_notices(
        [
            ("Link", '</a b>; rel=next, </c>; rel="sunset"'),
            ("Link", '</d>; rel="deprecation'),
            ("Link", "</e>; rel=deprecation"),
            ("Warning", '299 "a", 299 - "b"'),
        ]
    )

    assert ["/c", "/e"] == [link.target for link in notices.links]
    assert ["b"] == [warning.text for warning in notices.warnings]
    assert ["Link", "Link", "Warning"] == [problem.split()[0] for problem in notices.problems]


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        # RFC 8594 section 3 prints the wrong day of the week, RFC 9745 section 4 prints UTC
        ("Sat, 31 Dec 2018 23:59:59 GMT", datetime(2018, 12, 31, 23, 59, 59, tzinfo=UTC)),
        ("Sun, 30 Jun 2024 23:59:59 UTC", datetime(2024, 6, 30, 23, 59, 59, tzinfo=UTC)),
    ],
)
def test_a_date_that_is_clear_in_spite_of_a_fault_still_counts(value, moment):
    notices = read_notices({"Sunset": value})

    assert moment == notices.sunset
    assert 1 == len(notices.problems)
    assert notices.problems[0].startswith(f"Sunset is '{value}'")


@pytest.mark.parametrize(
    ("dates", "count"),
    [
        ([], 1),
        (["Sat, 21 Nov 2026 12:00:00 GMT"], 1),
        (["Sat Nov 21 12:00:00 2026"], 1),
        (["Sat, 21 Nov 2026 12:00:01 GMT"], 0),
        (["yesterday"], 1),
        (["Sat, 21 Nov 2026 12:00:01 GMT", "Sat, 21 Nov 2026 12:00:00 GMT"], 1),
    ],
)
def test_a_warning_of_another_answer_is_left_out(dates, count):
    # RFC 7234 section 5.5: a warn-date that differs from Date excludes the warning
    warning = '299 - "v1" "Sat, 21 Nov 2026 12:00:00 GMT"'
    notices = read_notices([("Warning", warning), *(("Date", date) for date in dates)])

    assert count == len(notices.warnings)
    assert 1 - count == len(notices.problems)


def test_a_year_of_two_digits_needs_the_time_of_reading():
    headers = {"Sunset": "Wednesday, 11-Nov-26 11:11:11 GMT"}

    assert "pass now=" in read_notices(headers).problems[0]
    assert 2026 == getattr(read_notices(headers, now=DATES.deprecated).sunset, "year", None)
    with pytest.raises(InvalidNotice, match="no time zone"):
        read_notices({}, now=DATES.deprecated.replace(tzinfo=None))


@pytest.mark.parametrize(
    "headers",
    ["Sunset: x", b"", None, 5, ["Sunset"], [("Sunset",)], [("Sunset", b"x")], {"Sunset": None}, [None]],
)
def test_what_is_no_list_of_headers_is_rejected(headers):
    with pytest.raises(InvalidNotice, match="pairs of a name and a value") as caught:
        read_notices(headers)

    assert "headers" == caught.value.field


@given(st.lists(st.tuples(names, values), max_size=6))
def test_any_texts_are_read_without_an_error(headers):
    notices = read_notices(headers)

    assert all(isinstance(problem, str) for problem in notices.problems)
    assert notices.describe(DATES.sunset)


@pytest.mark.parametrize(
    ("headers", "deprecated", "sunset", "words"),
    [
        ({"Deprecation": "true"}, None, None, "Deprecated; the headers do not say since when."),
        ({"Deprecation": "?1"}, None, None, "Deprecated; the headers do not say since when."),
        ({"Deprecation": "soon"}, None, None, "Deprecation is sent but cannot be read."),
        (
            {"Deprecation": "Sun, 11 Nov 2018 23:59:59 GMT"},
            datetime(2018, 11, 11, 23, 59, 59, tzinfo=UTC),
            None,
            "Deprecated since 2018-11-11 23:59 UTC.",
        ),
        ({"Deprecation": "1688169599"}, datetime(2023, 6, 30, 23, 59, 59, tzinfo=UTC), None, "2023-06-30"),
        ({"Deprecation": "1688169599000"}, datetime(2023, 6, 30, 23, 59, 59, tzinfo=UTC), None, "2023-06-30"),
        ({"Deprecation": "2023-06-30"}, datetime(2023, 6, 30, tzinfo=UTC), None, "2023-06-30"),
        (
            {"Deprecation": "true", "Sunset": "2026-12-31T23:59:59Z"},
            None,
            datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC),
            "To be removed at 2026-12-31 23:59 UTC",
        ),
        (
            {"Deprecation": "true", "Sunset": "@1798761599"},
            None,
            datetime.fromtimestamp(1798761599, UTC),
            "removed",
        ),
        ({"Deprecation": "true", "Sunset": "next year"}, None, None, "Sunset is sent but cannot be read."),
    ],
)
def test_a_field_in_a_form_of_its_drafts_still_counts(headers, deprecated, sunset, words):
    notices = read_notices(headers)
    at = datetime(2026, 11, 26, tzinfo=UTC)

    assert (deprecated, sunset) == (notices.deprecated, notices.sunset)
    assert "deprecated" == notices.status(at)
    assert words in notices.describe(at)
    assert len(headers) == len(notices.problems)


@pytest.mark.parametrize(
    "text",
    [
        "Fri, 1 Jan 2027 00:00:00 GMT",
        "fri, 01 jan 2027 00:00:00 gmt",
        "Fri, 01 Jan 2027 00:00:00 +0000",
        "Fri, 01 Jan 2027 02:00:00 +0200",
        "Thu, 31 Dec 2026 19:00:00 EST",
        "01 Jan 2027 00:00:00 GMT",
        "Fri, 01-Jan-2027 00:00:00 GMT",
        "Fri Jan 01 2027 02:00:00 GMT+0200 (Central European Summer Time)",
        "01 January 2027",
        "January 1, 2027",
        "2027-01-01 00:00:00 UTC",
        "2027-01-01 00:00:00 +0000 UTC",
        "20270101T000000Z",
        'version="v1", date="Fri, 01 Jan 2027 00:00:00 GMT"',
    ],
)
@pytest.mark.parametrize("name", ["Deprecation", "Sunset"])
def test_a_date_is_read_in_any_form_and_is_a_problem(name: str, text: str) -> None:
    notices = read_notices({name: text})

    assert {datetime(2027, 1, 1, tzinfo=UTC), None} == {notices.deprecated, notices.sunset}
    assert () == notices.unreadable
    assert 1 == len(notices.problems)


@pytest.mark.parametrize("text", ["TBD", "2027-01", "01/02/2027", "06 Nov 94 08:49:37 +0000", "May 27"])
def test_a_date_that_is_not_clear_is_none(text: str) -> None:
    assert ("Sunset",) == read_notices({"Sunset": text}).unreadable


def test_of_several_dates_the_earliest_counts() -> None:
    pairs = [
        ("Deprecation", "true"),
        ("Deprecation", "2026-01-01"),
        ("Sunset", "Fri, 01 Jan 2027 00:00:00 GMT"),
        ("Sunset", "Thu, 31 Dec 2026 00:00:00 GMT"),
    ]
    notices = read_notices(pairs)

    assert datetime(2026, 1, 1, tzinfo=UTC) == notices.deprecated
    assert datetime(2026, 12, 31, tzinfo=UTC) == notices.sunset


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("X-API-Deprecated", "true", "x-api-deprecated is sent but cannot be read."),
        ("X-Shopify-API-Deprecated-Reason", "old", "x-shopify-api-deprecated-reason is sent"),
        ("api-deprecated-versions", "1.0", "api-deprecated-versions is sent but cannot be read."),
        ("X-Sunset", "soon", "x-sunset is sent but cannot be read."),
        ("Warning", '299 - "v1 is deprecated"', "A warning says: v1 is deprecated"),
    ],
)
def test_a_notice_that_no_standard_defines_is_not_reported_as_none(name: str, value: str, words: str) -> None:
    described = read_notices({name: value}).describe(datetime(2026, 11, 26, tzinfo=UTC))

    assert words in described
    assert "Neither" not in described


@pytest.mark.parametrize("value", ["false", "?0", "0", "no"])
def test_a_deprecation_that_is_false_is_none(value):
    assert "active" == read_notices({"Deprecation": value}).status(datetime(2026, 11, 26, tzinfo=UTC))


def test_an_unreadable_sunset_is_not_reported_as_none():
    notices = read_notices({"Sunset": "next year"})

    assert ("Sunset",) == notices.unreadable
    assert "Neither" not in notices.describe(datetime(2026, 11, 26, tzinfo=UTC))
