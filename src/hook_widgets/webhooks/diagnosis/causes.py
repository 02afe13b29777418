"""The causes of failed verification, each with the change that repairs it and helpful framework calls.

The table is data, in ``causes.toml`` in this package.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple, TypeVar

_T = TypeVar("_T")


class CauseRef(NamedTuple):
    """A reference to a cause, with the detail that applies to one request.

    Attributes:
        id: the id of the cause in the table.
        detail: the name or value that replaces ``{detail}`` in the texts, such as a header's name.
    """

    id: str
    detail: str = ""


def one(cause: str, value: _T, detail: str = "") -> tuple[tuple[CauseRef, ...], _T]:
    """Return a guess with one cause: a body, URL or base string that was signed instead."""
    return (CauseRef(cause, detail),), value


@dataclass(frozen=True, slots=True)
class Finding:
    """A cause of a failed verification.

    Attributes:
        cause: the id of the cause.
        title: the problem, in words.
        change: the change to make in the receiver.
        frameworks: pairs of a framework and its call that makes the change, where it helps.
    """

    cause: str
    title: str
    change: str
    frameworks: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Cause:
    """A row of the table; ``{detail}`` in its texts is replaced by the detail of a `CauseRef`.

    Attributes:
        title: the problem, in words.
        change: the change to make in the receiver.
        frameworks: pairs of a framework and its call that makes the change.
    """

    title: str
    change: str
    frameworks: tuple[tuple[str, str], ...]


@cache
def causes() -> dict[str, Cause]:
    """Return all causes by id."""
    table = tomllib.loads((files(__package__) / "causes.toml").read_text(encoding="utf-8"))
    advice = {name: tuple(calls.items()) for name, calls in table.pop("frameworks").items()}
    return {
        name: Cause(row["title"], row["change"], advice.get(row.get("frameworks", ""), ()))
        for name, row in table["causes"].items()
    }


def finding(ref: CauseRef) -> Finding:
    """Return the finding for a cause, with the detail filled into its texts."""
    cause = causes()[ref.id]
    return Finding(
        ref.id,
        cause.title.replace("{detail}", ref.detail),
        cause.change.replace("{detail}", ref.detail),
        cause.frameworks,
    )
