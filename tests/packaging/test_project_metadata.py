"""The metadata of a build: URLs and description of the repository whose workflow builds the package."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

from .conftest import ROOT


def metadata(repository: str) -> subprocess.CompletedProcess[str]:
    """Let the build backend print the metadata."""
    return subprocess.run(
        [sys.executable, "-m", "hatchling", "metadata"],
        cwd=ROOT,
        env=os.environ | {"GITHUB_REPOSITORY": repository},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_workflow_links_to_its_own_repository() -> None:
    home = "https://github.com/me/hooks"
    built = json.loads(metadata("me/hooks").stdout)
    readme = built["readme"]["text"]
    notebook = "lab/tree/notebooks/01_quickstart.ipynb"

    assert built["urls"] == {
        "Source": home,
        "Issues": f"{home}/issues",
        "Changelog": f"{home}/blob/HEAD/CHANGELOG.md",
        "Try it on Binder": f"https://mybinder.org/v2/gh/me/hooks/HEAD?urlpath={notebook}",
    }
    assert f"]({home}/actions/workflows/ci.yml)" in readme
    assert f"]({home}/raw/HEAD/docs/images/generator.png)" in readme
    assert f"]({home}/blob/HEAD/SECURITY.md)" in readme
    assert [] == re.findall(r"\]\((?!https://|#)[^)]*\)", readme)


def test_a_build_elsewhere_links_to_no_repository_and_shows_no_badge() -> None:
    built = json.loads(metadata("").stdout)

    assert not built.get("urls")
    assert "# hook_widgets" in built["readme"]["text"]
    assert "badge" not in built["readme"]["text"]


@pytest.mark.parametrize("repository", ["me", "me/hooks/more", "https://elsewhere.example/me/hooks"])
def test_another_form_of_the_name_ends_the_build(repository: str) -> None:
    run = metadata(repository)

    assert run.returncode
    assert "it must be owner/name" in run.stderr
