"""Headers, theory and plan need nothing outside the standard library."""

from __future__ import annotations

import subprocess
import sys

HEAVY = "anywidget cryptography httpcore ipywidgets matplotlib msgspec numba numpy pandas pydantic".split()  # noqa: SIM905


def test_headers_theory_and_plan_load_only_the_standard_library() -> None:
    code = f"""
import sys
import hook_widgets.ratelimit.planning.worst_case, hook_widgets.ratelimit.planning.queue_validation
import hook_widgets.ratelimit.http.observed
import hook_widgets.ratelimit.http.rejection
from hook_widgets.ratelimit.planning.plan import plan
plan("pro", steady="18/s", timeout_s=10)
print([name for name in {HEAVY!r} if name in sys.modules])
"""
    completed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]" == completed.stdout.strip()
