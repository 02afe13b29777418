"""The widget on a bare page, with a small fake kernel that misbehaves on demand (``js/tests/harness``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Error, Locator, Page, Route, expect

from tests.browser.generator import TWO_FRAMES, Generator
from tests.browser.shared_pages import Pages
from tests.browser.tab import ROOT
from tests.support.files import served

_AXE = "/js/node_modules/axe-core/axe.min.js"
#: pauses of the product, until a kernel counts as gone, a picture as late and the saved form is shown
PING_MS, ANSWER_MS, SILENCE_MS = 3000, 2000, 5000

#: the looks that axe judges
LOOKS = ("light", "dark", "forced colours")
_PAGE = "js/tests/harness/index.html"

#: a secret that must show up nowhere
CANARY = "whsec_CanaryNotARealSecret0123"


@contextmanager
def serve() -> Iterator[str]:
    """Serves the working copy; gives the address of the harness page."""
    with served(ROOT) as base:
        yield f"{base}/{_PAGE}"


_UNTIL_COPIED = """async ([text, tries]) => {
  for (let n = 0; (await navigator.clipboard.readText()) !== text; n += 1) {
    if (n > tries) throw new Error(`the clipboard has ${await navigator.clipboard.readText()}`);
    await new Promise((again) => setTimeout(again, 20));
  }
}"""


class Host:
    """One page with one widget.

    Args:
        pages: where its tab comes from.
        address: the harness page.
        width: of the window, in CSS pixels.
        policy: the Content-Security-Policy of the page; what it blocks is no error.
        options: more of a browser context, such as ``color_scheme``.
    """

    def __init__(
        self, pages: Pages, address: str, *, width: int = 1100, policy: str = "", **options: Any
    ) -> None:
        self._pages, self._options, self._own = pages, options, bool(policy)
        self.page: Page = pages.take(options)
        self.page.set_viewport_size({"width": width, "height": 900})
        self.errors: list[str] = []
        self.page.on("pageerror", self._failed)
        self.page.on("console", self._heard)
        if policy:
            self.page.route(address, lambda route: _with_policy(route, policy))
        self.page.goto(address)
        self.page.wait_for_function("window.ready")

    def _failed(self, error: Error) -> None:
        self.errors.append(str(error))

    def _heard(self, message: Any) -> None:
        blocked = "violates the following Content Security Policy" in message.text
        if message.type in ("error", "warning") and "favicon" not in str(message.location) and not blocked:
            self.errors.append(message.text)

    def mount(self, **options: Any) -> Generator:
        """Shows a widget; the options are those of the page's ``mount``."""
        self.page.evaluate("options => mount(options)", options)
        widget = Generator(self.page.locator(".hw").first)
        expect(widget.root.get_by_role("tab", name="Generate")).to_be_visible()
        return widget

    def hasten(self, pause_ms: int) -> None:
        """Let timers of this length fire after a tenth of it, from now on."""
        self.page.evaluate(
            """(pause) => {
                const later = window.setTimeout.bind(window);
                window.setTimeout = (run, ms, ...more) => later(run, ms === pause ? pause / 10 : ms, ...more);
            }""",
            pause_ms,
        )

    def frames(self) -> list[dict[str, Any]]:
        """All that left the browser for the kernel."""
        return self.page.evaluate("widget.model.frames.map(({ buffers, ...rest }) => rest)")

    def asked(self, op: str) -> list[dict[str, Any]]:
        """The arguments of every request of that kind."""
        return [
            frame["content"]["args"] for frame in self.frames() if frame.get("content", {}).get("op") == op
        ]

    def body(self) -> bytes:
        """The body trait."""
        return bytes(self.page.evaluate("[...widget.kernel.body()]"))

    def violations(self, root: Locator, *, undecided: bool = True) -> list[str]:
        """Return axe's violations in the widget, by default with undecided contrasts."""
        if not self.page.evaluate("Boolean(window.axe)"):
            self.page.add_script_tag(url=_AXE)
        nodes = root.evaluate(
            """async (element, undecided) => {
                // Axe cannot tell the contrast of what is scrolled out of sight or under the sticky bar.
                if (undecided) scrollTo(0, 0);
                const panes = [...element.querySelectorAll(".hw-part, .hw-history-panes, .hw-check-rows")];
                for (const pane of panes) {
                  // The open entry of the history has its place, so it gives its pane no height.
                  pane.style.height = pane.matches(".hw-history-panes") ? "3000px" : "auto";
                  pane.style.maxHeight = "none";
                }
                const { violations, incomplete } = await axe.run(element, {
                  iframes: false, preload: false, resultTypes: ["violations", "incomplete"],
                });
                for (const { style } of panes) style.height = style.maxHeight = "";
                const unsure = incomplete.filter(({ id }) => undecided && id === "color-contrast");
                return [...violations, ...unsure].flatMap(({ id, nodes }) =>
                  nodes.map(({ target, any }) => `${id}: ${target} ${any[0]?.message ?? ""}`));
            }""",
            undecided,
        )
        return list(nodes)

    def violations_by_look(self, root: Locator, *, undecided: bool = True) -> dict[str, list[str]]:
        """Return axe's violations of each look that has any."""
        results = {}
        for look in LOOKS:
            self.look(look, root)
            results[look] = self.violations(root, undecided=undecided)
        return {look: violations for look, violations in results.items() if violations}

    def copied(self, text: str) -> None:
        """Wait until this text is on the clipboard."""
        self.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page.evaluate(_UNTIL_COPIED, [text, 200])

    def look(self, name: str, root: Locator) -> None:
        """Change to the ``light`` or ``dark`` theme, or to ``forced colours``, and wait for the widget."""
        theme = "dark" if name == "dark" else "light"
        self.page.emulate_media(forced_colors="active" if name == "forced colours" else "none")
        self.page.evaluate(
            "light => { document.body.dataset.jpThemeLight = light; }", str(theme == "light").lower()
        )
        expect(root).to_have_attribute("data-theme", theme)
        # The part below a picture takes its new colours half a second later.
        self.page.wait_for_function(
            "() => document.getAnimations().every(({ playState }) => playState !== 'running')"
        )

    def widen(self, width: int) -> None:
        """Give the window another width, and wait until it was drawn with it."""
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.evaluate(TWO_FRAMES)

    def overflow(self) -> list[str]:
        """Elements of the widget that stick out of it to the right."""
        return self.page.evaluate(
            """() => {
                const root = document.querySelector(".hw");
                const edge = root.getBoundingClientRect().right + 0.5;
                const clipped = ".hw-pre *, .hw-offscreen, .hw-offscreen *, .hw-list *";
                return [...root.querySelectorAll("*")]
                  .filter(el => !el.matches(clipped) && el.getBoundingClientRect().right > edge)
                  .map(el => `${el.tagName}.${el.className}`);
            }"""
        )

    def close(self, *, failed: bool = False) -> None:
        """Leave the page to the next test, unless it is not as it was; an error of it fails the test."""
        self.page.remove_listener("pageerror", self._failed)
        self.page.remove_listener("console", self._heard)
        if failed or self._own or self.errors:
            self.page.context.close()
        else:
            self._pages.give_back(self.page, self._options)
        assert self.errors == []


class TogetherHost(Host):
    """One page with one widget of each kind."""

    def mount(self, **options: Any) -> Generator:
        """Shows them all; the options are those of each widget's ``mount``, by its name."""
        self.page.evaluate("options => mount(options)", options)
        return self.generator()

    def generator(self) -> Generator:
        """The generator of the page."""
        widget = Generator(self.page.locator("[data-widget=generator] > .hw"))
        expect(widget.root.get_by_role("tab", name="Generate")).to_be_visible()
        return widget


def _with_policy(route: Route, policy: str) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, headers={**answer.headers, "Content-Security-Policy": policy})


Open = Callable[..., Host]
OpenTogether = Callable[..., TogetherHost]


def text_box(widget: Generator) -> Locator:
    """The payload's field, text area or editor."""
    return widget.region("Payload").get_by_role("textbox", name="Payload", exact=True)


def all_panels(widget: Generator) -> Iterator[str]:
    """Shows every tab of the widget in turn, after a delivery."""
    widget.sign_with(CANARY)
    widget.send_and_see("200 OK")
    yield "Generate"
    widget.button("Randomize…").click()
    expect(widget.root.get_by_label("Amount")).to_be_visible()
    yield "Vary"
    for part in ("curl", "Base string", "Receiver code"):
        widget.root.get_by_role("tab", name=part).click()
        yield part
    widget.tab("Verify")
    widget.button("Use the generated request").click()
    widget.button("Verify signature").click()
    expect(widget.root.get_by_role("list", name="Causes")).to_be_visible()
    yield "Verify"
    widget.tab("Check")
    widget.button("Run checks").click()
    widget.root.get_by_role("button", name="B11").first.click()
    for status in ("1 warning", "1 not decided", "3 passed", "1 not applicable"):  # so that all fits
        widget.button(status).click()
    expect(widget.button("Run B11 again")).to_be_enabled()
    yield "Check"
    widget.root.get_by_role("tab", name="Run", exact=True).click()
    widget.button("Select all").click()
    widget.root.get_by_label("Wrong signature").click()
    widget.button("Send 6 requests").click()
    expect(widget.root.get_by_role("table", name="Results").get_by_role("cell").last).to_contain_text("400")
    yield "Run"
    widget.tab("History")
    widget.root.get_by_role("button", name="#1").click()
    yield "History"
