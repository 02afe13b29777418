"""Complete the metadata of a build: the URLs of its repository, and a description whose links lead there.

No address of a repository is in the source, so a fork never links to another repository. The build backend
runs this (see pyproject.toml). Workflows set ``GITHUB_REPOSITORY`` to ``owner/name``; a build without it has
no URLs.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

NOTEBOOK = "lab/tree/notebooks/01_quickstart.ipynb"
LINK = re.compile(r"\]\((?![a-z]+:|#)([^)]+)\)")
IMAGE = re.compile(r"(?<=!\[)([^]]*)\]\((?![a-z]+:)([^)]+)\)")


def address(repository: str) -> str:
    """Return the URL of a repository; empty if `repository` is.

    Args:
        repository: ``owner/name``.

    Raises:
        ValueError: it has another form.
    """
    if repository and not re.fullmatch(r"[\w.-]+/[\w.-]+", repository):
        raise ValueError(f"GITHUB_REPOSITORY is {repository!r}; it must be owner/name")
    return repository and f"https://github.com/{repository}"


def urls(repository: str) -> dict[str, str]:
    """Return the project's URLs by label; none without a repository.

    >>> urls("me/hooks")["Issues"]
    'https://github.com/me/hooks/issues'
    """
    home = address(repository)
    return (
        home
        and {
            "Source": home,
            "Issues": f"{home}/issues",
            "Changelog": f"{home}/blob/HEAD/CHANGELOG.md",
            "Try it on Binder": f"https://mybinder.org/v2/gh/{repository}/HEAD?urlpath={NOTEBOOK}",
        }
    ) or {}


def description(readme: str, repository: str) -> str:
    """Return the README with absolute links, or without badges if there is no repository.

    >>> description("![shot](docs/a.png), [guide](docs/a.md)", "me/hooks")
    '![shot](https://github.com/me/hooks/raw/HEAD/docs/a.png), [guide](https://github.com/me/hooks/blob/HEAD/docs/a.md)'
    """
    home = address(repository)
    if not home:
        return "".join(line for line in readme.splitlines(keepends=True) if "](../../" not in line)
    absolute = readme.replace("](../../", f"]({home}/")  # pages of the repository that are no files
    absolute = IMAGE.sub(rf"\1]({home}/raw/HEAD/\2)", absolute)
    return LINK.sub(rf"]({home}/blob/HEAD/\1)", absolute)


class ProjectMetadata(MetadataHookInterface):
    """Metadata hook of the build backend."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set description and URLs."""
        repository = os.environ.get("GITHUB_REPOSITORY", "")
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": description(readme, repository)}
        metadata["urls"] = urls(repository)
