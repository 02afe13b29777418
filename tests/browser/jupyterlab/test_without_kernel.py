"""Widgets without a kernel: in a saved notebook, in its HTML, and in a page of their own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import Page, Request, ViewportSize, expect

from hook_widgets import RateLimitCalculator, Secret, VersionPlanner, WebhookGenerator
from hook_widgets.webhooks import verify
from hook_widgets.widgets._base import HookWidget
from scripts.notebooks import kernel_config
from tests.browser.lab import Lab
from tests.browser.leaks import file_leaks, find_secret
from tests.browser.server import LabServer
from tests.browser.shared_pages import Pages
from tests.browser.tab import AXE, WINDOW
from tests.support.bash import run
from tests.support.wire import Wire

CANARY = "CanarySecretOfTheKernel0123456789"
CELLS = (
    "from hook_widgets import RateLimitCalculator, Secret, VersionPlanner, WebhookGenerator",
    "secret = Secret.from_env('HOOK_KEY')",
    "WebhookGenerator('stripe', url='https://hooks.example.com/in', secret=secret)",
    "WebhookGenerator('gitlab-token', url='https://hooks.example.com/in', secret=secret)",
    "RateLimitCalculator('10/s', burst=40, burst_allowance=30, clients=4)",
    "versions = [[1, '2023-05-02', '2026-06-01'], [2, '2025-03-03']]",
    "VersionPlanner(versions, name='Billing API', at='2026-11-20')",
)
READ = (
    "POST https://hooks.example.com/in",
    "with the key in $HOOK_KEY",
    "25% of the requests get 429",
    "Left to spend",
    "HTTP 429",
    "Versions of Billing API",
    "Mon 1 Jun 2026",
    "Deprecation: @",
)
NARROW = 360
WIDE: ViewportSize = {"width": 1200, "height": 900}  # no column is out of sight, where axe could not judge it
A4_TEXT_PX = 680  # 180 mm at 96 px to the inch

_WIDER = """() => {
  const room = document.documentElement.clientWidth;
  return [...document.querySelectorAll('main > *, main > * > p, img, pre')]
    .filter((part) => part.getBoundingClientRect().right > room + 1)
    .map((part) => part.outerHTML.slice(0, 80));
}"""


@pytest.fixture(scope="module")
def executed() -> nbformat.NotebookNode:
    """A notebook after a kernel ran it."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    code = [nbformat.v4.new_code_cell(cell) for cell in CELLS]
    notebook = nbformat.v4.new_notebook(cells=code, metadata={"kernelspec": kernel})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOOK_KEY", CANARY)
        nbclient.NotebookClient(
            notebook, timeout=60, store_widget_state=False, config=kernel_config()
        ).execute()
    return notebook


@dataclass
class Alone:
    """A page without a network, and what it asked for."""

    page: Page
    asked: list[str] = field(default_factory=list)

    def note(self, request: Request) -> None:
        """Keep what is asked for."""
        self.asked.append(request.url)

    def outside(self) -> list[str]:
        """Return the requests of the page other than for itself and its embedded data."""
        return [url for url in self.asked if url != self.page.url and not url.startswith("data:")]


@pytest.fixture
def alone(pages: Pages) -> Iterator[Callable[..., Alone]]:
    """Opens a file from disk without a network."""
    with ExitStack() as opened:

        def open_file(path: Path, *, viewport: ViewportSize = WINDOW, **options: Any) -> Alone:
            options["offline"] = True
            shown = Alone(pages.take(options))
            opened.callback(pages.give_back, shown.page, options)
            shown.page.set_viewport_size(viewport)
            shown.page.on("request", shown.note)
            opened.callback(shown.page.remove_listener, "request", shown.note)
            shown.page.goto(path.as_uri())
            return shown

        yield open_file


@pytest.fixture(scope="module", params=["generator", "token", "calculator", "comparison", "planner"])
def exported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a widget."""
    path = tmp_path_factory.mktemp("exported") / "widget.html"
    secret = Secret(CANARY)
    widgets: dict[str, Callable[[], HookWidget]] = {
        "generator": lambda: WebhookGenerator("github", "pull_request.opened", secret=secret),
        "token": lambda: WebhookGenerator("gitlab-token", secret=secret),
        "calculator": RateLimitCalculator,
        "comparison": lambda: RateLimitCalculator("pro", compare=True),
        "planner": VersionPlanner,
    }
    return widgets[request.param]().export_html(path)


def test_html_of_a_notebook_reads_without_scripts_network_and_state(
    executed: nbformat.NotebookNode, tmp_path: Path, alone: Callable[..., Alone]
):
    html, _ = HTMLExporter().from_notebook_node(executed)
    (tmp_path / "page.html").write_text(html)
    nbformat.write(executed, tmp_path / "page.ipynb")
    tab = alone(tmp_path / "page.html", java_script_enabled=False).page

    for words in READ:
        expect(tab.get_by_text(words).first).to_be_visible()
    pictures = tab.locator(".jp-OutputArea-output img")
    expect(pictures).to_have_count(2)
    for picture in pictures.all():
        size = picture.bounding_box()
        assert size is not None
        assert size["width"] > 300
        assert size["height"] > 100
    assert [] == file_leaks(tmp_path, CANARY)
    assert find_secret(html.encode() + CANARY.encode(), CANARY), "the detector does not see"


def test_a_notebook_that_nobody_trusts_shows_the_still_form_in_jupyterlab(
    executed: nbformat.NotebookNode, server: LabServer, lab: Lab
):
    nbformat.write(executed, server.notebooks / "still.ipynb")
    tab = lab.open("still.ipynb")

    for words in READ:
        expect(tab.panel.get_by_text(words).first).to_be_visible()
    expect(tab.panel.locator(".jp-OutputArea-output img")).to_have_count(2)
    expect(tab.panel.locator(".hw")).to_have_count(0)


def test_an_exported_page_asks_for_nothing(exported: Path, alone: Callable[..., Alone]):
    opened = alone(exported)
    tab = opened.page
    expect(tab.get_by_role("heading", level=1)).to_be_visible()

    assert [] == opened.outside()
    assert [] == tab.locator("script").all()
    assert "en" == tab.locator("html").get_attribute("lang")
    for picture in tab.locator("img").all():  # for light and for dark
        assert picture.evaluate("(image) => image.complete && image.naturalWidth > 100")


def test_axe_finds_nothing_wrong_in_an_exported_page(exported: Path, alone: Callable[..., Alone]):
    tab = alone(exported, viewport=WIDE).page
    tab.evaluate(AXE.read_text())
    grounds = set()
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme)
        grounds.add(tab.evaluate("() => getComputedStyle(document.body).backgroundColor"))
        report = tab.evaluate("() => axe.run()")
        unsure = [rule for rule in report["incomplete"] if rule["id"] == "color-contrast"]
        faults = [(theme, rule["id"], rule["nodes"][0]["html"]) for rule in report["violations"] + unsure]

        assert [] == faults
        assert "color-contrast" in [rule["id"] for rule in report["passes"]]
    assert 2 == len(grounds)


def test_an_exported_page_fits_a_telephone_and_a_sheet_of_paper(exported: Path, alone: Callable[..., Alone]):
    tab = alone(exported, color_scheme="dark", viewport={"width": NARROW, "height": 800}).page
    on_screen = tab.evaluate(_WIDER), tab.evaluate("() => document.documentElement.scrollWidth")
    tab.evaluate(AXE.read_text())
    violations = [rule["id"] for rule in tab.evaluate("() => axe.run()")["violations"]]
    tab.set_viewport_size({"width": A4_TEXT_PX, "height": 900})
    tab.emulate_media(media="print", color_scheme="dark")
    ground = tab.evaluate("() => getComputedStyle(document.body).backgroundColor")
    printed = tab.pdf(format="A4")

    assert [] == violations  # such as a table that scrolls and that no key reaches
    assert ([], NARROW) == on_screen
    assert [] == tab.evaluate(_WIDER)
    assert "rgb(255, 255, 255)" == ground
    assert 1 <= len(re.findall(rb"/Type /Page\b", printed)) <= 12


@pytest.mark.parametrize("widget", [RateLimitCalculator, VersionPlanner])
def test_a_page_that_is_read_in_the_dark_is_printed_with_a_light_picture(
    widget: Callable[[], HookWidget], tmp_path: Path, alone: Callable[..., Alone]
):
    tab = alone(widget().export_html(tmp_path / "widget.html"), color_scheme="dark").page
    expect(tab.locator("img.dark")).to_be_visible()
    expect(tab.locator("img.light")).to_be_hidden()
    tab.emulate_media(media="print", color_scheme="dark")
    expect(tab.locator("img.light")).to_be_visible()
    expect(tab.locator("img.dark")).to_be_hidden()


def test_headers_of_any_length_are_read_on_a_telephone_and_on_paper(
    tmp_path: Path, alone: Callable[..., Alone]
):
    widget = WebhookGenerator("github", headers={"X-" + "Long" * 20: "v" * 400})
    tab = alone(widget.export_html(tmp_path / "widget.html"), viewport={"width": NARROW, "height": 800}).page
    wider = """() => [...document.querySelectorAll('th, td')].filter((cell) =>
      cell.scrollWidth > cell.clientWidth + 1 ||
      cell.getBoundingClientRect().right > document.documentElement.clientWidth + 1).length"""
    on_screen = tab.evaluate(wider)
    tab.set_viewport_size({"width": A4_TEXT_PX, "height": 900})
    tab.emulate_media(media="print")

    assert (0, 0) == (on_screen, tab.evaluate(wider))


@pytest.mark.filterwarnings("ignore:the JSON of the body has an error")
def test_the_payload_on_the_page_is_saved_byte_for_byte(tmp_path: Path, alone: Callable[..., Alone]):
    body = b'\n{"a": "\r\n\xff\x00"}\r\n'
    tab = alone(WebhookGenerator("github", body=body).export_html(tmp_path / "widget.html")).page
    with tab.expect_download() as download:
        tab.get_by_role("link", name="Save the payload").click()

    assert "payload.json" == download.value.suggested_filename
    assert body == download.value.path().read_bytes()


def test_an_exported_page_holds_no_secret(exported: Path):
    assert None is find_secret(exported.read_bytes(), CANARY)


@pytest.mark.parametrize("saved", ["in a notebook", "in a file"])
def test_the_command_on_the_page_signs_what_the_provider_would_send(
    saved: str, tmp_path: Path, alone: Callable[..., Alone]
):
    with Wire() as wire:
        widget = WebhookGenerator("stripe", url=wire.url)
        path = widget.export_html(tmp_path / "widget.html")
        if saved == "in a notebook":
            shown = widget._repr_mimebundle_()
            assert shown is not None
            path.write_text(f"<!doctype html><meta charset=utf-8>{shown[0]['text/html']}")
        command = alone(path).page.locator("pre", has_text="bash <<").inner_text()
        done = run(command, tmp_path, WEBHOOK_SECRET=CANARY)

    assert 0 == done.returncode, done.stderr.decode()
    [seen] = wire.requests
    assert widget.body == seen.body
    assert verify("stripe", headers=seen.headers, body=seen.body, secret=Secret(CANARY)).ok
