"""The distributions, built once, and an environment that holds the wheel alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]

#: The pip of Python 3.11.0, the oldest that a supported Python brings.
OLDEST_PIP = "pip==22.3"
NEWEST_PIP = "pip==26.3"


class Distributions(NamedTuple):
    """The files that `make dist` builds."""

    sdist: Path
    wheel: Path


def run(*command: str | Path, cwd: Path = ROOT, env: Mapping[str, str] = os.environ, **more: str) -> str:
    """Run a program, with more variables than its environment has; what it printed, also when it fails.

    Of what pip installs little runs here, and Python compiles that when it is imported.
    """
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env={**env, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_COMPILE": "0", **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}"
    return done.stdout


def ours(folder: str) -> list[str]:
    """The files of `folder` that git knows or would add."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", folder)
    return sorted(filter(None, listed.split("\0")))


def clone(folder: Path) -> Path:
    """Copy the files that git knows or would add, and nothing that was built; returns the folder."""
    for file in ours("."):
        target = folder / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, target)
    return folder


def environment(folder: Path, *requirements: str) -> Path:
    """Create an environment that holds these requirements and nothing else; returns its Python."""
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder / "bin/python"
    if requirements:
        run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", *requirements)
    return python


def show_dependencies(python: Path) -> None:
    """Let an environment see the packages of this one.

    No *.pth file in a folder added this way is read, so the editable hook_widgets stays out of sight.
    """
    own = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (own / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")


@pytest.fixture(scope="session")
def path_without_node(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PATH with git, and with the shell and tools that the scripts of npm, git and Binder need; no Node."""
    folder = tmp_path_factory.mktemp("bin")
    for name in ("basename", "bash", "env", "git", "rm", "sed", "sh", "uname"):
        path = shutil.which(name)
        assert path is not None
        (folder / name).symlink_to(path)
    return str(folder)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, path_without_node: str) -> Distributions:
    """The sdist of the working copy, and the wheel that a machine with only Python and pip makes of it.

    With ``DIST`` set, those in that folder: what a release is about to publish.
    """
    if ready := os.environ.get("DIST"):
        (sdist,), (wheel,) = (list((ROOT / ready).glob(name)) for name in ("*.tar.gz", "*.whl"))
        return Distributions(sdist, wheel)
    out = tmp_path_factory.mktemp("distributions of")
    run(sys.executable, "-m", "build", "--no-isolation", "--sdist", "--outdir", out)
    (sdist,) = out.glob("*.tar.gz")
    python = environment(out / "environment", OLDEST_PIP)
    run(python, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", out, sdist, PATH=path_without_node)
    (wheel,) = out.glob("*.whl")
    return Distributions(sdist, wheel)


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory, built: Distributions) -> Path:
    """The Python of a fresh environment that has the wheel and sees the dependencies of this one."""
    python = environment(tmp_path_factory.mktemp("fresh"), "--no-deps", str(built.wheel))
    show_dependencies(python)
    return python
