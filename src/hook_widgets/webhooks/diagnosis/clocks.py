"""What is wrong with the time of a request whose signature is right."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from hook_widgets.webhooks.diagnosis.causes import Mention
from hook_widgets.webhooks.diagnosis.times import moment_of
from hook_widgets.webhooks.scheme.moments import TimestampUnit
from hook_widgets.webhooks.verifying import Inspection, Reason

_DECADE = timedelta(days=3650)
_YEAR_S = 366 * 86400
_SLACK = timedelta(minutes=2)  # what a request may take, beside a whole time zone


def lateness(inspection: Inspection) -> tuple[Mention, ...]:
    """Why the timestamp is refused; nothing when it is not."""
    moment, now = inspection.reading.moment, inspection.now
    if moment is None:
        return ()
    for cause, factor in (("timestamp-ms-sent", 1000), ("timestamp-s-sent", 1 / 1000)):
        if _rescaled(moment, now, factor):
            return (Mention(cause),)
    verdict = inspection.conclude([0] * len(inspection.jobs))
    if verdict.reason is not Reason.TIMESTAMP_OUTSIDE_TOLERANCE:
        return ()
    words = verdict.detail.partition(";")[0].removeprefix("the timestamp is ")
    ahead = moment - now
    if ahead < timedelta(0):  # a replay, most often: whole hours say nothing
        return (Mention("timestamp-stale", words),)
    halves, rest = divmod(ahead + _SLACK, timedelta(minutes=30))
    if rest <= 2 * _SLACK and 1 <= halves <= 28:
        return (Mention("timestamp-zone", f"{halves / 2:g} h"),)
    return (Mention("timestamp-future", words),)


def unwritten(text: str, unit: TimestampUnit | None) -> tuple[Mention, ...]:
    """Why a timestamp cannot be read in its provider's unit; nothing when it is no time at all."""
    if unit is TimestampUnit.SECONDS and re.fullmatch("1[0-9]{12}", text):
        return (Mention("timestamp-ms-sent"),)
    return (Mention("timestamp-form", text),) if moment_of(text) is not None else ()


def _rescaled(moment: datetime, now: datetime, factor: float) -> bool:
    """Whether a time that is decades away would be near if its unit were another."""
    seconds = moment.timestamp() / factor
    return abs(now - moment) > _DECADE and abs(seconds - now.timestamp()) < _YEAR_S
