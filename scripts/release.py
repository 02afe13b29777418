"""Check that a tag, the package's version and the changelog speak of the same release.

python scripts/release.py v0.2.0
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def faults(tag: str, root: Path = ROOT) -> list[str]:
    """Find the faults of releasing a working copy under a tag.

    Args:
        tag: such as ``v0.2.0``.
        root: the working copy.
    """
    faults = []
    version = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    if tag != f"v{version}":
        faults.append(
            f"the tag is {tag} and pyproject.toml says {version}: tag v{version}, or change the version"
        )
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## {re.escape(version)} \(", changelog, re.MULTILINE):
        faults.append(f"CHANGELOG.md has no part for {version}: run `make changelog VERSION={version}`")
    if left := sorted(path.name for path in (root / "changelog.d").glob("*.md")):
        faults.append(f"changelog.d still holds {', '.join(left)}: run `make changelog VERSION={version}`")
    return faults


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Run the command: print each fault, and return 1 if there is any."""
    parser = argparse.ArgumentParser(
        prog="release.py", description="Check that tag, version and changelog speak of the same release."
    )
    parser.add_argument("tag", help="such as v0.2.0")
    wrong = faults(parser.parse_args(arguments).tag, root)
    for fault in wrong:
        print(fault, file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
