"""Counts what the verifiers said, and prints the counts as a table."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable

import pytest

from tests.sdk.cases import Case
from tests.sdk.reference_verifiers import UNVERIFIED, VERIFIERS, Verifier

Ledger = Counter[tuple[Verifier, bool]]
"""Count the requests that a verifier accepted (True) and rejected (False)."""

_LEDGER = pytest.StashKey[Ledger]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_LEDGER] = Counter()


def answer(case: Case) -> bool:
    """Return the decision of the verifier, and ignore deprecation warnings of its library."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", SyntaxWarning)
        return case.verifier.accepts(*case.request())


@pytest.fixture
def accepts(request: pytest.FixtureRequest) -> Callable[[Case], bool]:
    """Shows a case to its verifier, whose answer goes into the record."""
    ledger = request.config.stash[_LEDGER]

    def ask(case: Case) -> bool:
        if not any((case.verifier, said) in ledger for said in (True, False)):
            answer(case)  # a library takes seconds to load, and some accept no request that is so old
        said = answer(case)
        ledger[case.verifier, said] += 1
        return said

    return ask


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    ledger = config.stash[_LEDGER]
    if not ledger:
        return
    terminalreporter.section("verified by the providers' own libraries, and by others'")
    terminalreporter.write_line(f"{'provider':<21} {'accepted':>8} {'rejected':>8}  verifier")
    for verifier in VERIFIERS:
        yes, no = ledger[verifier, True], ledger[verifier, False]
        call = verifier.call if verifier.own else f"{verifier.call}, a third party's"
        terminalreporter.write_line(f"{verifier.provider:<21} {yes:>8} {no:>8}  {call}")
    for name, reason in UNVERIFIED.items():
        terminalreporter.write_line(f"{name:<39}  not verified: {reason}")
