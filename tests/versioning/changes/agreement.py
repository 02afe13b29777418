"""Where our comparison of OpenAPI documents and the one of oasdiff agree, case by case.

A case agrees when every change that oasdiff expects is judged alike in the same operation, and when nothing
breaks in our eyes where oasdiff expects nothing that breaks or may break.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.changes import Change, compare
from tests.versioning.changes.cases import WRITTEN, Case, Expected, cases
from tests.versioning.changes.differences import MARKS, REASONS, Reason

_OPERATION = re.compile(r"(?:webhook (?P<webhook>[^,]+)|(?P<method>[A-Z]+) (?P<path>[^,]+))")


@dataclass(frozen=True, slots=True)
class Said:
    """What we say about one thing that oasdiff's test expects.

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
        """What oasdiff says: ``"ERR"``, ``"WARN"``, ``"INFO"``, or ``"none"`` for nothing that breaks."""
        return self.expected.level if self.expected else "none"

    @property
    def agrees(self) -> bool:
        """Whether both judge alike; to what may break, either answer is right."""
        alike = {
            "ERR": ("breaking",),
            "WARN": ("breaking", "not breaking"),
            "INFO": ("not breaking",),
            "none": ("not breaking", "nothing"),
        }
        return self.answer in alike[self.level]


def place(change: Change) -> tuple[str, str]:
    """The operation and path of a change, as oasdiff names them; empty where it belongs to none."""
    found = _OPERATION.match(change.where)
    if found is None:
        return "", ""
    if found["webhook"]:
        return "", f"webhook:{found['webhook']}"
    return found["method"], found["path"]


@cache
def changes_of(case: Case) -> tuple[Change, ...]:
    """What we find in the documents of a case."""
    return compare(case.old, case.new, at=WRITTEN).changes


def said(case: Case) -> Iterator[Said]:
    """Our answers to everything that a case expects."""
    try:
        found = changes_of(case)
    except InvalidDocument:
        yield Said(case, case.expected[0] if case.expected else None, "refused", ())
        return
    calm = case.exact and not any(expected.level in ("ERR", "WARN") for expected in case.expected)
    for expected in case.expected:
        there = [change for change in found if meant(expected, change)]
        breaking = [change for change in there if change.breaking]
        harmless = [change for change in there if not change.breaking]
        if breaking and not (harmless and expected.level == "INFO" and not calm):
            yield Said(case, expected, "breaking", rules(breaking))
        else:
            yield Said(case, expected, "not breaking" if harmless else "nothing", rules(harmless))
    if not case.expected:
        looked = case.checks or ("",)
        breaking = [
            change for change in found if change.breaking and any(on_side(check, change) for check in looked)
        ]
        yield Said(case, None, "breaking" if breaking else "nothing", rules(breaking))


def meant(expected: Expected, change: Change) -> bool:
    """Whether a change is where oasdiff expects one: operation, path, and request or response by its rule."""
    operation, path = place(change)
    there = expected.operation in ("", operation) and unnamed(expected.path) in ("", unnamed(path))
    return there and on_side(expected.rule, change)


def on_side(name: str, change: Change) -> bool:
    """Whether a change is in what oasdiff's rule or check of that name looks at: a request or a response."""
    side = name.lower()
    if not side.startswith(("request", "response")):
        return True
    return any(place(change)) and side.startswith("response") == (", response " in change.where)


def unnamed(path: str) -> str:
    """A path without the names of its parameters, which may differ between two versions of one endpoint."""
    return re.sub(r"\{[^}]*\}", "{}", path)


def rules(changes: list[Change]) -> tuple[str, ...]:
    """The ids of the changes' rules."""
    return tuple(sorted({change.rule for change in changes}))


@cache
def everything() -> tuple[Said, ...]:
    """Our answers to all cases."""
    return tuple(answer for case in cases() for answer in said(case))


def reason(answer: Said) -> Reason | None:
    """Why an answer differs; None when it does not, or when no reason is listed."""
    names = {answer.case.name, *([answer.expected.rule] if answer.expected else [])}
    listed = [one for one in REASONS if names & {*one.rules, *one.cases}]
    return listed[0] if listed and not answer.agrees else None


@cache
def by_case() -> dict[str, tuple[Said, ...]]:
    """Our answers by the name of the case."""
    answers: dict[str, list[Said]] = {}
    for answer in everything():
        answers.setdefault(answer.case.name, []).append(answer)
    return {name: tuple(said) for name, said in answers.items()}


def share() -> tuple[int, int]:
    """How many of the cases that are about what breaks clients agree, and how many these are."""
    asked = {name for name, answers in by_case().items() if all(map(_asked, answers))}
    agreeing = {name for name in asked if all(answer.agrees for answer in by_case()[name])}
    return len(agreeing), len(asked)


def _asked(answer: Said) -> bool:
    why = reason(answer)
    names = (answer.expected.rule,) if answer.expected else answer.case.checks
    marks = any(MARKS.search(name.lower().replace("-", "")) for name in names)
    return not marks and (why is None or why.ours)


def summary() -> str:
    """The agreement in words: one line for all, one for what may break, one for each reason of differences.

    `python -m tests.versioning.changes.agreement` prints it.
    """
    agreeing, asked = share()
    levels = Counter((answer.level, answer.answer) for answer in everything())
    reasons = Counter(
        why.name for answers in by_case().values() for why in {reason(one) for one in answers} if why
    )
    warned = levels["WARN", "breaking"], levels["WARN", "not breaking"]
    alike = sum(all(answer.agrees for answer in answers) for answers in by_case().values())
    part = f"{agreeing} ({agreeing / asked:.1%}) of the {asked} about what breaks clients"
    return "\n".join(
        [
            f"Of {len(cases())} published cases of oasdiff both judge {alike} alike, among them {part}.",
            f"Of {sum(warned)} changes that may break clients (WARN), we call {warned[0]} breaking.",
            "Cases that differ:",
            *(f"- {why.name}: {reasons[why.name]}. {why.text}" for why in REASONS),
        ]
    )


if __name__ == "__main__":
    print(summary())
