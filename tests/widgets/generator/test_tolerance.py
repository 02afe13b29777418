"""The tolerance that is set in Verify."""

from __future__ import annotations

import pytest

from hook_widgets.webhooks import Secret, provider
from tests.widgets.fake_tab import CANARY, FakeTab

AT = 1_795_262_400


def asked(tab: FakeTab, op: str, tolerance_s: object) -> dict:
    request = provider("stripe").draft(body=b"{}", at=AT).sign(Secret(CANARY))
    headers = "\n".join(f"{name}: {value}" for name, value in request.headers.multi_items())
    now = "2026-11-21T12:06:40Z"  # 400 s after the signature
    return tab.ask(
        op, request.body, provider="stripe", headers_text=headers, now=now, tolerance_s=tolerance_s
    )


@pytest.mark.parametrize(
    ("tolerance_s", "ok"), [(None, False), (300, False), (399.9, False), (400, True), (1e6, True), (0, False)]
)
@pytest.mark.parametrize("op", ["verify", "diagnose"])
def test_the_timestamp_may_differ_by_the_tolerance(tab: FakeTab, op: str, tolerance_s: object, ok: bool):
    value = asked(tab, op, tolerance_s)["value"]
    verdict = value if op == "verify" else value["verdict"]

    assert (ok, "valid" if ok else "timestamp_outside_tolerance") == (verdict["ok"], verdict["reason"])


@pytest.mark.parametrize("tolerance_s", [-1, "300", "1e999", True, float("inf"), float("nan"), 1e30, [300]])
@pytest.mark.parametrize("op", ["verify", "diagnose"])
def test_a_tolerance_that_is_none_is_an_error(tab: FakeTab, op: str, tolerance_s: object):
    error = asked(tab, op, tolerance_s)["error"]

    assert "the tolerance must be a number of seconds" in error["text"]
    assert error["field"] == "tolerance_s"
