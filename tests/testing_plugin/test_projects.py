"""The example projects whose frameworks are in the environment of the notebooks; tests/sdk has the others."""

from __future__ import annotations

from tests.support.projects import outcomes


def test_the_tests_of_the_starlette_project_pass() -> None:
    assert {"passed": 4} == {"passed": outcomes("starlette")["passed"]}


def test_the_tests_of_the_flask_project_pass_and_check_the_running_app() -> None:
    counts = outcomes("flask", "-k", "test_a_ or A1] or B1] or B3] or B7]")

    assert 9 == counts["passed"]
    assert {"passed", "deselected"} == counts.keys()
