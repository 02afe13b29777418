"""The planner as code makes, reads and changes it."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest

from hook_widgets.errors import InvalidApi, UnknownKeyword
from hook_widgets.versioning import Api, Release, Status, VersionLocation, lifecycle
from hook_widgets.widgets.planner.widget import VersionPlanner
from tests.widgets.fake_tab import FakeTab
from tests.widgets.planner.planner_tab import PLAN, ROWS, frame


@pytest.fixture
def tab():
    return FakeTab(VersionPlanner(ROWS, **PLAN))


def test_without_arguments_there_is_an_example_with_a_deprecated_version():
    widget = VersionPlanner()

    assert widget.api is not None
    assert 3 == len(widget.api.releases)
    assert widget.announcement


def test_rows_may_be_numbers_dates_mappings_and_short():
    widget = VersionPlanner(
        [
            1,
            [2, date(2026, 3, 2)],
            {"version": 3, "deprecated": datetime(2026, 6, 1, 9, tzinfo=UTC), "stage": "preview"},
        ],
        months=24,
        holidays=[date(2026, 12, 25), "2027-01-01"],
        at=date(2026, 11, 20),
        version=2,
    )

    assert [
        ["1", "", "", "", "stable", ""],
        ["2", "2026-03-02", "", "", "stable", ""],
        ["3", "", "2026-06-01 09:00+00:00", "", "preview", ""],
    ] == widget.versions
    assert ("24", "2026-12-25, 2027-01-01", "2026-11-20", "2") == (
        widget.months,
        widget.holidays,
        widget.at,
        widget.version,
    )


def test_an_api_is_taken_with_all_its_switches():
    old = Release(1, lifecycle=lifecycle(datetime(2026, 6, 1, 9, tzinfo=ZoneInfo("Europe/Berlin"))))
    given_ = Api(
        name="Fees",
        releases=(old, Release(2)),
        prefix="/fees",
        warn=True,
        precedence=(VersionLocation.HEADER, VersionLocation.QUERY),
    )
    widget = VersionPlanner(given_, at="2026-11-20", version=1)
    assert ("Europe/Berlin", "2026-06-01 09:00") == (widget.zone, widget.versions[0][2])

    assert widget.api is not None
    assert (given_.name, given_.prefix, given_.precedence, given_.warn) == (
        widget.api.name,
        widget.api.prefix,
        widget.api.precedence,
        widget.api.warn,
    )
    was, now = given_.release(1).lifecycle, widget.api.release(1).lifecycle
    assert was is not None
    assert now is not None
    assert (was.deprecated, was.sunset) == (now.deprecated, now.sunset)
    assert "Warning" in dict(widget.headers or ())
    answer = frame(FakeTab(widget))["answer"]
    assert "GET /fees/orders?version=1" == answer["title"]


def test_code_reads_what_the_widget_shows():
    widget = VersionPlanner(ROWS, **PLAN)

    assert [Status.DEPRECATED, Status.ACTIVE, Status.PLANNED] == [
        each.status for each in widget.timeline or ()
    ]
    assert ("Api-Version", "1") == (widget.headers or ())[0]
    assert "Orders API" in (widget.announcement or "")
    assert widget.figure.axes
    assert 4 == len(icalendar.Calendar.from_ical(widget.calendar or b"").walk("VEVENT"))


def test_an_input_that_is_set_in_python_counts_at_once():
    widget = VersionPlanner(ROWS, **PLAN)
    widget.at = date(2028, 1, 1)

    assert "2028-01-01" == widget.at
    assert Status.REMOVED is (widget.timeline or ())[0].status
    with pytest.raises(InvalidApi, match="at must be text, a number or a date, not object"):
        widget.at = object()


def test_while_an_input_cannot_be_used_there_is_nothing():
    widget = VersionPlanner(ROWS, **PLAN)
    widget.set_state({"months": "few"})  # as a browser sets it

    assert [None] * 6 == [
        widget.api,
        widget.timeline,
        widget.figure,
        widget.headers,
        widget.announcement,
        widget.calendar,
    ]


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        (
            "versions",
            [1, [2, date(2026, 3, 2)]],
            [["1", *[""] * 3, "stable", ""], ["2", "2026-03-02", "", "", "stable", ""]],
        ),
        ("versions", [{"version": 3, "stage": "stable"}], [["3", "", "", "", "stable", ""]]),
        ("name", "Orders", "Orders"),
        ("base_url", "https://api.example.com", "https://api.example.com"),
        ("prefix", "/rest", "/rest"),
        ("vendor", "orders", "orders"),
        ("migration_guide", "https://example.com/{old}-{new}", "https://example.com/{old}-{new}"),
        ("zone", "Europe/Berlin", "Europe/Berlin"),
        ("months", 24, "24"),
        ("holidays", [date(2026, 12, 25), "2027-01-01"], "2026-12-25, 2027-01-01"),
        ("headers_begin", "at_once", "at_once"),
        ("warn", "yes", "yes"),
        ("brownout_response", "gone", "gone"),
        ("at", datetime(2026, 11, 20, 9, tzinfo=UTC), "2026-11-20 09:00+00:00"),
        ("version", 2, "2"),
    ],
)
def test_every_input_can_be_assigned_as_it_is_passed_and_is_saved(name, value, expected):
    widget = VersionPlanner([1, 2])
    setattr(widget, name, value)

    assert expected == getattr(widget, name) == widget.get_state()[name]
    assert None is not widget.api
    assert VersionPlanner(**{"versions": [1, 2], name: value}).api == widget.api


def test_an_api_is_assigned_with_all_its_switches():
    api = Api(name="Orders", releases=(Release(1), Release(2)), redirect_unversioned=True)
    widget: Any = VersionPlanner()
    widget.versions = api

    assert (api, "Orders") == (widget.api, widget.name)


@pytest.mark.parametrize(
    ("name", "value", "field", "text"),
    [
        ("versions", [["one"]], "versions.0.version", "'one'"),
        ("versions", "v1", "versions", "list of rows"),
        ("months", "a year", "months", "write a whole number of months, such as 18"),
        ("zone", "Europe/Berlim", "zone", "Europe/Berlin"),
        ("at", "31.12.2026", "at", "2026-12-31"),
        ("at", datetime(2026, 1, 1), "at", "no time zone"),  # noqa: DTZ001
        ("holidays", ["25 December"], "holidays", "the year is missing"),
        ("headers_begin", "later", "headers_begin", "at_once"),
        ("warn", "yeah", "warn", "yes"),
        ("warn", True, "warn", "warn must be text, 'no' or 'yes', not bool"),
        ("versions", [b"1"], "versions.0", "up to six"),
        ("brownout_response", 503, "brownout_response", "unavailable"),
        ("version", "9", "version", "9"),
        ("base_url", "api.example.com", "base_url", "https"),
        ("migration_guide", "guide", "migration_guide", "guide"),
        ("prefix", "a b", "prefix", "a b"),
        ("vendor", "a b", "vendor", "a b"),
        ("name", ["x"], "name", "name must be text"),
    ],
)
def test_a_wrong_value_that_code_assigns_names_its_field_and_changes_nothing(name, value, field, text):
    widget = VersionPlanner([1, 2])
    before, api = getattr(widget, name), widget.api
    with pytest.raises(InvalidApi, match=text) as caught:
        setattr(widget, name, value)

    assert (field, before, api) == (caught.value.field, getattr(widget, name), widget.api)


def test_an_error_that_a_browser_left_does_not_stop_other_assignments():
    widget = VersionPlanner([1, 2])
    widget.set_state({"months": "few"})
    widget.name = "Orders"

    assert ("Orders", None) == (widget.name, widget.api)
    widget.months = 12
    assert None is not widget.api


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"verions": []}, UnknownKeyword, "did you mean 'versions'"),
        ({"locked": ["everything"]}, UnknownKeyword, "no field 'everything'"),
        ({"versions": [{"major": 1}]}, UnknownKeyword, "a version has no 'major'"),
        ({"versions": "1"}, InvalidApi, "list of rows"),
        ({"versions": [[1, "", "", "", "", "", ""]]}, InvalidApi, "up to six"),
        ({"versions": [[1, 2.5j]]}, InvalidApi, "released must be text"),
        ({"versions": [[1, datetime(2026, 1, 1)]]}, InvalidApi, "no time zone"),  # noqa: DTZ001
        ({"versions": [1], "months": 0}, InvalidApi, "write 1 to 600"),
        ({"versions": [1], "zone": "Mars"}, InvalidApi, "zone"),
        ({"name": ["x"]}, InvalidApi, "name must be text"),
    ],
)
def test_what_cannot_be_is_said_when_the_widget_is_made(arguments, error, text):
    with pytest.raises(error, match=text):
        VersionPlanner(**arguments)


def test_locked_inputs_stay_as_the_author_set_them():
    tab = FakeTab(VersionPlanner(ROWS, **PLAN, locked=["versions", "months"]))
    before = tab.widget.versions
    tab.widget.set_state(
        {"versions": [["9", "", "", "", "stable"]], "months": "12", "locked": [], "name": "Fees"}
    )

    assert (before, "18", ["versions", "months"], "Fees") == (
        tab.widget.versions,
        tab.widget.months,
        tab.widget.locked,
        tab.widget.name,
    )
    shown = frame(tab, versions=[["9", "", "", "", "stable"]], months="12")
    assert ["v1", "v2", "v3"] == [each["title"] for each in shown["versions"]]


def test_state_of_the_wrong_type_changes_nothing(tab):
    before = tab.widget.versions
    tab.widget.set_state({"versions": [["1"]]})
    tab.widget.set_state({"at": ["2027-01-01"]})

    assert (before, "2026-11-20 12:00") == (tab.widget.versions, tab.widget.at)


def test_what_a_notebook_saves_are_inputs_and_their_still_form(tab):
    frame(tab)
    tab.widget._repr_mimebundle_()
    state = tab.widget.get_state()
    own = {name: value for name, value in state.items() if name in (*tab.widget.lockable, "locked")}

    assert len(json.dumps(own)) < 1000
    assert len(json.dumps(state["still"])) < 5000
    synced = {name for name in state if not name.startswith("_")} - {"layout", "tabbable", "tooltip"}
    assert {*tab.widget.lockable, "locked", "still"} == synced


def test_the_widget_says_what_it_is():
    assert "VersionPlanner('Orders API', v1, v2, v3, at='2026-11-20 12:00')" == repr(
        VersionPlanner(ROWS, **PLAN)
    )
