"""The trap counts who connects, and responds to each at once."""

from __future__ import annotations

import socket
import sys
import urllib.request
from urllib.error import HTTPError

import pytest

from hook_widgets.errors import WebhookError
from hook_widgets.webhooks.delivery.trap import Trap


def test_each_connection_is_counted_and_gets_404():
    with Trap() as trap:
        assert 0 == trap.count
        for count in (1, 2):
            with pytest.raises(HTTPError, match="404"):
                urllib.request.urlopen(f"http://{trap.authority}/certificate.pem", timeout=5)
            assert count == trap.count


def test_a_connection_without_a_request_is_counted():
    with Trap() as trap:
        host, _, port = trap.authority.partition(":")
        with socket.create_connection((host, int(port)), timeout=5) as connection:
            connection.shutdown(socket.SHUT_WR)

            assert b"404" in connection.recv(100)
        assert 1 == trap.count


def test_a_browser_has_no_trap(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "platform", "emscripten")

    with pytest.raises(WebhookError, match="cannot listen"):
        Trap()
