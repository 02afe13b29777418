"""Releases of an API in every state: what nginx and Envoy have to respond for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from hook_widgets.versioning import Brownout, Release, lifecycle

BROWNOUT: Final = datetime(2027, 3, 1, 10, tzinfo=UTC)
RELEASES: Final = (
    Release(
        1,
        lifecycle=lifecycle(
            datetime(2026, 6, 1, 10, tzinfo=UTC),
            brownouts=[Brownout(BROWNOUT, BROWNOUT + timedelta(hours=1))],
        ),
    ),
    Release(2, datetime(2026, 3, 2, tzinfo=UTC)),
    Release(11, datetime(2028, 3, 2, tzinfo=UTC), stable=False),
)
