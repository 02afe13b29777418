"""Our own `Receiver` under the checks, and that the room costs nothing where it is not used."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest

from hook_widgets.receivers import catalogue, check_receiver
from hook_widgets.webhooks import Delivery, Receiver, WebhookRequest, provider, send
from hook_widgets.webhooks.delivery import connect, encode_request, server_connection
from tests.support.extent import extent
from tests.support.shapes import FEW_SHAPES

ORACLE = {check.id for check in catalogue().values() if check.oracle}
LOAD = [check.id for check in catalogue().values() if check.load]


class OneConnection:
    """Sends requests on one connection while it can be used again, which costs half as much as new ones."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.stack = ExitStack()

    def __enter__(self) -> OneConnection:
        self.connection = self.stack.enter_context(connect(self.url))
        return self

    def __exit__(self, *error: object) -> None:
        self.stack.close()

    def send(self, request: WebhookRequest, *, timeout_s: float) -> Delivery:
        if urlsplit(request.url)[:2] != urlsplit(self.url)[:2]:
            return send(request, timeout_s=timeout_s)
        data = b"".join(encode_request(request))
        if not self.connection.reusable:
            self.stack.close()
            self.connection = self.stack.enter_context(connect(self.url))
        self.connection.write(data)
        return self.connection.read(method=request.method)


@pytest.mark.parametrize("name", FEW_SHAPES)
def test_our_receiver_passes_the_standard_suite(name):
    key = provider(name).example_secret()
    with Receiver(name, key) as receiver, OneConnection(receiver.url) as sender:
        report = check_receiver(name, receiver.url, key, transport=sender.send, connect=connect)

    handshakes = set()  # those with a new secret, and those with a token that only the owner knows
    if any(handshake.brings_secret for handshake in provider(name).handshakes):
        handshakes = {"H1", "H2", "H3", "H4"}
    elif any(handshake.token for handshake in provider(name).handshakes):
        handshakes = {"H2"}
    undecided = {result.id for result in report.checks if result.status == "not_decided"}
    assert () == report.findings
    # A header that ends in a space, as an empty token leaves it, cannot be sent yet.
    assert undecided - ORACLE - handshakes <= (
        {"B4"} if provider(name).schemes[0].signatures[0].algorithm == "token" else set()
    )
    assert report.score.passed > 15
    assert report.requests <= 250  # as the message says that asks for consent


@pytest.mark.parametrize(("explain", "warned"), extent([(True, ["G4"])], [(False, []), (True, ["G4"])]))
def test_our_receiver_lists_copies_and_explains_rejections_on_request(
    explain: bool, warned: list[str], monkeypatch: pytest.MonkeyPatch
):
    """It is made for tests: it lists each delivery, and may say what is wrong with one."""
    monkeypatch.setattr(server_connection, "REQUEST_TIMEOUT_S", 1.0)
    secret = provider("shopify").example_secret()
    with Receiver("shopify", secret, explain=explain) as receiver:
        report = check_receiver(
            "shopify",
            receiver.url,
            secret,
            suite="full",
            oracle=lambda: sum(d.verdict.ok for d in receiver.deliveries),
            settle_s=0,
            slow_s=2,
            skip=LOAD if explain else (),
        )

    assert ["C5", "C7", "C8", *([] if explain else ["D1"])] == sorted(
        r.id for r in report.findings if r.status == "failed"
    )
    assert warned == [r.id for r in report.findings if r.status == "warned"]


def loaded_by(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_room_is_loaded_only_when_it_is_used():
    modules = loaded_by("import hook_widgets, hook_widgets.webhooks, hook_widgets.receivers")

    assert {"hook_widgets.receivers"} == {m for m in modules if m.startswith("hook_widgets.receivers")}
    assert {"jinja2", "httpcore", "anywidget"}.isdisjoint(modules)
