"""Calls of `hook_widgets.receivers` as users write them; mypy and pyright check the types they return."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import assert_type

from hook_widgets.receivers import (
    CheckResult,
    Progress,
    Rejection,
    Report,
    Setup,
    Status,
    catalogue,
    check_receiver,
    why_rejected,
)
from hook_widgets.webhooks import Secret, send

secret = Secret("an example secret")


def show(progress: Progress) -> None:
    """Print one line for each check."""
    assert_type(progress.result, CheckResult)


report = check_receiver(
    "stripe",
    "http://127.0.0.1:8000/hooks",
    secret,
    suite="full",
    skip=["G4"],
    oracle=lambda: 0,
    setup=Setup(other_secret=secret, parts={"verify_token": "…"}, fail_next=lambda: None),
    on_progress=show,
    budget_s=timedelta(seconds=20),
    transport=partial(send, ca="receiver.pem"),
)
assert_type(report, Report)
assert_type(report["A1"].status, Status)
assert_type(report.score.fraction, float | None)
assert_type(report.to_json(), str)
assert_type(catalogue()["B11"].fix.frameworks, tuple[tuple[str, str], ...])
check_receiver("github", "http://127.0.0.1:8000/hooks", secret, oracle="sqlite3 shop.db 'SELECT 1'")

assert_type(why_rejected("stripe", "http://127.0.0.1:8000/hooks", secret, budget_s=20), Rejection)
