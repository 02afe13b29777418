"""Starts each language once, and says at the end which were executed and which were not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hook_widgets.webhooks.receiving import receiver_snippet
from tests.receivers.cases import SUBJECTS
from tests.receivers.runtimes import RUNTIMES, Receivers, Runtime

_COUNTS = pytest.StashKey[dict[str, list[int]]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_COUNTS] = {}


@pytest.fixture(scope="session", params=[r for r in RUNTIMES if not r.missing()], ids=lambda r: r.language)
def receivers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Receivers]:
    """Every scheme's receiver in one language, ready to be asked."""
    runtime: type[Runtime] = request.param
    names = {subject.name: subject for subject in SUBJECTS}
    snippets = {
        name: receiver_snippet(subject.provider, runtime.language, scheme=subject.scheme.name)
        for name, subject in names.items()
    }
    kinds = {name: subject.kinds for name, subject in names.items()}
    running = Receivers(runtime, tmp_path_factory.mktemp(runtime.language), snippets, kinds)
    yield running
    running.close()
    request.config.stash[_COUNTS][runtime.language] = [len(snippets), running.asked]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    terminalreporter.section("receivers")
    for runtime in RUNTIMES:
        schemes, asked = config.stash[_COUNTS].get(runtime.language, (0, 0))
        if runtime.missing():
            terminalreporter.write_line(
                f"not executed: {runtime.language} (no {runtime.missing()} on this machine)", yellow=True
            )
        elif schemes:
            terminalreporter.write_line(f"{runtime.language}: {schemes} schemes, {asked} requests")
