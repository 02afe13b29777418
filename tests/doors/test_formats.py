"""The formats of a report for other programs: JSON by its schema, JUnit, Markdown of a bounded size."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from hook_widgets.receivers import Report, catalogue, check_receiver, report_schema
from hook_widgets.receivers.reporting.rendering import escape_markdown
from hook_widgets.receivers.reporting.report import Status
from hook_widgets.webhooks import Receiver, Secret
from tests.support.extent import extent

SECRET = Secret("whsec_of_the_formats")


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    """Real reports with every status: of a right receiver, of a wrong one, of none."""
    with Receiver("stripe", SECRET) as right, Receiver("stripe", Secret("whsec_other")) as wrong:
        reached = {
            # F14 waits 20 s for the end of a slow request
            "right": check_receiver("stripe", right.url, SECRET, suite="full", skip=extent(["F14"], [])),
            "wrong": check_receiver("stripe", wrong.url, SECRET, only=["A1", "B"]),
        }
    return reached | {"absent": check_receiver("stripe", "http://127.0.0.1:9/?token=x", SECRET, only=["A"])}


@pytest.fixture
def validator() -> Draft202012Validator:
    schema = report_schema()
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_real_reports_have_every_status(reports):
    statuses = {str(check.status) for report in reports.values() for check in report.checks}

    assert {"passed", "failed", "not_decided", "not_applicable"} <= statuses


def test_real_reports_are_valid(reports, validator):
    for report in reports.values():
        assert [] == [error.message for error in validator.iter_errors(json.loads(report.to_json()))]


def test_the_schema_lists_the_words_of_the_engine():
    check = report_schema()["$defs"]["check"]["properties"]

    assert list(Status) == check["status"]["enum"]
    assert {check.severity for check in catalogue().values()} <= set(check["severity"]["enum"])
    assert "urn:hook-widgets:receiver-report:1" == report_schema()["$id"]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each value; of a list, only into its first member."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list) and value:
        yield from places(value[0], (*path, 0))


def changed(value: Any, path: tuple[Any, ...], change: Callable[[Any, Any], None]) -> Any:
    result = copy.deepcopy(value)
    parent = result
    for key in path[:-1]:
        parent = parent[key]
    change(parent, path[-1])
    return result


def test_a_changed_report_is_not_valid(reports, validator):
    report = json.loads(reports["right"].to_json())
    optional = {("score", "areas"), ("checks", 0, "fix", "frameworks")}  # maps: any member may be absent
    accepted = []
    for path in [path for path in places(report) if path]:
        retyped = changed(report, path, lambda parent, key: parent.__setitem__(key, [[]]))
        if validator.is_valid(retyped):
            accepted.append(("retyped", path))
        if isinstance(path[-1], str) and path[:-1] not in optional:
            removed = changed(report, path, lambda parent, key: parent.pop(key))
            if validator.is_valid(removed):
                accepted.append(("removed", path))
    for path in ((), ("score",), ("score", "total"), ("checks", 0), ("checks", 0, "fix")):
        added = changed(report, (*path, "surprise"), lambda parent, key: parent.__setitem__(key, "x"))
        if validator.is_valid(added):
            accepted.append(("added", path))

    assert [] == accepted


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("suite",), "quick"),
        (("score", "total", "passed"), -1),
        (("score", "total", "fraction"), 1.1),
        (("score", "areas", "AB"), None),
        (("checks", 0, "id"), "b11"),
        (("checks", 0, "severity"), "fatal"),
        (("checks", 0, "status"), "skipped"),
        (("checks", 0, "elapsed_ms"), -0.1),
        (("checks", 0, "observed"), ""),
    ],
)
def test_a_value_out_of_range_is_not_valid(reports, validator, path: tuple[Any, ...], value: Any):
    report = json.loads(reports["right"].to_json())

    assert not validator.is_valid(changed(report, path, lambda parent, key: parent.__setitem__(key, value)))


# Elements, their attributes (with ! if required) and children, as far as they are used here, by the XSD
# junit-10 that pytest keeps in testing/example_scripts.
JUNIT = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": (
        {"name!", "tests!", "failures!", "errors!", "group", "time", "skipped", "timestamp", "hostname"}
        | {"id", "package", "file", "log", "url", "version"},
        {"testsuite", "properties", "testcase", "system-out", "system-err"},
    ),
    "testcase": (
        {"name!", "time", "classname", "group"},
        {"skipped", "errors", "failure", "system-out", "system-err"},
    ),
    "failure": ({"type", "message"}, set()),
    "skipped": ({"type", "message"}, set()),
    "system-out": (set(), set()),
}


def junit_faults(element: ElementTree.Element) -> Iterator[str]:
    attributes, children = JUNIT[element.tag]
    names = {name.rstrip("!") for name in attributes}
    yield from (f"{element.tag} has {name}" for name in element.attrib if name not in names)
    required = {name.rstrip("!") for name in attributes if name.endswith("!")}
    yield from (f"{element.tag} lacks {name}" for name in required - set(element.attrib))
    for child in element:
        if child.tag not in children:
            yield f"{element.tag} has {child.tag}"
        else:
            yield from junit_faults(child)


def test_the_junit_form_is_what_ci_readers_take(reports):
    for report in reports.values():
        root = ElementTree.fromstring(report.to_junit())
        (suite,) = root
        count = {tag: len(suite.findall(f"testcase/{tag}")) for tag in ("failure", "skipped")}

        assert [] == list(junit_faults(root))
        assert "testsuites" == root.tag
        assert len(report.checks) == len(suite) == int(suite.attrib["tests"])
        assert (count["failure"], count["skipped"]) == (
            int(suite.attrib["failures"]),
            int(suite.attrib["skipped"]),
        )


def test_the_checker_of_junit_finds_faults():
    wrong = ElementTree.fromstring('<testsuites><testsuite name="x"><case/></testsuite></testsuites>')

    assert {"testsuite has case", "testsuite lacks tests"} <= set(junit_faults(wrong))


def test_the_largest_markdown_fits_the_summary_of_a_step(reports):
    # https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands#step-isolation-and-limits
    limit = 1024 * 1024
    long = "\U0001f600|" * 100_000
    failed = replace(reports["right"].checks[0], status=Status.FAILED, expected=long, observed=long, why=long)
    failed = replace(failed, title=long, fix=replace(failed.fix, change=long))
    report = replace(reports["right"], url=long, stopped=long, checks=(failed,) * len(catalogue()))

    assert len(report.to_markdown().encode()) < limit
    assert 400 < len(escape_markdown(long)) <= 800


def test_no_text_of_the_catalogue_is_cut():
    for check in catalogue().values():
        for text in (check.title, check.expected, check.why, check.fix.change):
            assert "…" not in escape_markdown(text)
