"""Limits to start from: the tiers, and what well-known APIs publish. The data is ``presets.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from hook_widgets.errors import InvalidLimit, nearest


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """One tier or one API's published limits.

    Attributes:
        id: its name in code, such as ``"github-user"``.
        title: its name for people.
        limits: what is allowed, by the name of the limit; all hold at once. Empty when it is agreed with
            each customer.
        kind: ``"api"``, or ``"tier"`` for a tier of this planner.
        capacity: tokens of the published bucket, or None.
        concurrency: requests in flight that are allowed, or None.
        source: where the limits are published; empty for a tier.
        read: the day on which the page was read (as it was stored then); None for a tier.
        note: what else matters, or empty.
    """

    id: str
    title: str
    limits: Mapping[str, str]
    kind: str = "api"
    capacity: int | None = None
    concurrency: int | None = None
    source: str = ""
    read: date | None = None
    note: str = ""


def preset(name: str) -> Preset:
    """The preset of that name.

    Raises:
        InvalidLimit: there is none; the text names the nearest.

    >>> dict(preset("pro").limits)
    {'hourly': '100000/hour'}
    """
    try:
        return presets()[name]
    except KeyError:
        raise InvalidLimit(f"There is no preset {name!r}. {nearest(name, presets())}") from None


@cache
def presets() -> Mapping[str, Preset]:
    """All presets by name, tiers first.

    >>> list(presets())[:4]
    ['free', 'basic', 'pro', 'enterprise']
    """
    tables = tomllib.loads(files(__package__).joinpath("presets.toml").read_text(encoding="utf-8"))
    return MappingProxyType({name: Preset(id=name, **table) for name, table in tables.items()})
