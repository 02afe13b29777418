"""In how many forms a secret can lie in a byte stream, and finding it there."""

from __future__ import annotations

import base64
import html
import json
import urllib.parse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

#: A part of a secret of this length counts as the secret; shorter ones occur by chance.
PIECE = 12

#: The control: a widget that gives to its kernel what is typed into it.
LEAKING = """
import anywidget, traitlets
class Leaking(anywidget.AnyWidget):
    _esm = '''export default { render({model, el}) {
      const field = document.createElement("input"); field.className = "leaking"; el.append(field);
      field.oninput = () => { model.set("secret", field.value); model.save_changes(); };
    } }'''
    secret = traitlets.Unicode().tag(sync=True)
"""


@dataclass(frozen=True)
class Leak:
    """One place where a secret was found, and the form it had there."""

    where: str
    form: str


@cache
def encodings(secret: str | bytes) -> dict[str, bytes]:
    """The forms in which a secret could lie in a byte stream.

    JavaScript's JSON.stringify keeps non-ASCII letters and Python's json.dumps escapes them, so both are
    listed. A canary of letters and digits has one form in every JSON. Always run a control that leaks on
    purpose: a detector that has never fired proves nothing.
    """
    raw = secret.encode() if isinstance(secret, str) else secret
    forms = {"as it is": raw, "hex": raw.hex().encode(), "HEX": raw.hex().upper().encode()}
    forms["reversed"] = raw[::-1]
    forms["a list of numbers"] = json.dumps(list(raw), separators=(",", ":"))[1:-1].encode()
    forms["a spaced list of numbers"] = json.dumps(list(raw))[1:-1].encode()
    for shift in range(3):  # base64 at each alignment, without the characters that depend on the neighbours
        text = base64.b64encode(b"\0" * shift + raw)
        text = text[(0, 2, 3)[shift] : len(text) - (0, 3, 2)[(len(raw) + shift) % 3]]
        forms[f"base64, {shift} bytes in"] = text
        forms[f"base64url, {shift} bytes in"] = text.translate(bytes.maketrans(b"+/", b"-_"))
    if isinstance(secret, str):
        forms |= _text_forms(secret)
    return {name: form for name, form in forms.items() if len(form) >= 4}


def _text_forms(secret: str) -> dict[str, bytes]:
    javascript = json.dumps(secret, ensure_ascii=False)
    forms = {
        "JSON of JavaScript": javascript[1:-1].encode(),
        "JSON in JSON of JavaScript": json.dumps(javascript, ensure_ascii=False)[3:-3].encode(),
        "JSON of Python": json.dumps(secret)[1:-1].encode(),
        "JSON in JSON of Python": json.dumps(json.dumps(secret))[3:-3].encode(),
        "HTML": html.escape(secret).encode(),
        "repr": repr(secret)[1:-1].encode(),
        "UTF-16": secret.encode("utf-16-le"),
        "URL": urllib.parse.quote(secret, safe="").encode(),
        "form": urllib.parse.quote_plus(secret).encode(),
    }
    pieces = range(len(secret) - PIECE + 1)
    return forms | {f"a piece, {at} in": secret[at : at + PIECE].encode() for at in pieces}


def find_secret(data: bytes, secret: str | bytes) -> str | None:
    """The form in which `secret` stands in `data`, or None."""
    return next((name for name, form in encodings(secret).items() if form in data), None)


class Haystack:
    """Byte streams that are collected once and searched for many secrets.

    Args:
        places: the name of each place, and what was found there.
    """

    def __init__(self, places: Iterable[tuple[str, bytes]]) -> None:
        self._places = list(places)
        lines = (line for _, data in self._places for line in data.split(b"\n"))
        # A form without a line break is in one of the different lines or nowhere; most lines, such as the
        # script of a widget, are in many places.
        self._lines = b"\n".join(dict.fromkeys(lines))

    def leaks(self, secret: str | bytes) -> list[Leak]:
        """Every place that holds a secret."""
        forms = {
            name: form for name, form in encodings(secret).items() if b"\n" in form or form in self._lines
        }
        all_leaks = (
            (where, next((name for name, form in forms.items() if form in data), None))
            for where, data in self._places
        )
        return [Leak(where, form) for where, form in all_leaks if form]


def file_places(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file below a folder: notebooks, checkpoints, history, logs."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield str(path.relative_to(folder)), path.read_bytes()


def file_leaks(folder: Path, secret: str | bytes) -> list[Leak]:
    """Every file below a folder that holds a secret."""
    return Haystack(file_places(folder)).leaks(secret)
