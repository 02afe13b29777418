"""Our results for the published test cases of oasdiff, and the table of differences against both."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.versioning.compat.agreement import Answer, answers_of, everything, share, summary
from tests.versioning.compat.cases import Case, cases, merged
from tests.versioning.compat.differences import REASONS

LISTED = {name: reason for reason in REASONS for name in (*reason.rules, *reason.cases)}


def differing(answers: tuple[Answer, ...]) -> list[Answer]:
    return [answer for answer in answers if not answer.agrees]


def keys(answer: Answer) -> set[str]:
    """Return the names under which a difference may be listed: oasdiff's rule, or the case."""
    return {answer.case.name, *([answer.expected.rule] if answer.expected else [])}


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_both_judge_alike_or_the_table_says_why_not(case: Case) -> None:
    unlisted = [
        f"{case.source}: oasdiff expects {answer.level} {answer.expected or 'no change'}; "
        f"we find {answer.answer} {', '.join(answer.rules)}"
        for answer in differing(tuple(answers_of(case)))
        if not keys(answer) & LISTED.keys()
    ]

    assert unlisted == []


def test_every_listed_difference_still_differs() -> None:
    still = {key for answer in differing(everything()) for key in keys(answer)}

    assert set() == LISTED.keys() - still


def test_nothing_is_listed_twice() -> None:
    counted = Counter(name for reason in REASONS for name in (*reason.rules, *reason.cases))

    assert [] == [name for name, times in counted.items() if times > 1]


def test_at_least_95_of_100_cases_about_what_breaks_clients_agree() -> None:
    agreeing, asked = share()

    assert asked > 400
    assert agreeing / asked >= 0.95


def test_there_are_hundreds_of_cases_of_each_level() -> None:
    levels = Counter(expected.level for case in cases() for expected in case.expected)

    assert 600 < len(cases())
    assert {"ERR", "WARN", "INFO"} == set(levels)
    assert levels["ERR"] > 250
    assert levels["INFO"] > 250


def test_what_may_break_clients_is_reported_in_every_case_but_the_listed() -> None:
    silent = [answer for answer in everything() if answer.level == "WARN" and answer.answer == "nothing"]

    assert [] == [answer.case.name for answer in silent if not keys(answer) & LISTED.keys()]


def test_the_summary_has_one_line_for_each_reason() -> None:
    lines = summary().splitlines()

    assert [reason.name for reason in REASONS] == [line.split(": ")[0].strip("- ") for line in lines[3:]]


def test_a_merge_patch_is_applied_as_rfc_7396_says() -> None:
    target = {"title": "Goodbye!", "author": {"givenName": "John", "familyName": "Doe"}, "tags": ["a", "b"]}
    patch = {"title": "Hello!", "author": {"familyName": None}, "tags": ["a"]}

    assert {"title": "Hello!", "author": {"givenName": "John"}, "tags": ["a"]} == merged(target, patch)
