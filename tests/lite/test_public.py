"""The variant of the site that may load packages of Pyodide's whole distribution; nobody serves that here."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from scripts.lite.__main__ import PYODIDE, SITE
from scripts.lite.lock import needed
from tests.lite import environment
from tests.lite.files import packages, read, settings
from tests.lite.site import LiteTab, Site

ORIGIN = "https://pyodide.example"
ADDRESS = f"{ORIGIN}/v314/full/"
BUILD = """
import pathlib, sys
from scripts.lite.__main__ import build
build(pathlib.Path(sys.argv[1]), pyodide_url=sys.argv[2])
"""


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site."""
    folder = tmp_path_factory.mktemp("public") / "site"
    environment.run(BUILD, str(folder), ADDRESS)
    return folder


@pytest.mark.long
def test_its_kernel_asks_the_distribution_for_what_is_missing_and_starts_without_it(
    public: Path, browser: Browser
):
    known = packages(public)
    files = {known[name]["file_name"] for name in needed(known, ["hook-widgets"])}
    with (
        closing(Site(public, elsewhere=ORIGIN)) as site,
        closing(LiteTab(site.base, browser)) as tab,
    ):
        tab.context.route(f"{ORIGIN}/**", lambda route: route.abort())
        tab.open("start.ipynb")
        installed = tab.execute(
            "from hook_widgets.webhooks import Secret, provider, verify\n"
            "request = provider('github').draft().sign(Secret('demo_not_a_secret'))\n"
            "print(verify('github', request, Secret('demo_not_a_secret')).ok)"
        )

    assert {file for file in files if file.startswith(ADDRESS)} == set(tab.recording.foreign(site.base))
    assert "True" == installed.strip()


def test_the_public_site_takes_what_is_missing_from_the_distribution_unchanged(public: Path):
    theirs = read(PYODIDE / "pyodide-lock.json")["packages"]
    ours, installed = packages(SITE), packages(public)

    assert {"cryptography", "jsonschema", "matplotlib", "pyyaml"} == (
        set(installed["hook-widgets"]["depends"]) - set(ours["hook-widgets"]["depends"])
    )
    for name in ("cryptography", "jsonschema", "kiwisolver", "matplotlib", "numpy", "pillow", "pyyaml"):
        assert f"{ADDRESS}{theirs[name]['file_name']}" == installed[name]["file_name"]
        assert theirs[name]["sha256"] == installed[name]["sha256"]


def test_the_public_site_serves_itself_what_the_other_one_serves(public: Path):
    installed = packages(public)
    local = {name: entry for name, entry in installed.items() if "://" not in entry["file_name"]}

    assert packages(SITE).keys() == local.keys()
    for entry in local.values():
        assert (public / "static/pyodide" / entry["file_name"]).is_file()
    assert settings(SITE) == settings(public)


def test_every_package_that_one_needs_is_there_in_the_public_site(public: Path):
    installed = packages(public)
    names = {re.sub(r"[-_.]+", "-", name).lower() for name in installed}
    needed = {
        re.sub(r"[-_.]+", "-", name).lower() for entry in installed.values() for name in entry["depends"]
    }

    assert set() == needed - names


def test_where_matplotlib_is_to_be_had_the_cells_that_need_it_are_run(public: Path):
    cells = {cell["id"]: cell for cell in read(public / "files/11_choosing_a_limit.ipynb")["cells"]}

    assert "code" == cells["sweep-picture"]["cell_type"]
