"""A release is tagged as what it is, and what its workflow runs is there."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
import yaml

from scripts.release import faults, main

from .conftest import ROOT, run

WORKFLOWS = sorted((ROOT / ".github").rglob("*.yml"))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A project that is ready to be released as 0.2.0."""
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "0.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 0.2.0 (2026-12-01)\n\n- more\n")
    (tmp_path / "changelog.d").mkdir()
    return tmp_path


def test_a_release_whose_parts_agree_has_no_fault(copy: Path) -> None:
    assert [] == faults("v0.2.0", copy)


def test_a_tag_of_another_version_is_rejected_with_both_names(copy: Path) -> None:
    (fault,) = faults("v0.3.0", copy)

    assert "v0.3.0" in fault
    assert "0.2.0" in fault


def test_a_version_without_changelog_is_rejected_with_the_command(copy: Path) -> None:
    (copy / "CHANGELOG.md").write_text("# Changelog\n\n## 0.2.0.1 (2026-12-01)\n")
    (fault,) = faults("v0.2.0", copy)

    assert "make changelog VERSION=0.2.0" in fault


def test_a_fragment_that_was_left_over_is_named(copy: Path) -> None:
    (copy / "changelog.d" / "+late.fixed.md").write_text("late\n")
    (fault,) = faults("v0.2.0", copy)

    assert "+late.fixed.md" in fault


def test_the_command_fails_when_something_is_wrong_and_only_then(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 0 == main(["v0.2.0"], copy)
    assert ("", "") == capsys.readouterr()
    assert 1 == main(["v0.3.0"], copy)
    assert "v0.3.0" in capsys.readouterr().err


def test_a_release_tests_the_wheel_that_was_built_and_publishes_on_a_pushed_tag_alone() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]
    commands = [step["run"] for step in jobs["wheel"]["steps"] if "run" in step]

    assert [] == [line for line in commands if "pip install" in line and "dist/*.whl" not in line]
    assert "github.event_name == 'push'" == jobs["publish"]["if"]
    assert {"wheel", "tests"} == set(jobs["publish"]["needs"])


def test_the_fragments_make_a_changelog(tmp_path: Path) -> None:
    draft = run(sys.executable, "-m", "towncrier", "build", "--draft", "--version=9.9.9", "--date=2030-01-02")

    assert "## 9.9.9 (2030-01-02)" in draft
    for fragment in (ROOT / "changelog.d").glob("*.md"):
        assert fragment.read_text().strip().splitlines()[0] in draft


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_what_the_code_host_reads_is_yaml_and_names_what_there_is(path: Path) -> None:
    text = path.read_text()
    targets = [word for line in re.findall(r"make ([a-z][a-z -]*)", text) for word in line.split()]
    files = re.findall(r"\b(?:scripts|tests|docs)/[\w./-]+\.\w+", text)
    makefile = (ROOT / "Makefile").read_text()

    assert isinstance(yaml.safe_load(text), dict)
    assert [] == [word for word in targets if not re.search(rf"^{word}:", makefile, re.MULTILINE)]
    assert [] == [file for file in files if not (ROOT / file).is_file()]


def test_the_parts_of_the_workflow_are_all_parts_of_the_tests() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
    parts = " ".join(workflow["jobs"]["test"]["strategy"]["matrix"]["part"]).split()
    targets = re.findall(r"^(test-[a-z]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE)

    assert sorted([*(set(targets) - {"test-long"}), "check", "docs", "lite", "dist"]) == sorted(parts)


def test_every_action_of_a_workflow_is_pinned_to_a_commit_with_its_version_beside_it() -> None:
    used = [line.strip() for path in WORKFLOWS for line in path.read_text().splitlines() if "uses:" in line]
    actions = [line for line in used if "uses: ./" not in line]  # this repository's own are at this commit

    assert len(actions) >= 9
    pinned = re.compile(r"(?:- )?uses: [\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
    assert [] == [line for line in actions if not pinned.fullmatch(line)]
