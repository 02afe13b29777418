"""The lock file that tells Pyodide which packages there are: it fits what is there, or says what does not."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from scripts.lite.lock import LockFault, imports, lock, needed

PYODIDE: dict[str, Any] = {
    "info": {"python": "3.14.2"},
    "packages": {
        "matplotlib": {
            "name": "matplotlib",
            "version": "3.10.8",
            "file_name": "matplotlib-3.10.8-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
            "depends": ["six"],
            "imports": ["matplotlib"],
            "package_type": "package",
            "sha256": "2d12",
        },
        "six": {
            "name": "six",
            "version": "1.17.0",
            "file_name": "six-1.17.0-py2.py3-none-any.whl",
            "depends": [],
            "imports": ["six"],
            "package_type": "package",
            "sha256": "4721",
        },
    },
}


def wheel(folder: Path, name: str, version: str, *requires: str, files: tuple[str, ...] = ()) -> Path:
    """A wheel with nothing but its metadata and empty files."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    lines = ["Metadata-Version: 2.4", f"Name: {name}", f"Version: {version}"]
    lines += [f"Requires-Dist: {requirement}" for requirement in requires]
    with ZipFile(path, "w") as archive:
        archive.writestr(f"{name}-{version}.dist-info/METADATA", "\n".join(lines))
        for file in files:
            archive.writestr(file, "")
    return path


def test_an_entry_says_what_the_wheel_says(tmp_path: Path):
    built = wheel(tmp_path, "acme_tools", "1.2", "six>=1", files=("acme/__init__.py", "acme_cli.py"))
    six = wheel(tmp_path, "six", "1.17.0")
    entry = lock([built, six], PYODIDE)["packages"]["acme-tools"]

    assert {
        "name": "acme-tools",
        "version": "1.2",
        "file_name": "acme_tools-1.2-py3-none-any.whl",
        "sha256": sha256(built.read_bytes()).hexdigest(),
        "imports": ["acme", "acme_cli"],
        "depends": ["six"],
        "install_dir": "site",
        "package_type": "package",
        "unvendored_tests": False,
    } == entry


@pytest.mark.parametrize(
    ("requires", "depends"),
    [
        ('six; sys_platform == "emscripten"', ["six"]),
        ('six; sys_platform != "emscripten"', []),
        ('six; platform_machine == "wasm32"', ["six"]),
        ('six; python_version < "3.14"', []),
        ('six; python_full_version >= "3.14.2"', ["six"]),
        ('six; extra == "all"', []),
        ("Matplotlib>=3.10", []),  # has no wheel
        ("jupyterlab_widgets", []),  # is the site's front end
    ],
)
def test_what_is_needed_is_what_is_needed_inside_pyodide(tmp_path: Path, requires: str, depends: list[str]):
    wheels = [wheel(tmp_path, "acme", "1", requires), wheel(tmp_path, "six", "1.17.0")]

    assert depends == lock(wheels, PYODIDE)["packages"]["acme"]["depends"]


@pytest.mark.parametrize(
    ("requires", "message"),
    [
        ("pytz>=2024", "acme needs `pytz>=2024`, which is not there. Add it to requirements/lite.in"),
        ("six<1", "acme needs `six<1`, and 1.17.0 is there"),
    ],
)
def test_wheels_that_do_not_belong_together_are_rejected(tmp_path: Path, requires: str, message: str):
    wheels = [wheel(tmp_path, "acme", "1", requires), wheel(tmp_path, "six", "1.17.0")]

    with pytest.raises(LockFault, match=re.escape(message)):
        lock(wheels, PYODIDE)


def test_a_wheel_without_metadata_is_rejected_by_its_name(tmp_path: Path):
    with ZipFile(tmp_path / "acme-1-py3-none-any.whl", "w") as archive:
        archive.writestr("acme.py", "")

    with pytest.raises(LockFault, match=r"acme-1-py3-none-any\.whl"):
        lock([tmp_path / "acme-1-py3-none-any.whl"], PYODIDE)


def test_without_an_address_nothing_of_the_distribution_is_named(tmp_path: Path):
    assert ["acme"] == list(lock([wheel(tmp_path, "acme", "1", "matplotlib")], PYODIDE)["packages"])


@pytest.mark.parametrize("address", ["https://pyodide.example/full", "https://pyodide.example/full/"])
def test_with_an_address_what_is_missing_comes_from_there_with_the_hash_that_pyodide_gives(
    tmp_path: Path, address: str
):
    wheels = [wheel(tmp_path, "acme", "1", "matplotlib>=3.10", "six"), wheel(tmp_path, "six", "1.18.0")]
    packages = lock(wheels, PYODIDE, distribution=address)["packages"]

    assert ["matplotlib", "six"] == packages["acme"]["depends"]
    matplotlib = packages["matplotlib"]
    assert (
        f"https://pyodide.example/full/{PYODIDE['packages']['matplotlib']['file_name']}"
        == (matplotlib["file_name"])
    )
    assert "2d12" == matplotlib["sha256"]
    assert "six-1.18.0-py3-none-any.whl" == packages["six"]["file_name"]  # the site's own one wins


def test_what_comes_with_a_package_comes_with_all_it_needs(tmp_path: Path):
    wheels = [
        wheel(tmp_path, "acme", "1", "base_tools"),
        wheel(tmp_path, "base_tools", "1", "six"),
        wheel(tmp_path, "six", "1.17.0"),
        wheel(tmp_path, "other", "1"),
    ]

    assert {"acme", "base-tools", "six"} == needed(lock(wheels, PYODIDE)["packages"], ["acme"])


def test_metadata_and_data_folders_are_no_modules(tmp_path: Path):
    files = (
        "acme/__init__.py",
        "acme/part/__init__.py",
        "acme_fast.cpython-314-wasm32-emscripten.so",
        "acme-1.dist-info/extra.py",
        "acme-1.data/scripts/run.py",
        "share/acme.txt",
    )

    assert ["acme", "acme_fast"] == imports(wheel(tmp_path, "acme", "1", files=files))
