"""Agreement between our comparison of OpenAPI documents and oasdiff, case by case.

A case agrees if both classify every change that oasdiff expects alike in the same operation, and if we report
no breaking change where oasdiff expects no change that breaks or may break clients.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.compat import Change, compare
from tests.versioning.compat.cases import WRITTEN, Case, Expected, cases
from tests.versioning.compat.differences import MARKS, REASONS, Reason

_OPERATION = re.compile(r"(?:webhook (?P<webhook>[^,]+)|(?P<method>[A-Z]+) (?P<path>[^,]+))")


@dataclass(frozen=True, slots=True)
class Answer:
    """Our result for one expectation of an oasdiff test.

    Attributes:
        case: the case.
        expected: the change that oasdiff expects; None stands for "nothing that breaks clients".
        answer: ``"breaking"``, ``"not breaking"`` or ``"nothing"``.
        rules: the ids of our rules behind the answer.
    """

    case: Case
    expected: Expected | None
    answer: str
    rules: tuple[str, ...]

    @property
    def level(self) -> str:
        """The level in oasdiff: ``"ERR"``, ``"WARN"``, ``"INFO"``, or ``"none"`` if nothing breaks."""
        return self.expected.level if self.expected else "none"

    @property
    def agrees(self) -> bool:
        """True if both classify the change alike; for WARN, either result is right."""
        alike = {
            "ERR": ("breaking",),
            "WARN": ("breaking", "not breaking"),
            "INFO": ("not breaking",),
            "none": ("not breaking", "nothing"),
        }
        return self.answer in alike[self.level]


def place(change: Change) -> tuple[str, str]:
    """Return the operation and path of a change as oasdiff names them; empty if it belongs to none."""
    match = _OPERATION.match(change.location)
    if match is None:
        return "", ""
    if match["webhook"]:
        return "", f"webhook:{match['webhook']}"
    return match["method"], match["path"]


@cache
def changes_of(case: Case) -> tuple[Change, ...]:
    """Return the changes that we report for the documents of a case."""
    return compare(case.old, case.new, as_of=WRITTEN).changes


def answers_of(case: Case) -> Iterator[Answer]:
    """Yield our results for every expectation of a case."""
    try:
        changes = changes_of(case)
    except InvalidDocument:
        yield Answer(case, case.expected[0] if case.expected else None, "refused", ())
        return
    calm = case.exact and not any(expected.level in ("ERR", "WARN") for expected in case.expected)
    for expected in case.expected:
        matching = [change for change in changes if meant(expected, change)]
        breaking = [change for change in matching if change.breaking]
        harmless = [change for change in matching if not change.breaking]
        if breaking and not (harmless and expected.level == "INFO" and not calm):
            yield Answer(case, expected, "breaking", rules(breaking))
        else:
            yield Answer(case, expected, "not breaking" if harmless else "nothing", rules(harmless))
    if not case.expected:
        checks = case.checks or ("",)
        breaking = [
            change
            for change in changes
            if change.breaking and any(on_side(check, change) for check in checks)
        ]
        yield Answer(case, None, "breaking" if breaking else "nothing", rules(breaking))


def meant(expected: Expected, change: Change) -> bool:
    """Return True if a change is where oasdiff expects one.

    Operation and path must match, and request or response according to its rule.
    """
    operation, path = place(change)
    there = expected.operation in ("", operation) and unnamed(expected.path) in ("", unnamed(path))
    return there and on_side(expected.rule, change)


def on_side(name: str, change: Change) -> bool:
    """Return True if a change is on the side that an oasdiff rule or check covers: request or response."""
    side = name.lower()
    if not side.startswith(("request", "response")):
        return True
    return any(place(change)) and side.startswith("response") == (", response " in change.location)


def unnamed(path: str) -> str:
    """Return a path without the names of its parameters, which may differ between versions of an endpoint."""
    return re.sub(r"\{[^}]*\}", "{}", path)


def rules(changes: list[Change]) -> tuple[str, ...]:
    """Return the ids of the changes' rules."""
    return tuple(sorted({change.rule for change in changes}))


@cache
def everything() -> tuple[Answer, ...]:
    """Return our results for all cases."""
    return tuple(answer for case in cases() for answer in answers_of(case))


def reason(answer: Answer) -> Reason | None:
    """Return the reason for a difference; None if there is no difference or no listed reason."""
    names = {answer.case.name, *([answer.expected.rule] if answer.expected else [])}
    listed = [one for one in REASONS if names & {*one.rules, *one.cases}]
    return listed[0] if listed and not answer.agrees else None


@cache
def by_case() -> dict[str, tuple[Answer, ...]]:
    """Return our results by the name of the case."""
    answers: dict[str, list[Answer]] = {}
    for answer in everything():
        answers.setdefault(answer.case.name, []).append(answer)
    return {name: tuple(case_answers) for name, case_answers in answers.items()}


def share() -> tuple[int, int]:
    """Return the number of cases about breaking changes that agree, and the number of all such cases."""
    asked = {name for name, answers in by_case().items() if all(map(_asked, answers))}
    agreeing = {name for name in asked if all(answer.agrees for answer in by_case()[name])}
    return len(agreeing), len(asked)


def _asked(answer: Answer) -> bool:
    why = reason(answer)
    names = (answer.expected.rule,) if answer.expected else answer.case.checks
    marks = any(MARKS.search(name.lower().replace("-", "")) for name in names)
    return not marks and (why is None or why.ours)


def summary() -> str:
    """Format the agreement: a line for all cases, one for WARN, and one for each reason of differences.

    `python -m tests.versioning.compat.agreement` prints it.
    """
    agreeing, asked = share()
    levels = Counter((answer.level, answer.answer) for answer in everything())
    reasons = Counter(
        why.name for answers in by_case().values() for why in {reason(one) for one in answers} if why
    )
    warned = levels["WARN", "breaking"], levels["WARN", "not breaking"]
    alike = sum(all(answer.agrees for answer in answers) for answers in by_case().values())
    part = f"{agreeing} ({agreeing / asked:.1%}) of the {asked} about breaking changes"
    return "\n".join(
        [
            f"Both tools agree on {alike} of {len(cases())} published oasdiff cases, including {part}.",
            f"Of {sum(warned)} changes that may break clients (WARN), we call {warned[0]} breaking.",
            "Cases that differ:",
            *(f"- {why.name}: {reasons[why.name]}. {why.text}" for why in REASONS),
        ]
    )


if __name__ == "__main__":
    print(summary())
