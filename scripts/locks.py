"""Check that the lock files belong to what they were made from, and that they name no server.

    python scripts/locks.py

Says for each direct requirement whether its lock pins a version that satisfies it, with hashes. What the pins
in turn require is checked where they are installed (`pip check`, `npm ci`).
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "requirements"
#: The locks of environments that do not run all of hook_widgets.
PARTIAL = frozenset({"dotnet", "envoy", "lite", "lite-build", "node", "pure", "pyodide"})
PIN = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>\S+)(?P<rest>(?:.*\\\n)*.*)", re.MULTILINE)


def wanted(name: str) -> list[Requirement]:
    """Return the direct requirements of one lock."""
    lines = (line.split(" #")[0].strip() for line in (REQUIREMENTS / f"{name}.in").read_text().splitlines())
    requirements = [Requirement(line) for line in lines if line and not line.startswith("#")]
    if name not in PARTIAL:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
        requirements += map(Requirement, project["dependencies"])
    return requirements


def python_faults(name: str) -> Iterator[str]:
    """Yield the faults of one file of requirements/."""
    text = (REQUIREMENTS / f"{name}.txt").read_text()
    pins = {canonicalize_name(pin["name"]): pin for pin in PIN.finditer(text)}
    for pin in pins.values():
        if "--hash=sha256:" not in pin["rest"]:
            yield f"requirements/{name}.txt: {pin['name']} has no hash"
    for requirement in wanted(name):
        pinned = pins.get(canonicalize_name(requirement.name))
        if pinned is None or not requirement.specifier.contains(pinned["version"], prereleases=True):
            yield f"requirements/{name}.txt does not satisfy `{requirement}`"
    if re.search(r"https?://", text):
        yield f"requirements/{name}.txt names a server"


def npm_faults(folder: str) -> Iterator[str]:
    """Yield the faults of a folder's package-lock.json."""
    package = json.loads((ROOT / folder / "package.json").read_text())
    locked = json.loads((ROOT / folder / "package-lock.json").read_text())["packages"]
    for kind in ("dependencies", "devDependencies"):
        for name, version in package.get(kind, {}).items():
            if locked.get(f"node_modules/{name}", {}).get("version") != version:
                yield f"{folder}/package-lock.json does not pin {name} {version}"
    for path, entry in locked.items():
        if "resolved" in entry:
            yield f"{folder}/package-lock.json names a server for {path}"
        if path and "integrity" not in entry:
            yield f"{folder}/package-lock.json has no hash for {path}"


def main() -> None:
    """Print every fault and fail, or say that there is none."""
    faults = [fault for path in sorted(REQUIREMENTS.glob("*.in")) for fault in python_faults(path.stem)]
    folders = ("js", "tests/sdk/node", "tests/browser/light/page")
    faults += [fault for folder in folders for fault in npm_faults(folder)]
    if faults:
        sys.exit("\n".join([*faults, "`make lock` makes the lock files anew."]))
    print("Lock files: every direct requirement pinned with a hash, no server named")


if __name__ == "__main__":
    main()
