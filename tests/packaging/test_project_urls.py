"""The URLs in the metadata: those of the repository whose workflow builds the package."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from .conftest import ROOT


def urls(repository: str) -> subprocess.CompletedProcess[str]:
    """Let the build backend print the URLs."""
    return subprocess.run(
        [sys.executable, "-m", "hatchling", "metadata", "urls"],
        cwd=ROOT,
        env=os.environ | {"GITHUB_REPOSITORY": repository},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_workflow_links_to_its_own_repository() -> None:
    assert {
        "Source": "https://github.com/me/hooks",
        "Issues": "https://github.com/me/hooks/issues",
        "Changelog": "https://github.com/me/hooks/blob/HEAD/CHANGELOG.md",
        "Try it on Binder": "https://mybinder.org/v2/gh/me/hooks/HEAD?urlpath=lab/tree/notebooks/01_quickstart.ipynb",
    } == json.loads(urls("me/hooks").stdout)
    assert (ROOT / "notebooks/01_quickstart.ipynb").exists()


def test_a_build_elsewhere_links_to_no_repository() -> None:
    assert urls("").stdout.strip() in ("", "{}")


@pytest.mark.parametrize("repository", ["me", "me/hooks/more", "https://elsewhere.example/me/hooks"])
def test_another_form_of_the_name_ends_the_build(repository: str) -> None:
    run = urls(repository)

    assert run.returncode
    assert "it must be owner/name" in run.stderr
