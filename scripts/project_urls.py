"""Add the URLs of the repository whose workflow builds the package to its metadata.

So a fork never links to another repository. The build backend runs this (see pyproject.toml). Workflows set
``GITHUB_REPOSITORY`` to ``owner/name``; a build without it has no URLs.
"""

from __future__ import annotations

import os
import re
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

NOTEBOOK = "lab/tree/notebooks/01_quickstart.ipynb"


def project_urls(repository: str) -> dict[str, str]:
    """Return the URLs by label for a repository; none if it is empty.

    Args:
        repository: ``owner/name``.

    Raises:
        ValueError: it has another form.

    >>> project_urls("me/hook-widgets")["Issues"]
    'https://github.com/me/hook-widgets/issues'
    """
    if not repository:
        return {}
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", repository):
        raise ValueError(f"GITHUB_REPOSITORY is {repository!r}; it must be owner/name")
    home = f"https://github.com/{repository}"
    return {
        "Source": home,
        "Issues": f"{home}/issues",
        "Changelog": f"{home}/blob/HEAD/CHANGELOG.md",
        "Try it on Binder": f"https://mybinder.org/v2/gh/{repository}/HEAD?urlpath={NOTEBOOK}",
    }


class ProjectUrls(MetadataHookInterface):
    """Metadata hook of the build backend."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the project's URLs."""
        metadata["urls"] = project_urls(os.environ.get("GITHUB_REPOSITORY", ""))
