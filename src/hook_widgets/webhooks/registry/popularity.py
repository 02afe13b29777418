"""The order in which a list shows the best known providers; the ids are in ``popularity.txt``."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def popular() -> tuple[str, ...]:
    """Return the ids of the best known providers, the best known first."""
    lines = (files(__package__) / "popularity.txt").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))
