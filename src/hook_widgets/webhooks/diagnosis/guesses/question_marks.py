"""Guess which characters a program replaced by question marks, because its encoding lacks them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hook_widgets.webhooks.diagnosis.causes import one
from hook_widgets.webhooks.diagnosis.guesses.forms import BodyGuess

_MAX_BODY = 1 << 20  # bytes
_WORD = re.compile(rb"[^\s,\\]++")  # in a text without quotes
_LINK = re.compile(rb"[/=&]")
_RUN = re.compile(rb"\?+(?=[A-Za-z\x80-\xff])|\?{2,}")  # a single one at the end is that of a question
_INSIDE = re.compile(rb"(?<=[A-Za-z])\?+(?=[A-Za-z])|(?<![A-Za-z0-9?!])\?{3,}")
# Letters of European languages, then the signs that editors of text put in.
_CHARACTERS = (
    "éèêëàâäáãåæçíìîïñóòôöõøœßúùûüýÿÉÈÊËÀÂÄÁÃÅÆÇÍÌÎÏÑÓÒÔÖÕØŒÚÙÛÜÝ"
    "ąćęłńśźżĄĆĘŁŃŚŹŻčďěňřšťůžČĎĚŇŘŠŤŮŽğıİşŞőűŐŰăâîșțĂȘȚðþ"
    "’‘“”–—…€£°·•®©™§º\u00a0«»¿¡"
)


def lost_characters(body: bytes) -> Iterator[BodyGuess]:
    """Yield the body with one character for its only question marks: one for each character, or each byte."""
    runs = {(word, run[0]) for word in _words(body) for run in _RUN.finditer(word)}
    if len(runs) != 1:
        return
    ((word, marks),) = runs
    for character in dict.fromkeys(_CHARACTERS):
        raw = character.encode()
        if len(marks) in (1, len(raw)):
            yield one("body-character-lost", body.replace(word, word.replace(marks, raw)), character)


def marked_words(body: bytes) -> int:
    """Return the number of words that have a question mark between letters, or begin with three."""
    return sum(bool(_INSIDE.search(word)) for word in _words(body))


def _words(body: bytes) -> Iterator[bytes]:
    """Yield the words with question marks, without links."""
    marked = [text for text in body.split(b'"') if b"?" in text] if len(body) <= _MAX_BODY else []
    for text in marked:
        for word in _WORD.findall(text):
            if b"?" in word and not _LINK.search(word):
                yield word
