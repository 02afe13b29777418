"""Announcements of the generator to a screen reader."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.light.conftest import Show
from tests.browser.sdk import SdkReceiver

SECRET = "TESTsecret0123456789"


def test_a_screen_reader_announces_what_happens(show: Show, sdk: SdkReceiver):
    sdk.trust("github", SECRET)
    widget = show(f"'github', url={sdk.url('github')!r}")
    status = widget.root.get_by_role("status")

    widget.sign_with(SECRET)
    expect(status).to_have_text("Signature up to date")
    widget.button("Copy headers").click()
    expect(status).to_have_text("Copied: headers")
    widget.send()
    expect(status).to_contain_text("200 OK")
