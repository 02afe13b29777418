"""An exported page: no kernel, no server, no CDN, and it says so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.leaks import file_leaks
from tests.browser.recording import Recording
from tests.hosts.exported import Export
from tests.hosts.widgets import CALCULATOR, IMPORTS, PLANNER, any_secret
from tests.support.files import served

IN_KERNEL = (
    "from hook_widgets import Secret\n"
    "WebhookGenerator('github', 'push', secret=Secret.from_env('WEBHOOK_SECRET'), url='http://127.0.0.1:9/')"
)
GIVES_AWAY = "import os; print(os.environ['GIVEN_AWAY'])"


@dataclass(frozen=True)
class Exported:
    export: Export
    page: Page
    base: str
    recording: Recording
    secret: str
    given_away: str

    def open_inputs(self) -> None:
        """Open what each widget keeps behind its readable form."""
        for inputs in self.page.get_by_role("group").filter(has_text="All inputs").all():
            if inputs.get_attribute("open") is None:
                inputs.get_by_text("All inputs", exact=True).click()


@pytest.fixture(scope="module")
def exported(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Exported]:
    """Three widgets, one with a secret in the kernel, and a cell that prints another secret."""
    export, secret, given_away = Export(tmp_path_factory.mktemp("export")), any_secret(), any_secret()
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("WEBHOOK_SECRET", secret)
        environment.setenv("GIVEN_AWAY", given_away)
        cells = (IMPORTS, IN_KERNEL, f"{CALCULATOR}\ncalculator", f"{PLANNER}\nplanner", GIVES_AWAY)
        site = export.export("widgets", *cells)
    with (
        served(site) as base,
        closing(browser.new_context(viewport={"width": 1100, "height": 900})) as context,
    ):
        recording = Recording.of(context)
        page = context.new_page()
        page.goto(f"{base}/widgets.html")
        expect(page.locator(".hw")).to_have_count(3, timeout=30_000)
        yield Exported(export, page, base, recording, secret, given_away)


def test_each_widget_shows_what_was_saved_and_says_that_there_is_no_kernel(exported: Exported):
    generator, calculator, planner = exported.page.locator(".hw").all_inner_texts()

    for shown in (generator, calculator, planner):
        assert "No kernel: the" in shown
        assert "Waiting" not in shown
    for said in ("GitHub webhook: push", "X-Hub-Signature-256", "sha256={signature}", "$WEBHOOK_SECRET"):
        assert said in generator
    for said in ("Safe rate", "HTTP 429", "Retry-After: "):
        assert said in calculator
    for said in ("Versions of", "Sunset: ", "1 Jun 2026"):
        assert said in planner
    exported.open_inputs()
    payload = exported.page.get_by_role("textbox", name="Payload", exact=True)
    assert payload.input_value().startswith('{"ref":"refs/heads/main"')
    expect(exported.page.get_by_label("Burst allowance", exact=True)).to_have_value("30")
    expect(exported.page.get_by_label("Deprecated, v1", exact=True)).to_have_value("2026-06-01")
    pictures = exported.page.locator(".hw-still img")
    expect(pictures).to_have_count(2)
    assert [True, True] == pictures.evaluate_all("all => all.map(each => each.naturalWidth === 640)")
    rate, versions = (each.get_attribute("alt") or "" for each in pictures.all())
    assert "over time" in rate
    assert "versions" in versions.lower()


def test_nothing_can_be_typed_that_nobody_would_use(exported: Exported):
    exported.open_inputs()
    open_to_typing = exported.page.locator(".hw :is(input, textarea, select):not([readonly], [disabled])")
    names = [one.get_attribute("id") for one in open_to_typing.all()]

    assert [] == names
    expect(exported.page.get_by_role("button", name="Send", exact=True)).to_have_attribute(
        "aria-disabled", "true"
    )


def test_parts_that_a_kernel_would_bring_say_so(exported: Exported):
    exported.open_inputs()
    generator = exported.page.locator(".hw").first
    expect(generator.get_by_text("Headers are shown above.")).to_be_visible()
    for tab in ("Verify", "Check", "History"):
        generator.get_by_role("tab", name=tab).click()
        part = generator.get_by_role("tabpanel").filter(has_text="this panel is not available")
        expect(part.get_by_text("No kernel: this panel")).to_be_visible()


def test_nothing_is_loaded_from_elsewhere(exported: Exported):
    assert [] == exported.recording.foreign(exported.base)
    assert [] == exported.recording.errors


def test_a_secret_in_the_kernel_is_in_no_file_of_the_export(exported: Exported):
    folder = exported.export.folder
    printed = [leak.where for leak in file_leaks(folder, exported.given_away)]

    assert [] == file_leaks(folder, exported.secret)
    assert "site/widgets.html" in printed
