"""The requests of a log that a test gives as a text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from hook_widgets.ratelimit.traffic import access_log

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIELDS = ("ip", "status", "method", "path")


@pytest.fixture
def read_with_notes(tmp_path):
    def read_text(text: str) -> tuple[list[tuple[str, ...]], access_log.LogNotes]:
        """Return time, client, status, method and path of each request, and the notes."""
        path = tmp_path / "access.log"
        path.write_text(text)
        (part,) = access_log.read([path], origin=_EPOCH, fields=_FIELDS)
        moments = ((_EPOCH + timedelta(microseconds=at // 1000)).isoformat() for at in part.times_ns)
        rows = zip(moments, *part.columns[:-1], strict=True)
        return [(moment.removesuffix("+00:00"), *values) for moment, *values in rows], part.notes

    return read_text


@pytest.fixture
def read(read_with_notes):
    """Return time, client, status, method and path of each request."""
    return lambda text: read_with_notes(text)[0]
