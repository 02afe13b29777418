"""Render a report as JSON, JUnit XML, Markdown, HTML and a pytest file."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree

from hook_widgets.receivers.check_catalogue import AREAS, source_url
from hook_widgets.receivers.reporting.report import MASK, CheckResult, Report, Score, Status

if TYPE_CHECKING:
    from jinja2 import Template

WORDS: Final = {
    Status.PASSED: "passed",
    Status.FAILED: "failed",
    Status.WARNED: "warning",
    Status.NOT_DECIDED: "not decided",
    Status.NOT_APPLICABLE: "not applicable",
}
"""The statuses in the words of people."""

# Characters of a text in Markdown. GitHub takes no more than 1 MiB in the summary of a step
# (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands#step-isolation-and-limits).
_LINE: Final = 400
# Characters that XML 1.0 forbids in any spelling.
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARKUP: Final = re.compile(r"([\\`*_{}\[\]<>#|~!&])")


def to_json(report: Report) -> str:
    """Return the report as JSON."""
    return json.dumps(
        {
            "provider": report.provider,
            "url": report.url,
            "suite": report.suite,
            "score": {
                "total": _score(report.score),
                "areas": {area: _score(score) for area, score in report.scores.items()},
            },
            "checks": [_check(result) for result in report.checks],
        },
        indent=2,
        ensure_ascii=False,
    )


def report_schema() -> dict[str, Any]:
    """Return the JSON Schema of `Report.to_json`, draft 2020-12; its ``$id`` ends in the version.

    >>> report_schema()["$id"]
    'urn:hook-widgets:receiver-report:1'
    """
    schema = files(__package__) / "schema" / "receiver-report-1.json"
    value: dict[str, Any] = json.loads(schema.read_text(encoding="utf-8"))
    return value


def _score(score: Score) -> dict[str, Any]:
    fraction = score.fraction
    return {
        **{str(status): getattr(score, status) for status in Status},
        "fraction": None if fraction is None else round(fraction, 4),
    }


def _check(result: CheckResult) -> dict[str, Any]:
    return {
        "id": result.id,
        "title": result.title,
        "severity": str(result.severity),
        "status": str(result.status),
        "expected": result.expected,
        "observed": result.observed,
        "elapsed_ms": round(result.elapsed_s * 1000, 1),
        "why": result.why,
        "fix": {"change": result.fix.change, "frameworks": dict(result.fix.frameworks)},
        "sources": list(result.sources),
    }


def to_junit(report: Report) -> str:
    """Return the report as JUnit XML."""
    score = report.score
    suite = ElementTree.Element(
        "testsuite",
        name=_xml(f"{report.provider} {report.url}"),
        tests=str(len(report.checks)),
        failures=str(score.failed),
        errors="0",
        skipped=str(score.not_decided + score.not_applicable),
        time=f"{report.elapsed_s:.3f}",
    )
    for result in report.checks:
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=f"hook_widgets.receivers.{_xml(report.provider)}",
            name=f"{result.id} {result.title}",
            time=f"{result.elapsed_s:.3f}",
        )
        observed = _xml(result.observed)
        match result.status:
            case Status.FAILED:
                failure = ElementTree.SubElement(case, "failure", message=observed, type=str(result.severity))
                failure.text = f"Expected: {result.expected}\nWhy: {result.why}\nFix: {result.fix.text}"
            case Status.NOT_DECIDED | Status.NOT_APPLICABLE:
                ElementTree.SubElement(case, "skipped", message=f"{WORDS[result.status]}: {observed}")
            case Status.WARNED:
                ElementTree.SubElement(case, "system-out").text = f"Warning: {observed}"
    suites = ElementTree.Element("testsuites")
    suites.append(suite)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True)


def _xml(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)


def to_markdown(report: Report) -> str:
    """Return the report as Markdown."""
    line = escape_markdown
    score = report.score
    lines = [
        f"# Receiver check: {line(report.provider)}, {line(report.url)}",
        "",
        ", ".join(f"{getattr(score, status)} {WORDS[status]}" for status in Status)
        + f" ({line(report.suite)} suite, {report.requests} requests in {report.elapsed_s:.1f} s).",
    ]
    if report.stopped:
        lines += ["", f"The run ended early: {line(report.stopped)}."]
    for result in report.findings:
        lines += [
            "",
            f"## {result.id} {line(result.title)}: {WORDS[result.status]} ({result.severity})",
            "",
            f"- Expected: {line(result.expected)}",
            f"- Observed: {line(result.observed)}",
            f"- Why: {line(result.why)}",
            f"- Fix: {line(result.fix.change)}",
            *(f"  - {framework}: {line(call)}" for framework, call in result.fix.frameworks),
            f"- Sources: {', '.join(map(link_to_source, result.sources))}",
        ]
    lines += ["", "| check | status | observed |", "|---|---|---|"]
    lines += [
        f"| {result.id} {line(result.title)} | {WORDS[result.status]} | {line(result.observed)} |"
        for result in report.checks
    ]
    return "\n".join(lines) + "\n"


def escape_markdown(text: str) -> str:
    r"""Escape a text for a line of Markdown, so that it is shown as it is, and cut it at 400 characters.

    >>> print(escape_markdown("a | b" + chr(10) + "<c>"))
    a \| b \<c\>
    """
    words = " ".join(text.split())
    return _MARKUP.sub(r"\\\1", words if len(words) <= _LINE else f"{words[: _LINE - 1]}…")


def link_to_source(source: str) -> str:
    r"""Return a source of a check as Markdown: a link, if it has a URL.

    >>> print(link_to_source("CVE-2024-21491"), link_to_source("stripe-php#884"))
    [CVE-2024-21491](https://www.cve.org/CVERecord?id=CVE-2024-21491) stripe-php\#884
    """
    text, url = escape_markdown(source.removeprefix("https://")), source_url(source)
    return f"[{text}]({url})" if url else text


def to_pytest(report: Report, secret_env: str) -> str:
    """Return a pytest file that repeats the checks."""
    # What is masked cannot be repeated; such a URL comes from --webhook-url.
    url = {} if MASK in report.url else {"url": report.url}
    arguments: dict[str, object] = {**url, "event": report.event, "secret_env": secret_env}
    arguments["only"] = [result.id for result in report.checks]
    lines = [f"    {name}={value!a}," for name, value in arguments.items() if value]
    return "\n".join([_PYTEST_HEAD, f"    {report.provider!a},", *lines, _PYTEST_END])


_PYTEST_HEAD: Final = '''"""Checks of a webhook receiver. Each check is one test, and all are one run.

The secret comes from an environment variable. `pytest --webhook-url URL` checks another receiver.
"""

import pytest


@pytest.mark.webhook_checks('''
_PYTEST_END: Final = ''')
def test_receiver():
    """Add oracle=, which counts the receiver's work, to decide the checks of copies and retries."""
'''


def to_html(report: Report) -> str:
    """Return the report as an HTML fragment without scripts."""
    return _template().render(report=report, words=WORDS, areas=AREAS, Status=Status, source_url=source_url)


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined  # only when a report is shown

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    text = (files(__package__) / "templates" / "report.html").read_text(encoding="utf-8")
    return environment.from_string(text)
