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


class Distributions(NamedTuple):
    """What `make dist` would put into dist/."""

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


@pytest.fixture(scope="session")
def path_without_node(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PATH with the shell that npm's scripts need, and without Node."""
    folder = tmp_path_factory.mktemp("bin")
    for name in ("sh", "env"):
        path = shutil.which(name)
        assert path is not None
        (folder / name).symlink_to(path)
    return str(folder)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, path_without_node: str) -> Distributions:
    """The sdist of the working copy, and the wheel that a machine without Node makes of that sdist.

    With ``DIST`` set, those in that folder: what a release is about to publish.
    """
    if ready := os.environ.get("DIST"):
        (sdist,), (wheel,) = (list((ROOT / ready).glob(name)) for name in ("*.tar.gz", "*.whl"))
        return Distributions(sdist, wheel)
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--sdist", "--outdir", out)
    (sdist,) = out.glob("*.tar.gz")
    wheel_options = ("--no-deps", "--no-build-isolation", "--wheel-dir", str(out))
    run(sys.executable, "-m", "pip", "wheel", *wheel_options, sdist, cwd=out, PATH=path_without_node)
    (wheel,) = out.glob("*.whl")
    return Distributions(sdist, wheel)


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory, built: Distributions) -> Path:
    """The Python of a fresh environment that has the wheel and sees the dependencies of this one."""
    folder = tmp_path_factory.mktemp("fresh")
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", built.wheel)
    # No *.pth file in a folder added this way is read, so the editable hook_widgets stays out of sight.
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    own = Path(run(python, "-c", code).strip())
    (own / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python
