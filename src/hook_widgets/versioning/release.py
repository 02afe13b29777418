"""A major version of an API, and its status at a given time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from hook_widgets._arguments import shown as shown_value
from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.dates.instants import instant, shown
from hook_widgets.versioning.deprecation_schedule import Lifecycle


class Status(StrEnum):
    """Status of a version at a given time."""

    PLANNED = "planned"
    """Not released yet; requests for it are treated as for an unknown version."""
    PREVIEW = "preview"
    """Served only to requests that name it, without any guarantee."""
    ACTIVE = "active"
    """Served, and the default if it is the latest."""
    DEPRECATED = "deprecated"
    """Served, with a notice that it will be removed."""
    REMOVED = "removed"
    """No longer served; requests get a 410 response."""


class HeadersBegin(StrEnum):
    """Beginning of the deprecation headers in the responses of a version."""

    ANNOUNCEMENT = "announcement"
    """With the announcement: no client learns of a deprecation before it is announced."""
    AT_ONCE = "at_once"
    """As soon as the plan is deployed: ``Deprecation`` then has a date in the future (RFC 9745 allows it)."""


MAX_MAJOR: Final = 999_999_999_999_999
"""The largest version number: every parser of headers and JSON reads it exactly."""


# Also with a name or a time behind the date, such as 2024-06-20.acacia.
_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{1,2})(?:-([0-9]{1,2}))?(?:[.t-].{0,40})?", re.DOTALL)
_MINOR: Final = re.compile(r"([1-9][0-9]{0,14})((?:\.[0-9]{1,9}){0,2})")
_PREVIEW: Final = re.compile(_MINOR.pattern + r"-?(?:alpha|beta|preview|rc).{0,40}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Release:
    """A major version.

    Attributes:
        major: the version number, from 1 to 999,999,999,999,999.
        released: the past or future release date; None if the version has always existed.
        stable: False for a preview, which is never the default.
        lifecycle: the deprecation and removal dates; None without a planned deprecation.

    Raises:
        InvalidApi: `major` is not a whole number from 1, a time has no zone, or the deprecation is before the
            release; `field` names the attribute.

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
                f"is deprecated at {shown(self.lifecycle.deprecated)}, before its release at "
                f"{shown(self.released)}; correct one of the dates",
                field="lifecycle",
                subject=f"version {self.major}",
            )

    def status(self, at: datetime) -> Status:
        """Return the status at a time; a status includes the moment at which it begins.

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


def nearest_form(major: object) -> str:
    """Return how a version that is a date, or has a minor part, can be written."""
    text = (major if isinstance(major, str) else shown_value(major)).strip().lower().removeprefix("v")
    if match := _DATE.fullmatch(text):
        number = "".join(part.zfill(2) for part in match.groups() if part)
        return f"; a version by date is the number {number}"
    if match := _PREVIEW.fullmatch(text):
        return f"; a preview is version {match[1]} of the stage preview (in Python with stable=False)"
    if match := _MINOR.fullmatch(text):
        reason = "minor versions break no clients, so " if match[2] else ""
        return f"; {reason}give the major version {match[1]}"
    return ""


def _check(major: object, stable: object, lifecycle: object) -> None:
    if isinstance(major, bool) or not isinstance(major, int):
        raise InvalidApi(
            f"a major version must be a whole number from 1, not {shown_value(major)}{nearest_form(major)}",
            field="major",
        )
    if not 1 <= major <= MAX_MAJOR:
        raise InvalidApi(f"a major version must be a whole number from 1 to {MAX_MAJOR}", field="major")
    if not isinstance(stable, bool):
        raise InvalidApi("stable must be True or False", field="stable")
    if lifecycle is not None and not isinstance(lifecycle, Lifecycle):
        raise InvalidApi(
            f"lifecycle must be a Lifecycle, not {type(lifecycle).__name__}; lifecycle() makes one",
            field="lifecycle",
        )
