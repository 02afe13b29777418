"""Fetch what a page with widgets and without a server needs, so that it loads nothing from a CDN.

    python -m scripts.static_pages [folder]      build/static-pages when no folder is named

The files, their versions and hashes stand in requirements/static-pages.json. Each is taken out of its npm
package alone: installed as a dependency, html-manager would bring the whole front end of JupyterLab, 128 MB,
along with the one file that pages use. anywidget's loader is the one that Python has installed.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import sys
import tarfile
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

from scripts import frontend

PINNED = frontend.ROOT / "requirements/static-pages.json"
USUAL_FOLDER = frontend.ROOT / "build/static-pages"


def take(package: str, file: str, integrity: str) -> bytes:
    """One file of one version of an npm package, after its archive was found to have the pinned hash."""
    with tempfile.TemporaryDirectory() as folder:
        frontend.npm("pack", package, "--silent", "--loglevel=error", "--pack-destination", folder)
        (archive,) = Path(folder).glob("*.tgz")
        actual = "sha512-" + base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
        if actual != integrity:
            sys.exit(
                f"{package} has the hash {actual}, and {PINNED.name} says {integrity}: it was exchanged."
            )
        with tarfile.open(archive) as opened:
            content = opened.extractfile(file)
            if content is None:
                sys.exit(f"{package} has no file {file}")
            return content.read()


def main() -> None:
    """Put the files into a folder, unless those of these versions are there."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.static_pages", description="Fetch what pages with widgets need, from npm."
    )
    parser.add_argument(
        "folder", nargs="?", type=Path, default=USUAL_FOLDER, help="build/static-pages when not given"
    )
    place, pinned = parser.parse_args().folder, PINNED.read_text(encoding="utf-8")
    done = place / PINNED.name
    if not done.is_file() or done.read_text(encoding="utf-8") != pinned:
        place.mkdir(parents=True, exist_ok=True)
        for package, entry in json.loads(pinned).items():
            name = Path(entry["file"]).name
            (place / name).write_bytes(take(package, entry["file"], entry["integrity"]))
        done.write_text(pinned, encoding="utf-8")
    with as_file(files("anywidget") / "nbextension/index.js") as loader:
        (place / "anywidget.js").write_bytes(loader.read_bytes())


if __name__ == "__main__":
    main()
