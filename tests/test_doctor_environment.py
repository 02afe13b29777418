"""Test the detection of versions, front end, host, server and loaders."""

from __future__ import annotations

import os
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from packaging.requirements import Requirement

from hook_widgets._doctor import environment as env
from hook_widgets._doctor.environment import FRONT_END, REQUIRED

ROOT = Path(__file__).resolve().parents[1]


def install(site: Path, name: str, metadata: bytes) -> None:
    folder = site / f"{name}.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_bytes(metadata)


def test_versions_are_those_that_an_import_would_take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    first, second = tmp_path / "first", tmp_path / "second"
    install(first, "anywidget-0.11.0", b"Name: anywidget\nVersion: 0.11.0\n\nVersion: 9 in the description\n")
    install(first, "jupyterlab_widgets-3.0.17", b"Name: jupyterlab_widgets\nVersion: 3.0.17\n")
    install(second, "anywidget-0.9.0", b"Name: anywidget\nVersion: 0.9.0\n")

    monkeypatch.setattr(sys, "path", [str(first), str(second)])
    versions = env.versions()

    assert {"anywidget": "0.11.0", "jupyterlab-widgets": "3.0.17"} == versions


def test_a_distribution_that_is_half_removed_or_damaged_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "gone-1.dist-info").mkdir(parents=True)
    install(tmp_path, "damaged-1", b"Name: \xff\xfe\nVersion: 1\n")
    install(tmp_path, "nameless-1", b"Version: 1\n")
    install(tmp_path, "whole-1", b"Name: whole\nVersion: 1\n")

    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "nowhere")])

    assert {"whole": "1"} == env.versions()


def test_an_empty_file_of_the_front_end_counts_as_missing(tmp_path: Path):
    (tmp_path / "generator.js").write_text("export default 1")
    (tmp_path / "editor.js").touch()

    assert frozenset({"generator.js"}) == env.built(tmp_path)


def test_the_front_end_is_what_the_build_makes():
    names = {path.name for path in (ROOT / "src/hook_widgets/widgets/static").iterdir()}

    assert {*FRONT_END, "THIRD_PARTY_LICENSES.txt", "sources.sha256"} == names


def test_the_oldest_versions_are_those_that_the_package_asks_for():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    required = {
        requirement.name: next(iter(requirement.specifier)).version
        for requirement in map(Requirement, project["dependencies"])
    }

    oldest_versions = {name: oldest for name, (oldest, _) in REQUIRED.items() if name != "ipywidgets"}
    assert oldest_versions.items() <= required.items()


class TerminalInteractiveShell:
    """Stands in for IPython's shell of the same name."""


KERNEL = SimpleNamespace(user_ns={})


@pytest.mark.parametrize(
    ("modules", "environment", "shell", "host"),
    [
        ({}, {}, None, ""),
        ({}, {"JPY_SESSION_NAME": "/home/ann/a.ipynb"}, KERNEL, env.JUPYTER),
        ({}, {"SERVER_SOFTWARE": "voila/0.5.13"}, KERNEL, env.VOILA),
        ({}, {"SERVER_SOFTWARE": "gunicorn"}, None, ""),
        ({}, {}, SimpleNamespace(user_ns={"__vsc_ipynb_file__": "/a.ipynb"}), env.VS_CODE),
        ({"google.colab": 1}, {"JPY_SESSION_NAME": "x"}, KERNEL, env.COLAB),
        ({"marimo": 1}, {}, None, env.MARIMO),
        ({"marimo": 1}, {"JPY_SESSION_NAME": "x"}, KERNEL, env.JUPYTER),
        ({}, {}, TerminalInteractiveShell(), env.TERMINAL),
        ({}, {}, KERNEL, env.KERNEL),
    ],
)
def test_the_host_is_detected_by_what_it_leaves_in_the_kernel(
    modules: dict[str, Any], environment: dict[str, str], shell: Any, host: str
):
    assert host == env.host_of(modules, environment, shell)


def test_of_the_servers_command_only_the_program_is_taken(tmp_path: Path):
    cmdline = tmp_path / "cmdline"
    cmdline.write_bytes(
        b"/envs/lab/bin/python3.13\0/envs/lab/bin/jupyter-lab\0--IdentityProvider.token=abc\0"
    )
    assert Path("/envs/lab/bin/python3.13") == env.server_python(cmdline)

    cmdline.write_bytes(b"jupyterhub-singleuser: token=abc\0")
    assert env.server_python(cmdline) is None
    assert env.server_python(tmp_path / "no such process") is None


def test_loaders_are_looked_for_where_a_server_looks(tmp_path: Path):
    server = tmp_path / "lab/bin/python"
    folders = env.data_folders(
        server, {"JUPYTER_PATH": f"/opt/a{os.pathsep}/opt/b", "JUPYTER_DATA_DIR": "/d"}
    )
    expected = [Path("/opt/a"), Path("/opt/b"), Path("/d"), tmp_path / "lab/share/jupyter"]
    assert expected == folders[:4]

    of_the_user = env.data_folders(server, {"XDG_DATA_HOME": "/home/ann/data"})
    assert Path("/home/ann/data/jupyter") in of_the_user

    (tmp_path / "lab/share/jupyter/labextensions/anywidget").mkdir(parents=True)
    (tmp_path / "lab/share/jupyter/labextensions/anywidget/package.json").write_text("{}")
    assert frozenset({"anywidget"}) == env.loaders([tmp_path / "lab/share/jupyter"])
    assert frozenset({"anywidget", "jupyterlab_widgets"}) == env.loaders([Path(sys.prefix, "share/jupyter")])


def test_a_folder_that_may_not_be_looked_into_makes_what_is_not_found_elsewhere_unknown(tmp_path: Path):
    closed = tmp_path / "closed"
    closed.symlink_to(closed)  # unreadable for everybody, including root
    with pytest.raises(OSError, match="symbolic links"):
        (closed / "labextensions").stat()

    assert env.loaders([closed, tmp_path]) is None
    assert frozenset({"anywidget", "jupyterlab_widgets"}) == env.loaders(
        [closed, Path(sys.prefix, "share/jupyter")]
    )
