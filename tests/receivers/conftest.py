"""Starts each language once, and says at the end which were executed and which were not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hook_widgets.webhooks.codegen import receiver_snippet
from tests.receivers.cases import SUBJECTS
from tests.receivers.exceptions import EXCEPTIONS
from tests.receivers.runtimes import RUNTIMES, Receivers, Runtime

collect_ignore = ["projects"]  # tests/testing_plugin and tests/sdk run them

_COUNTS = pytest.StashKey[dict[str, tuple[int, int]]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_COUNTS] = {}


@pytest.fixture(scope="session", params=[r for r in RUNTIMES if not r.missing()], ids=lambda r: r.language)
def receivers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Receivers]:
    """Every scheme's receiver in one language, ready to be asked."""
    runtime: type[Runtime] = request.param
    subjects = [s for s in SUBJECTS if (runtime.language, s.name) not in EXCEPTIONS]
    snippets = {
        s.name: receiver_snippet(s.provider, runtime.language, scheme=s.scheme.name) for s in subjects
    }
    folder = tmp_path_factory.mktemp(runtime.language)
    running = Receivers(runtime, folder, snippets, {s.name: s.kinds for s in subjects})
    yield running
    running.close()
    request.config.stash[_COUNTS][runtime.language] = (len(snippets), running.asked)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    terminalreporter.section("receivers")
    for runtime in RUNTIMES:
        schemes, asked = config.stash[_COUNTS].get(runtime.language, (0, 0))
        if runtime.missing():
            missing = f"not executed: {runtime.language} (no {runtime.missing()} on this machine)"
            terminalreporter.write_line(missing, yellow=True)
        elif schemes:
            terminalreporter.write_line(f"executed: {runtime.language}, {schemes} schemes, {asked} requests")
