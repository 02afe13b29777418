"""The table of causes: why a signature does not match, what to change, and how in which framework.

The table is data: ``causes.toml`` beside this module.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Mention(NamedTuple):
    """A cause as it was met in one request.

    Attributes:
        cause: its id in the table.
        detail: what the texts name, such as a header.
    """

    cause: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """Why a signature does not match.

    Attributes:
        cause: the id of the cause.
        title: what is the matter.
        change: what to change in the receiver.
        frameworks: framework and the call that does it, where it helps.
    """

    cause: str
    title: str
    change: str
    frameworks: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Cause:
    """One row of the table; ``{detail}`` in its texts stands for what was met.

    Attributes:
        title: what is the matter.
        change: what to change in the receiver.
        frameworks: framework and the call that does it.
    """

    title: str
    change: str
    frameworks: tuple[tuple[str, str], ...]


@cache
def causes() -> dict[str, Cause]:
    """Every cause by its id."""
    table = tomllib.loads((files(__package__) / "causes.toml").read_text(encoding="utf-8"))
    advice = {name: tuple(calls.items()) for name, calls in table.pop("frameworks").items()}
    return {
        name: Cause(row["title"], row["change"], advice.get(row.get("frameworks", ""), ()))
        for name, row in table["causes"].items()
    }


def finding(mention: Mention) -> Finding:
    """What to tell about a cause that was met."""
    cause = causes()[mention.cause]
    return Finding(
        mention.cause,
        cause.title.replace("{detail}", mention.detail),
        cause.change.replace("{detail}", mention.detail),
        cause.frameworks,
    )
