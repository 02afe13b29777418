"""Binder's steps, in its order and in as empty an environment: a clone, a Python, and no Node.

What repo2docker runs for a folder binder/ with runtime.txt, requirements.txt and postBuild stands in its
``buildpacks/python`` and ``buildpacks/base``: in the root of the clone, as the user that owns it,
``pip install --no-cache-dir -r binder/requirements.txt`` and then ``./binder/postBuild``. The 150
pins with hashes are installed by pip in a long run only: uv reads the same file in a tenth of the time.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from tests.support.extent import LONG

from .conftest import NEWEST_PIP, ROOT, clone, environment, run

PASSED_ON = ("PIP_", "NODE_", "SSL_", "REQUESTS_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
"""Settings for package sources on this machine; an image has its own."""


class Image:
    """The input of an image that repo2docker builds.

    Attributes:
        clone: the files that git knows, and nothing that was built.
        python: its Python.
        environment: all that a program finds in its environment.
    """

    def __init__(self, folder: Path, path: str) -> None:
        self.clone = clone(folder / "clone")
        # An image has a pip of its own. That of Python 3.11 takes twice the time for as many pins.
        self.python = environment(folder / "venv", NEWEST_PIP)
        self._bin = self.python.parent
        home = folder / "home"
        home.mkdir()
        self.environment = {
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "PATH": f"{self._bin}{os.pathsep}{path}",
            "NPM_CONFIG_USERCONFIG": str(Path.home() / ".npmrc"),
        } | {name: value for name, value in os.environ.items() if name.upper().startswith(PASSED_ON)}

    def run(self, program: str, *arguments: str) -> str:
        """Run a program in the clone; returns what it printed, and shows that when it fails."""
        program_path = shutil.which(program, path=str(self._bin)) or program
        return run(program_path, *arguments, cwd=self.clone, env=self.environment)


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory, path_without_node: str) -> Image:
    """The image, built."""
    built = Image(tmp_path_factory.mktemp("binder"), path_without_node)
    if LONG:
        built.run("pip", "install", "--quiet", "--no-cache-dir", "-r", "binder/requirements.txt")
    else:
        uv = Path(sys.executable).with_name("uv")
        run(
            *(uv, "pip", "install", "--quiet", "--python", built.python, "-r", "binder/requirements.txt"),
            cwd=built.clone,
        )
    (built.clone / "binder/postBuild").chmod(0o755)
    built.run("./binder/postBuild")
    return built


def test_binder_gets_the_python_that_the_project_supports() -> None:
    name, _, version = (ROOT / "binder/runtime.txt").read_text().strip().partition("-")

    assert ("python", "3.11") == (name, version)


@pytest.mark.long
def test_the_quickstart_runs_in_the_image(image: Image) -> None:
    image.run("jupyter", "execute", "notebooks/01_quickstart.ipynb", "--output=run")
    done = json.loads((image.clone / "notebooks/run.ipynb").read_text())

    shown = [output for cell in done["cells"] for output in cell.get("outputs", [])]
    assert any("application/vnd.jupyter.widget-view+json" in output.get("data", {}) for output in shown)


@pytest.mark.long
def test_its_jupyterlab_shows_widgets(image: Image) -> None:
    listed = image.run("jupyter", "labextension", "list")

    (manager,) = [line for line in listed.splitlines() if "@jupyter-widgets/jupyterlab-manager v" in line]
    assert "enabled" in manager
    assert "OK" in manager


@pytest.mark.long
def test_the_image_holds_the_pins_of_ci_and_what_the_clone_built(image: Image) -> None:
    lines = (ROOT / "requirements/dev.txt").read_text().splitlines()
    pinned = _pins([line.removesuffix(" \\") for line in lines if "==" in line and ";" not in line])
    held = _pins(image.run("pip", "list", "--format=freeze").splitlines())
    code = (
        "import hook_widgets; print(hook_widgets.__file__); print(hook_widgets.WebhookGenerator()._css[:9])"
    )

    assert pinned
    assert {} == dict(pinned.items() - held.items())
    assert str(image.clone) not in image.run("python", "-c", code), "installed, and not a link to the clone"
    assert not (image.clone / "js/node_modules").exists()


def _pins(lines: list[str]) -> dict[str, str]:
    """Version by name of lines such as ``Jinja2==3.1.6``."""
    return {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}
