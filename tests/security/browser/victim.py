"""A user who types a secret into a widget, and what the signature then has to be."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import string

from playwright.sync_api import expect

from tests.browser.generator import Generator
from tests.browser.tab import Tab

#: the header with GitHub's HMAC-SHA256
SIGNATURE = "X-Hub-Signature-256"


def canary(length: int = 40) -> str:
    """A random secret of letters and digits, which has one form in every JSON and URL."""
    return "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(length))


def type_secret(widget: Generator, secret: str) -> None:
    """Type a secret key by key, and press Enter."""
    widget.secret.press_sequentially(secret)
    widget.secret.press("Enter")


def see_signed_with(widget: Generator, page: Tab, secret: str) -> None:
    """Wait until GitHub's signature on the page is the one of this secret: the letters have arrived."""
    body = bytes.fromhex(page.execute("print(bytes(w.body).hex())"))
    right = hmac.digest(secret.encode(), body, hashlib.sha256).hex()
    expect(widget.header(SIGNATURE)).to_have_text(f"sha256={right}")
