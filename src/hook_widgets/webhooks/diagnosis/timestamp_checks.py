"""Check the timestamp of a request whose signature is right."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from hook_widgets.webhooks.diagnosis.causes import CauseRef
from hook_widgets.webhooks.diagnosis.guesses.timestamps import moment_of
from hook_widgets.webhooks.scheme.timestamps import TimestampUnit
from hook_widgets.webhooks.verification.verify import Inspection

_DECADE = timedelta(days=3650)
_YEAR_S = 366 * 86400
_SLACK = timedelta(minutes=2)  # delivery time, in addition to the offset of a time zone


def lateness(inspection: Inspection) -> tuple[CauseRef, ...]:
    """Return the cause of a rejected timestamp; nothing if it is accepted."""
    moment, now = inspection.reading.moment, inspection.now
    if moment is None:
        return ()
    for cause, factor in (("timestamp-ms-sent", 1000), ("timestamp-s-sent", 1 / 1000)):
        if _rescaled(moment, now, factor):
            return (CauseRef(cause),)
    late = inspection.lateness
    if late is None:
        return ()
    ahead = moment - now
    if ahead < timedelta(0):  # most often a replay: a difference of whole hours would mean nothing
        return (CauseRef("timestamp-stale", late.summary),)
    halves, remainder = divmod(ahead + _SLACK, timedelta(minutes=30))
    if remainder <= 2 * _SLACK and 1 <= halves <= 28:
        return (CauseRef("timestamp-zone", f"{halves / 2:g} h"),)
    return (CauseRef("timestamp-future", late.summary),)


def unreadable(text: str, unit: TimestampUnit | None) -> tuple[CauseRef, ...]:
    """Return the cause of a timestamp that is not in its provider's unit; nothing if it is no time."""
    if unit is TimestampUnit.SECONDS and re.fullmatch("1[0-9]{12}", text):
        return (CauseRef("timestamp-ms-sent"),)
    return (CauseRef("timestamp-form", text),) if moment_of(text) is not None else ()


def _rescaled(moment: datetime, now: datetime, factor: float) -> bool:
    """Return True if a time that is decades away would be near in another unit."""
    seconds = moment.timestamp() / factor
    return abs(now - moment) > _DECADE and abs(seconds - now.timestamp()) < _YEAR_S
