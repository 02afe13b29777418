"""The planner's kernel side, driven by a tab without a browser."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree

import icalendar
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import hook_widgets
from hook_widgets.versioning.planning.installation import envoy_config, nginx_config, python_code
from hook_widgets.widgets.planner import widget
from hook_widgets.widgets.planner.widget import VersionPlanner
from tests.support.extent import extent
from tests.widgets.fake_tab import FakeTab
from tests.widgets.planner.planner_tab import PLAN, ROWS, frame, inputs
from tests.widgets.static_html.cases import bundle


@pytest.fixture
def tab():
    return FakeTab(VersionPlanner(ROWS, **PLAN))


def last_file(tab: FakeTab) -> bytes:
    """The bytes of the last reply."""
    _, buffers = list(tab.replies.values())[-1]
    return buffers[0]


def row(tab: FakeTab, at: int, **cells: str) -> list[list[str]]:
    """The versions with other texts in one row."""
    names = ("version", "released", "deprecated", "removed", "stage", "brownouts")
    rows = [list(each) for each in tab.widget.versions]
    rows[at] = [cells.get(name, old) for name, old in zip(names, rows[at], strict=True)]
    return rows


def test_the_widget_is_a_public_name_that_loads_on_use():
    assert VersionPlanner is hook_widgets.VersionPlanner


def test_a_frame_has_a_picture_as_wide_as_was_asked_for_and_higher_with_more_versions(tab):
    shown = frame(tab, {"width": 700, "dpr": 2})["picture"]
    image = Image.open(io.BytesIO(last_file(tab)))
    more = frame(tab, {"width": 700}, versions=[*tab.widget.versions, ["4", "", "", "", "stable"]])["picture"]

    assert ((1400, 2 * shown["height"]), "PNG") == (image.size, image.format)
    assert more["height"] > shown["height"]
    assert "v1: deprecated" in shown["alt"]


def test_a_frame_tells_each_version_in_its_row(tab):
    by_version = frame(tab)["versions"]

    assert [
        (0, "1", "v1", "warn", "deprecated, reminder in 11 days"),
        (1, "2", "v2", "ok", "active, current"),
        (2, "3", "v3", "plain", "planned, release in 193 days"),
    ] == [tuple(each[name] for name in ("row", "version", "title", "level", "status")) for each in by_version]


def test_rows_may_be_in_any_order_and_empty_ones_between(tab):
    rows = [["", "", "", "", "stable"], *reversed(tab.widget.versions)]
    shown = frame(tab, versions=rows)

    assert [(3, "1"), (2, "2"), (1, "3")] == [(each["row"], each["version"]) for each in shown["versions"]]
    assert "2027-12-01" == shown["fields"]["versions.3.removed"]["shown"]


def test_headers_are_those_that_the_api_sends(tab):
    shown = frame(tab)
    api = tab.widget.api
    route = api.negotiate("/api/v1/orders", at=datetime(2026, 11, 20, 11, tzinfo=UTC)).route

    assert [list(line) for line in route.headers] == shown["answer"]["lines"]
    assert ("GET /api/v1/orders", 200, "OK", "") == tuple(
        shown["answer"][name] for name in ("title", "status", "reason", "body")
    )
    assert "Deprecation: @1780300800" in shown["answer"]["text"].splitlines()


@pytest.mark.parametrize(
    ("at", "status", "level"),
    [
        ("2026-05-31", 200, "ok"),
        ("2026-06-01", 200, "warn"),
        ("2027-11-30 23:59", 200, "warn"),
        ("2027-12-01", 410, "bad"),
    ],
)
def test_the_answer_is_that_of_the_date_shown(tab, at, status, level):
    shown = frame(tab, at=at, version="1")

    assert (status, level) == (shown["answer"]["status"], shown["status"]["level"])
    assert (status == 410) == ("version_removed" in shown["answer"]["body"])


def test_the_redirect_and_the_400_are_shown(tab):
    unversioned, unknown = frame(tab)["others"]

    assert (308, ["Location", "/api/v2/orders"]) == (unversioned["status"], unversioned["lines"][0])
    assert 400 == unknown["status"]
    assert '"supported_versions": [' in unknown["body"]
    assert [] == [line for line in frame(tab)["answer"]["lines"] if line[0] == "Warning"]
    warned = dict(map(tuple, frame(tab, warn="yes")["answer"]["lines"]))
    assert warned["Warning"].startswith("299 ")


def test_another_version_can_be_shown(tab):
    shown = frame(tab, version="v2")

    assert ("2", [["Api-Version", "2"]], []) == (
        shown["version"],
        shown["answer"]["lines"],
        shown["texts"],
    )
    assert "v2: active, current" == shown["status"]["text"]


def test_the_texts_of_all_four_dates_come_with_a_full_frame(tab):
    texts = {each["id"]: each for each in frame(tab)["texts"]}

    assert ["announcement", "reminder", "final_notice", "removal"] == list(texts)
    assert "Due on Tuesday, 1 December 2026, 10:00 (Europe/Berlin, UTC+01:00)" == texts["reminder"]["when"]
    assert all("Orders API" in each["text"] for each in texts.values())
    assert [each["id"] for each in tab.ask("catalog")["value"]["texts"]] == list(texts)


def test_a_quick_frame_leaves_out_what_is_read_below_the_picture(tab):
    full, quick = frame(tab), frame(tab, {"quick": True})

    assert {"table", "texts", "events", "others", "install"} == set(full) - set(quick)
    assert full["versions"] == quick["versions"]


def test_the_code_to_install_is_that_of_the_plan_and_the_date(tab):
    installed = frame(tab)["install"]
    api, at = tab.widget.api, tab.widget._read().at

    expected = [python_code(api), nginx_config(api, at), envoy_config(api, at)]
    assert expected == [each["code"] for each in installed]
    assert all("As of Friday, 20 November 2026, 12:00" in each["note"] for each in installed[1:])


def test_the_table_says_the_same_as_the_rows(tab):
    table = frame(tab)["table"]

    assert ["v1", "v2", "v3"] == [cells[0] for cells in table["rows"]]
    assert {len(table["columns"])} == {len(cells) for cells in table["rows"]}


def test_a_frame_changes_no_input_and_can_travel(tab):
    before = inputs(tab)
    shown = frame(tab, versions=[["7", "", "", "", "stable"]], months="24", at="2027-01-01")

    assert before == inputs(tab)
    assert json.dumps(shown, allow_nan=False)


# -- through time -----------------------------------------------------------------------------------


def test_the_slider_goes_through_texts_that_can_be_typed(tab):
    steps = frame(tab)["scales"]["steps"]["at"]

    assert "" in steps  # the present
    assert {"2026-06-01", "2027-12-01"} <= set(steps)
    for text in (steps[0], "2026-12-01", steps[-1]):
        shown = frame(tab, at=text)
        assert (None, steps.index(text)) == (shown["error"], shown["fields"]["at"]["index"])


def test_the_slider_gets_its_steps_once_and_again_when_the_dates_change(tab):
    first = frame(tab)["scales"]["id"]

    assert None is frame(tab, {"scales": first})["scales"]
    assert None is not frame(tab, {"scales": first}, months="24")["scales"]


def test_an_empty_date_is_the_present_of_each_frame(tab, monkeypatch):
    for day, status in ((1, "deprecated"), (2, "removed")):
        moment = datetime(2027, 11 + day - 1, 30 if day == 1 else 2, tzinfo=UTC)
        monkeypatch.setattr(widget, "_now", lambda moment=moment: moment)
        shown = frame(tab, at="", version="1")

        assert shown["versions"][0]["status"].startswith(status)
        assert f"now, {moment:%Y-%m-%d}" == shown["fields"]["at"]["shown"]
        index = shown["fields"]["at"]["index"]
        assert "" == shown["scales"]["steps"]["at"][index]


def test_who_moves_through_time_keeps_looking_at_one_version(tab, monkeypatch):
    monkeypatch.setattr(widget, "_now", lambda: datetime(2026, 11, 20, tzinfo=UTC))
    dates = ("2020-01-01", "2027-12-01", "2040-01-01")

    assert ["1"] * 3 == [frame(tab, at=at, version="")["version"] for at in dates]


def test_the_milestones_before_and_after_are_named(tab):
    moment = frame(tab)["moment"]

    assert {"at": "2026-06-01", "title": "v1 announcement"} == moment["previous"]
    assert {"at": "2026-12-01", "title": "v1 reminder"} == moment["next"]
    assert moment["text"].endswith("Next: v1 reminder, Tue 1 Dec 2026, 10:00.")
    assert None is frame(tab, at="2030-01-01")["moment"]["next"]


# -- what cannot be ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"zone": "Berlin-ish"}, "zone"),
        ({"months": "0"}, "months"),
        ({"months": ""}, "months"),
        ({"holidays": "Christmas"}, "holidays"),
        ({"at": "soon"}, "at"),
        ({"version": "9"}, "version"),
        ({"prefix": "api v1"}, "prefix"),
        ({"vendor": "a b"}, "vendor"),
        ({"base_url": "ftp://x"}, "base_url"),
        ({"migration_guide": "javascript:alert(1)"}, "migration_guide"),
        ({"versions": []}, "versions"),
        ({"versions": [["x", "", "", "", "stable"]]}, "versions.0.version"),
        ({"versions": [["1", "never", "", "", "stable"]]}, "versions.0.released"),
        ({"versions": [["1", "", "2026-02-30", "", "stable"]]}, "versions.0.deprecated"),
        ({"versions": [["1", "", "2026-06-01", "2026-01-01", "stable"]]}, "versions.0.removed"),
        ({"versions": [["1", "", "", "", "beta"]]}, "versions.0.stage"),
        ({"versions": [["1", "", "2026-06-01", "", "stable", "2026-05-01 for 1h"]]}, "versions.0.brownouts"),
        ({"versions": [["1", "", "", "", "stable"], ["v1", "", "", "", ""]]}, "versions.1.version"),
    ],
)
def test_what_cannot_be_is_an_error_of_its_field_and_the_next_good_frame_is_shown(tab, changes, field):
    wrong = frame(tab, **changes)

    assert (field, None) == (wrong["error"]["field"], wrong["picture"])
    assert [] == list(tab.replies.values())[-1][1]
    text = wrong["error"]["text"]
    assert re.match(r"[A-Z'\"]|v[0-9]", text), text
    assert not text.endswith(".")
    assert frame(tab)["picture"]


def test_what_somebody_should_ask_again_stands_at_its_row(tab):
    by_version = frame(tab, versions=row(tab, 0, removed="2029-06-01"))["versions"]

    assert any("over 24 months" in advisory for advisory in by_version[0]["advisories"])
    assert [] == by_version[1]["advisories"]


def test_a_short_notice_is_drawn_with_a_warning(tab):
    shown = frame(tab, versions=row(tab, 0, removed="2026-12-01"), migration_guide="")

    assert (None, True) == (shown["error"], bool(shown["picture"]))
    assert "warn" == shown["status"]["level"]
    assert re.fullmatch(r"v1: deprecated, .* in \d+ days, short notice", shown["status"]["text"])
    assert any("users need 12 months or more" in text for text in shown["versions"][0]["advisories"])
    assert "Responses have no Link" in shown["fields"]["migration_guide"]["note"]
    assert "" == shown["fields"]["months"]["note"]
    assert "12 months or more" in frame(tab, months="6")["fields"]["months"]["note"]
    tab.widget.months = "6"
    assert any("12 months or more" in advisory.text for advisory in tab.widget.advisories)


hostile = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
dates = st.sampled_from(["", "2026-06-01", "1999-12-31 23:59", "2199-12-31", "9999-12-31", "2026-13-01", "x"])
nearly_right = st.fixed_dictionaries(
    {},
    optional={
        "versions": st.lists(
            st.tuples(
                st.sampled_from(["", "1", "v2", "0", "99999999999999999", "é"]),
                dates,
                dates,
                dates,
                st.sampled_from(["", "stable", "preview", "x"]),
                st.sampled_from(["", "2027-03-01 10:00 for 1h", "2027-03-01 to x; for", "9999-12-31 for 9h"]),
            ).map(list),
            max_size=4,
        ),
        "months": st.sampled_from(["12", "18", "600", "0", "-1", "1e9", ""]),
        "zone": st.sampled_from(["UTC", "Asia/Kathmandu", "America/New_York", "Mars/Base", ""]),
        "at": dates,
        "version": st.sampled_from(["", "1", "2", "x"]),
        "name": st.text(max_size=20),
        "migration_guide": st.text(max_size=20),
    },
)
SHARED = VersionPlanner(ROWS, **PLAN)


@settings(max_examples=extent(15, 160))  # most of them draw a picture
@given(
    args=st.fixed_dictionaries(
        {},
        optional={
            "inputs": nearly_right
            | st.dictionaries(st.sampled_from(VersionPlanner.lockable), hostile)
            | hostile,
            "width": st.integers(-1, 400) | hostile.filter(lambda value: not isinstance(value, int | float)),
            "theme": hostile,
            "quick": hostile,
            "scales": hostile,
        },
    )
)
def test_no_message_ends_the_conversation(args):
    reply = FakeTab(SHARED).ask("frame", **args)

    assert reply["ok"], reply


@settings(max_examples=extent(15, 160))
@given(args=st.dictionaries(st.sampled_from(["inputs", "format", "text", "theme"]), hostile))
def test_no_wish_for_a_file_ends_the_conversation(args):
    reply = FakeTab(SHARED).ask("export", **args)

    assert reply["ok"] or reply["error"]["code"] in {"unknown_format", "invalid_api"}, reply


# -- files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["png", "svg"])
def test_the_picture_can_be_saved(tab, kind, theme):
    reply = tab.ask("export", inputs=inputs(tab), format=kind, theme=theme)["value"]

    assert (f"orders-api-versions.{kind}", True) == (
        reply["filename"],
        reply["media_type"].startswith("image/"),
    )
    if kind == "png":
        assert "PNG" == Image.open(io.BytesIO(last_file(tab))).format
    else:
        assert ElementTree.fromstring(last_file(tab)).tag.endswith("svg")


def test_the_calendar_has_an_event_for_each_of_the_four_dates(tab):
    reply = tab.ask("export", inputs=inputs(tab), format="ics")["value"]
    events = icalendar.Calendar.from_ical(last_file(tab)).walk("VEVENT")

    assert ("orders-api-versions.ics", "text/calendar") == (reply["filename"], reply["media_type"])
    assert 4 == len(events)


def test_the_table_can_be_saved(tab):
    tab.ask("export", inputs=inputs(tab), format="csv")
    lines = list(csv.reader(io.StringIO(last_file(tab).decode())))

    assert ["v1", "v2", "v3"] == [line[0] for line in lines[1:]]


def test_a_text_can_be_saved(tab):
    reply = tab.ask("export", inputs=inputs(tab), format="md", text="final_notice")["value"]
    shown = next(each for each in frame(tab)["texts"] if each["id"] == "final_notice")

    assert ("orders-api-v1-final-notice.md", "text/markdown") == (reply["filename"], reply["media_type"])
    tab.ask("export", inputs=inputs(tab), format="md", text="final_notice")
    assert shown["text"] == last_file(tab).decode()


def test_what_is_no_file_is_rejected_with_a_reason(tab):
    def error(**args: Any) -> tuple[str, str]:
        reply = tab.ask("export", **args)
        return reply["error"]["code"], reply["error"]["text"]

    assert "unknown_format" == error(inputs=inputs(tab), format="exe")[0]
    assert "unknown_text" == error(inputs=inputs(tab), format="md", text="poem")[0]
    assert ("invalid_api", True) == (
        error(inputs=inputs(tab, months="few"), format="png")[0],
        "18" in error(inputs=inputs(tab, months="few"), format="png")[1],
    )


BROWNOUT = "2027-03-01 10:00 for 1h; 2027-07-01 10:00 to 14:00"


def test_brownouts_are_shown_in_every_part_of_the_frame(tab):
    rows = row(tab, 0, brownouts=BROWNOUT)
    shown = frame(tab, versions=rows, at="2027-03-01 10:30")

    assert 503 == shown["answer"]["status"]
    assert "1800" == dict(map(tuple, shown["answer"]["lines"]))["Retry-After"]
    assert ("bad", "v1: deprecated, brownout until Mon 1 Mar 2027, 11:00, requests return 503") == (
        shown["status"]["level"],
        shown["status"]["text"],
    )
    assert "bad" == shown["versions"][0]["level"]
    assert "Brownouts" == shown["table"]["columns"][-1]
    assert {"at": "2027-03-01", "title": "v1 brownout begins"} == shown["moment"]["previous"]
    assert {"at": "2027-03-01 11:00", "title": "v1 brownout ends"} == shown["moment"]["next"]
    assert "## Brownouts" in shown["texts"][0]["text"]
    assert ("A request during the brownout of Mon 1 Mar 2027, 10:00 to 11:00.", 503) == (
        shown["others"][0]["note"],
        shown["others"][0]["status"],
    )
    gone = frame(tab, versions=rows, at="2027-03-01 10:30", brownout_response="gone")
    assert 410 == gone["answer"]["status"]


def test_rows_that_were_saved_before_there_were_brownouts_still_load():
    rows = [["1", "", "2026-06-01", "", "stable"], ["2", "", "", "", "preview"], ["3", "", "", "", ""]]
    widget = VersionPlanner([[1]])
    widget.set_state({"versions": rows, **PLAN})
    shown = frame(FakeTab(widget), versions=rows)

    assert rows == widget.versions
    assert "v1: deprecated, reminder in 11 days" == shown["status"]["text"]
    assert widget.advisories is not None
    assert "v3" in bundle(widget)["text/html"]


def test_the_code_that_is_shown_makes_the_same_brownouts():
    widget = VersionPlanner([["1", "", "2026-06-01", "", "stable", BROWNOUT], ["2"]], **PLAN)
    html = widget._full_document().fragment()
    again = VersionPlanner(widget.api, **PLAN)

    assert BROWNOUT in html
    assert "Mon 1 Mar 2027, 10:00 to 11:00; Thu 1 Jul 2027, 10:00 to 14:00" in html
    listed = "Brownout of v1: Monday, 1 March 2027, 10:00 (Europe/Berlin, UTC+01:00), for 1 hour"
    assert listed in "".join(document.fragment() for document in widget._documents())
    assert "2027-03-01 10:00 for 1h; 2027-07-01 10:00 for 4h" == again.versions[0][5]
    assert widget.api == again.api
