"""One major version of an API, and what it is at a given time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.lifecycle import Lifecycle
from hook_widgets.versioning.moments import instant, shown


class Status(StrEnum):
    """What a version is at a given time."""

    PLANNED = "planned"
    """Not released yet; asked for, it is as unknown as any other number."""
    PREVIEW = "preview"
    """Served to those who ask for it by name, without any promise."""
    ACTIVE = "active"
    """Served, and the default when it is the latest."""
    DEPRECATED = "deprecated"
    """Served, with the notice that it will be removed."""
    REMOVED = "removed"
    """Answered with 410."""


MOST: Final = 999_999_999_999_999
"""The largest number of a version: what any reader of headers and JSON takes exactly."""


@dataclass(frozen=True, slots=True)
class Release:
    """One major version.

    Attributes:
        major: its number, from 1 to `MOST`.
        released: when it was or will be released; None when it has always been there.
        stable: False for a preview, which is never the default.
        lifecycle: its deprecation and removal; None while it is not deprecated.

    Raises:
        InvalidApi: no whole number from 1, a time without a zone, or deprecated before it is released;
            `field` names the attribute.

    >>> Release(2).status(datetime.fromisoformat("2026-11-20T09:00Z"))
    <Status.ACTIVE: 'active'>
    """

    major: int
    released: datetime | None = None
    stable: bool = True
    lifecycle: Lifecycle | None = None

    def __post_init__(self) -> None:
        _check(self.major, self.stable, self.lifecycle)
        if self.released is None:
            return
        released = instant(self.released, "the release", field="released")
        if self.lifecycle and instant(self.lifecycle.deprecated, "the announcement") < released:
            raise InvalidApi(
                f"version {self.major} is deprecated at {shown(self.lifecycle.deprecated)}, before its "
                f"release at {shown(self.released)}; correct one of the dates",
                field="released",
            )

    def status(self, at: datetime) -> Status:
        """What the version is at this time; a boundary belongs to what begins with it.

        Args:
            at: the time, with its zone.

        Raises:
            InvalidApi: the time has no zone.
        """
        now = instant(at, "the time of the question", field="at")
        if self.released is not None and now < instant(self.released, "the release"):
            return Status.PLANNED
        if self.lifecycle is not None:
            if now >= instant(self.lifecycle.sunset, "the removal"):
                return Status.REMOVED
            if now >= instant(self.lifecycle.deprecated, "the announcement"):
                return Status.DEPRECATED
        return Status.ACTIVE if self.stable else Status.PREVIEW


def _check(major: object, stable: object, lifecycle: object) -> None:
    if isinstance(major, bool) or not isinstance(major, int):
        raise InvalidApi(f"a major version is a whole number from 1, not {repr(major)[:40]}", field="major")
    if not 1 <= major <= MOST:
        raise InvalidApi(f"a major version is a whole number from 1 to {MOST}", field="major")
    if not isinstance(stable, bool):
        raise InvalidApi("stable must be True or False", field="stable")
    if lifecycle is not None and not isinstance(lifecycle, Lifecycle):
        raise InvalidApi(
            f"lifecycle must be a Lifecycle, not {type(lifecycle).__name__}; lifecycle() makes one",
            field="lifecycle",
        )
