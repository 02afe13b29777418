"""From inside the frame that keeps a secret nothing reaches the network, whatever script runs there.

What is tried is run in a plain frame after that: once all of it has arrived, the rest would have, too. What
a browser does when it is idle has been done when a request that is made then arrives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from playwright.sync_api import Browser, BrowserContext, Frame, Page

from tests.security.browser.attempts import LEAVING, PACKETS, STAYING
from tests.security.browser.loopback import Listeners, listening
from tests.security.browser.vault_frame import frame_of, runs, vault_frame

_PLAIN = """() => new Promise((done) => {
  const frame = document.createElement("iframe");
  frame.onload = () => done(frame);
  frame.src = "/frame";
  document.body.append(frame);
})"""


WHEN_IDLE = "requestIdleCallback(() => fetch('{to}', {mode: 'no-cors'}));"


@pytest.fixture(scope="module")
def network() -> Iterator[Listeners]:
    with listening(udp_ports=2 * len(PACKETS)) as listeners:
        yield listeners


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context() as context:
        yield context


def opened(context: BrowserContext, network: Listeners) -> Page:
    page = context.new_page()
    page.goto(f"{network.base}/page")
    return page


def plain_frame(page: Page) -> Frame:
    """The control: a frame that nothing holds back."""
    return frame_of(page.evaluate_handle(_PLAIN))


def attempt(frame: Frame, code: str, to: str) -> None:
    """Run code in a frame, after this call has come back: the frame may be gone then."""
    filled = code.replace("{to}", to).replace("{port}", to)
    frame.evaluate(f"() => void setTimeout(() => {{ {filled} }})")


def wait_until(arrived: Callable[[], bool], page: Page) -> None:
    """Wait for requests that must arrive; fail after a minute without them."""
    for _ in range(3_000):
        if arrived():
            return
        page.evaluate("() => new Promise((done) => setTimeout(done, 20))")
    raise AssertionError("what must arrive did not arrive")


def names(network: Listeners, prefix: str) -> set[str]:
    """Requests below a path."""
    return {path.removeprefix(prefix).rstrip("?") for path in network.asked if path.startswith(prefix)}


def test_nothing_that_a_script_in_the_frame_asks_for_is_asked_for(
    context: BrowserContext, network: Listeners
):
    page = opened(context, network)
    vault, plain = vault_frame(page), plain_frame(page)
    assert runs(vault)

    for where, frame in (("kept", vault), ("plain", plain)):
        for name, code in STAYING.items():
            attempt(frame, code, f"{network.base}/{where}/{name}")
    for number in range(20):  # a busy browser leaves out what it may, such as a prefetch
        control = f"/control/{number}"
        attempt(plain, WHEN_IDLE, f"{network.base}{control}")
        wait_until(partial(network.asked.__contains__, control), page)
        missing = set(STAYING) - names(network, "/plain/")
        if not missing:
            break
        for name in missing:
            attempt(plain, STAYING[name], f"{network.base}/plain/{name}")

    assert set(STAYING) == names(network, "/plain/")
    assert set() == names(network, "/kept/")


@pytest.mark.parametrize("way", LEAVING)
def test_the_frame_cannot_be_sent_elsewhere(context: BrowserContext, network: Listeners, way: str):
    vault, plain = opened(context, network), opened(context, network)

    attempt(vault_frame(vault), LEAVING[way], f"{network.base}/kept-left/{way}")
    attempt(plain_frame(plain), LEAVING[way], f"{network.base}/plain-left/{way}")
    wait_until(lambda: way in names(network, "/plain-left/"), vault)

    assert way in names(network, "/plain-left/")
    assert way not in names(network, "/kept-left/")


def test_no_packet_leaves_the_frame(context: BrowserContext, network: Listeners):
    page = opened(context, network)
    half = len(PACKETS)
    ports = {"kept": network.udp[:half], "plain": network.udp[half:]}

    for where, frame in (("kept", vault_frame(page)), ("plain", plain_frame(page))):
        for code, port in zip(PACKETS.values(), ports[where], strict=True):
            attempt(frame, code, str(port))
    wait_until(lambda: set(network.packets) >= set(ports["plain"]), page)

    assert set(network.packets) == set(ports["plain"])
