"""What `make lite` built: complete, unchanged, without the name of another server; and its public variant."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION  # type: ignore[import-untyped]

from scripts.lite.__main__ import PYODIDE, SETTINGS, SITE, build

ADDRESS = "https://pyodide.example/v314/full/"


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site that may load packages of Pyodide's whole distribution."""
    folder = tmp_path_factory.mktemp("public") / "site"
    build(folder, pyodide_url=ADDRESS)
    return folder


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text())


def packages(site: Path) -> dict[str, dict[str, Any]]:
    return read(site / "static/pyodide/pyodide-lock.json")["packages"]


def settings(site: Path) -> dict[str, Any]:
    return read(site / "jupyter-lite.json")["jupyter-config-data"]["litePluginSettings"][SETTINGS]


def test_each_wheel_lies_beside_the_lock_with_the_hash_that_it_says():
    folder = SITE / "static/pyodide"
    named = {entry["file_name"]: entry["sha256"] for entry in packages(SITE).values()}

    assert {path.name: sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.whl")} == named


def test_the_kernel_loads_hook_widgets_when_it_starts_and_by_its_import():
    assert "hook-widgets" in settings(SITE)["loadPyodideOptions"]["packages"]
    assert ["hook_widgets"] == packages(SITE)["hook-widgets"]["imports"]


def test_pyodide_is_the_version_that_the_kernel_was_made_for():
    package = read(PYODIDE / "package.json")

    assert PYODIDE_VERSION == package["version"]


def test_the_configuration_names_no_other_server():
    for path in ("jupyter-lite.json", "static/pyodide/pyodide-lock.json", "lab/jupyter-lite.json"):
        assert [] == re.findall(r"https?://[^\"]*", (SITE / path).read_text()), path
    assert settings(SITE)["disablePyPIFallback"] is True
    assert "./static/pyodide/pyodide.mjs" == settings(SITE)["pyodideUrl"]


def test_every_page_forbids_requests_to_other_servers_before_anything_runs_on_it():
    for page in SITE.rglob("index.html"):
        first = re.search(r"<head>\s*<!--.*?-->\s*<(.*?)>", page.read_text(), re.DOTALL)
        assert first is not None, page
        assert first[1].startswith('meta http-equiv="Content-Security-Policy" content="default-src \'self\' ')
        assert "http:" not in first[1]


def test_the_public_site_takes_what_is_missing_from_the_distribution_unchanged(public: Path):
    theirs = read(PYODIDE / "pyodide-lock.json")["packages"]
    ours, found = packages(SITE), packages(public)

    assert {"cryptography", "jsonschema", "matplotlib", "pyyaml"} == (
        set(found["hook-widgets"]["depends"]) - set(ours["hook-widgets"]["depends"])
    )
    for name in ("cryptography", "jsonschema", "kiwisolver", "matplotlib", "numpy", "pillow", "pyyaml"):
        assert f"{ADDRESS}{theirs[name]['file_name']}" == found[name]["file_name"]
        assert theirs[name]["sha256"] == found[name]["sha256"]


def test_the_public_site_serves_itself_what_the_other_one_serves(public: Path):
    found = packages(public)
    local = {name: entry for name, entry in found.items() if "://" not in entry["file_name"]}

    assert packages(SITE).keys() == local.keys()
    for entry in local.values():
        assert (public / "static/pyodide" / entry["file_name"]).is_file()
    assert settings(SITE) == settings(public)


def test_every_package_that_one_needs_is_there_in_the_public_site(public: Path):
    found = packages(public)
    names = {re.sub(r"[-_.]+", "-", name).lower() for name in found}
    needed = {re.sub(r"[-_.]+", "-", name).lower() for entry in found.values() for name in entry["depends"]}

    assert set() == needed - names


def test_no_link_of_a_notebook_leads_to_one_that_is_not_there():
    folder = SITE / "files"
    for notebook in folder.glob("*.ipynb"):
        for linked in re.findall(r"\]\(([^):]+\.ipynb)\)", notebook.read_text()):
            assert (folder / linked).is_file(), f"{notebook.name}: {linked}"


def test_where_matplotlib_is_to_be_had_the_cells_that_need_it_are_run(public: Path):
    cells = {cell["id"]: cell for cell in read(public / "files/11_choosing_a_limit.ipynb")["cells"]}

    assert "code" == cells["sweep-picture"]["cell_type"]
