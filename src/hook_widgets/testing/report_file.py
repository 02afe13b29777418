"""The file of ``--webhook-report``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

import pytest

from hook_widgets.receivers import CheckResult, Report, catalogue
from hook_widgets.testing.check_runs import result_of

_SUFFIXES: Final = (".json", ".xml", ".md")


class ReportFile:
    """Collects the results of checks, also those of other processes, and writes them at the end.

    Args:
        path: the file; its suffix is the format.

    Raises:
        UsageError: of pytest: the file cannot be written, or its suffix is no format.
    """

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._runs: dict[str, dict[str, Any]] = {}
        self._results: dict[str, dict[str, CheckResult]] = {}
        if self._path.suffix not in _SUFFIXES:
            raise pytest.UsageError("--webhook-report takes a file that ends in .json, .xml or .md")
        if not self._path.parent.is_dir():
            raise pytest.UsageError(
                f"--webhook-report: there is no folder {self._path.parent}; create it first"
            )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Collect the result of a check."""
        data = getattr(report, "webhook_check", None)
        if data is not None:
            run = dict(data)
            result, name = result_of(run.pop("check")), run.pop("run")
            self._runs[name] = run
            self._results.setdefault(name, {})[result.id] = result

    def pytest_sessionfinish(self) -> None:
        """Write the file."""
        if self._runs:
            self._path.write_text(self._text([self._report(name) for name in self._runs]), encoding="utf-8")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name the file."""
        ending = (
            f"report of webhook checks: {self._path}"
            if self._runs
            else "no webhook check ran, so there is no report"
        )
        terminalreporter.write_line(ending)

    def _report(self, name: str) -> Report:
        results = self._results[name]
        checks = tuple(results[each] for each in catalogue() if each in results)
        return Report(**self._runs[name], checks=checks)

    def _text(self, reports: list[Report]) -> str:
        match self._path.suffix:
            case ".json" if len(reports) == 1:
                return reports[0].to_json() + "\n"
            case ".json":
                return (
                    json.dumps([json.loads(each.to_json()) for each in reports], indent=2, ensure_ascii=False)
                    + "\n"
                )
            case ".md":
                return "\n".join(each.to_markdown() for each in reports)
        suites = ElementTree.Element("testsuites")
        for each in reports:
            suites.extend(ElementTree.fromstring(each.to_junit()))
        return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True)
