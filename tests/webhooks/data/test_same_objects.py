"""One object in several sample bodies: it is created once, and no old name comes back."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from tests.webhooks.data.test_times import CREATED, NAMES, bodies, objects, seconds_of

SHORTEST_ID = 5  # a shorter one can be that of another kind of object
NAME = re.compile(
    r"(?i)((full|display|first|last|user)_?)?(name|title|subject|email|slug|description|label|company)"
)
UPDATED = re.compile(
    r"(?i)(last_?)?(updated|modified)(_?(at|on|date|time|ts))?|update_?(time|date)|date_?updated"
)
NOT_YET = re.compile(
    r"(?i).*(expir|end|due|next|until|deadline|valid|period|trial|renew|respond|schedul|start|anchor|arriv"
    r"|available|abandon|by$|estimat).*"
)
Identity = tuple[str, str]


def identified(body: Any) -> Iterator[tuple[Identity, dict[str, Any]]]:
    """Yield the objects of a body that have an id, with their kind and id."""
    for members in objects(body):
        identifier = next((members[key] for key in ("id", "uuid", "_id", "gid") if key in members), "")
        if isinstance(identifier, str | int) and len(str(identifier)) >= SHORTEST_ID:
            yield (str(members.get("object", members.get("type", ""))), str(identifier)), members


def time_of_event(body: Any) -> float:
    """Return the latest time in a body that is not to come: among the body's own members, or all."""
    for parts in ([body] if isinstance(body, dict) else [], objects(body)):
        times = [
            time
            for members in parts
            for key, value in members.items()
            if not NOT_YET.match(key) and (time := seconds_of(value))
        ]
        if times:
            return max(times)
    return 0.0


def returns(values: list[tuple[float, str]]) -> bool:
    """Tell if a value that was replaced comes back at a later time."""
    past: dict[str, float] = {}
    current = ""
    for time, value in sorted(values):
        if value != current and past.get(value, time) < past.get(current, 0) < time:
            return True
        current = value
        past[value] = time
    return False


@pytest.mark.parametrize("name", NAMES)
def test_an_object_is_created_once(name: str) -> None:
    created: defaultdict[tuple[Identity, str], dict[float, str]] = defaultdict(dict)
    for event, body in bodies(name).items():
        for identity, members in identified(body):
            for key, value in members.items():
                # The year 1, Go's zero time, is no time.
                if CREATED.fullmatch(key) and (time := seconds_of(value) or 0) > 0:
                    created[identity, key][round(time)] = event

    assert {} == {key: times for key, times in created.items() if len(times) > 1}


@pytest.mark.parametrize("name", NAMES)
def test_an_old_name_does_not_come_back(name: str) -> None:
    names: defaultdict[tuple[Identity, str], list[tuple[float, str]]] = defaultdict(list)
    for body in bodies(name).values():
        if time := time_of_event(body):
            for identity, members in identified(body):
                for key, value in members.items():
                    if NAME.fullmatch(key) and isinstance(value, str):
                        names[identity, key].append((time, value))

    assert {} == {key: values for key, values in names.items() if returns(values)}


@pytest.mark.parametrize("name", NAMES)
def test_a_later_event_does_not_take_an_update_back(name: str) -> None:
    updates: defaultdict[tuple[Identity, str], dict[tuple[float, str], float]] = defaultdict(dict)
    for event, body in bodies(name).items():
        for identity, members in identified(body):
            for key, value in members.items():
                if UPDATED.fullmatch(key) and (updated := seconds_of(value)):
                    times = updates[identity, key]
                    at = (time_of_event(body), event)
                    times[at] = max(updated, times.get(at, 0))  # a part can have the id of the whole

    assert [] == [
        (key, earlier, later)
        for key, times in updates.items()
        for earlier, later in pairwise(sorted(times))
        if earlier[0] < later[0] and times[later] < times[earlier]
    ]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([(1, "old"), (2, "new"), (3, "new")], False),
        ([(3, "new"), (1, "old"), (2, "new")], False),
        ([(1, "old"), (2, "new"), (2, "old")], False),
        ([(1, "old"), (2, "new"), (3, "old")], True),
    ],
)
def test_a_value_returns_only_after_another(values: list[tuple[float, str]], expected: bool) -> None:
    assert expected == returns(values)
