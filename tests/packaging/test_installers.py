"""Each installer, from each source, on a machine that has Python, git and nothing else.

Installers build in isolation: what an environment holds must make no difference, so these hold the installer
alone. Only then do they see the dependencies of this one, which saves installing them again each time; from
the sdist all of them are installed. Every path has a space.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from .conftest import NEWEST_PIP, OLDEST_PIP, ROOT, Distributions, clone, environment, run, show_dependencies

UV = "uv"


@pytest.mark.long
@pytest.mark.parametrize("installer", [OLDEST_PIP, NEWEST_PIP, UV])
@pytest.mark.parametrize("source", ["clone", "editable", "git", "sdist"])
def test_it_installs_and_works(
    tmp_path: Path, built: Distributions, path_without_node: str, installer: str, source: str
) -> None:
    folder = tmp_path / "a clone"
    if source != "sdist":
        clone(folder)
    target = {
        "clone": [str(folder)],
        "editable": ["--editable", str(folder)],
        "git": [f"git+{folder.as_uri()}"],
        "sdist": [str(built.sdist)],
    }[source]
    if source == "git":
        commit(folder)
    holds = [] if installer == UV else [installer]
    python = environment(tmp_path / "an environment", *holds)
    pip: list[str | Path] = [python, "-m", "pip", "install"]
    uv: list[str | Path] = [Path(sys.executable).with_name("uv"), "pip", "install", "--python", python]
    options = [] if source == "sdist" else ["--no-deps"]

    run(*(uv if installer == UV else pip), *options, *target, cwd=tmp_path, PATH=path_without_node)

    if source != "sdist":
        show_dependencies(python)
    assert_works(python, folder if source == "editable" else python.parents[1])


@pytest.mark.long
def test_build_makes_an_sdist_and_a_wheel_of_a_clone(tmp_path: Path, path_without_node: str) -> None:
    run(
        *(sys.executable, "-m", "build", "--outdir", tmp_path / "dist", clone(tmp_path / "a clone")),
        cwd=tmp_path,
        PATH=path_without_node,
    )

    assert 1 == len(list((tmp_path / "dist").glob("*.tar.gz")))
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    python = environment(tmp_path / "an environment", "--no-deps", str(wheel))
    show_dependencies(python)
    assert_works(python, python.parents[1])


def commit(folder: Path) -> None:
    """Make a repository of a folder."""
    run("git", "init", "--quiet", cwd=folder)
    run("git", "add", "--all", "--force", cwd=folder)
    identity = ("-c", "user.name=Tests", "-c", "user.email=tests@example.com")
    run("git", *identity, "commit", "--quiet", "--message", "Everything", cwd=folder)


def assert_works(python: Path, place: Path) -> None:
    """The package of that place is imported, signs, verifies and opens its bundles."""
    first, *lines = run(python, "-I", ROOT / "tests/packaging/smoke.py", cwd=place).splitlines()

    assert str(place) in first
    assert lines
    assert [] == [line for line in lines if not line.startswith("ok: ")]
