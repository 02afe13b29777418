"""Texts that may be none: bytes that are not UTF-8, and halves of surrogate pairs, which JSON can write."""

from __future__ import annotations


def decoded(data: bytes) -> str:
    """Decode UTF-8, or else Latin-1, which has a character for every byte."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def encoded(text: str) -> bytes:
    """Return the UTF-8 of a text; half a surrogate pair becomes three bytes."""
    return text.encode("utf-8", "surrogatepass")
