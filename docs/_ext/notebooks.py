"""The notebooks of the project as tutorials: copied in beside their index, where Sphinx finds and runs them.

A copy is written only when its text differs, so that Sphinx reads again only what changed. What came out of a
notebook is kept as long as neither it nor the package changes.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from package import digest
from sphinx.application import Sphinx
from sphinx.config import Config

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "notebooks"
CACHE = ROOT / "build" / "jupyter-cache"


def as_tutorial(text: str) -> str:
    """A notebook's text as it stands in docs/tutorials: what it links to under docs is one step nearer."""
    return text.replace("](../docs/", "](../")


def _copy(app: Sphinx, _config: Config) -> None:
    folder = Path(app.srcdir) / "tutorials"
    wanted = {path.name: as_tutorial(path.read_text(encoding="utf-8")) for path in SOURCE.glob("*.ipynb")}
    for copy in folder.glob("*.ipynb"):
        if copy.name not in wanted:
            copy.unlink()
    for name, text in wanted.items():
        copy = folder / name
        if not copy.exists() or copy.read_text(encoding="utf-8") != text:
            copy.write_text(text, encoding="utf-8")


def _keep(_app: Sphinx, config: Config) -> None:
    outputs = CACHE / digest()
    for old in CACHE.glob("*"):
        if old != outputs:
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    config.nb_execution_cache_path = str(outputs)


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("config-inited", _copy)
    app.connect("config-inited", _keep)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
