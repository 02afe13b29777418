"""The output of `make lite`: complete, unchanged, and without the name of another server."""

from __future__ import annotations

import re
from hashlib import sha256

import pytest

from scripts.lite import __main__ as lite
from scripts.lite.__main__ import PYODIDE, SITE
from tests.lite import environment
from tests.lite.files import packages, read, settings


def test_each_wheel_lies_beside_the_lock_with_the_hash_that_it_says():
    folder = SITE / "static/pyodide"
    named = {entry["file_name"]: entry["sha256"] for entry in packages(SITE).values()}

    assert {path.name: sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.whl")} == named


def test_the_kernel_loads_hook_widgets_when_it_starts_and_by_its_import():
    assert "hook-widgets" in settings(SITE)["loadPyodideOptions"]["packages"]
    assert ["hook_widgets"] == packages(SITE)["hook-widgets"]["imports"]


def test_pyodide_is_the_version_that_the_kernel_was_made_for():
    code = "from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION; print(PYODIDE_VERSION)"

    assert environment.run(code).strip() == read(PYODIDE / "package.json")["version"]


def test_the_configuration_names_no_other_server():
    for path in ("jupyter-lite.json", "static/pyodide/pyodide-lock.json", "lab/jupyter-lite.json"):
        assert [] == re.findall(r"https?://[^\"]*", (SITE / path).read_text()), path
    assert settings(SITE)["disablePyPIFallback"] is True
    assert "./static/pyodide/pyodide.mjs" == settings(SITE)["pyodideUrl"]


def test_every_page_forbids_requests_to_other_servers_before_anything_runs_on_it():
    pages = list(SITE.rglob("index.html"))
    assert SITE / "lab/index.html" in pages
    for page in pages:
        first = re.search(r"<head>\s*<!--.*?-->\s*<(.*?)>", page.read_text(), re.DOTALL)
        assert first is not None, page
        assert first[1].startswith('meta http-equiv="Content-Security-Policy" content="default-src \'self\' ')
        assert "http:" not in first[1]


def test_no_link_of_a_notebook_leads_to_one_that_is_not_there():
    folder = SITE / "files"
    notebooks = list(folder.glob("*.ipynb"))
    assert folder / "start.ipynb" in notebooks
    for notebook in notebooks:
        for linked in re.findall(r"\]\(([^):]+\.ipynb)\)", notebook.read_text()):
            assert (folder / linked).is_file(), f"{notebook.name}: {linked}"


def test_without_pyodide_the_command_that_fetches_it_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(lite, "PYODIDE", tmp_path / "gone")
    monkeypatch.setattr("sys.argv", ["lite"])

    with pytest.raises(SystemExit, match="run `make lite`"):
        lite.main()


def test_without_the_kernel_the_command_that_has_it_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(lite, "KERNEL", tmp_path / "gone")
    monkeypatch.setattr("sys.argv", ["lite"])

    with pytest.raises(SystemExit, match="no jupyterlite-pyodide-kernel: run `make lite`"):
        lite.main()


def test_without_a_package_index_it_is_said_what_could_not_be_fetched(tmp_path, monkeypatch):
    monkeypatch.setattr(lite, "WHEELS", tmp_path / "wheels")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)

    with pytest.raises(SystemExit, match=r"(?s)No matching distribution.*requirements/lite\.txt.* once"):
        lite._locked(read(PYODIDE / "pyodide-lock.json")["info"])
