"""Content of the wheel and of the sdist."""

from __future__ import annotations

import re
import tarfile
import tomllib
import zipfile
from collections import Counter
from email.parser import HeaderParser
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement

from .conftest import ROOT, Distributions, ours

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
STATIC = "hook_widgets/widgets/static"
BUNDLES = (
    *(
        "generator.js",
        "calculator.js",
        "planner.js",
        "editor.js",
        "panels.js",
        "vault.html",
        "vault.js",
        "curves.js",
    ),
    *("generator.css", "calculator.css", "planner.css"),
)


@pytest.fixture(scope="module")
def wheel(built: Distributions) -> dict[str, bytes]:
    """The wheel as {name: contents}."""
    with zipfile.ZipFile(built.wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def sdist(built: Distributions) -> set[str]:
    """The names in the sdist, without its top folder."""
    with tarfile.open(built.sdist) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


def only(wheel: dict[str, bytes], pattern: str) -> bytes:
    """The contents of the one file whose name matches `pattern`."""
    (name,) = [name for name in wheel if re.fullmatch(pattern, name)]
    return wheel[name]


@pytest.mark.parametrize("bundle", BUNDLES)
def test_the_wheel_holds_each_bundle_as_it_was_built(wheel: dict[str, bytes], bundle: str) -> None:
    expected = (ROOT / "src" / STATIC / bundle).read_bytes()

    assert expected
    assert expected == wheel[f"{STATIC}/{bundle}"]


@pytest.mark.parametrize(
    ("bundle", "budget_kb"),
    [
        ("generator.js", 72),
        ("calculator.js", 54),
        ("planner.js", 50),
        ("editor.js", 380),
        ("curves.js", 80),
        # What came from generator.js, which each widget saves.
        ("panels.js", 87),
        ("vault.js", 64),
    ],
)
def test_a_bundle_stays_within_its_budget(wheel: dict[str, bytes], bundle: str, budget_kb: int) -> None:
    size_kb = len(wheel[f"{STATIC}/{bundle}"]) / 1000

    assert size_kb <= budget_kb, f"{bundle} has {size_kb:.1f} KB, its budget is {budget_kb} KB"


def test_the_wheel_holds_every_source_file_and_all_provider_data_unchanged(wheel: dict[str, bytes]) -> None:
    files = ours("src/hook_widgets")

    assert any("/webhooks/data/" in file for file in files)
    assert {file: (ROOT / file).read_bytes() for file in files} == {
        file: wheel.get(file.removeprefix("src/")) for file in files
    }


def test_the_wheel_holds_nothing_but_the_package_and_its_metadata(wheel: dict[str, bytes]) -> None:
    expected = {file.removeprefix("src/") for file in ours("src/hook_widgets")}
    expected |= {f"{STATIC}/{name}" for name in (*BUNDLES, "THIRD_PARTY_LICENSES.txt", "sources.sha256")}
    expected.add("hook_widgets/webhooks/registry/catalog.jsonl")

    assert expected == {name for name in wheel if ".dist-info/" not in name}


def test_the_wheel_carries_our_licence_and_those_of_what_is_bundled(wheel: dict[str, bytes]) -> None:
    own = only(wheel, r"hook_widgets-.*\.dist-info/licenses/LICENSE")
    theirs = wheel[f"{STATIC}/THIRD_PARTY_LICENSES.txt"].decode()
    names = re.findall(r"^(\S+) \d+\.\d+\.\d+ \(MIT\)$", theirs, re.MULTILINE)

    assert (ROOT / "LICENSE").read_bytes() == own
    assert {"preact", "@noble/hashes", "@noble/curves", "@codemirror/state"} <= set(names)


def test_the_metadata_says_what_pyproject_says(wheel: dict[str, bytes]) -> None:
    metadata = HeaderParser().parsestr(only(wheel, r"hook_widgets-.*\.dist-info/METADATA").decode())

    assert ("hook-widgets", PROJECT["version"], ">=3.11", "MIT") == (
        metadata["Name"],
        metadata["Version"],
        metadata["Requires-Python"],
        metadata["License-Expression"],
    )
    expected = [Requirement(requirement) for requirement in PROJECT["dependencies"]]
    for extra, requirements in PROJECT["optional-dependencies"].items():
        for requirement in map(Requirement, requirements):
            also = f"({requirement.marker}) and " if requirement.marker else ""
            requirement.marker = Marker(f"{also}extra == '{extra}'")
            expected.append(requirement)
    # The builder writes names in their normal form, which a Requirement takes for equal.
    assert Counter(expected) == Counter(map(Requirement, metadata.get_all("Requires-Dist", [])))


def test_the_version_is_the_same_everywhere(wheel: dict[str, bytes]) -> None:
    package = re.search(
        r'^__version__: Final = "(.*)"$', wheel["hook_widgets/_version.py"].decode(), re.MULTILINE
    )
    npm = re.search(r'^  "version": "(.*)",$', (ROOT / "js/package.json").read_text(), re.MULTILINE)

    assert package is not None
    assert npm is not None
    assert [PROJECT["version"]] * 2 == [package[1], npm[1]]


def test_the_sdist_holds_the_sources_of_the_bundles_and_the_bundles(sdist: set[str]) -> None:
    sources = {
        *ours("js"),
        *ours("src"),
        "LICENSE",
        "README.md",
        "pyproject.toml",
        "scripts/frontend.py",
        "scripts/project_metadata.py",
    }
    bundles = {f"src/{STATIC}/{name}" for name in BUNDLES}

    assert set() == (sources | bundles) - sdist


def test_the_sdist_holds_nothing_that_was_installed_or_that_python_alone_can_build(sdist: set[str]) -> None:
    assert "src/hook_widgets/webhooks/registry/catalog.jsonl" not in sdist
    assert [] == [name for name in sdist if {"node_modules", ".venv", "__pycache__"} & set(Path(name).parts)]
