"""Counts what the providers' libraries said, and prints the counts as a table."""

from __future__ import annotations

from collections import Counter

import pytest

from hook_widgets.webhooks import WebhookRequest
from tests.sdk.judges import JUDGES, UNJUDGED, Judge

Ledger = Counter[tuple[str, str]]
"""How often a judge (by its text) accepted or refused a request."""

_LEDGER = pytest.StashKey[Ledger]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_LEDGER] = Counter()


class Bench:
    """A judge on the bench: what it says goes into the record."""

    def __init__(self, judge: Judge, ledger: Ledger) -> None:
        self._judge = judge
        self._ledger = ledger

    def accepts(self, request: WebhookRequest, key: str) -> bool:
        """The judge's answer."""
        answer = self._judge.accepts(request, key)
        self._ledger[str(self._judge), "accepted" if answer else "refused"] += 1
        return answer


@pytest.fixture
def bench(request: pytest.FixtureRequest, judge: Judge) -> Bench:
    """The judge of this test, with its answers counted."""
    return Bench(judge, request.config.stash[_LEDGER])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    ledger = config.stash[_LEDGER]
    if not ledger:
        return
    terminalreporter.section("judged by the providers' own libraries")
    terminalreporter.write_line(f"{'provider':<10} {'judge':<42} {'accepted':>8} {'refused':>8}")
    for judge in JUDGES:
        yes, no = (ledger[str(judge), answer] for answer in ("accepted", "refused"))
        terminalreporter.write_line(f"{judge.provider:<10} {judge.call:<42} {yes:>8} {no:>8}")
    for name, reason in UNJUDGED.items():
        terminalreporter.write_line(f"{name:<10} not judged: {reason}")
