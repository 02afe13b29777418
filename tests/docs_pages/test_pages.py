"""The how-tos and explanations: what they print, type and link is so."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from hook_widgets.webhooks import Receiver, Secret
from tests.support.pages import Reader, blocks

DOCS = Path(__file__).parents[2] / "docs"
ROOT = DOCS.parent
NOTEBOOKS = ROOT / "notebooks"  # the build copies them into docs/tutorials
# These have tests of their own.
ELSEWHERE = {"own-provider.md", "serve-versions.md", "versioning.md"}
PAGES = sorted(page for room in ("howto", "explanation") for page in (DOCS / room).glob("*.md"))
RUN = [page for page in PAGES if page.name not in ELSEWHERE and blocks(page)]
# What a page asks to be exported before its first command.
SET_BEFORE = {
    "WEBHOOK_SECRET": "whsec_ZGVtb19ub3RfYV9zZWNyZXQ=",
    "STRIPE_WEBHOOK_SECRET": "whsec_ZGVtb25zdHJhdGlvbg",
}

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


@pytest.fixture
def reader(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("hook_widgets.webhooks.registry.api._added", [])
    for name, value in SET_BEFORE.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "scripts").symlink_to(DOCS.parent / "scripts")  # as in a checkout
    reading = Reader(tmp_path, variables=SET_BEFORE)
    yield reading
    reading.close()


def forget(folder: Path) -> None:
    """Take the modules out that a page made: the next page may have its own of that name."""
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(str(folder)):
            del sys.modules[name]


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
def test_every_block_does_what_the_page_says(page, reader, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(page.parent)  # as in the documentation's build, whose cells run there
    outcomes = list(reader.read(page))
    forget(tmp_path)

    assert bool(outcomes) == any(block.kind in ("text", "console") for block in blocks(page))
    assert [(o.line, o.said) for o in outcomes] == [(o.line, o.came) for o in outcomes]


@every_page
def test_every_file_that_a_page_links_to_is_there(page):
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", prose)
    files = [link for link in links if "://" not in link]

    there = [
        link for link in files if (page.parent / link).exists() or (NOTEBOOKS / Path(link).name).exists()
    ]
    assert files == there


PROSE = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")] + [
    page for page in sorted(DOCS.rglob("*.md")) if page.parent.name != "tutorials"
]

TESTS = {path.name for path in (ROOT / "tests").rglob("test_*.py")}


@pytest.mark.parametrize("page", PROSE, ids=lambda page: page.stem)
def test_every_file_and_every_test_of_ours_that_a_page_names_is_there(page):
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    named = re.findall(r"`((?:docs|js|notebooks|requirements|scripts|src|tests)/[\w./*-]+)`", prose)
    titles = re.findall(r"`(tests/[\w/]+\.py)`,\s+\*([^*]+)\*", prose)

    assert [] == [name for name in named if not list(ROOT.glob(name))]
    assert [] == [name for name in re.findall(r"`(test_\w+\.py)`", prose) if name not in TESTS]
    for file, title in titles:
        name = "_".join(re.findall(r"\w+", title.lower()))
        assert f"def test_{name}(" in (ROOT / file).read_text(encoding="utf-8").lower()


def test_each_cell_of_the_table_of_secrets_has_its_test():
    """A cell without a test says so."""
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    (table,) = re.findall(r"^\| who \|.*\n\|[-|]+\n((?:\|.*\n)+)", page, re.MULTILINE)
    tests = set(re.findall(r"^- \[(\w)\] `(?:js/)?tests/", page, re.MULTILINE))
    cells = [cell for row in table.splitlines() for cell in row.strip("|").split("|")[1:]]
    letters = [set(re.sub(r"\W", "", "".join(re.findall(r"\[([\w, ]+)\] *$", cell)))) for cell in cells]

    assert 21 == len(cells)
    assert [] == [
        cell for cell, named in zip(cells, letters, strict=True) if not named and "no test" not in cell
    ]
    assert tests == set().union(*letters)


@every_page
def test_no_row_of_a_table_stands_apart(page):
    """A blank line ends a table: the rows after it would be shown as text with bars."""
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    tables = re.findall(r"(?:^\|.*\n?)+", prose, flags=re.MULTILINE)

    assert [] == [table for table in tables if not re.match(r"\|.*\n\|[-:| ]+\|\n", table)]


def test_the_hosts_are_said_to_be_tested_in_the_versions_that_the_tests_run():
    page = (DOCS / "howto" / "hosts.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"The tests ran with (.*?) in \w+\s\d{4}", page, re.DOTALL)
    locked = "".join((DOCS.parent / f"requirements/{name}.txt").read_text() for name in ("dev", "hosts"))
    names = re.findall(r"(\w+) (\d[\d.]*\d)", said)

    assert ["JupyterLab", "Notebook", "Voila", "marimo"] == [name for name, _ in names]
    assert [] == [
        (name, version)
        for name, version in names
        if {version} != set(re.findall(rf"^{name.lower()}==([^ ;]+)", locked, re.MULTILINE))
    ]


@pytest.fixture
def workflow():
    files = {block.file: block.text for block in blocks(DOCS / "howto" / "ci.md") if block.file}
    return yaml.safe_load(files["webhooks.yml"])


def test_the_workflow_gives_a_secret_to_the_one_step_that_needs_it(workflow):
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    with_secret = [step for step in steps if "secrets." in str(step)]

    assert [["python check_staging.py", {"STAGING_URL", "STRIPE_WEBHOOK_SECRET"}]] == [
        [step["run"], set(step["env"])] for step in with_secret
    ]
    assert "secrets." not in str({key: value for key, value in workflow.items() if key != "jobs"})


@pytest.mark.parametrize(("held", "status"), [("whsec_demo_of_staging", 0), ("whsec_demo_of_another", 1)])
def test_the_check_of_the_workflow_sees_whether_both_ends_hold_the_same_secret(held, status, tmp_path):
    files = {block.file: block.text for block in blocks(DOCS / "howto" / "ci.md") if block.file}
    script = tmp_path / "check_staging.py"
    script.write_text(files[script.name], encoding="utf-8")
    with Receiver("stripe", Secret("whsec_demo_of_staging")) as staging:
        asked = {"STAGING_URL": staging.url, "STRIPE_WEBHOOK_SECRET": held}
        done = subprocess.run(
            [sys.executable, str(script)], env=os.environ | asked, capture_output=True, text=True, check=False
        )

    assert status == done.returncode
    assert "forged: 401" in done.stdout
    assert held not in done.stdout + done.stderr
