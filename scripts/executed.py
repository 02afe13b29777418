"""Cache of executed notebooks, valid until a notebook, the package or its environment changes.

The tests run every notebook. `make docs` takes what came out of it, and runs those of which nothing is there.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn

import hook_widgets
from scripts.notebooks import Run, read

_ROOT = Path(__file__).resolve().parent.parent
CACHE = _ROOT / "build" / "jupyter-cache"
LOCKED = _ROOT / "requirements" / "dev.txt"


def digest() -> str:
    """Return a digest of the package's sources, data and bundles, and of the versions it runs with."""
    files = (path for path in Path(hook_widgets.__file__).parent.rglob("*") if path.is_file())
    inputs = [*sorted(path for path in files if path.parent.name != "__pycache__"), LOCKED]
    return hashlib.sha256(b"".join(path.read_bytes() for path in inputs)).hexdigest()[:16]


def current(cache: Path = CACHE) -> Path:
    """Return the folder for outputs of the present package; remove those of any other."""
    now = cache / digest()
    for old in cache.glob("*"):
        if old != now:
            shutil.rmtree(old)
    return now


def keep(folder: Path, ran: Run) -> None:
    """Keep what came out of a notebook, where Sphinx looks for it.

    Args:
        folder: what `current` gave before the notebook ran.
        ran: a run that is ok.
    """
    bundle = CacheBundleIn(ran.notebook, str(ran.path), data={"execution_seconds": ran.took_s})
    get_cache(folder).cache_notebook_bundle(bundle, overwrite=True)


def missing(folder: Path, paths: Iterable[Path]) -> list[Path]:
    """Return the notebooks whose present code has not run."""
    cache = get_cache(folder)
    cached = {record.hashkey for record in cache.list_cache_records()}
    return [path for path in paths if cache.create_hashed_notebook(read(path))[1] not in cached]
