"""From a slider's move to the painted picture in JupyterLab and Chromium, against ``ipywidgets.interact``.

Run it with `make bench`. Both notebooks are open in the same browser; moves alternate between the two, so
that whatever slows the machine down slows both. A move is an arrow key on the focused slider. It ends when
the picture with the new value is being painted. Of a move, measured in the same way for both:

- kernel: from the begin to the end of the kernel's handling of the message of the move;
- paint: from the arrival of the picture at the page to its being painted, decoding included;
- transfer: the rest, which is the page's handling of the key, and the messages on their way.

Beside the time that passes stands the processor time of the kernel's thread, which other work on the machine
disturbs less.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from playwright.sync_api import Locator, sync_playwright

from tests.benchmarks.report import Gap, Parts, Row, emit
from tests.browser.conftest import _FLAGS, chromium_path
from tests.browser.lab import Lab
from tests.browser.server import LabServer

MOVES: Final = 100
WARM_UP: Final = 5
DRAG_MS: Final = 2000
DRAG_LIMIT_MS: Final = 150
PEER_NAME: Final = "ipywidgets.interact"
#: One notebook in each tab, so that every benchmark finds its kernel running.
NOTEBOOK: Final = "ours.ipynb"
NOTEBOOK_OF_PEER: Final = "peer.ipynb"

# What the kernel records: begin, end and processor time of its handling of each message, in seconds.
RECORD_KERNEL = """
import time
handled = []
def record(handlers):
    inner = handlers["comm_msg"]
    def outer(*args, **keywords):
        begin, cpu = time.time(), time.thread_time()
        try:
            return inner(*args, **keywords)
        finally:
            handled.append((begin, time.time(), time.thread_time() - cpu))
    handlers["comm_msg"] = outer
record(get_ipython().kernel.shell_handlers)
"""

OURS = """
from hook_widgets import RateLimitCalculator
RateLimitCalculator(burst_allowance=200, steady="18/s", burst=400, burst_every_s=60, clients=12, timeout_s=30)
"""

PEER = """
%matplotlib inline
import matplotlib.pyplot as plt
from ipywidgets import interact
from hook_widgets.ratelimit.planning.scenario import scenario

def show(burst_allowance=200):
    planned = scenario(
        "100000/hour", burst_allowance=burst_allowance, steady="18/s", burst=400, burst_every_s=60,
        clients=12, timeout_s=30, seed=7,
    )
    times = [t / 10 for t in range(1200)]
    figure, (level, queue) = plt.subplots(2, 1, sharex=True, figsize=(6.4, 3.6))
    level.plot(times, [float(planned.run.tokens(t)) for t in times])
    queue.plot(times, [planned.queue.queue_depth(t) for t in times])
    plt.show()

interact(show, burst_allowance=(10, 1000, 10));
"""

# What the page records, in milliseconds since 1970, like the kernel.
RECORD = """
  const now = () => performance.timeOrigin + performance.now();
  window.timed = {keys: [], came: [], paint: []};
  document.addEventListener('keydown', () => timed.keys.push(now()), true);
  kernel.anyMessage.connect((_, {msg, direction}) => {
    const picture = direction === 'recv' && msg.header.msg_type === 'comm_msg' && msg.buffers?.length;
    if (picture) timed.came.push(now());
  });
  new PerformanceObserver((list) => {
    for (const {name, startTime, detail} of list.getEntries())
      if (name === 'hw:paint' && detail.fresh) timed.paint.push(performance.timeOrigin + startTime);
  }).observe({type: 'mark'});
"""

# The inline back end's picture comes as another <img>, which counts once it is decoded and the page paints.
RECORD_PEER = """
  const now = () => performance.timeOrigin + performance.now();
  window.timed = {keys: [], came: [], paint: []};
  document.addEventListener('keydown', () => timed.keys.push(now()), true);
  kernel.anyMessage.connect((_, {msg, direction}) => {
    if (direction === 'recv' && msg.header.msg_type === 'display_data') timed.came.push(now());
  });
  new MutationObserver(async (changes) => {
    const added = changes.flatMap(({addedNodes}) => [...addedNodes]).filter((n) => n.querySelector?.('img'));
    if (!added.length) return;
    await added.at(-1).querySelector('img').decode();
    requestAnimationFrame(() => timed.paint.push(now()));
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
    const done = timed.paint.find((when) => when > moved);
    if (done) return done - moved;
    await new Promise((again) => setTimeout(again, 5));
  }
}"""


def move(lab: Lab, key: str) -> None:
    """Press a key, and wait for its picture."""
    count = lab.page.evaluate("() => timed.paint.length")
    lab.page.keyboard.press(key)
    lab.page.wait_for_function(f"() => timed.paint.length > {count}")


def parts(ours: Lab, peer: Lab, *, smallest: bool = False) -> Parts:
    """Return the parts, of the usual or of the smallest size, in two tabs."""
    count, warm_up, drag_ms = (2, 1, 200) if smallest else (MOVES, WARM_UP, DRAG_MS)
    return {
        "Slider to painted picture": lambda: moves(ours, peer, count=count, warm_up=warm_up),
        "Slider, last move of a drag": lambda: drag(ours, duration_ms=drag_ms),
    }


def show(ours: Lab, peer: Lab) -> None:
    """Open our notebook and the peer's, each with its slider focused and its times recorded."""
    ours.run(OURS, name=NOTEBOOK)
    ours.panel.locator(".hw img").wait_for()
    peer.run(PEER, name=NOTEBOOK_OF_PEER)
    peer.panel.locator(".jp-OutputArea img").wait_for()
    for lab, record, slider in (
        (ours, RECORD, our_slider(ours)),
        (peer, RECORD_PEER, peer.panel.get_by_role("slider").first),
    ):
        lab.within(record)
        lab.execute(RECORD_KERNEL)
        slider.focus()


def our_slider(ours: Lab) -> Locator:
    """Return the slider that is moved."""
    return ours.panel.get_by_role("slider", name="Burst allowance")


def moves(ours: Lab, peer: Lab, *, count: int, warm_up: int) -> Iterator[Row]:
    """Make the moves, and yield the rows."""
    show(ours, peer)
    for n in range(count + warm_up):
        if n == warm_up:
            for lab in (ours, peer):
                lab.page.evaluate("() => { for (const list of Object.values(timed)) list.length = 0; }")
                lab.execute("handled.clear()")
        key = "ArrowLeft" if n // 40 % 2 else "ArrowRight"
        ours.page.bring_to_front()
        move(ours, key)
        ours.page.wait_for_timeout(350)  # the full-quality picture comes when the slider rests
        peer.page.bring_to_front()
        move(peer, key)
    yield from compared(times_of_moves(ours), times_of_moves(peer))


def drag(ours: Lab, *, duration_ms: int) -> Iterator[Row]:
    """Drag the slider, and yield the time from the last move to its picture."""
    ours.page.bring_to_front()
    yield Row(
        what="Slider, last move of a drag to its picture",
        ours=ours.page.evaluate(DRAG, [our_slider(ours).element_handle(), duration_ms]),
        anchor=DRAG_LIMIT_MS,
        anchor_name="limit",
        unit="ms",
        runs=1,
    )


def times_of_moves(lab: Lab) -> dict[str, list[float]]:
    """Return the milliseconds of each part of each move."""
    page: dict[str, list[float]] = lab.page.evaluate("() => timed")
    handled = json.loads(lab.execute("import json; print(json.dumps(handled))"))
    times_ms: dict[str, list[float]] = {
        name: [] for name in ("all", "kernel", "kernel CPU", "transfer", "paint")
    }
    for key in page["keys"]:
        painted = min(at for at in page["paint"] if at > key)
        came = min(at for at in page["came"] if at > key)
        # Other messages, such as acknowledgements, are handled at once.
        begin, end, cpu_s = max(
            (row for row in handled if key - 1 < row[0] * 1000 < painted), key=lambda row: row[1] - row[0]
        )
        kernel = (end - begin) * 1000
        times_ms["all"].append(painted - key)
        times_ms["kernel"].append(kernel)
        times_ms["kernel CPU"].append(cpu_s * 1000)
        times_ms["transfer"].append(painted - key - kernel - (painted - came))
        times_ms["paint"].append(painted - came)
    return times_ms


def compared(ours: dict[str, list[float]], peer: dict[str, list[float]]) -> Iterator[Row]:
    """Yield the medians of all parts, and the 95th percentile of the whole and of the kernel."""
    for name, values in ours.items():
        title = f"Slider, of it {name}" if name != "all" else "Slider to painted picture"
        for percentile, measure in (("p50", statistics.median), ("p95", p95)):
            if percentile == "p50" or name in ("all", "kernel CPU"):
                yield Row(
                    what=f"{title}, {percentile}",
                    ours=measure(values),
                    anchor=measure(peer[name]),
                    anchor_name=PEER_NAME,
                    unit="ms",
                    runs=len(values),
                )


def p95(values: Sequence[float]) -> float:
    """Return the 95th percentile."""
    return statistics.quantiles(values, n=20)[18]


def in_two_tabs(parts: Callable[[Lab, Lab], Parts], *packages: str) -> Sequence[Gap]:
    """Start a server and a browser with two tabs, measure, and return what is missing."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=_FLAGS)
        server = LabServer(Path(folder)).start()
        try:
            packages = ("jupyterlab", "ipykernel", "ipywidgets", *packages)
            tabs = Lab(server, browser), Lab(server, browser)
            return emit(parts(*tabs), *packages, Chromium=browser.version)
        finally:
            browser.close()
            server.stop()


def main() -> Sequence[Gap]:
    """Measure, and return what is missing."""
    return in_two_tabs(parts, "matplotlib", "numpy")
