"""Pyodide's lock file: which packages there are, where their wheels lie, and which import brings which in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import ZipFile

from packaging.markers import default_environment
from packaging.metadata import Metadata
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

Entry = dict[str, Any]

#: The extras of hook_widgets that the site offers, beside what it always requires.
EXTRAS = ("", "calendar", "openapi")
#: What a wheel may ask for and not get: each has a compiled part, or needs something that has one, and the
#: package registries hold no WebAssembly wheel of it.
NO_WHEEL = frozenset({"cryptography", "jsonschema", "matplotlib", "pyyaml"})
#: What a wheel asks for, and what the site has as its front end.
FRONT_END = frozenset({"jupyterlab-widgets", "widgetsnbextension"})


class LockFault(Exception):
    """The wheels do not belong together."""


def lock(wheels: Iterable[Path], pyodide: Mapping[str, Any], *, distribution: str | None = None) -> Entry:
    """Return the lock file of a site, which is in the folder of its wheels.

    Args:
        wheels: what the site serves itself; these win over packages of the same name elsewhere.
        pyodide: the lock that came with Pyodide, which lists the packages of its whole distribution.
        distribution: the address below which that whole distribution lies, if it may be used. The hashes of
            its files become part of the lock, so that nobody there can change them.

    Raises:
        LockFault: a wheel needs a package, or a version of it, that is not there.
    """
    packages = _elsewhere(pyodide, distribution) if distribution else {}
    metadata_of = {wheel: _metadata(wheel) for wheel in wheels}
    for wheel, metadata in metadata_of.items():
        name = canonicalize_name(metadata.name)
        packages[name] = {
            "name": name,
            "version": str(metadata.version),
            "file_name": wheel.name,
            "install_dir": "site",
            "sha256": sha256(wheel.read_bytes()).hexdigest(),
            "package_type": "package",
            "imports": imports(wheel),
            "depends": [],
            "unvendored_tests": False,
        }
    for metadata in metadata_of.values():
        depends = packages[canonicalize_name(metadata.name)]["depends"]
        depends += _depends(metadata, packages, pyodide["info"]["python"])
    return {"info": pyodide["info"], "packages": dict(sorted(packages.items()))}


def needed(packages: Mapping[str, Entry], roots: Sequence[str]) -> set[str]:
    """Return the names of some packages and of all their dependencies."""
    required: set[str] = set()
    left = list(roots)
    while left:
        name = canonicalize_name(left.pop())
        if name not in required:
            required.add(name)
            left += packages[name]["depends"]
    return required


def imports(wheel: Path) -> list[str]:
    """Return the top-level modules of a wheel, by whose import Pyodide loads it."""
    with ZipFile(wheel) as archive:
        paths = [PurePosixPath(name) for name in archive.namelist()]
    modules = {
        path.parts[0].split(".")[0]
        for path in paths
        if path.suffix in {".py", ".so"} and not re.search(r"\.(dist-info|data)$", path.parts[0])
    }
    return sorted(modules)


def _elsewhere(pyodide: Mapping[str, Any], distribution: str) -> dict[str, Entry]:
    """Return the packages of Pyodide's distribution, each with its full address."""
    return {
        canonicalize_name(entry["name"]): {
            **entry,
            "file_name": f"{distribution.rstrip('/')}/{entry['file_name']}",
        }
        for entry in pyodide["packages"].values()
    }


def _metadata(wheel: Path) -> Metadata:
    with ZipFile(wheel) as archive:
        for path in archive.namelist():
            if re.fullmatch(r"[^/]+\.dist-info/METADATA", path):
                return Metadata.from_email(archive.read(path), validate=False)
    raise LockFault(f"{wheel.name} is no wheel: it has no METADATA")


def _depends(metadata: Metadata, packages: Mapping[str, Entry], python: str) -> list[str]:
    inside = _inside(python)
    depends = []
    for requirement in metadata.requires_dist or ():
        name = canonicalize_name(requirement.name)
        extras = EXTRAS if canonicalize_name(metadata.name) == "hook-widgets" else ("",)
        marker = requirement.marker
        if name in FRONT_END or (marker and not any(marker.evaluate(inside | {"extra": e}) for e in extras)):
            continue
        if name in packages:
            _check(metadata.name, requirement, packages[name]["version"])
            depends.append(name)
        elif name not in NO_WHEEL:
            raise LockFault(
                f"{metadata.name} needs `{requirement}`, which is not there. Add it to requirements/lite.in"
                " and run `make lock`; if it has no wheel for WebAssembly, name it in scripts/lite/lock.py."
            )
    return sorted(depends)


def _check(name: str, requirement: Requirement, version: str) -> None:
    if not requirement.specifier.contains(version, prereleases=True):
        raise LockFault(f"{name} needs `{requirement}`, and {version} is there")


def _inside(python: str) -> dict[str, str]:
    """Return the environment of Pyodide for the markers of requirements."""
    return {
        **{name: str(value) for name, value in default_environment().items()},
        "sys_platform": "emscripten",
        "platform_system": "Emscripten",
        "platform_machine": "wasm32",
        "python_version": ".".join(python.split(".")[:2]),
        "python_full_version": python,
        "implementation_version": python,
    }
