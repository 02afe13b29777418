"""Calendar files of versions, read by ical.js: the parser of Thunderbird and other applications."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from hook_widgets.versioning import Api, Release, announcements, calendar, lifecycle
from tests.sdk.reference_verifiers.node import FOLDER
from tests.versioning.apis import AT, many, orders, scenes


def read(file: bytes) -> Any:
    """Parse a file with ical.js."""
    node = os.environ.get("NODE") or shutil.which("node")
    assert node is not None, "no Node: `make test-sdk` brings it"
    ran = subprocess.run([node, "calendar.mjs"], cwd=FOLDER, input=file, capture_output=True, check=True)
    return json.loads(ran.stdout)


def milliseconds(moment: datetime) -> int:
    """Milliseconds since 1970."""
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


@pytest.mark.parametrize(
    "api", [orders(), many(), scenes()["everything goes"]], ids=["orders", "many", "all go"]
)
def test_another_parser_finds_the_same_dates(api):
    events = read(calendar(api, at=AT))

    expected = [text for major in api.majors for text in announcements(api, major)]
    assert [milliseconds(text.due) for text in expected] == [event["start"] for event in events["events"]]
    assert {15 * 60_000} == {event["end"] - event["start"] for event in events["events"]}
    assert {milliseconds(AT)} == {event["stamp"] for event in events["events"]}
    assert all(event["transparent"] for event in events["events"])
    assert len(expected) == len({event["uid"] for event in events["events"]})


def test_another_parser_finds_alarms_thirty_and_seven_days_before_a_removal():
    *others, removal = read(calendar(orders(), at=AT))["events"]

    assert [["DISPLAY", -30 * 86_400], ["DISPLAY", -7 * 86_400]] == removal["alarms"]
    assert [] == [alarm for event in others for alarm in event["alarms"]]
    assert "https://api.example.com/docs/v1-to-v3" == removal["url"]


@pytest.mark.parametrize(
    "name",
    ["Orders", 'Ä, b; "c" \\n d\\', "注文 🎉 " * 30, "END:VEVENT", "a:b;c=d,e", "<b> & 'c'", "-- %0A --"],
)
def test_another_parser_reads_names_as_they_are(name):
    dates = lifecycle(datetime(2026, 6, 1, tzinfo=UTC))
    api = Api(name=name, releases=(Release(1, lifecycle=dates), Release(2)))

    events = read(calendar(api, at=AT))

    line = " ".join(name.split())
    assert f"{line} v1: send the reminder" == events["events"][1]["summary"]
    assert events["events"][1]["description"].startswith(f"{line}: version 1 will be removed in 365 days.\n")
