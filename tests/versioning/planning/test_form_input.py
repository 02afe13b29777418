"""Test the conversion of entered texts to an API, and back."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example as such_as
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning import deprecation_schedule
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.deprecation_schedule import lifecycle
from hook_widgets.versioning.planning import form_input
from hook_widgets.versioning.release import Release, Status
from tests.versioning.apis import BERLIN, day, orders, scenes

NOW = datetime(2026, 11, 21, 15, 30, tzinfo=UTC)
FIRST, LAST = datetime(1971, 1, 1), datetime(2190, 1, 1)  # noqa: DTZ001 (what hypothesis wants)
ROWS = [["1", "2023-01-02", "2026-07-01", "", ""], ["v2", "2025-06-02", "", "", "stable"]]


def read(**values):
    """Read inputs, by default with two versions."""
    return form_input.read_form({"versions": ROWS, **values}, now=NOW)


def refused(**values):
    """Return the field and the message of the error."""
    with pytest.raises(InvalidApi) as caught:
        read(**values)
    return caught.value.field, str(caught.value)


def row(*texts):
    """Return two rows, of which the second is valid."""
    return {"versions": [list(texts), ["9", "", "", "", ""]]}


# -- what can be read ---------------------------------------------------------------------------


def test_rows_become_versions_in_the_order_of_their_numbers():
    entered = read(versions=list(reversed(ROWS)))

    assert (1, 2) == entered.api.majors
    assert {1: 1, 2: 0} == entered.rows


def test_dates_are_read_in_the_zone_that_was_entered():
    entered = read(
        zone="Europe/Berlin", versions=[["1", "2023-01-02 09:00", "2026-07-01", "", ""], *ROWS[1:]]
    )

    assert lifecycle(day("2026-07-01T10:00")) == entered.api.release(1).lifecycle
    assert day("2023-01-02T09:00") == entered.api.release(1).released
    assert BERLIN == entered.zone


@pytest.mark.parametrize("zone", form_input.zone_names())
def test_deprecation_and_sunset_name_the_days_that_were_entered(zone):
    """The headers are in UTC, so a midnight in Berlin would be the day before."""
    entered = read(zone=zone, versions=[["1", "", "2026-07-01", "2028-01-03", ""], ROWS[1]])

    headers = dict(entered.api.headers(1, datetime(2026, 12, 1, tzinfo=UTC)))
    deprecated = datetime.fromtimestamp(int(headers["Deprecation"].removeprefix("@")), UTC)
    assert date(2026, 7, 1) == deprecated.date()
    assert headers["Sunset"].startswith("Mon, 03 Jan 2028 ")
    computed = read(zone=zone, versions=[["1", "", "2026-07-01", "", ""], ROWS[1]])
    assert dict(computed.api.headers(1, NOW))["Sunset"].startswith("Mon, 03 Jan 2028 ")


def test_a_removal_is_kept_as_it_was_entered():
    entered = read(versions=[["1", "", "2026-07-01", "2027-10-04", ""], ROWS[1]])

    dates = entered.api.release(1).lifecycle
    assert dates is not None
    assert (day("2027-10-04T10:00", ZoneInfo("UTC")), 15) == (dates.sunset, dates.months)


def test_months_and_holidays_count_for_every_version():
    entered = read(months="12", holidays="2027-07-01; 2027-07-02,\n2026-12-25 2026-12-26")

    dates = entered.api.release(1).lifecycle
    assert dates is not None
    # 1 July 2027 is a Thursday and entered as a holiday, as the Friday after it
    assert datetime(2027, 7, 5, 10, tzinfo=UTC) == dates.sunset


@pytest.mark.parametrize("text", ["24", " 24 ", "24 months", "24 Months"])
def test_months_may_be_named(text):
    assert 24 == read(months=text).months


@pytest.mark.parametrize("text", ["2", "v2", "V2", " v 2 ", "02"])
def test_a_version_may_be_written_with_its_letter(text):
    assert 2 == read(version=text).major
    assert (2, 9) == read(**row(text, "", "", "", "")).api.majors


def test_an_empty_time_is_now_in_the_zone():
    entered = read(zone="Asia/Tokyo")

    assert NOW == entered.at
    assert timedelta(hours=9) == entered.at.utcoffset()
    assert datetime(2027, 1, 1, 10, tzinfo=UTC) == read(at="2027-01-01").at


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (ROWS, 1),
        ([["1", "", "2020-01-01", "", ""], *ROWS[1:]], 2),  # gone
        ([["1", "", "2030-01-01", "", ""], *ROWS[1:]], 1),  # announced ahead
        (ROWS[1:], 2),
        ([*ROWS[1:], ["3", "2040-01-01", "", "", ""]], 2),  # not released: its response is an error
        ([["3", "2040-01-01", "", "", ""]], 3),
    ],
)
def test_without_a_choice_the_oldest_version_with_a_removal_ahead_is_shown(rows, expected):
    assert expected == read(versions=rows).major


def test_a_preview_is_no_stable_version():
    entered = read(versions=[*ROWS, ["3", "2026-09-01", "", "", " Preview "]])

    assert [True, True, False] == [release.stable for release in entered.api.releases]


def test_rows_without_anything_in_them_are_passed_over_and_counted():
    entered = read(versions=[["", "", "", "", ""], *ROWS, ["", " ", "", "", "stable"]])

    assert {1: 1, 2: 2} == entered.rows
    assert "versions.1.deprecated" == refused(versions=[["", "", "", "", ""], ["1", "", "?", "", ""]])[0]


def test_advisories_name_the_input_that_they_concern():
    entered = read(versions=[["2", "", "", "", ""], ["1", "", "2026-07-04", "2028-07-08", ""]])

    fields = [advisory.field for advisory in entered.advisories]
    assert ["migration_guide", "versions.1.deprecated"] == fields[:2]  # a Saturday
    assert {"versions.1.removed"} == set(fields[2:])
    assert all(advisory.text.startswith("v1: ") for advisory in entered.advisories[1:])


def test_a_deprecation_without_a_migration_guide_is_questioned():
    def questioned(**values):
        return [each.text for each in read(**values).advisories if each.field == "migration_guide"]

    assert ['Responses have no Link; rel="deprecation", which needs the URL of the guide.'] == questioned()
    assert [] == questioned(migration_guide="https://example.com/guide")
    assert [] == questioned(versions=ROWS[1:])


@pytest.mark.parametrize(
    ("values", "fields"),
    [
        ({"months": "6"}, ["months", "versions.0.removed"]),
        ({"versions": [["1", "", "2026-07-01", "2027-01-04", ""], ROWS[1]]}, ["versions.0.removed"]),
        ({"months": "6", "versions": ROWS[1:]}, ["months"]),
        ({"months": "12"}, []),
    ],
)
def test_under_twelve_months_is_read_with_an_advisory(values, fields):
    """A team that removes a version in six months needs its plan, too."""
    entered = read(migration_guide="https://example.com/guide", **values)

    short = [each for each in entered.advisories if "12 months or more to migrate" in each.text]
    assert fields == [each.field for each in short]


@pytest.mark.parametrize(
    ("brownout", "expected"),
    [
        (
            "2027-03-01 10:00 to 09:00",
            ["v1: The brownout of Mon 1 Mar 2027, 10:00 ends on the next day at 09:00, after 23 hours."],
        ),
        ("2027-03-01 09:00 to 10:00", []),
        ("2027-03-01 22:00 to 00:00", []),
        ("2027-03-01 10:00 for 48h", []),
    ],
)
def test_a_brownout_over_midnight_says_that_it_ends_on_the_next_day(brownout, expected):
    advisories = read(versions=[["1", "", "2026-06-01", "", "", brownout]]).advisories

    assert expected == [each.text for each in advisories if each.field == "versions.0.brownouts"]


def test_the_input_of_an_advisory_does_not_depend_on_its_words(monkeypatch):
    rows = [["2", "", "", "", ""], ["1", "", "2026-07-04", "2028-07-08", ""]]
    fields = [advisory.field for advisory in read(versions=rows).advisories]
    for name in ("deprecated", "reminder", "final_notice", "sunset"):
        monkeypatch.setitem(deprecation_schedule._NAMES, name, "first announcement of the announcement")

    reworded = read(versions=rows).advisories
    assert any("first announcement" in advisory.text for advisory in reworded[1:])
    assert fields == [advisory.field for advisory in reworded]


def test_a_version_that_goes_without_a_successor_is_questioned():
    leaving = [["1", "", "2026-07-01", "", ""], ["2", "", "", "", "preview"]]

    assert "Where do its users go?" in read(versions=leaving).advisories[-1].text
    for stays in (["3", "", "", "", ""], ["3", "2027-12-01", "", "", ""]):
        advisories = read(versions=[*leaving, stays]).advisories
        assert not [advisory for advisory in advisories if "Where do" in advisory.text]
    late = read(versions=[*leaving, ["3", "2028-02-01", "", "", ""]])
    assert "Where do its users go?" in late.advisories[-1].text


def test_what_is_left_out_is_as_the_form_begins():
    entered = form_input.read_form({"versions": [["1", "", "", "", ""]]}, now=NOW)

    assert ("Orders API", "/api", "example", "") == (
        entered.api.name, entered.api.prefix, entered.api.vendor, entered.api.base_url,
    )  # fmt: skip
    assert (18, "UTC") == (entered.months, entered.zone.key)


def test_numbers_and_none_are_taken_for_texts():
    entered = form_input.read_form(
        {"versions": [[1, None, None, None, None]], "months": 24, "at": None}, now=NOW
    )

    assert (1, 24) == (entered.major, entered.months)


# -- the example, and from an API to texts ------------------------------------------------------


@pytest.mark.parametrize(
    "now",
    [
        NOW,
        datetime(2028, 2, 29, tzinfo=UTC),
        datetime(2027, 1, 1, tzinfo=UTC),
        datetime(2031, 12, 31, 23, tzinfo=UTC),
    ],
)
def test_the_example_has_a_version_that_goes_one_that_stays_and_one_to_come(now):
    values = form_input.example_form(now)
    entered = form_input.read_form(values, now=now)

    assert [Status.DEPRECATED, Status.ACTIVE, Status.PLANNED] == [r.status(now) for r in entered.api.releases]
    assert not [advisory for advisory in entered.advisories if advisory.field.endswith(".deprecated")]
    assert {field.name for field in form_input.FORM_FIELDS} | {"versions"} == set(values)


@pytest.mark.parametrize("scene", scenes())
@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/New_York"])
def test_an_api_written_as_texts_is_read_as_the_same_one(scene, zone):
    api = scenes()[scene]

    again = form_input.read_form(form_input.form_texts(api, zone=zone), now=NOW).api

    assert [instants(release) for release in api.releases] == [
        instants(release) for release in again.releases
    ]
    same = ("name", "prefix", "vendor", "base_url", "migration_guide")
    assert [getattr(api, name) for name in same] == [getattr(again, name) for name in same]


def instants(release):
    """Return the data of a release without the notices, which are computed from the removal."""
    dates = release.lifecycle
    return release.major, release.released, release.stable, dates and (dates.deprecated, dates.sunset)


@given(st.datetimes(FIRST, LAST, timezones=st.just(BERLIN), allow_imaginary=False))
@such_as(datetime(2026, 10, 25, 2, 30, tzinfo=BERLIN, fold=1))
def test_every_moment_is_written_so_that_it_is_read_again(moment):
    rows = form_input.form_texts(Api(releases=(Release(1, moment),)), zone=BERLIN)

    again = form_input.read_form(rows, now=NOW).api.release(1).released
    assert again is not None
    assert moment.timestamp() == again.timestamp()


def test_moments_are_written_as_short_as_can_be():
    assert [
        "1",
        "2023-11-01 00:00",
        "2026-06-01 00:00",
        "2027-12-01 00:00",
        "stable",
        "",
    ] == form_input.form_texts(orders(), zone=BERLIN)["versions"][0]  # type: ignore[index]
    ten = Api(releases=(Release(1, lifecycle=lifecycle(day("2026-06-01T10:00"))),))
    assert ["1", "", "2026-06-01", "2027-12-01", "stable", ""] == form_input.form_texts(ten, zone=BERLIN)[
        "versions"
    ][0]  # type: ignore[index]
    assert [
        "1",
        "2023-10-31 23:00",
        "2026-05-31 22:00",
        "2027-11-30 23:00",
        "stable",
        "",
    ] == form_input.form_texts(orders())["versions"][0]  # type: ignore[index]


def test_every_input_has_a_name_and_help_for_people():
    for field in (*form_input.FORM_FIELDS, *form_input.FORM_COLUMNS):
        assert {"name", "label", "group", "help", "placeholder", "choices"} == set(field.wire())
        assert field.label[0].isupper()
        assert field.help.endswith(".")
        assert field.placeholder


@pytest.mark.parametrize(
    "field",
    [
        field
        for field in (*form_input.FORM_FIELDS, *form_input.FORM_COLUMNS[1:4])
        if not field.default and field.group != "view"
    ],
    ids=lambda field: field.name,
)
def test_what_an_empty_field_shows_cannot_be_taken_for_a_value(field: form_input.FormField):
    columns = [column.name for column in form_input.FORM_COLUMNS]
    if field in form_input.FORM_COLUMNS:
        cells = {"version": "1", "deprecated": "2026-07-01", field.name: field.placeholder}
        values: dict[str, object] = {"versions": [[cells.get(name, "") for name in columns], ROWS[1]]}
    else:
        values = {field.name: field.placeholder}

    assert refused(**values)[0].endswith(field.name)


def with_holidays(*holidays: date) -> Api:
    dates = lifecycle(datetime(2026, 6, 30, 9, tzinfo=UTC), holidays=holidays)
    return Api(releases=(Release(1, lifecycle=dates), Release(2)))


def reminder_of_v1(api: Api) -> date:
    dates = api.release(1).lifecycle
    assert dates is not None
    return dates.reminder.date()


def test_an_api_that_code_gives_keeps_the_notices_that_its_holidays_moved():
    api = with_holidays(date(2026, 12, 30))
    texts = form_input.form_texts(api)

    assert date(2026, 12, 31) == reminder_of_v1(api)  # the thirtieth is a Wednesday
    assert api == form_input.read_form(texts, now=NOW, template=api).api


@pytest.mark.parametrize(
    ("change", "reminder"),
    [
        ({"holidays": "2026-12-30, 2026-12-31"}, date(2027, 1, 1)),
        ({"versions": [["1", "", "2026-07-01 09:00", "", ""], ["2", "", "", "", ""]]}, date(2027, 1, 1)),
    ],
)
def test_notices_are_worked_out_anew_once_other_dates_are_entered(change, reminder):
    api = with_holidays(date(2026, 12, 30))
    entered = form_input.read_form({**form_input.form_texts(api), **change}, now=NOW, template=api)

    assert reminder == reminder_of_v1(entered.api)


# -- what cannot be read ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("name", "a\nb", "name must be text on one line"),
        ("base_url", "example.com", "base_url is 'example.com'"),
        ("base_url", "https://a.example/?x", "base_url has a query"),
        ("prefix", "api", "prefix is 'api'"),
        ("prefix", "/api/v1", "looks like a version"),
        ("vendor", "a b", "vendor is 'a b'"),
        (
            "migration_guide",
            "https://a.example/{v}",
            r"migration_guide has braces other than {old} and {new}",
        ),
        ("zone", "", "the zone is empty; write UTC or"),
        ("months", "", "the notice period is empty; write"),
        (
            "months",
            "1.5 years",
            "cannot be read from '1.5 years'; write a whole number of months, such as 18",
        ),
        ("months", "0", "a notice period of 0 months is out of range; write 1 to 600, usually 18"),
        ("months", "601", "a notice period of 601 months is out of range; write 1 to 600, usually 18"),
        ("months", "1000", "a notice period of 1000 months is out of range; write 1 to 600"),
        ("months", "-18", "cannot be read from '-18'"),
        ("holidays", "25 December", "a holiday cannot be read from '25 December'; the year is missing"),
        ("holidays", "2026-12-25 09:00", "a holiday is a whole day"),
        ("holidays", "2026-12-25, 2026-12-32", "there is no 2026-12-32; December 2026 has 31 days"),
        ("at", "soon", "the as-of date cannot be read from 'soon'; write it as 2026-01-31"),
        ("version", "7", "there is no v7; choose from v1, v2"),
        ("version", "two", "the version cannot be read from 'two'; write its major number, such as 2 or v2"),
    ],
)
def test_an_input_that_cannot_be_is_named_and_says_what_to_do(field, text, said):
    named, message = refused(**{field: text})

    assert field == named
    assert said in message


@pytest.mark.parametrize(
    ("texts", "column", "said"),
    [
        (("", "2026-01-05", "", "", ""), "version", "the version is empty; write its major number"),
        (("2.1", "", "", "", ""), "version", "'2.1' is more than a major number; write 2"),
        (("0", "", "", "", ""), "version", "there is no version 0; versions count from 1"),
        (("2024-10-01", "", "", "", ""), "version", "a version by date is the number 20241001"),
        (("beta", "", "", "", ""), "version", "cannot be read from 'beta'"),
        (("v9", "", "", "", ""), "", "v9 is in rows 1 and 2; give each version one row"),
        (
            ("1", "next year", "", "", ""),
            "released",
            "the release of v1 cannot be read from 'next year'; write it as",
        ),
        (("1", "", "31 February", "", ""), "deprecated", "February has at most 29 days"),
        (("1", "", "2026-07-01", "01/02/2028", ""), "removed", "write 2028-02-01 or 2028-01-02"),
        (("1", "", "2026-07-01", "2026-06-30", ""), "removed", "is not after the announcement"),
        (("1", "", "", "2027-07-01", ""), "deprecated", "v1 has a removal and no announcement; write"),
        (("1", "2026-08-03", "2026-07-01", "", ""), "deprecated", "before its release"),
        (("1", "", "", "", "alpha"), "stage", "v1: there is no stage 'alpha'; choose from: preview, stable"),
    ],
)
def test_a_row_that_cannot_be_names_its_column(texts, column, said):
    named, message = refused(**row(*texts))

    assert (f"versions.0.{column}" if column else "versions.1.version") == named
    assert said in message


@pytest.mark.parametrize(
    ("rows", "field", "said"),
    [
        ([], "versions", "there is no version; add one, such as 1"),
        ([["", "", "", "", "stable"]], "versions", "there is no version"),
        (None, "versions", "must be a list of rows"),
        ("1", "versions", "must be a list of rows"),
        ([["1"]], "versions.0", "row 1 of the versions must have six texts"),
        (["12345"], "versions.0", "six texts"),
        ([["1", 2.5, "", "", ""]], "versions.0.released", "released must be text, not float"),
        ([["1", True, "", "", ""]], "versions.0.released", "not bool"),
        ([["1", "", "", "", "preview"]], "versions", "every version is a preview; make one stable"),
        ([["2", "2026-01-05", "", "", ""], ["1", "2026-02-02", "", "", ""], ["3", "", "", "", ""]],
         "versions.0.released", "version 2 is released at 5 Jan 2026"),
        ([["1", "", "", "", ""]] * 61, "versions", "there are 61 versions, more than the 60 of a form"),
    ],
)  # fmt: skip
def test_rows_that_cannot_be_are_rejected(rows, field, said):
    named, message = refused(versions=rows)

    assert field == named
    assert said in message


def test_the_present_needs_a_zone():
    with pytest.raises(InvalidApi, match="no time zone"):
        form_input.read_form({"versions": ROWS}, now=datetime(2026, 1, 1))  # noqa: DTZ001


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"prefix": "api"}, "Path prefix is 'api', but it has to begin with a slash"),
        ({"base_url": "https://a.example/?x"}, "Base URL has a query or a fragment; end it with the host"),
        ({"versions": [["1", 2.5, "", "", ""]]}, "Released must be text, not float"),
        ({"versions": [[2.5, "", "", "", ""]]}, "Version must be text, not float"),
        ({"version": 2.5}, "Version shown must be text, not float"),
        ({"zone": ""}, "The zone is empty; write UTC"),
        (row("1", "", "2026-07-01", "2026-06-30", ""), "v1: the removal at 30 Jun 2026"),
        (row("1", "2026-08-03", "2026-07-01", "", ""), "Version 1 is deprecated at 1 Jul 2026"),
    ],
)
def test_the_form_shows_an_error_with_the_label_of_its_input(values: Any, expected: str) -> None:
    with pytest.raises(InvalidApi) as caught:
        read(**values)

    assert form_input.form_message(caught.value).startswith(expected)


def test_an_unknown_zone_for_texts_is_rejected():
    with pytest.raises(InvalidApi, match=r"no zone 'CET'; did you mean Europe/Berlin\?"):
        form_input.form_texts(orders(), zone="CET")


texts_of_any_kind = (
    st.text(max_size=30)
    | st.from_regex(r"[0-9v]{0,5}[-/. ][0-9]{1,2}[-/. ][0-9]{1,4}( [0-9]{2}:[0-9]{2})?", fullmatch=True)
    | st.sampled_from(
        ["2026-07-01", "1", "v2", "UTC", "Europe/Berlin", "18", "preview", "/api", "../x", "\0"]
    )
)


@given(
    st.dictionaries(
        st.sampled_from([field.name for field in form_input.FORM_FIELDS]),
        texts_of_any_kind | st.none() | st.integers(),
    ),
    st.lists(st.lists(texts_of_any_kind, min_size=5, max_size=5), max_size=4),
)
def test_nothing_but_a_rejection_with_its_field_comes_of_any_texts(values, rows):
    known = {field.name for field in form_input.FORM_FIELDS} | {"versions"}
    error = None
    try:
        form_input.read_form({"versions": rows, **values}, now=NOW)
    except InvalidApi as refusal:
        error = refusal

    assert error is None or (error.field.partition(".")[0] in known and not str(error).endswith("."))
