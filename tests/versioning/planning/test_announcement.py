"""Test the announcements; Markdown is parsed by markdown-it-py, which follows CommonMark."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.deprecation_schedule import lifecycle
from hook_widgets.versioning.notices.deprecation import parse_deprecation
from hook_widgets.versioning.notices.sunset import parse_sunset
from hook_widgets.versioning.planning.announcement import announcements, slug
from hook_widgets.versioning.release import Release
from tests.versioning.apis import day, orders, scenes

READER = MarkdownIt("commonmark").enable("table")
DATES = lifecycle(day("2026-06-01"))
ODD_NAMES = [
    "# a", "- a", "1. a", "<b>", "<!-- a", "[a](http://b)", "![a](b)", "<http://a.example>", "`a`", "````",
    "**a**", "a|b", "&amp;", "&#35;", "\\", "a\\", "a #", "=", "~~a~~", "_a_", "* * *", "> a", "[a]: b",
]  # fmt: skip
MARKS = st.sampled_from("#-+*_`~[]()<>!|\\&;:=$^{}'\"/a1. ")
DEPRECATED = [name for name, api in scenes().items() if any(release.lifecycle for release in api.releases)]


def announcement(api, major):
    return announcements(api, major)[0].text


def reminder(api, major):
    return announcements(api, major)[1].text


def final_notice(api, major):
    return announcements(api, major)[2].text


def blocks(text):
    """Return the code blocks in a text."""
    return [token.content for token in READER.parse(text) if token.type == "fence"]


def words(text):
    """Return the visible text of the first heading or paragraph, and the kinds of its tokens."""
    inline = next(token for token in READER.parse(text) if token.type == "inline")
    children = inline.children or []
    return "".join(child.content for child in children), {child.type for child in children}


def leaving(api):
    """Return the versions that have a lifecycle."""
    return [release.major for release in api.releases if release.lifecycle]


def test_there_are_four_texts_each_with_its_date():
    texts = announcements(orders(), 1)

    assert ["announcement", "reminder", "final_notice", "removal"] == [text.step for text in texts]
    expected = [day(date) for date in ("2026-06-01", "2026-12-01", "2027-06-01", "2027-12-01")]
    assert expected == [text.due for text in texts]


def test_a_version_that_stays_has_none():
    assert () == announcements(orders(), 2)


def test_a_version_that_is_not_there_is_named():
    with pytest.raises(InvalidApi, match="no version 7"):
        announcements(orders(), 7)


def test_titles_say_how_long_is_left():
    # 1 June 2026 to 1 December 2027 are 548 days, from 1 December 2026 365, from 1 June 2027 183
    assert [
        "Orders API: version 1 is deprecated",
        "Orders API: version 1 will be removed in 365 days",
        "Final notice: Orders API version 1 will be removed in 183 days",
        "Orders API: version 1 has been removed",
    ] == [text.title for text in announcements(orders(), 1)]
    assert "548 days later" in announcement(orders(), 1)


def test_dates_have_their_weekday_time_and_zone():
    text = announcement(orders(), 1)

    assert "As of Monday, 1 June 2026, 00:00 (Europe/Berlin, UTC+02:00), Orders API version 1" in text
    assert "removed on Wednesday, 1 December 2027, 00:00 (Europe/Berlin, UTC+01:00)" in text


@pytest.mark.parametrize("scene", DEPRECATED)
def test_the_headers_in_a_text_are_those_that_answers_carry_on_that_day(scene):
    api = scenes()[scene]
    for major in leaving(api):
        for text in announcements(api, major)[:3]:
            shown = [tuple(line.split(": ", 1)) for line in blocks(text.text)[0].splitlines()]

            assert list(api.headers(major, text.due, target="/")) == shown


def test_the_headers_name_the_dates_of_the_lifecycle():
    shown = dict(line.split(": ", 1) for line in blocks(announcement(orders(), 1))[0].splitlines())

    assert day("2026-06-01") == parse_deprecation(shown["Deprecation"])
    assert day("2027-12-01") == parse_sunset(shown["Sunset"])


@pytest.mark.parametrize("scene", DEPRECATED)
def test_the_answer_in_a_text_is_the_410_that_a_request_gets(scene):
    api = scenes()[scene]
    for major in leaving(api):
        for text in announcements(api, major):
            head, body = blocks(text.text)[-1].split("\n\n", 1)
            status, *headers = head.splitlines()
            document = json.loads(body)

            assert "HTTP/1.1 410 Gone" == status
            assert "Content-Type: application/problem+json" == headers[0]
            assert (410, "version_removed") == (document["status"], document["code"])
            asked = re.search(
                r"[Rr]equests to `(?P<url>[^`]*)`(?: with the header `(?P<name>[^:]+): (?P<value>[^`]+)`)?",
                text.text,
            )
            assert asked is not None
            sent = [(asked["name"], asked["value"])] if asked["name"] else []
            decision = api.negotiate(
                asked["url"].removeprefix(api.base_url), sent, at=announcements(api, major)[-1].due
            )
            assert decision.response is not None
            assert json.loads(decision.response.body) == document


def test_what_to_do_names_the_successor_of_that_day_and_every_way_to_ask_for_it():
    text = announcement(orders(), 1)

    assert "Migrate to version 2: use `/api/v2/` instead of `/api/v1/` in the path, send" in text
    for way in (
        "`Api-Version: 2`",
        "`Accept: application/vnd.example.v2+json`",
        "or set `version=2` in the query string",
    ):
        assert way in text
    assert "<https://api.example.com/docs/v1-to-v2>" in text
    assert "Migrate to version 3" in final_notice(orders(), 1)  # it is released on that day


def test_only_places_that_are_read_are_named():
    text = announcement(scenes()["header only"], 1)

    assert "Migrate to version 2: send the header `Api-Version: 2`." in text
    assert "in the path" not in text


def test_a_successor_that_is_still_to_come_is_reported_with_its_date():
    api = Api(releases=(Release(1, lifecycle=DATES), Release(2, day("2027-01-04"))))

    assert "version 2, which will be released on Monday, 4 January 2027" in announcement(api, 1)
    assert "which will be" not in final_notice(api, 1)


def test_nobody_is_sent_to_a_version_that_will_be_leaving_itself():
    second = Release(2, day("2026-01-05"), lifecycle=lifecycle(day("2027-06-01")))
    api = Api(releases=(Release(1, lifecycle=DATES), second, Release(3, day("2027-05-03"))))

    assert "Migrate to version 3, which will be released on Monday, 3 May 2027" in announcement(api, 1)


def test_without_a_successor_the_text_promises_none():
    api = Api(releases=(Release(1, lifecycle=DATES),))

    assert "There is no newer stable version to migrate to yet." in announcement(api, 1)
    assert "Migrate to" not in announcement(api, 1)


def test_the_table_has_the_four_dates_and_the_days_from_each_to_the_removal():
    tokens = READER.parse(reminder(orders(), 1))
    cells = [tokens[k + 1].content for k, token in enumerate(tokens) if token.type == "td_open"]

    assert ["Announcement", "**Reminder**", "Final notice", "Removal"] == cells[::3]
    assert ["548", "365", "183", "0"] == cells[2::3]


def test_days_are_those_of_the_zone_also_across_the_change_to_summer_time():
    zone = ZoneInfo("America/New_York")
    dates = lifecycle(day("2026-03-06T23:30", zone), sunset=day("2027-03-08T00:30", zone))
    api = Api(releases=(Release(1, lifecycle=dates), Release(2)))

    assert "367 days later" in announcement(api, 1)


def test_a_file_has_a_plain_name():
    assert "orders-api-v1-final-notice.md" == announcements(orders(), 1)[2].filename
    assert "api" == slug("../..")
    assert "a-b" == slug(" A / b ")


def named(name):
    """Return the four texts of an API with this name."""
    return announcements(Api(name=name, releases=(Release(1, lifecycle=DATES), Release(2))), 1)


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_name_is_shown_as_it_is_and_breaks_no_heading_paragraph_table_or_code(name):
    for plain, odd in zip(named("A"), named(name), strict=True):
        title, kinds = words(odd.text)

        assert odd.title == title
        assert name in title
        assert kinds <= {"text", "text_special"}
        assert [token.type for token in READER.parse(plain.text)] == [t.type for t in READER.parse(odd.text)]


@given(st.text(MARKS | st.characters(exclude_categories=["C", "Z"]), min_size=1).filter(str.strip))
def test_any_name_is_shown_as_it_is(name):
    for text in named(name):
        title, kinds = words(text.text)

        assert text.title == title
        assert kinds <= {"text", "text_special"}


def test_texts_are_in_the_zone_of_the_dates():
    tokyo = ZoneInfo("Asia/Tokyo")
    api = Api(releases=(Release(1, lifecycle=lifecycle(day("2026-06-01T09:00", tokyo))), Release(2)))

    assert "Monday, 1 June 2026, 09:00 (Asia/Tokyo, UTC+09:00)" in announcement(api, 1)
    assert timedelta(hours=9) == announcements(api, 1)[0].due.utcoffset()
