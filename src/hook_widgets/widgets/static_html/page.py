"""Static document as a page: one file that needs no kernel, no network and no script."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from datetime import datetime
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Final

from hook_widgets._version import __version__
from hook_widgets.errors import CannotWrite
from hook_widgets.widgets.static_html.document import StaticDocument, text_of

# The page may load nothing except the pictures and the style inside it.
_POLICY: Final = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

# A table may be wider than a phone: it scrolls in its own frame, which the keyboard can reach.
_TABLE: Final = re.compile(r"<table><caption>[^<]*<thead>.*?</table>")


def page(document: StaticDocument, at: datetime) -> str:
    """Return the page of a static document.

    Args:
        document: the document.
        at: creation time, with its zone.
    """
    style = files("hook_widgets.widgets.static_html").joinpath("page.css").read_text(encoding="utf-8")
    body = document.body().replace("<h4>", "<h2>").replace("</h4>", "</h2>")
    body = _TABLE.sub(r"<div class='wide' tabindex='0'>\g<0></div>", body)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="hook_widgets {__version__}">
<title>{text_of(document.title)}</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>{text_of(document.title)}</h1>
{body}
</main>
<footer>Written by hook_widgets {escape(__version__)} on
<time datetime="{at.isoformat()}">{at:%Y-%m-%d %H:%M %Z}</time>.
This page loads nothing and holds no signing secret.</footer>
</body>
</html>
"""


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
