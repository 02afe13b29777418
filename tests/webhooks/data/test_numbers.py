"""Numbers in a sample body agree: a count and its list, a duration and its times, an amount and its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.webhooks.data.test_times import NAMES, bodies, objects, seconds_of

COUNT = re.compile(
    r"(?i)(?:total|num|number_?of)_?(?!count)([a-z_]+?)(?:_?count)?|([a-z_]*?)(?:_?total)?_?count"
)
UNNAMED = {"data", "item", "result", "list", "record", "entry"}
"""Lists of which a bare `count` or `total_count` tells the length."""

START = re.compile(r"(?i)(start(ed)?|begin|began)(_?(at|on|time|timestamp|date))?")
END = re.compile(r"(?i)(end(ed)?|finish(ed)?|completed?|stopped)(_?(at|on|time|timestamp|date))?")
DURATION = re.compile(r"(?i)duration(_?(s|ms|secs?|seconds|millis|milliseconds))?")
SECOND_FORM = re.compile(r"(?i)_?(decimal|formatted|display|in_?cents|string)$")

TOTAL = re.compile(r"(?i)(grand_?|order_?)?total(_?(amount|price))?|amount_?total")
SUBTOTAL = re.compile(r"(?i)sub_?total(_?(amount|price))?|amount_?subtotal")
TAX = re.compile(r"(?i)(total_?)?tax(_?(amount|total))?|amount_?tax")
DISCOUNT = re.compile(r"(?i)(total_?)?discounts?(_?(amount|total))?|amount_?discount")
SHIPPING = re.compile(r"(?i)(total_?)?shipping(_?(amount|total|cost|price))?|amount_?shipping")
GROSS = re.compile(r"(?i)gross(_?amount)?|amount")
FEE = re.compile(r"(?i)(total_?)?fees?(_?amount)?")
NET = re.compile(r"(?i)net(_?amount)?|settlement_?amount")

CENT = 0.011

OTHERWISE = {
    ("forgejo", "total_commits"): "of a push that an action repeats it is 0",
    ("zoom", "duration"): "as it was planned, in minutes",
    ("shopify", "total_price"): "the shipping is in a list of lines",
}


def singular(key: str) -> str:
    return re.sub("ies$", "y", key.lower().replace("_", "")).removesuffix("s")


def counts(members: dict[str, Any]) -> Iterator[tuple[str, Any, int]]:
    """Yield the counts beside lists, each with the length of its list."""
    for name, listed in members.items():
        for key, value in members.items() if isinstance(listed, list) else ():
            counted = COUNT.fullmatch(key)
            if counted and key != name and isinstance(value, int | str) and str(value).isdigit():
                what = singular(counted[1] or counted[2] or "")
                if what == singular(name) or (not what and singular(name) in UNNAMED):
                    yield key, value, len(listed)


def durations(members: dict[str, Any]) -> Iterator[tuple[str, Any, float]]:
    """Yield the durations beside a start and an end, each with the seconds between the two."""
    times = {key: time for key, value in members.items() if (time := seconds_of(value))}
    start = next((time for key, time in times.items() if START.fullmatch(key)), None)
    end = next((time for key, time in times.items() if END.fullmatch(key)), None)
    for key, value in members.items() if start and end else ():
        if DURATION.fullmatch(key) and amount(value) is not None:
            yield key, value, (end or 0) - (start or 0)


def amount(value: Any) -> float | None:
    """Return the number that a value is or, with a currency or without, writes."""
    if isinstance(value, str) and (written := re.fullmatch(r"\D{0,4}?(-?[0-9][0-9,.\s]*)\D{0,4}", value)):
        whole, _, part = re.fullmatch(r"(.*?)(?:([,.])([0-9]{1,2}|0[0-9]*))?", written[1].strip()).groups()  # type: ignore[union-attr]
        return float(f"{re.sub('[^0-9-]', '', whole)}.{part or 0}")
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def same(first: Any, second: Any) -> bool:
    """Tell if two amounts are one, also where one is in a smaller unit; what is no amount can be the same."""
    one, other = amount(first), amount(second)
    if one is None or other is None or seconds_of(first):
        return True
    return any(abs(other * unit - one) <= abs(one) / 10**9 for unit in (0.01, 1, 100))


def told(members: dict[str, Any], part: re.Pattern[str]) -> tuple[str, float] | None:
    """Return the key and the number of a member with such a key."""
    parts = ((key, value) for key, value in members.items() if part.fullmatch(key))
    return next(((key, number) for key, value in parts if (number := amount(value)) is not None), None)


@pytest.mark.parametrize("name", NAMES)
def test_a_count_is_the_length_of_its_list(name: str) -> None:
    assert [] == [
        (event, key, value, length)
        for event, body in bodies(name).items()
        for members in objects(body)
        for key, value, length in counts(members)
        if int(value) != length and (name, key) not in OTHERWISE
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_duration_is_the_time_from_start_to_end(name: str) -> None:
    assert [] == [
        (event, key, value, seconds)
        for event, body in bodies(name).items()
        for members in objects(body)
        for key, value, seconds in durations(members)
        if all(abs(seconds * unit - (amount(value) or 0)) > unit for unit in (1, 10**3, 10**6, 10**9))
        and (name, key) not in OTHERWISE
    ]


@pytest.mark.parametrize("name", NAMES)
def test_an_amount_that_is_written_twice_is_one(name: str) -> None:
    """As `total` and `total_formatted`, also where one of the two is in a smaller unit."""
    assert [] == [
        (event, key, members[first], value)
        for event, body in bodies(name).items()
        for members in objects(body)
        for key, value in members.items()
        if (first := SECOND_FORM.sub("", key)) != key
        if not same(members.get(first), value)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_total_is_the_sum_of_its_parts(name: str) -> None:
    """A price can contain the tax, and a subtotal what is taken off."""
    wrong = []
    for event, body in bodies(name).items():
        for members in objects(body):
            if total := told(members, TOTAL):
                parts = {part: told(members, part) for part in (SUBTOTAL, TAX, DISCOUNT, SHIPPING)}
                subtotal, tax, discount, shipping = (part[1] if part else 0 for part in parts.values())
                sums = [
                    subtotal + some_tax - some_discount + some_shipping
                    for some_tax in (0, tax)
                    for some_discount in (0, abs(discount))
                    for some_shipping in (0, shipping)
                ]
                if parts[SUBTOTAL] and parts[TAX] and all(abs(total[1] - some) > CENT for some in sums):
                    wrong.append((event, total, sums))
            gross, fee, net = (told(members, part) for part in (GROSS, FEE, NET))
            if gross and fee and net and abs(abs(gross[1] - net[1]) - abs(fee[1])) > CENT:
                wrong.append((event, net, [gross[1], fee[1]]))

    assert [] == [known for known in wrong if (name, known[1][0]) not in OTHERWISE]


@pytest.mark.parametrize(
    ("value", "expected"),
    [(42.5, 42.5), ("42.50", 42.5), ("42,50 €", 42.5), ("€1,815", 1815), ("$1,815.00", 1815), ("4200", 4200)],
)
def test_the_number_is_read_out_of_an_amount(value: Any, expected: float) -> None:
    assert expected == amount(value)
