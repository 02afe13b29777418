"""Times in the sample bodies: nothing ends before it begins; an id with a time has that of its object."""

from __future__ import annotations

import json
import re
import string
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from typing import Any
from uuid import UUID

import pytest

from hook_widgets.webhooks import provider, providers

DAY_S = 86_400
MOMENT_S = 5  # between making an id and storing its object, at most
CREATED = re.compile(
    r"(?i)(created|inserted)(_?(at|on|date|time|ts))?|create_?time|creation_?date|date_?created"
)
LATER = re.compile(
    r"(?i)(updated|modified|completed|closed|finished|cancell?ed|deleted|resolved|ended|started|paid|merged|sent"
    r"|published|delivered|failed|processed|last_?(updated|modified))(_?(at|on|date|time|ts))?"
    r"|update_?time|date_?updated"
)
NOT_YET = re.compile(
    r"(?i).*(expir|end|due|next|until|deadline|valid|period|trial|renew|respond|schedul|start|anchor|arriv"
    r"|available|abandon|by$|estimat).*"
)
EARLIER_ALL_THE_SAME = {
    ("atlassian-connect", "started"): "work that was done before it is logged",
    ("jira", "started"): "work that was done before it is logged",
    ("shopify", "processed_at"): "an order is processed before it is stored",
}
ULID = re.compile(r"(?:^|[_-])([0-7][0-9A-HJKMNP-TV-Z]{25}|[0-7][0-9a-hjkmnp-tv-z]{25})$")
OBJECT_ID = re.compile(r"[0-9a-f]{24}")
TIMED_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[17][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
KSUID = re.compile(r"(?:^|_)(?=[^_]*[a-z])(?=[^_]*[A-Z])([0-9A-Za-z]{27})$")
CUID = re.compile(r"(?:^|_)c([0-9a-z]{8})[0-9a-z]{16}$")
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BASE62 = f"{string.digits}{string.ascii_uppercase}{string.ascii_lowercase}"
TEST_ID = "7e577e57"  # "test": the time in it is none
ZONED = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,6})?(Z| UTC|[+-]\d\d:?\d\d)")
FORM_OF_TIME = re.compile(
    r"(?<=[a-z])(?:_(?:at|on|ts|ms|unix|epoch|utc|iso|int|date|time|timestamp|datetime)|At|On|Ts|Ms|Unix|Epoch|Utc|Iso"
    r"|Date|Time|Timestamp|Millis|InSeconds|Value)(?=_|$|[A-Z])"
)
EVENT_IDS = ("id", "_id", "event_id", "webhook_id", "notification_id", "delivery_id", "message_id")
PLAUSIBLE_S = range(1_200_000_000, 2_300_000_000)  # 2008 to 2042


def seconds_of(value: Any) -> float | None:
    """Return a value as seconds since 1970, if it looks like a time; its zone is left out."""
    if isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d", value):
        return datetime.fromisoformat(value[:19]).replace(tzinfo=UTC).timestamp()
    if isinstance(value, int) and not isinstance(value, bool):
        return next((value / unit for unit in (1, 10**3, 10**6) if value // unit in PLAUSIBLE_S), None)
    return None


def number(digits: str, alphabet: str) -> int:
    """Return the number that digits of an alphabet write, the highest first."""
    return sum(alphabet.index(digit) * len(alphabet) ** at for at, digit in enumerate(reversed(digits)))


def seconds_in(identifier: str) -> float | None:
    """Return the time in a ULID, KSUID, cuid, ObjectId of MongoDB, or UUID of version 1 or 7 (RFC 9562)."""
    time_s: float | None = None
    if ulid := ULID.search(identifier):
        time_s = number(ulid[1][:10].upper(), CROCKFORD) / 1000
    elif ksuid := KSUID.search(identifier):
        time_s = (number(ksuid[1], BASE62) >> 128) + 1_400_000_000
    elif cuid := CUID.search(identifier):
        time_s = int(cuid[1], 36) / 1000
    elif OBJECT_ID.fullmatch(identifier):
        time_s = int(identifier[:8], 16)
    elif TIMED_UUID.fullmatch(identifier):
        uuid = UUID(identifier)
        time_s = (uuid.int >> 80) / 1000 if uuid.version == 7 else uuid.time / 10**7 - 12_219_292_800
    return time_s if time_s and int(time_s) in PLAUSIBLE_S else None


def moment(value: Any) -> float | None:
    """Return a value as seconds since 1970, if it looks like a time that has a zone or needs none."""
    if isinstance(value, str):
        return (
            datetime.fromisoformat(value.replace(" UTC", "Z")).timestamp() if ZONED.fullmatch(value) else None
        )
    return seconds_of(value)


def objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(inner)


def parsed(texts: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the bodies that are JSON, or a multipart form with it, by event."""
    values = {}
    for event, text in texts.items():
        document = text[text.find(b"{") : text.rfind(b"}") + 1] if text.startswith(b"--") else text
        with suppress(ValueError):
            values[event] = json.loads(document)
    return values


@cache
def bodies(name: str) -> dict[str, Any]:
    """Return the parsed bodies of a provider's events, by event."""
    known = provider(name)
    return parsed({event.name: known.template(event.name) for event in known.events})


NAMES = [known.id for known in providers()]
GO = [known.id for known in providers() if known.serializer and known.serializer.style.startswith("go")]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_ends_before_it_begins(name: str) -> None:
    wrong = []
    for event, body in bodies(name).items():
        for members in objects(body):
            times = {key: time for key, value in members.items() if (time := seconds_of(value))}
            begin = max((time for key, time in times.items() if CREATED.fullmatch(key)), default=0)
            wrong += [
                (event, key, members[key])
                for key, time in times.items()
                if LATER.fullmatch(key) and 0 < time < begin - 1 and (name, key) not in EARLIER_ALL_THE_SAME
            ]

    assert [] == wrong


@pytest.mark.parametrize("name", NAMES)
def test_an_id_with_a_time_has_that_of_its_object(name: str) -> None:
    wrong = []
    for event, body in bodies(name).items():
        for members in objects(body):
            created = [
                time
                for key, value in members.items()
                if CREATED.fullmatch(key) and (time := seconds_of(value))
            ]
            for key in ("id", "_id", "uid", "uuid"):
                time = seconds_in(members[key]) if isinstance(members.get(key), str) else None
                if time and created and abs(time - created[0]) > MOMENT_S:
                    wrong.append((event, members[key], created[0]))

    assert [] == wrong


@pytest.mark.parametrize("name", NAMES)
def test_an_object_is_not_older_than_what_it_names(name: str) -> None:
    wrong = []
    for event, body in bodies(name).items():
        for members in objects(body):
            created = [
                time
                for key, value in members.items()
                if CREATED.fullmatch(key) and (time := seconds_of(value))
            ]
            for key, value in members.items():
                time = seconds_in(value) if key.endswith("_id") and isinstance(value, str) else None
                if time and created and time > created[0] + DAY_S:
                    wrong.append((event, key, value))

    assert [] == wrong


@pytest.mark.parametrize("name", NAMES)
def test_the_id_of_an_event_has_a_time_of_the_event(name: str) -> None:
    wrong = []
    for event, body in bodies(name).items():
        times = [
            time for members in objects(body) for value in members.values() if (time := seconds_of(value))
        ]
        for key in EVENT_IDS:
            value = body.get(key) if isinstance(body, dict) else None
            time = seconds_in(value) if isinstance(value, str) else None
            if time and times and min(abs(time - other) for other in times) > MOMENT_S:
                wrong.append((event, value))

    assert [] == wrong


@pytest.mark.parametrize("name", NAMES)
def test_two_events_are_not_of_one_millisecond(name: str) -> None:
    ids: defaultdict[float, set[str]] = defaultdict(set)
    for body in bodies(name).values():
        for key in EVENT_IDS:
            value = body.get(key) if isinstance(body, dict) else None
            if isinstance(value, str) and (time := seconds_in(value) or 0) % 1:
                ids[time].add(value)

    assert {} == {time: same for time, same in ids.items() if len(same) > 1}


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_named_before_it_is_there(name: str) -> None:
    wrong = []
    for event, body in bodies(name).items():
        values = [(key, value) for members in objects(body) for key, value in members.items()]
        past = [time for key, value in values if (time := seconds_of(value)) and not NOT_YET.match(key)]
        latest = max(past, default=float("inf"))
        wrong += [
            (event, key, value)
            for key, value in values
            if isinstance(value, str) and (seconds_in(value) or 0) > latest + MOMENT_S
            if not value.startswith(TEST_ID)
        ]

    assert [] == wrong


@pytest.mark.parametrize("name", NAMES)
def test_a_moment_that_is_written_twice_is_one(name: str) -> None:
    """As `created_at` and `created_at_ms`."""
    wrong = []
    for event, body in bodies(name).items():
        for members in objects(body):
            moments: defaultdict[str, dict[str, float]] = defaultdict(dict)
            for key, value in members.items():
                if time := moment(value):
                    moments[FORM_OF_TIME.sub("", key).lower().replace("_", "")][key] = time
            wrong += [
                (event, times)
                for name, times in moments.items()
                if name and max(times.values()) - min(times.values()) > 1
            ]

    assert [] == wrong


@pytest.mark.parametrize("name", GO)
def test_a_time_of_go_has_no_zeros_at_the_end_of_its_fraction(name: str) -> None:
    """MarshalJSON writes RFC3339Nano, which "removes trailing zeros" (pkg.go.dev/time)."""
    text = "".join(provider(name).template(event.name).decode() for event in provider(name).events)

    assert [] == re.findall(r"T[0-9:]{8}\.[0-9]*0(?:Z|[+-][0-9:]{5})", text)


@pytest.mark.parametrize(
    ("identifier", "expected"),
    [
        ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "2016-07-30 23:54:10.259"),  # the example of github.com/ulid/spec
        ("507f1f77bcf86cd799439011", "2012-10-17 21:13:27"),  # MongoDB's manual: ObjectId.getTimestamp
        ("0ujtsYcgvSTl8PAuAdqWYSMnLOv", "2017-10-10 04:00:47"),  # the example of github.com/segmentio/ksuid
        (
            "ch72gsb320000udocl363eofy",
            "2012-09-13 23:03:12.926",
        ),  # github.com/paralleldrive/cuid; Node
        ("017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "2022-02-22 19:22:22"),  # RFC 9562, appendix A.6
        ("c232ab00-9414-11ec-b3c8-9f6bdeced846", "2022-02-22 19:22:22"),  # RFC 9562, appendix A.1
    ],
)
def test_the_time_is_read_out_of_an_id(identifier: str, expected: str) -> None:
    time = datetime.fromisoformat(expected).replace(tzinfo=UTC).timestamp()

    assert time == pytest.approx(seconds_in(identifier), abs=0.001)
