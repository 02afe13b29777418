"""The example projects whose frameworks stand beside the providers' libraries."""

from __future__ import annotations

import pytest

from tests.support.projects import outcomes


@pytest.mark.parametrize(("project", "passed"), [("aiohttp", 5), ("django", 6)])
def test_the_tests_of_an_example_project_pass(project, passed):
    assert {"passed": passed} == outcomes(project)
