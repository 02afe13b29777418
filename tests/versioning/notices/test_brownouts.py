"""Brownouts: planned outages before a removal, in responses, headers, notices, calendar, tables and form."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from http_sf import parse as parse_structured_field
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from hook_widgets.errors import InvalidApi, InvalidNotice
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.brownouts import MAX_BROWNOUTS, Brownout, BrownoutResponse
from hook_widgets.versioning.deprecation_schedule import lifecycle
from hook_widgets.versioning.notices.brownout import build_brownouts, parse_brownouts
from hook_widgets.versioning.planning.announcement import announcements
from hook_widgets.versioning.planning.calendar import calendar
from hook_widgets.versioning.planning.form_input import form_texts, read_form
from hook_widgets.versioning.planning.form_input.brownouts import brownout_texts, read_brownouts
from hook_widgets.versioning.planning.milestones import milestones, time_steps
from hook_widgets.versioning.planning.plotting.svg import draw_timeline_svg
from hook_widgets.versioning.planning.plotting.view_model.words import describe_timeline
from hook_widgets.versioning.planning.sample_exchange import exchange, unversioned_exchange
from hook_widgets.versioning.planning.timeline import timeline, timeline_csv, timeline_table
from hook_widgets.versioning.release import Release, Status
from tests.versioning.apis import scenes

UTC_ZONE = ZoneInfo("UTC")
BERLIN = ZoneInfo("Europe/Berlin")
ANNOUNCED = datetime(2026, 6, 1, 10, tzinfo=BERLIN)
# The end is given by hand: 10:00 in Berlin is 09:00 UTC in March, before the change of clocks.
MARCH = Brownout(datetime(2027, 3, 1, 10, tzinfo=BERLIN), datetime(2027, 3, 1, 11, tzinfo=BERLIN))
JULY = Brownout(datetime(2027, 7, 1, 10, tzinfo=BERLIN), datetime(2027, 7, 1, 14, tzinfo=BERLIN))
DURING = datetime(2027, 3, 1, 9, 30, tzinfo=UTC)


def api(*brownouts: Brownout, **more: Any) -> Api:
    dates = lifecycle(ANNOUNCED, brownouts=brownouts or (JULY, MARCH))
    return Api(name="Orders API", releases=(Release(1, lifecycle=dates), Release(2)), **more)


def period(start: datetime, **length: float) -> Brownout:
    return Brownout(start, start + timedelta(**length))


def accepted(*brownouts: Brownout) -> int:
    """Return the number of brownouts of a plan that has these."""
    return len(lifecycle(ANNOUNCED, brownouts=brownouts).brownouts)


def refused(*brownouts: Brownout) -> str:
    with pytest.raises(InvalidApi) as error:
        lifecycle(ANNOUNCED, brownouts=brownouts)
    assert "brownouts" == error.value.field
    return str(error.value)


def test_brownouts_are_in_order_of_time():
    assert (MARCH, JULY) == api().releases[0].lifecycle.brownouts  # type: ignore[union-attr]
    assert timedelta(hours=1) == MARCH.length


def test_a_brownout_before_the_announcement_is_rejected():
    message = refused(period(ANNOUNCED - timedelta(seconds=1), hours=1))

    assert message.startswith(
        "the brownout at 1 Jun 2026, 09:59 UTC+02:00 starts before the announcement at "
        "1 Jun 2026, 10:00 UTC+02:00; "
    )


def test_a_brownout_may_start_with_the_announcement_and_end_with_the_removal():
    removal = lifecycle(ANNOUNCED).sunset

    assert 2 == accepted(period(ANNOUNCED, hours=1), period(removal - timedelta(hours=1), hours=1))
    assert "after the removal at 1 Dec 2027, 10:00 UTC+01:00" in refused(
        period(removal - timedelta(hours=1), hours=1, seconds=1)
    )


def test_brownouts_may_touch_and_not_overlap():
    assert 2 == accepted(MARCH, period(MARCH.ends, hours=1))
    assert "keep them apart" in refused(MARCH, period(MARCH.ends - timedelta(seconds=1), hours=1))


def test_the_number_of_brownouts_is_limited():
    many = [period(ANNOUNCED + timedelta(days=k + 1), hours=1) for k in range(MAX_BROWNOUTS + 1)]

    assert MAX_BROWNOUTS == accepted(*many[:-1])
    assert "more than 20 brownouts" in refused(*many)
    assert "more than 20 brownouts" in refused(*iter(many))  # read only as far as needed


@pytest.mark.parametrize(
    ("starts", "ends", "message"),
    [
        (DURING.replace(tzinfo=None), DURING, "the beginning of a brownout has no time zone"),
    ],
)
def test_an_outage_that_cannot_be_is_rejected(starts, ends, message):
    with pytest.raises(InvalidApi, match=message) as error:
        Brownout(starts, ends)

    assert "brownouts" == error.value.field


@pytest.mark.parametrize("wrong", [5, ["2027"], [(DURING, DURING)]])
def test_what_is_no_brownout_is_rejected(wrong):
    with pytest.raises(InvalidApi, match=r"brownouts must be a list of Brownout\(starts, ends\)"):
        lifecycle(ANNOUNCED, brownouts=wrong)


def test_during_a_brownout_the_response_is_503_until_its_end():
    plan = api()
    before, first, last, after = (
        plan.negotiate("/api/v1/orders", at=DURING.replace(hour=hour, minute=minute, second=second))
        for hour, minute, second in ((8, 59, 59), (9, 0, 0), (9, 59, 59), (10, 0, 0))
    )

    assert before.route
    assert after.route
    for decision, retry_after in ((first, "3600"), (last, "1")):
        assert decision.route is None
        assert decision.response is not None
        assert (503, "version_brownout") == (decision.response.status, decision.response.code)
        assert retry_after == dict(decision.response.headers)["Retry-After"]
        assert "no-store" == dict(decision.response.headers)["Cache-Control"]
        body = json.loads(decision.response.body)
        assert "/api/v2/orders" == body["current_version"]
        assert body["detail"].startswith(
            "Orders API version 1 is out of service until 2027-03-01 11:00+01:00: a planned brownout before "
            "its removal on 2027-12-01. Use version 2 instead"
        )


def test_retry_after_is_never_too_early():
    decision = api().negotiate("/api/v1/", at=DURING.replace(minute=59, second=58, microsecond=1))

    assert decision.response is not None
    assert "2" == dict(decision.response.headers)["Retry-After"]  # 1.999999 s are left


def test_410_is_a_choice_and_never_cached():
    decision = api(brownout_response=BrownoutResponse.GONE).negotiate("/api/v1/orders", at=DURING)

    assert decision.response is not None
    names = dict(decision.response.headers)
    assert 410 == decision.response.status
    assert "no-store" == names["Cache-Control"]
    assert "Retry-After" not in names
    assert "version_brownout" == json.loads(decision.response.body)["code"]
    with pytest.raises(InvalidApi, match="brownout_response is 'teapot'; choose from unavailable, gone"):
        api(brownout_response="teapot")


def test_other_versions_are_served_during_a_brownout():
    decision = api().negotiate("/api/v2/orders", at=DURING)

    assert decision.route is not None
    assert 2 == decision.route.major
    assert "Api-Brownout" not in dict(decision.route.headers)


def test_accept_falls_back_to_another_version_as_after_the_removal():
    accept = "application/vnd.example.v1+json, application/vnd.example.v2+json;q=0.5"
    removed = lifecycle(ANNOUNCED).sunset
    majors = [
        decision.route.major
        for at in (DURING, DURING - timedelta(hours=2), removed)
        if (decision := api().negotiate("/api/orders", [("Accept", accept)], at=at)).route
    ]

    assert [2, 1, 2] == majors


def test_a_default_version_in_a_brownout_is_not_served_either():
    dates = lifecycle(ANNOUNCED, brownouts=[MARCH])
    alone = Api(releases=(Release(1, lifecycle=dates),), redirect_unversioned=False)
    sample = unversioned_exchange(alone, DURING)

    assert 503 == sample.status
    assert "current_version" not in json.loads(sample.body)  # there is no other one
    assert 200 == unversioned_exchange(alone, MARCH.ends).status


def test_the_status_stays_deprecated():
    assert Status.DEPRECATED is api().status(1, DURING)
    assert (1, 2) == api().supported(DURING)
    assert MARCH == api().brownout(1, DURING)
    assert api().brownout(1, MARCH.ends) is None
    assert api().brownout(2, DURING) is None


def test_responses_list_the_brownouts_that_have_not_ended():
    """The expected field is parsed by http_sf, another implementation of RFC 9651."""
    plan = api()

    def announced(at: datetime) -> list[tuple[datetime, datetime]]:
        field = dict(plan.headers(1, at)).get("Api-Brownout")
        members: Any = parse_structured_field(field.encode(), tltype="list") if field else []
        return [(value, parameters["ends"]) for value, parameters in members]

    march = (datetime(2027, 3, 1, 9, tzinfo=UTC), datetime(2027, 3, 1, 10, tzinfo=UTC))
    july = (datetime(2027, 7, 1, 8, tzinfo=UTC), datetime(2027, 7, 1, 12, tzinfo=UTC))
    assert [] == announced(ANNOUNCED - timedelta(seconds=1))
    assert [march, july] == announced(ANNOUNCED)
    assert [march, july] == announced(DURING)
    assert [july] == announced(MARCH.ends)
    assert [] == announced(JULY.ends)


@given(
    st.lists(
        st.tuples(
            st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
            st.integers(1, 10**6),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_the_field_is_read_as_it_was_built(parts):
    periods = tuple(
        (starts.replace(microsecond=0), starts.replace(microsecond=0) + timedelta(seconds=seconds))
        for starts, seconds in parts
    )

    assert periods == parse_brownouts(build_brownouts(periods))


@given(
    st.text(st.characters(codec="latin-1"), max_size=60) | st.from_regex(r"@[0-9]{1,16};ends=@[0-9]{1,16}")
)
def test_no_field_value_raises_anything_else(text):
    try:
        periods = parse_brownouts(text)
    except InvalidNotice:
        return
    assert periods
    assert all(starts < ends for starts, ends in periods)


@pytest.mark.parametrize(
    "wrong", ["", "@1", "@1;ends=2", "@2;ends=@1", "@1;ends=@999999999999999", "@1;ends=@2,"]
)
def test_a_field_that_is_no_list_of_outages_is_rejected(wrong):
    with pytest.raises(InvalidNotice, match="Api-Brownout has"):
        parse_brownouts(wrong)
    with pytest.raises(InvalidNotice, match="leave the field out"):
        build_brownouts([])


def test_a_weekend_and_a_long_outage_are_questioned():
    saturday = period(datetime(2027, 3, 6, 10, tzinfo=BERLIN), hours=48)
    long = period(datetime(2027, 3, 8, 10, tzinfo=BERLIN), hours=48, seconds=1)
    texts = [str(each) for each in lifecycle(ANNOUNCED, brownouts=[saturday, long]).advisories]

    assert [
        "The brownout on Saturday 2027-03-06 is not on a business day, so few will notice it.",
        "The brownout on Monday 2027-03-08 takes over 48 hours; users may take it for the removal.",
    ] == texts


def test_notices_list_the_brownouts_ahead_and_promise_nothing_less():
    texts = {each.step.value: each.text for each in announcements(api(), 1)}

    assert "- From Monday, 1 March 2027, 10:00 (Europe/Berlin, UTC+01:00) to" in texts["announcement"]
    assert "(Europe/Berlin, UTC+02:00) (4 hours)" in texts["announcement"]
    assert "it will continue to work as before, except during the brownouts below." in texts["announcement"]
    assert "`503 Service Unavailable` with a `Retry-After` header" in texts["announcement"]
    assert "1 March" not in texts["final_notice"]  # the final notice is due on 1 June
    assert "1 July 2027" in texts["final_notice"]
    assert "rownout" not in texts["removal"]
    assert "will return `410 Gone`. Afterwards" in announcements(api(brownout_response="gone"), 1)[0].text
    assert "brownout" not in announcements(scenes()["orders"], 1)[0].text


def test_the_calendar_has_an_event_for_each_brownout_that_keeps_its_uid():
    file = calendar(api(), at=DURING)
    events = [event for event in Calendar.from_ical(file).events if "brownout" in str(event["summary"])]
    later = Calendar.from_ical(calendar(api(period(MARCH.ends, hours=1), JULY), at=DURING)).events

    assert [
        (datetime(2027, 3, 1, 9, tzinfo=UTC), datetime(2027, 3, 1, 10, tzinfo=UTC)),
        (datetime(2027, 7, 1, 8, tzinfo=UTC), datetime(2027, 7, 1, 12, tzinfo=UTC)),
    ] == [(event.start, event.end) for event in events]
    assert ["Orders API v1: brownout (requests return 503)"] * 2 == [event["summary"] for event in events]
    assert [event["uid"] for event in events] == [e["uid"] for e in later if "brownout" in str(e["summary"])]


def test_time_goes_through_the_beginning_and_the_end_of_each_brownout():
    titles = [(stop.title, stop.at.astimezone(UTC).hour) for stop in milestones(api(), BERLIN)]

    assert [
        ("v1 announcement", 8), ("v1 reminder", 9), ("v1 brownout begins", 9), ("v1 brownout ends", 10),
        ("v1 final notice", 8), ("v1 brownout begins", 8), ("v1 brownout ends", 12), ("v1 removal", 9),
    ] == titles  # fmt: skip
    assert {"v1 brownout begins", "v1 brownout ends"} <= {stop.title for stop in time_steps(api(), DURING)}


def test_the_row_of_a_version_says_when_it_is_out_of_service():
    before, during = (timeline(api(), at)[0] for at in (datetime(2027, 2, 28, 12, tzinfo=BERLIN), DURING))

    assert ("brownout tomorrow", False) == (before.note, before.in_brownout)
    assert ("brownout until Mon 1 Mar 2027, 11:00, requests return 503", True) == (
        during.note,
        during.in_brownout,
    )


def test_tables_have_a_column_of_brownouts_only_if_there_are_some():
    table, file = timeline_table(timeline(api(), DURING)), timeline_csv(timeline(api(), DURING))

    assert ("Brownouts", "–") == (table.columns[-1], table.rows[1][-1])
    assert "Mon 1 Mar 2027, 10:00 to 11:00; Thu 1 Jul 2027, 10:00 to 14:00" == table.rows[0][-1]
    assert file.splitlines()[0].endswith(",Note,Brownouts")
    assert file.splitlines()[1].endswith(
        ",2027-03-01T10:00:00+01:00/2027-03-01T11:00:00+01:00 "
        "2027-07-01T10:00:00+02:00/2027-07-01T14:00:00+02:00"
    )
    assert "Brownouts" not in timeline_csv(timeline(scenes()["orders"], DURING))


def test_the_picture_and_its_description_show_brownouts():
    svg = draw_timeline_svg(api(), DURING)

    assert svg.count("m-2-7h4v14h-4z") == 3  # two on the lane, one in the legend
    assert ">brownout<" in svg
    assert "brownout" not in draw_timeline_svg(scenes()["orders"], DURING)
    assert "brownouts 1 Mar 2027, 1 Jul 2027" in describe_timeline(api(), DURING)


def test_a_sample_exchange_is_that_of_its_time():
    assert (503, "Service Unavailable") == (
        exchange(api(), 1, DURING).status,
        exchange(api(), 1, DURING).reason,
    )


def read(text: str, zone: ZoneInfo = BERLIN) -> list[tuple[str, str]]:
    return [(each.starts.isoformat(), each.ends.isoformat()) for each in read_brownouts(text, zone, "v1")]


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("2027-03-01 10:00 for 1h", "11:00"),
        ("2027-03-01 10:00 for 1 hour", "11:00"),
        ("2027-03-01 for 60 min", "11:00"),
        ("2027-03-01 10:00 FOR 1.5 hours", "11:30"),
        ("2027-03-01 10:00 for 1h 30min", "11:30"),
        ("2027-03-01 10:00 for 1 hour and 30 minutes", "11:30"),
        ("2027-03-01 10:00 to 11:00", "11:00"),
        ("2027-03-01 10:00 until 2027-03-01 11:00", "11:00"),
        ("2027-03-01 10:00–11:00", "11:00"),
        ("2027-03-01 10:00 - 11:00", "11:00"),
        ("2027-03-01T09:00Z to 10:00Z", "11:00"),
    ],
)
def test_a_brownout_is_written_in_many_ways(text, end):
    assert [("2027-03-01T10:00:00+01:00", f"2027-03-01T{end}:00+01:00")] == read(text)


def test_a_length_crosses_a_change_of_clocks_and_an_end_midnight():
    assert [
        ("2027-03-28T01:00:00+01:00", "2027-03-28T04:00:00+02:00"),  # 02:00 to 03:00 does not exist
        ("2027-04-01T22:00:00+02:00", "2027-04-02T02:00:00+02:00"),
    ] == read("2027-03-28 01:00 for 2h;\n 2027-04-01 22:00 to 02:00 ;")
    assert [] == read(" ; ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("soon", "the brownout 'soon' of v1 cannot be read; write it as 2027-03-01 10:00 for 1h"),
        ("2027-03-01 10:00", "the brownout '2027-03-01 10:00' of v1 has no end"),
        ("2027-03-01 10:00 for ages", "has the length 'ages'; write it as 1h"),
        ("2027-03-01 10:00 for 1h 5parsecs", "has the length '1h 5parsecs'"),
        ("2027-03-01 10:00 for 0 min", "takes no time"),
        ("2027-03-01 10:00 for" + " 999999 days" * 4, "ends after the year 9999"),
        ("01/03/2027 10:00 for 1h", "of v1 cannot be read from '01/03/2027 10:00'"),
        ("2027-03-01 10:00 to 2027-02-01 10:00", "does not end after it starts"),
        ("2027-03-01 10:00 for 1h; 2027-13-01 for 1h", "the brownout '2027-13-01 for 1h' of v1: there is no"),
        ("2027-03-01 10:00 for " + "1h " * 50, "is too long"),
        (";".join(["2027-03-01 10:00 for 1h"] * 21), "v1 has more than 20 brownouts"),
    ],
)
def test_a_text_that_is_no_brownout_is_named(text, message):
    with pytest.raises(InvalidApi, match=message):
        read_brownouts(text, BERLIN, "v1")


@pytest.mark.parametrize("between", ["; ", ", ", ",", "\n", " and ", ", and "])
def test_brownouts_are_separated_as_people_do(between):
    first, second = "2027-03-01 10:00 for 1 hour, 30 minutes", "2027-09-01 22:00 to 02:00"

    assert [*read(first), *read(second)] == read(f"{first}{between}{second}")


@given(st.text(max_size=80) | st.text("0123456789-: ;forthminday–T+Z", max_size=80))
def test_no_text_raises_anything_else(text):
    try:
        outages = read_brownouts(text, BERLIN, "v1")
    except InvalidApi:
        return
    assert bool(outages) == any(piece.strip() for piece in text.replace("\n", ";").split(";"))


@given(
    st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)),  # noqa: DTZ001
    st.integers(1, 10**6),
    st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"]),
)
def test_every_brownout_is_written_so_that_it_is_read_again(wall, seconds, name):
    zone = ZoneInfo(name)
    starts = wall.replace(microsecond=0, tzinfo=UTC)
    outage = Brownout(starts, starts + timedelta(seconds=seconds))
    (again,) = read_brownouts(brownout_texts([outage], zone), zone, "v1")

    assert (outage.starts, outage.ends) == (again.starts.astimezone(UTC), again.ends.astimezone(UTC))


def test_the_form_has_a_text_of_brownouts_and_reads_rows_without_it():
    rows = [["1", "", "2026-06-01", "", "stable", "2027-03-01 10:00 for 1h"], ["2", "", "", "", "stable"]]
    form = read_form({"versions": rows, "zone": "Europe/Berlin", "brownout_response": "gone"}, now=DURING)
    texts = form_texts(form.api, zone=BERLIN)

    assert MARCH == form.api.brownout(1, DURING)
    assert BrownoutResponse.GONE is form.api.brownout_response
    assert ["2027-03-01 10:00 for 1h", ""] == [row[-1] for row in texts["versions"]]  # type: ignore[attr-defined]
    assert form.api == read_form(texts, now=DURING, template=form.api).api


@pytest.mark.parametrize(
    ("deprecated", "brownouts", "field", "message"),
    [
        ("", "2027-03-01 10:00 for 1h", "deprecated", "v1 has brownouts and no announcement"),
        ("2027-04-01", "2027-03-01 10:00 for 1h", "brownouts", "v1: the brownout at 1 Mar 2027, 10:00"),
        ("2026-06-01", "2027-03-01", "brownouts", "of v1 has no end"),
    ],
)
def test_brownouts_that_cannot_be_are_rejected_at_their_field(deprecated, brownouts, field, message):
    rows = [["1", "", deprecated, "", "", brownouts], ["2"] + [""] * 5]
    with pytest.raises(InvalidApi, match=message) as error:
        read_form({"versions": rows, "zone": "Europe/Berlin"}, now=DURING)

    assert f"versions.0.{field}" == error.value.field


def test_the_advisories_of_a_template_stay_and_those_of_brownouts_are_of_the_form():
    holiday = {ANNOUNCED.date()}
    dates = lifecycle(
        ANNOUNCED, holidays=holiday, brownouts=[period(datetime(2027, 3, 6, 10, tzinfo=BERLIN), hours=1)]
    )
    template = Api(releases=(Release(1, lifecycle=dates), Release(2)))
    texts = form_texts(template, zone=BERLIN)
    texts["versions"][0][-1] = "2027-03-07 10:00 for 1h"  # type: ignore[index]
    notes = [advisory.text for advisory in read_form(texts, now=DURING, template=template).advisories]

    assert any("2026-06-01, which is not a business day" in note for note in notes)
    assert ["v1: The brownout on Sunday 2027-03-07 is not on a business day, so few will notice it."] == [
        note for note in notes if "brownout" in note
    ]
