"""From a slider's move to the painted picture in JupyterLab and Chromium, against ``ipywidgets.interact``.

Run it with `make bench`. Both notebooks are open in the same browser; moves alternate between the two, so
that whatever slows the machine down slows both. A move is an arrow key on the focused slider. It ends when
the picture with the new value is being painted.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import _FLAGS, chromium_path
from tests.browser.lab import Lab
from tests.browser.server import LabServer

MOVES = 100
DRAG_MS = 2000

OURS = """
import time
from hook_widgets import RateLimitCalculator
from hook_widgets.ratelimit.plotting.mpl import picture
from hook_widgets.widgets.calculator import frame as frames

took = []
def timed(home, name, kind):
    inner = getattr(home, name)
    def outer(*args, **keywords):
        begin = time.time()
        try:
            return inner(*args, **keywords)
        finally:
            took.append((kind, begin, time.time()))
    setattr(home, name, outer)
timed(frames.Frames, "frame", "kernel")
timed(picture, "png", "encode")
w = RateLimitCalculator(capacity=200, steady="18/s", burst=400, burst_every_s=60, clients=12, timeout_s=30)
w
"""

PEER = """
%matplotlib inline
import matplotlib.pyplot as plt
from ipywidgets import interact
from hook_widgets.ratelimit.planning.scenario import scenario

def show(capacity=200):
    found = scenario(
        "100000/hour", capacity=capacity, steady="18/s", burst=400, burst_every_s=60, clients=12,
        timeout_s=30, seed=7,
    )
    times = [t / 10 for t in range(1200)]
    figure, (level, queue) = plt.subplots(2, 1, sharex=True, figsize=(6.4, 3.6))
    level.plot(times, [float(found.run.tokens(t)) for t in times])
    queue.plot(times, [found.queue.queue_depth(t) for t in times])
    plt.show()

interact(show, capacity=(0, 1000, 10));
"""

# What the page records, in milliseconds since 1970, like the kernel.
RECORD = """
  const now = () => performance.timeOrigin + performance.now();
  window.timed = {keys: [], sent: [], came: [], decode: [], paint: []};
  document.addEventListener('keydown', () => timed.keys.push(now()), true);
  kernel.anyMessage.connect((_, {msg, direction}) => {
    if (msg.header.msg_type !== 'comm_msg') return;
    if (direction === 'send') timed.sent.push(now());
    else if (msg.buffers?.length) timed.came.push(now());
  });
  const decode = HTMLImageElement.prototype.decode;
  HTMLImageElement.prototype.decode = async function () {
    const begin = now();
    await decode.call(this);
    timed.decode.push(now() - begin);
  };
  new PerformanceObserver((list) => {
    for (const mark of list.getEntries())
      if (mark.name === 'hw:paint') timed.paint.push([performance.timeOrigin + mark.startTime, mark.detail]);
  }).observe({type: 'mark'});
"""

# The inline back end's picture comes as another <img>, which counts once it is decoded and the page paints.
RECORD_PEER = """
  const now = () => performance.timeOrigin + performance.now();
  window.peer = {keys: [], paint: []};
  document.addEventListener('keydown', () => peer.keys.push(now()), true);
  new MutationObserver(async (changes) => {
    const added = changes.flatMap(({addedNodes}) => [...addedNodes]).filter((n) => n.querySelector?.('img'));
    if (!added.length) return;
    await added.at(-1).querySelector('img').decode();
    requestAnimationFrame(() => peer.paint.push(now()));
  }).observe(panel.node, {childList: true, subtree: true});
"""

DRAG = """async ([slider, last]) => {
  const now = () => performance.timeOrigin + performance.now();
  let at = Number(slider.value), end = now() + last, moved = 0;
  while (now() < end) {
    at = at >= Number(slider.max) ? 0 : at + 1;
    slider.value = String(at);
    slider.dispatchEvent(new Event('input', {bubbles: true}));
    moved = now();
    await new Promise(requestAnimationFrame);
  }
  for (;;) {
    const done = timed.paint.find(([when, {fresh}]) => when > moved && fresh);
    if (done) return [done[0] - moved, timed.paint.length];
    await new Promise((again) => setTimeout(again, 5));
  }
}"""


def move_of_ours(lab: Lab, key: str) -> None:
    """One move, and wait for its picture."""
    count = lab.page.evaluate("() => timed.paint.filter(([, {fresh}]) => fresh).length")
    lab.page.keyboard.press(key)
    lab.page.wait_for_function(f"() => timed.paint.filter(([, {{fresh}}]) => fresh).length > {count}")


def move_of_peer(lab: Lab, key: str) -> None:
    """One move, and wait for its picture."""
    count = lab.page.evaluate("() => peer.paint.length")
    lab.page.keyboard.press(key)
    lab.page.wait_for_function(f"() => peer.paint.length > {count}")


def measure(browser: Browser, server: LabServer) -> None:
    """Make the moves and print the table."""
    ours, peer = Lab(server, browser), Lab(server, browser)
    ours.run(OURS, name="ours.ipynb")
    ours.panel.locator(".hw img").wait_for()
    peer.run(PEER, name="peer.ipynb")
    peer.panel.locator(".jp-OutputArea img").wait_for()
    ours.within(RECORD)
    peer.within(RECORD_PEER)
    slider = ours.panel.get_by_role("slider", name="Bucket or queue size")
    handle = peer.panel.get_by_role("slider").first
    slider.focus()
    handle.focus()
    for n in range(MOVES + 5):
        if n == 5:  # the first ones warm up
            for name in ("keys", "sent", "came", "decode", "paint"):
                ours.page.evaluate(f"() => {{ timed.{name}.length = 0; }}")
            peer.page.evaluate("() => { peer.keys.length = peer.paint.length = 0; }")
            ours.execute("took.clear()")
        key = "ArrowLeft" if n // 40 % 2 else "ArrowRight"
        ours.page.bring_to_front()
        move_of_ours(ours, key)
        ours.page.wait_for_timeout(350)  # the full-quality picture comes when the slider rests
        peer.page.bring_to_front()
        move_of_peer(peer, key)
    page: dict[str, Any] = ours.page.evaluate("() => timed")
    kernel = [tuple(row) for row in eval(ours.execute("print(took)"))]
    report(page, kernel, peer.page.evaluate("() => peer"))
    ours.page.bring_to_front()
    late, pictures = ours.page.evaluate(DRAG, [slider.element_handle(), DRAG_MS])
    shown = pictures - len(page["paint"])
    print(f"\nA drag of {DRAG_MS / 1000:g} s, a move for every frame of the screen: {shown} pictures painted")
    print(f"  last move to its picture {late:.0f} ms (aim: at most 150 ms on an idle machine)")


def report(page: dict[str, Any], kernel: Sequence[Sequence[Any]], peer: dict[str, Any]) -> None:
    """Print what the moves took."""
    first = [
        min(when for when, detail in page["paint"] if when > key and detail["fresh"]) - key
        for key in page["keys"]
    ]
    theirs = [min(when for when in peer["paint"] if when > key) - key for key in peer["keys"]]
    print(f"\nSlider to painted picture, {MOVES} moves each in turn, ms{'':14}p50    p95")
    line("ipywidgets.interact, matplotlib inline", theirs)
    line("RateLimitCalculator", first)
    print(f"  ratio of the medians: {statistics.median(theirs) / statistics.median(first):.1f}x")
    parts: dict[str, list[float]] = {
        "uplink": [],
        "kernel": [],
        "of it encode": [],
        "downlink": [],
        "paint": [],
    }
    for key in page["keys"]:
        sent = min(t for t in page["sent"] if t >= key)
        begin, end = min(
            (b * 1000, e * 1000) for kind, b, e in kernel if kind == "kernel" and b * 1000 > sent - 2
        )
        came = min(t for t in page["came"] if t >= end - 2)
        painted = min(when for when, detail in page["paint"] if when > key and detail["fresh"])
        parts["uplink"].append(begin - sent)
        parts["kernel"].append(end - begin)
        parts["of it encode"].append(
            sum((e - b) * 1000 for kind, b, e in kernel if kind == "encode" and begin <= b * 1000 <= end)
        )
        parts["downlink"].append(came - end)
        parts["paint"].append(painted - came)
    print("Of these, for the RateLimitCalculator:")
    for name, values in parts.items():
        line(name, values)
    line("of paint: decode", page["decode"])


def line(name: str, values: Sequence[float]) -> None:
    """One row: median and 95th percentile."""
    cuts = statistics.quantiles(values, n=20)
    print(f"  {name:48}{statistics.median(values):7.1f}{cuts[18]:7.1f}")


def in_a_browser(measure: Callable[[Browser, LabServer], None]) -> None:
    """Start a server and a browser, and measure."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=_FLAGS)
        server = LabServer(Path(folder)).start()
        try:
            measure(browser, server)
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    in_a_browser(measure)
