"""Counts what the judges said, and prints the counts as a table."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable

import pytest

from tests.sdk.cases import Case
from tests.sdk.judges import JUDGES, UNJUDGED, Judge

Ledger = Counter[tuple[Judge, bool]]
"""How often a judge accepted (True) or refused (False) a request."""

_LEDGER = pytest.StashKey[Ledger]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_LEDGER] = Counter()


def answer(case: Case) -> bool:
    """What the judge says; that some libraries use what is deprecated is not its business."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", SyntaxWarning)
        return case.judge.accepts(*case.request())


@pytest.fixture
def accepts(request: pytest.FixtureRequest) -> Callable[[Case], bool]:
    """Shows a case to its judge, whose answer goes into the record."""
    ledger = request.config.stash[_LEDGER]

    def ask(case: Case) -> bool:
        if not any((case.judge, said) in ledger for said in (True, False)):
            answer(case)  # a library takes seconds to load, and some accept no request that is so old
        said = answer(case)
        ledger[case.judge, said] += 1
        return said

    return ask


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    ledger = config.stash[_LEDGER]
    if not ledger:
        return
    terminalreporter.section("judged by the providers' own libraries, and by others'")
    terminalreporter.write_line(f"{'provider':<21} {'accepted':>8} {'refused':>8}  judge")
    for judge in JUDGES:
        yes, no = ledger[judge, True], ledger[judge, False]
        call = judge.call if judge.own else f"{judge.call}, a third party's"
        terminalreporter.write_line(f"{judge.provider:<21} {yes:>8} {no:>8}  {call}")
    for name, reason in UNJUDGED.items():
        terminalreporter.write_line(f"{name:<39}  not judged: {reason}")
