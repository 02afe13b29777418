"""From announcement to removal."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from hook_widgets.versioning.lifecycle import lifecycle


def test_the_usual_dates_are_0_6_12_and_18_months_after_the_announcement():
    dates = lifecycle(datetime(2026, 1, 15, 9, tzinfo=ZoneInfo("Europe/Berlin")))

    assert date(2026, 1, 15) == dates.deprecated.date()
    assert date(2026, 7, 15) == dates.reminder.date()
    assert date(2027, 1, 15) == dates.final_notice.date()
    assert date(2027, 7, 15) == dates.sunset.date()
    assert datetime(2027, 7, 15, 7, tzinfo=UTC) == dates.sunset
    assert 18 == dates.months
    assert () == dates.questions
