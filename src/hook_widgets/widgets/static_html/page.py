"""Static document as a page: one file that needs no kernel, no network and no script."""

from __future__ import annotations

import os
import secrets
import shutil
from datetime import datetime
from pathlib import Path

from hook_widgets._version import __version__
from hook_widgets.errors import CannotWrite
from hook_widgets.widgets.static_html.document import StaticDocument, render


def page(document: StaticDocument, at: datetime) -> str:
    """Return the page of a static document."""
    return render("page.html", document=document, at=at, version=__version__)


def write(path: str | os.PathLike[str], text: str) -> Path:
    """Write a file atomically: a concurrent reader sees the old or the new content.

    Raises:
        CannotWrite: the folder does not exist or is not writable, or the path is a folder, a device or
            invalid.
    """
    try:
        target = Path(os.path.realpath(path))  # follow links to the file itself
        is_folder, is_special = target.is_dir(), target.exists() and not target.is_file()
    except (OSError, ValueError) as error:
        raise CannotWrite(
            f"{os.fspath(path)!r} cannot be the path of a file ({error}); choose another"
        ) from error
    if is_folder:
        raise CannotWrite(f"{path} is a folder; add a file name, such as {Path(path) / 'widget.html'}")
    if is_special:
        raise CannotWrite(f"{path} is a device or a pipe and no file; choose another place")
    if not target.parent.is_dir():
        raise CannotWrite(f"the folder {Path(path).parent} does not exist; create it first")
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        try:
            draft.write_text(text, encoding="utf-8", newline="\n")
            if target.exists():
                shutil.copymode(target, draft)  # keep the permissions of the file
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written ({error.strerror}); choose another place") from error
    return Path(path)
