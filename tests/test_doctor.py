"""Test that ``hook_widgets.doctor()`` names problems and the commands that solve them."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

import hook_widgets
from hook_widgets._doctor import environment as env
from hook_widgets._doctor import report
from hook_widgets._doctor.environment import FRONT_END, REQUIRED, Environment, detect_environment

SOUND = Environment(
    versions={name: oldest for name, (oldest, _) in REQUIRED.items()} | {"jupyterlab": "4.6.6"},
    built=frozenset(FRONT_END),
    host=env.JUPYTER,
    python="/envs/kernel/bin/python",
)


def without(*names: str) -> dict[str, str]:
    return {name: version for name, version in SOUND.versions.items() if name not in names}


def test_a_sound_environment_has_no_fault():
    assert "\n\nNo fault was found.\n\n" in report(SOUND)


FAULTS = [
    (replace(SOUND, built=frozenset(FRONT_END[1:])), "lacks generator.js", "make build"),
    (
        replace(SOUND, versions=without("anywidget")),
        "anywidget is not installed where the kernel runs",
        '/envs/kernel/bin/python -m pip install "anywidget>=0.11"    then restart the kernel',
    ),
    (
        replace(SOUND, versions={**SOUND.versions, "ipywidgets": "7.8.5"}),
        "ipywidgets 7.8.5 is too old for the widgets",
        'pip install "ipywidgets>=8"',
    ),
    (
        replace(SOUND, versions={**SOUND.versions, "anywidget": "0.9.21"}),
        "anywidget 0.9.21 is too old",
        'pip install "anywidget>=0.11"',
    ),
    (
        replace(SOUND, versions={**SOUND.versions, "jupyterlab-widgets": "1.1.11"}),
        "jupyterlab-widgets 1.1.11 is older than what the widgets are tested with",
        'pip install "jupyterlab-widgets>=3"    then restart the server',
    ),
    (
        replace(SOUND, versions={**SOUND.versions, "jupyterlab": "3.6.8"}),
        "jupyterlab 3.6.8 is older",
        'pip install "jupyterlab>=4"',
    ),
    (
        replace(SOUND, versions={**SOUND.versions, "notebook": "6.5.7"}),
        "notebook 6.5.7 is older",
        'pip install "notebook>=7"',
    ),
    (
        replace(SOUND, versions=without("httpcore"), python="C:\\Program Files\\Python\\python.exe"),
        "httpcore is not installed where the kernel runs",
        '"C:\\Program Files\\Python\\python.exe" -m pip install "httpcore>=1.0.9"',
    ),
    (
        replace(SOUND, versions=without("anywidget", "httpcore"), host=env.BROWSER, python=""),
        "anywidget is not installed where the kernel runs",
        "%pip install anywidget    then",
    ),
    (
        replace(SOUND, versions=without("matplotlib")),
        "Without it this does not work: full pictures, instead of light ones.",
        'pip install "matplotlib>=3.10"',
    ),
    (
        replace(SOUND, server=Path("/envs/lab/bin/python"), loaders=frozenset({"jupyterlab_widgets"})),
        "The page comes from the server of /envs/lab/bin/python, which has no anywidget.",
        "/envs/lab/bin/python -m pip install anywidget    then restart the server and reload the page",
    ),
]


@pytest.mark.parametrize(("environment", "text", "fix"), FAULTS, ids=[text for _, text, _ in FAULTS])
def test_a_fault_is_reported_with_the_command_that_mends_it(environment: Environment, text: str, fix: str):
    output = report(environment)

    fault = re.search(r"^1 fault:\n- (.*)\n((?:    .*\n)+)", output, re.MULTILINE)
    assert fault is not None, output
    assert text in fault[1]
    assert fix in fault[2]


def test_several_faults_are_counted():
    environment = replace(SOUND, versions={}, built=frozenset())

    assert f"{len(REQUIRED) + 1} faults:" in report(environment)


@pytest.mark.parametrize("version", ["0.11", "0.11.0", "0.12.0rc1", "0.11.0.post1", "1!0.11", "2024.1"])
def test_versions_are_compared_by_their_numbers(version: str):
    assert "No fault" in report(replace(SOUND, versions={**SOUND.versions, "anywidget": version}))


HINTS = [
    (env.VS_CODE, '"jupyter.widgetScriptSources": ["jsdelivr.com", "unpkg.com"]'),
    (env.VS_CODE, "Without internet it takes them from the kernel's environment"),
    (env.COLAB, "from google.colab import output; output.enable_custom_widget_manager()"),
    (env.JUPYTER, "jupyter labextension list"),
    (env.JUPYTER, "jupyter trust NOTEBOOK.ipynb"),
    (env.TERMINAL, "Ask the kernel instead"),
    ("", "Ask the kernel instead"),
]


@pytest.mark.parametrize(("host", "hint"), HINTS)
def test_what_only_the_reader_can_check_is_reported_for_this_host(host: str, hint: str):
    assert hint in report(replace(SOUND, host=host)).partition("\nTo know:\n")[2]


def test_where_the_page_may_come_from_another_environment_that_is_to_be_checked():
    unknown = report(replace(SOUND, versions=without("jupyterlab")))
    known = report(replace(SOUND, loaders=frozenset({"anywidget", "jupyterlab_widgets"})))

    assert "No fault was found." in unknown
    assert "so the page comes from another one" in unknown
    assert "python -m pip install anywidget jupyterlab_widgets" in unknown
    assert "labextension list" not in known


@pytest.mark.parametrize("host", [env.COLAB, env.VS_CODE, env.MARIMO])
def test_an_old_notebook_server_that_does_not_show_the_page_is_no_fault(host: str):
    environment = replace(SOUND, host=host, versions={**SOUND.versions, "notebook": "6.5.7"})

    assert "No fault was found." in report(environment)


def test_what_no_browser_has_is_no_fault_there():
    environment = replace(SOUND, host=env.BROWSER, versions=without("matplotlib", "cryptography", "httpcore"))
    output = report(environment)

    assert "No fault was found." in output
    assert "lacks matplotlib, cryptography, httpcore, and so: full pictures, instead of light ones;" in output
    assert "1 fault:" in report(replace(environment, versions=without("anywidget")))


# -- the real thing ----------------------------------------------------------------------------------------


def test_this_environment_is_sound(capsys: pytest.CaptureFixture[str]):
    hook_widgets.doctor()
    output = capsys.readouterr().out

    assert "No fault was found." in output
    assert sys.executable in output
    assert f"hook_widgets        {hook_widgets.__version__}\n" in output


def test_nothing_of_the_environments_variables_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    for name in ("WEBHOOK_SECRET", "JUPYTER_TOKEN", "JPY_SESSION_NAME", "SERVER_SOFTWARE", "JUPYTER_PATH"):
        monkeypatch.setenv(name, f"canary-{name}")
    hook_widgets.doctor()

    assert "canary" not in capsys.readouterr().out


def test_it_works_without_jupyter_and_without_every_package_that_it_asks_for():
    absent = ["IPython", "anywidget", "ipywidgets", "traitlets", "matplotlib", "pydantic", "cryptography"]
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({absent})); import hook_widgets; hook_widgets.doctor()"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )

    assert ("", 0) == (done.stderr, done.returncode)
    assert "no notebook: this Python is not a kernel" in done.stdout


def test_looking_around_imports_nothing_of_jupyter():
    code = (
        "import sys; from hook_widgets._doctor import detect_environment; detect_environment()\n"
        "print(sorted({'IPython', 'anywidget', 'traitlets', 'matplotlib'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]\n" == done.stdout
    assert frozenset(FRONT_END) == detect_environment().built


def test_the_hashes_that_let_the_frame_of_a_secret_run_are_those_of_its_document():
    page = (files("hook_widgets.widgets") / "static/vault.html").read_text(encoding="utf-8")
    curves = (files("hook_widgets.widgets") / "static/curves.js").read_text(encoding="utf-8")
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashes = [
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for text in (script, curves)
    ]

    assert hashes == list(detect_environment().frame_hashes)
    assert " ".join(hashes) in report(replace(detect_environment(), host=env.VOILA))
    assert hashes[0] not in report(replace(detect_environment(), host=env.TERMINAL))


def test_a_front_end_that_was_not_built_has_no_hashes(tmp_path: Path):
    assert () == env.frame_hashes(tmp_path / "vault.html")
