"""Build the front end, js/ into the bundles of src/hook_widgets/widgets/static, and compile the providers.

    python scripts/frontend.py [TASK]

TASK is build, packages, test, pyodide, check, format, lock, verifiers, page or node. `verifiers` installs the
providers' JavaScript libraries of tests/sdk/node, `page` builds the light page of the browser tests into
build/page, `node` prints the path of Node.

Hatchling runs the same code as a build hook. One rule decides whether there is anything to do: static/
records the digest of the sources it was built from. So a bundle is never older than its source, and an sdist,
which carries both, installs without Node.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from hashlib import sha256
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent.parent
JS = ROOT / "js"
VERIFIERS = ROOT / "tests/sdk/node"
PAGE = ROOT / "tests/browser/light/page"
STATIC = ROOT / "src/hook_widgets/widgets/static"
BUILT_FROM = STATIC / "sources.sha256"
OLDEST_NODE = 20


class FrontEnd(BuildHookInterface[Any]):
    """The build hook: builds the bundles and compiles the providers, with Node from PyPI if necessary."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return the requirement that brings Node, if the bundles have to be built on a machine without it.

        This runs before the requirements of the build are installed, so it uses the standard library only.
        """
        if up_to_date() or node_path() is not None:
            return []
        node = (ROOT / "requirements/node.in").read_text(encoding="utf-8").splitlines()
        return [line for line in node if line[:1].isalpha()]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Build both before hatchling collects the files."""
        build()


def digest(*paths: Path) -> str:
    """SHA-256 over names and contents of files and of everything in folders."""
    files = [
        file for path in paths for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file()
    ]
    sums = [
        f"{sha256(file.read_bytes()).hexdigest()} {file.relative_to(ROOT).as_posix()}\n" for file in files
    ]
    return sha256("".join(sorted(sums)).encode()).hexdigest()


def sources() -> str:
    """Return the digest of everything the bundles are made from."""
    return digest(
        JS / "src", JS / "build.mjs", JS / "package.json", JS / "package-lock.json", JS / "tsconfig.json"
    )


def up_to_date() -> bool:
    """Tell if static/ holds the bundles of the present sources."""
    return BUILT_FROM.is_file() and BUILT_FROM.read_text() == sources()


def node_path() -> str | None:
    """Return a PATH with Node 20 or newer and npm: the machine's, else with those of this environment."""
    machine = os.environ.get("PATH", os.defpath)
    for path in (machine, os.pathsep.join([sysconfig.get_path("scripts"), machine])):
        node = shutil.which("node", path=path)
        if node and shutil.which("npm", path=path):
            run = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
            major = run.stdout.strip().lstrip("v").split(".")[0]
            if major.isdecimal() and int(major) >= OLDEST_NODE:
                return path
    return None


def npm(*args: str, folder: Path = JS) -> None:
    """Run npm in a folder, and leave with a plain message when it fails."""
    path = node_path()
    program = shutil.which("npm", path=path) if path else None
    if program is None:
        sys.exit(
            f"The front end needs Node {OLDEST_NODE} or newer with npm, and none was found.\n"
            f"Install it, or: {sys.executable} -m pip install --require-hashes -r requirements/node.txt"
        )
    command = [program, "--no-update-notifier", *args]
    if code := subprocess.run(
        command, cwd=folder, env={**os.environ, "PATH": path or ""}, check=False
    ).returncode:
        name = folder.relative_to(ROOT)
        sys.exit(f"{name}: `npm {' '.join(args)}` failed with code {code}; its message is above.")


def packages(folder: Path = JS, *, dev: bool = True) -> None:
    """Install a folder's locked npm packages, unless these very ones are there.

    Args:
        folder: where package.json is.
        dev: with the tools that test and check; what builds is a dependency.
    """
    expected = digest(folder / "package.json", folder / "package-lock.json")
    sufficient = {expected} if dev else {expected, f"{expected} without dev"}
    installed = folder / "node_modules/.installed.sha256"
    if not installed.is_file() or installed.read_text() not in sufficient:
        npm("ci", "--include=dev" if dev else "--omit=dev", "--loglevel=error", folder=folder)
        installed.write_text(expected if dev else f"{expected} without dev")


def compile_providers() -> None:
    """Bring the compiled file of the providers up to date.

    It needs pydantic, and runs in this process: only here is certain to be visible what a tool that builds
    has installed for the build. pip shows it by ``PYTHONPATH``, others by an environment or ``sys.path``.
    """
    sys.path.insert(0, str(ROOT / "src"))
    from hook_widgets.webhooks.registry import compile_catalog

    compile_catalog.main()


def build() -> None:
    """Bring the compiled file of the providers and static/ up to date."""
    compile_providers()
    if up_to_date():
        return
    expected = sources()
    packages(dev=False)
    npm("run", "build")
    BUILT_FROM.write_text(expected)


def main(task: str = "build") -> None:
    """Do one task, with a Node from PyPI when the machine has none."""
    if node_path() is None and not (task == "build" and up_to_date()):
        print(
            f"No Node {OLDEST_NODE} or newer on this machine: installing one into this environment",
            flush=True,
        )
        lock = str(ROOT / "requirements/node.txt")
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--require-hashes", "--requirement", lock],
            check=True,
        )
    if task == "build":
        build()
    elif task == "lock":
        for folder in (JS, VERIFIERS, PAGE):
            npm("install", "--package-lock-only", "--loglevel=error", folder=folder)
    elif task == "verifiers":
        packages(VERIFIERS)
    elif task == "page":
        packages(PAGE)
        npm("run", "build", folder=PAGE)
    elif task == "node":
        print(shutil.which("node", path=node_path()))
    else:
        packages()
        if task != "packages":
            npm("run", task)


if __name__ == "__main__":
    main(*sys.argv[1:])
