"""The wheel in an environment of its own, and a clone on a machine that has only Python."""

from __future__ import annotations

import json
import shutil
import sys
import zipfile
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


@pytest.mark.parametrize("module", ["hook_widgets", "hook_widgets.errors", "hook_widgets.webhooks"])
def test_importing_the_core_loads_neither_jupyter_nor_a_plotter_nor_an_http_client(
    installed: Path, tmp_path: Path, module: str
) -> None:
    code = f"import sys, json, {module}; print(json.dumps([*sys.modules, {module}.__file__]))"
    *modules, file = json.loads(run(installed, "-I", "-W", "error", "-c", code, cwd=tmp_path))

    assert Path(file).is_relative_to(installed.parents[1]), "the wheel is what was imported"
    assert set() == HEAVY & set(modules)


def test_the_installed_widget_finds_its_bundles(installed: Path, tmp_path: Path) -> None:
    code = "from hook_widgets import WebhookGenerator; print(len(str(WebhookGenerator._esm)))"

    assert int(run(installed, "-I", "-c", code, cwd=tmp_path)) > 1000


def test_the_installed_widget_finds_its_templates(installed: Path, tmp_path: Path) -> None:
    code = (
        "from hook_widgets import VersionPlanner; print(VersionPlanner()._repr_mimebundle_()[0]['text/html'])"
    )

    assert run(installed, "-I", "-c", code, cwd=tmp_path).startswith(
        "<section><h3>Versions of Orders API</h3>"
    )


def test_the_installed_providers_sign(installed: Path, tmp_path: Path) -> None:
    code = (
        "from hook_widgets.webhooks import Secret, provider;"
        "stripe = provider('stripe');"
        "request = stripe.draft(url='http://127.0.0.1:9/hook').sign(stripe.example_secret());"
        "print(request.headers['stripe-signature'][:2])"
    )

    assert "t=\n" == run(installed, "-I", "-c", code, cwd=tmp_path)


def test_the_release_workflow_finds_the_installed_wheel_working(installed: Path, tmp_path: Path) -> None:
    said = run(installed, "-I", "-W", "error", ROOT / "tests/packaging/smoke.py", cwd=tmp_path)

    assert str(installed.parents[1]) in said.splitlines()[0], "the wheel is what was tried"
    assert all(line.startswith("ok: ") for line in said.splitlines()[1:])


@pytest.mark.long
def test_a_clone_builds_on_a_machine_that_has_only_python(tmp_path: Path, path_without_node: str) -> None:
    clone = tmp_path / "clone"
    # Other tests may be running, and write into the last three.
    left_out = shutil.ignore_patterns(
        *(".git", ".venv*", "node_modules", "static", "build", "dist"),
        *(".*_cache", "__pycache__", ".hypothesis"),
    )
    shutil.copytree(ROOT, clone, ignore=left_out)
    run(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--wheel-dir",
        tmp_path,
        clone,
        PATH=path_without_node,
    )

    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        bundle = archive.read("hook_widgets/widgets/static/generator.js")
    assert (ROOT / "src/hook_widgets/widgets/static/generator.js").read_bytes() == bundle
