"""Runs of a benchmark that tell only if it still runs."""

from __future__ import annotations

from math import isfinite

from tests.benchmarks.report import Parts


def complete(parts: Parts) -> bool:
    """Measure every part, which raises what goes wrong; True if each yields rows with figures."""
    rows = [list(measure()) for measure in parts.values()]
    return all(rows) and all(isfinite(row.ours) and isfinite(row.anchor) for part in rows for row in part)
