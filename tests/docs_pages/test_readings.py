"""The age of the catalogue: every provider once, and a reason for each header that is not known."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from hook_widgets.webhooks import provider
from hook_widgets.webhooks.models import Gap
from scripts.readings import (
    KINDS,
    NOT_SEARCHED,
    SEARCHED,
    SOURCED,
    by_age,
    counts,
    gaps,
    lacking,
    real,
    report,
)


def test_the_oldest_readings_come_first_and_those_without_a_day_before_them():
    days = [day for day, _ in by_age()]

    assert len(real()) == len(days)
    assert days == sorted(days)
    assert str(provider("stripe").current.read) in days


def test_a_provider_that_sends_a_user_agent_lacks_none():
    assert "User-Agent" not in dict(gaps(provider("stripe")))
    assert "User-Agent" in dict(gaps(provider("airtable")))


def test_a_gap_says_where_was_searched_or_what_was_read():
    assert "searched: " in dict(gaps(provider("airtable")))["User-Agent"].reason
    assert dict(gaps(provider("github")))["charset"].reason.startswith("read in: ")


def test_the_counts_tell_the_states_of_the_gaps_apart():
    known = provider("datadog")
    entries = [(known, Gap()), (known, Gap(searched=("a",))), (known, Gap(searched=("a",), sources=("b",)))]

    assert counts(entries) == f"1 {SOURCED}, 1 {SEARCHED}, 1 {NOT_SEARCHED}"
    assert counts(entries[:1]) == f"0 {SOURCED}, 0 {SEARCHED}, 1 {NOT_SEARCHED}"


@pytest.mark.parametrize("kind", KINDS)
def test_the_report_counts_each_gap_once(kind):
    total = len(lacking(kind))
    line = next(line for line in report() if KINDS[kind] in line)

    assert f"{total} providers: {KINDS[kind]} ({counts(lacking(kind))})" == line
    assert total == sum(int(number) for number in re.findall(r"(\d+) (?:with|searched|not)", line))


def test_the_reason_is_given_only_where_something_is_lacking():
    without = [
        (known.id, kind)
        for known in real()
        for kind, gap in zip(
            KINDS,
            (known.header_gaps.user_agent, known.header_gaps.order, known.header_gaps.charset),
            strict=True,
        )
        if gap.reason != "not confirmed" and kind not in dict(gaps(known))
    ]

    assert without == []


def test_the_command_prints_the_report():
    command = [sys.executable, "-m", "scripts.readings"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert done.stdout == "\n".join(report()) + "\n"
