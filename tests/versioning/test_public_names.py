"""Test that the package offers every public name, loads it on first access, and hides no module."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

from hook_widgets import versioning
from hook_widgets.versioning import planning

LIBRARIES = {"icalendar", "jsonschema", "matplotlib", "referencing", "yaml"}


def loaded_by(code: str) -> list[str]:
    """Return the modules that a program has loaded."""
    program = f"{code}\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_negotiation_loads_no_library_of_comparisons_files_or_pictures():
    code = """
from datetime import UTC, datetime
from hook_widgets.versioning import Api, Release, lifecycle
dates = lifecycle(datetime(2026, 3, 2, tzinfo=UTC))
api = Api(releases=(Release(1, lifecycle=dates), Release(2)))
assert api.negotiate("/api/v1/orders", at=datetime(2026, 11, 21, tzinfo=UTC)).route
"""

    assert set() == LIBRARIES & set(loaded_by(code))


def test_functions_named_like_a_module_are_still_found():
    """``planning.calendar`` and ``planning.timeline`` are modules, the names of the root are functions."""
    assert {"calendar", "timeline"} <= {module.name for module in pkgutil.iter_modules(planning.__path__)}
    assert callable(versioning.calendar)
    assert callable(versioning.timeline)
