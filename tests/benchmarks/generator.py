"""Picking a provider, signing, and learning why 1 MB does not verify, in JupyterLab and Chromium.

Run it with `make bench`. A pick ends when the request of that provider is painted; beside it stands the
same trip of an ``ipywidgets.Dropdown`` whose change writes a word into an ``HTML`` widget, which is the
least that a question to the kernel costs here. Both are made in turn in the same browser. A signature is
timed from the key in the payload to its frame, pause for typing included; beside it stands that of a secret
in the kernel, which no job leaves. The diagnosis of 1 MB is one that finds nothing, so that everything is
tried; beside it stands one SHA-256 of as much in the page.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

from hook_widgets.webhooks import Secret, provider, providers
from tests.benchmarks.report import Gap, Parts, Row
from tests.benchmarks.slider import NOTEBOOK, NOTEBOOK_OF_PEER, in_two_tabs, p95
from tests.browser.generator import Generator
from tests.browser.lab import Lab

PICKS = 20
#: between the last letter and Enter: nobody picks before having seen what
SEEN_MS = 200
KEYS = 40
DIAGNOSES = 5
DIAGNOSIS_LIMIT_MS = 2000
BODY = b'{"text":"' + b"0123456789abcdef" * 65536 + b'"}'

OURS = "from hook_widgets import WebhookGenerator\nw = WebhookGenerator('generic')\nw"
PEER = """
import ipywidgets as widgets
from hook_widgets.webhooks import providers
choice = widgets.Dropdown(options=[p.title for p in providers()])
word = widgets.HTML()
choice.observe(lambda change: setattr(word, "value", "picked " + change.new), "value")
widgets.VBox([choice, word])
"""

# From the key that picks to the frame in which that provider's request stands.
PICKED = """async ([root, title]) => {
  const begin = await window.pressed;
  for (;;) {
    await new Promise(requestAnimationFrame);
    const link = root.querySelector('a[href]')?.textContent ?? '';
    const rows = root.querySelectorAll('table tr').length;
    const took = performance.now() - begin;
    const stale = root.querySelector('[aria-busy=true], .hw-stale');
    if (link === `${title} documentation` && rows && !stale) return took;
    if (took > 5000) throw new Error(`${title} was not shown within 5 s`);
  }
}"""
PRESSED = "() => { window.pressed = new Promise((done) => addEventListener('keydown', () => done(performance.now()), {capture: true, once: true})); }"  # noqa: E501 - one function
CHANGED = """async ([select, title, panel]) => {
  select.value = [...select.options].find((option) => option.text === title || option.value === title).value;
  const begin = performance.now();
  select.dispatchEvent(new Event('change', {bubbles: true}));
  for (;;) {
    await new Promise(requestAnimationFrame);
    const took = performance.now() - begin;
    if (panel.textContent.includes(`picked ${title}`)) return took;
    if (took > 5000) throw new Error(`the word for ${title} did not come within 5 s`);
  }
}"""
HASHED = """async (size) => {
  const bytes = new Uint8Array(size);
  const begin = performance.now();
  for (let n = 0; n < 10; n++) await crypto.subtle.digest('SHA-256', bytes);
  return (performance.now() - begin) / 10;
}"""

IN_KERNEL = """
from hook_widgets import WebhookGenerator
from hook_widgets.webhooks import Secret
WebhookGenerator('github', secret=Secret('TESTsecret0123456789'))
"""
# From a key in the payload to the frame in which another signature stands.
SIGNED = """async (root) => {
  const signature = () => [...root.querySelectorAll('table tr')]
    .find((row) => row.textContent.startsWith('X-Hub-Signature-256'))?.textContent ?? '';
  const last = signature();
  const begin = await window.pressed;
  for (;;) {
    await new Promise(requestAnimationFrame);
    const took = performance.now() - begin;
    const now = signature();
    // One of older bytes says so behind the digits.
    if (/=[0-9a-f]{64}$/.test(now) && now !== last) return took;
    if (took > 5000) throw new Error('no other signature came within 5 s');
  }
}"""


def signatures(typed: Lab, in_kernel: Lab, count: int) -> tuple[list[float], list[float]]:
    """Milliseconds from a key to the new signature, with the secret in the tab and in the kernel."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(count):
        for lab, taken in zip((typed, in_kernel), times, strict=True):
            lab.page.bring_to_front()
            widget = Generator(lab.panel.locator(".hw").first)
            widget.payload.press("Control+End")
            lab.page.evaluate(PRESSED)
            waiting = lab.page.evaluate_handle(
                f"(root) => ({{done: ({SIGNED})(root)}})", widget.root.element_handle()
            )
            widget.payload.press(" ")
            taken.append(lab.page.evaluate("(waiting) => waiting.done", waiting))
    return times


def picks(ours: Lab, peer: Lab, count: int) -> tuple[list[float], list[float]]:
    """Milliseconds of each pick, ours and the peer's."""
    titles = [p.title for p in providers() if p.docs and p.confidence.scheme != "seed"]
    chosen = titles[1 :: len(titles) // count][:count]  # the first is what the dropdown shows already
    root = ours.panel.locator(".hw").first
    box = root.get_by_role("combobox", name="Provider")
    mine, theirs = [], []
    for title in chosen:
        ours.page.bring_to_front()
        box.fill(title)
        root.get_by_role("option").filter(has=ours.page.get_by_text(title, exact=True)).first.hover()
        ours.page.wait_for_timeout(SEEN_MS)
        ours.page.evaluate(PRESSED)
        waiting = ours.page.evaluate_handle(
            f"([root, title]) => ({{done: ({PICKED})([root, title])}})", [root.element_handle(), title]
        )
        box.press("Enter")
        mine.append(ours.page.evaluate("(waiting) => waiting.done", waiting))
        peer.page.bring_to_front()
        select = peer.panel.locator(".widget-dropdown select").first.element_handle()
        theirs.append(peer.page.evaluate(CHANGED, [select, title, peer.panel.element_handle()]))
    return mine, theirs


def diagnosis(ours: Lab, body: bytes, count: int) -> tuple[list[float], float]:
    """Milliseconds of a diagnosis that finds nothing, and of one native SHA-256 of as many bytes."""
    widget = our_widget(ours)
    root = widget.root
    widget.pick("Provider", "GitHub")
    widget.tab("Verify")
    request = provider("github").draft(body=body).sign(Secret("the secret that nobody typed"))
    widget.secret.fill("another secret")
    widget.secret.press("Enter")
    root.get_by_label("Headers (one per line)").fill(
        "\n".join(f"{name}: {value}" for name, value in request.headers.multi_items())
    )
    root.get_by_label("Body", exact=True).fill(body.decode())
    took = []
    for _ in range(count):
        begin = ours.page.evaluate("() => performance.now()")
        widget.button("Verify signature").click()
        root.get_by_text("Ruled out").or_(root.get_by_text("excluded")).first.wait_for()
        took.append(ours.page.evaluate("() => performance.now()") - begin)
        widget.secret.fill(f"another secret {len(took)}")  # makes the verdict go
        widget.secret.press("Enter")
        root.get_by_text("excluded").first.wait_for(state="hidden")
    return took, ours.page.evaluate(HASHED, len(body))


def parts(ours: Lab, other: Lab, *, smallest: bool = False) -> Parts:
    """Return the parts, of the usual or of the smallest size, in two tabs."""
    body = BODY[:9] + BODY[-1001:] if smallest else BODY
    return {
        "Pick a provider": lambda: picking(ours, other, 2 if smallest else PICKS),
        "Key in the payload": lambda: typing(ours, other, 2 if smallest else KEYS),
        "Diagnosis": lambda: diagnosing(ours, body, 1 if smallest else DIAGNOSES),
    }


def our_widget(ours: Lab) -> Generator:
    """Show a generator, or bring the one that is shown to the front; its secret is typed in the tab."""
    ours.page.bring_to_front()
    root = ours.panel.locator(".hw-generator")
    if not root.count():
        ours.run(OURS, name=NOTEBOOK)
        root.wait_for()
    return Generator(root)


def picking(ours: Lab, peer: Lab, count: int) -> Iterator[Row]:
    """Pick providers, and yield the rows."""
    our_widget(ours)
    peer.run(PEER, name=NOTEBOOK_OF_PEER)
    peer.panel.locator(".widget-dropdown select").first.wait_for()
    what, anchor = "Pick a provider, to the request painted", "ipywidgets.Dropdown that changes a word"
    yield from _percentiles(what, anchor, *picks(ours, peer, count))


def typing(typed: Lab, in_kernel: Lab, count: int) -> Iterator[Row]:
    """Type into the payload, and yield the rows."""
    in_kernel.run(IN_KERNEL, name=NOTEBOOK_OF_PEER)
    widget = our_widget(typed)
    widget.pick("Provider", "GitHub")
    widget.sign_with("TESTsecret0123456789")
    what, anchor = "Key in the payload to its signature, secret in the tab", "secret in the kernel"
    yield from _percentiles(what, anchor, *signatures(typed, in_kernel, count))


def diagnosing(ours: Lab, body: bytes, count: int) -> Iterator[Row]:
    """Ask why a request does not verify, and yield the rows."""
    took, hash_ms = diagnosis(ours, body, count)
    for anchor_ms, anchor in ((DIAGNOSIS_LIMIT_MS, "limit"), (hash_ms, "one native SHA-256 of it")):
        yield Row(
            what=f"Diagnosis of {len(body) / 1e6:.2f} MB that finds nothing",
            ours=statistics.median(took),
            anchor=anchor_ms,
            anchor_name=anchor,
            unit="ms",
            runs=len(took),
        )


def _percentiles(what: str, anchor: str, ours: Sequence[float], theirs: Sequence[float]) -> Iterator[Row]:
    for percentile, measured in (("p50", statistics.median), ("p95", p95)):
        yield Row(
            what=f"{what}, {percentile}",
            ours=measured(ours),
            anchor=measured(theirs),
            anchor_name=anchor,
            unit="ms",
            runs=len(ours),
        )


def main() -> Sequence[Gap]:
    """Measure, and return what is missing."""
    return in_two_tabs(parts)
