"""pytest starts without anything of the package, until it is used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

PROGRAM = """
import sys

class Spy:
    def pytest_sessionfinish(self):
        heavy = {"hook_widgets", "httpcore", "h11", "pydantic", "typer", "matplotlib", "jinja2", "numpy"}
        print("loaded:", *sorted(name for name in sys.modules if name.split(".")[0] in heavy))

import pytest
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider"], plugins=[Spy()]))
"""


def test_a_session_that_does_not_use_it_loads_the_plugin_only(tmp_path: Path) -> None:
    (tmp_path / "test_nothing.py").write_text("def test_nothing():\n    pass\n")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True, check=True
    )

    (line,) = [line for line in done.stdout.splitlines() if "loaded:" in line]
    assert (
        "loaded: hook_widgets hook_widgets._lazy hook_widgets.testing hook_widgets.testing.plugin"
        == line[line.index("loaded:") :]
    )


def test_fixtures_and_mark_are_described(pytester: pytest.Pytester) -> None:
    shown = pytester.runpytest_inprocess("--fixtures").stdout.str()

    for name in (
        "webhook",
        "webhook_secret",
        "webhook_receiver",
        "webhook_url",
        "webhook_check",
        "limited_server",
    ):
        assert f"\n{name} " in shown
    assert "@pytest.mark.webhook_checks(provider" in pytester.runpytest_inprocess("--markers").stdout.str()


def test_webhook_check_without_the_mark_names_it(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_receiver(webhook_check):\n    pass\n")
    result = pytester.runpytest_inprocess()

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*webhook_check is for tests with the mark webhook_checks; add*"])
