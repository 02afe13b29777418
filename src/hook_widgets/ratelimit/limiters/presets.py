"""Preset limits: service tiers and the published limits of well-known APIs, from ``presets.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidLimit, nearest


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A service tier, or the published limits of one API.

    Attributes:
        id: the identifier, such as ``"github-user"``.
        title: the display name.
        limits: the rate of each limit, by the limit's name; all apply together. Empty if they are negotiated
            with each customer.
        kind: ``"api"``, or ``"tier"`` for a tier of this planner.
        enforcement: ``"meter"`` if a request above the limit is rejected, such as with 429, ``"queue"`` if it
            waits. A leaky bucket can be either; as a meter it is a token bucket.
        algorithm: the published algorithm, such as ``"token_bucket"``; empty if it is not published.
        burst_allowance: requests that the API admits at once, or None if that is not published.
        concurrency: allowed number of requests in flight, or None.
        source: URL of the page that publishes the limits; empty for a tier.
        algorithm_source: URL of the page that publishes the algorithm; empty if it is that of `source`.
        read: the date on which that page was read (from an archived copy of the time); None for a tier.
        note: further remarks, or empty.
    """

    id: str
    title: str
    limits: Mapping[str, str]
    kind: str = "api"
    enforcement: str = "meter"
    algorithm: str = ""
    burst_allowance: int | None = None
    concurrency: int | None = None
    source: str = ""
    algorithm_source: str = ""
    read: date | None = None
    note: str = ""

    @property
    def has_bucket(self) -> bool:
        """True if the API publishes that a token bucket of `burst_allowance` enforces its limit."""
        return self.algorithm == "token_bucket" and self.burst_allowance is not None


def preset(name: str) -> Preset:
    """Return the preset with this identifier.

    Args:
        name: the identifier, such as ``"github-user"``.

    Raises:
        InvalidLimit: there is no such preset; the message names the nearest one.

    >>> dict(preset("pro").limits)
    {'hourly': '100000/hour'}
    """
    try:
        return presets()[name]
    except (KeyError, TypeError):
        raise InvalidLimit(f"there is no preset {shown(name)}; {nearest(name, presets())}") from None


@cache
def presets() -> Mapping[str, Preset]:
    """Return all presets by identifier, tiers first.

    >>> list(presets())[:4]
    ['free', 'basic', 'pro', 'enterprise']
    """
    tables = tomllib.loads(files(__package__).joinpath("presets.toml").read_text(encoding="utf-8"))
    return MappingProxyType({name: Preset(id=name, **table) for name, table in tables.items()})
