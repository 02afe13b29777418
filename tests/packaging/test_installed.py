"""The wheel in an environment of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import ROOT, run

# Everything that a room for bytes has no business with.
HEAVY = {
    "anywidget",
    "ipywidgets",
    "traitlets",
    "IPython",
    "matplotlib",
    "numpy",
    "httpcore",
    "cryptography",
    "jinja2",
}

# The workflow installs none of them.
EXTRAS = {"backports.zstd", "icalendar", "jsonschema", "mcp", "numba", "yaml"}


@pytest.mark.parametrize("module", ["hook_widgets", "hook_widgets.errors", "hook_widgets.webhooks"])
def test_importing_the_core_loads_neither_jupyter_nor_a_plotter_nor_an_http_client(
    installed: Path, tmp_path: Path, module: str
) -> None:
    code = f"import sys, json, {module}; print(json.dumps([*sys.modules, {module}.__file__]))"
    *modules, file = json.loads(run(installed, "-I", "-W", "error", "-c", code, cwd=tmp_path))

    assert Path(file).is_relative_to(installed.parents[1]), "the wheel is what was imported"
    assert set() == HEAVY & set(modules)


def test_the_release_workflow_finds_the_installed_wheel_working_without_extras(
    installed: Path, tmp_path: Path
) -> None:
    smoke = str(ROOT / "tests/packaging/smoke.py")
    code = (
        f"import runpy, sys; sys.modules.update(dict.fromkeys({EXTRAS}));"
        f"runpy.run_path({smoke!r}, run_name='__main__')"
    )
    first, *lines = run(installed, "-I", "-W", "error", "-c", code, cwd=tmp_path).splitlines()

    assert str(installed.parents[1]) in first, "the wheel is what was tried"
    assert lines
    assert [] == [line for line in lines if not line.startswith("ok: ")]
