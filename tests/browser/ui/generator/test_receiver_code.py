"""The code of a receiver, beside the request."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.generator import Generator
from tests.browser.ui.fake_host import Open


def shown(widget: Generator, language: str = "Python") -> Locator:
    """The code, as a screen reader finds it."""
    return widget.root.get_by_role("region", name=f"Receiver code in {language}", exact=True)


def opened(widget: Generator) -> Generator:
    """The same widget with the tab in front."""
    widget.root.get_by_role("tab", name="Receiver code").click()
    expect(widget.root.get_by_label("Language")).to_be_visible()
    return widget


def test_the_code_is_there_in_the_language_that_is_chosen(host: Open):
    page = host()
    widget = opened(page.mount())
    expect(shown(widget)).to_contain_text("# python, stripe v1")
    widget.root.get_by_label("Language").select_option("Go")
    expect(shown(widget, "Go")).to_contain_text("# go, stripe v1")

    assert ["python", "go"] == [asked["language"] for asked in page.asked("receiver")]


@pytest.mark.long
@pytest.mark.parametrize("width", [360, 1280])
def test_no_line_is_cut_at_the_right(host: Open, width: int):
    widget = opened(host(width=width).mount())
    expect(shown(widget)).to_contain_text("long_name, long_name")
    cut = shown(widget).evaluate("element => element.scrollWidth - element.clientWidth")

    assert cut == 0


def test_it_follows_the_provider_and_the_scheme(host: Open):
    page = host()
    widget = opened(page.mount())
    expect(shown(widget)).to_contain_text("# python, stripe v1")
    widget.pick("Provider", "Vault")
    expect(shown(widget)).to_contain_text("# python, vault v1")
    widget.root.get_by_label("Format").select_option("Version B")

    expect(shown(widget)).to_contain_text("# python, vault b")


@pytest.mark.long
def test_an_edit_of_the_body_does_not_ask_for_it_again(host: Open):
    page = host()
    widget = opened(page.mount())
    expect(shown(widget)).to_contain_text("def verify")
    widget.button("Minify").click()
    expect(widget.button("Undo Minify")).to_be_visible()
    widget.root.get_by_role("tab", name="Headers").click()
    opened(widget)
    expect(widget.button("Copy receiver code")).not_to_have_attribute("aria-disabled", "true")

    assert 1 == len(page.asked("receiver"))


@pytest.mark.long
def test_the_language_stays_for_every_view_of_the_widget(host: Open):
    page = host()
    widget = page.mount(views=2)
    other = Generator(page.page.locator(".hw").nth(1))
    opened(widget).root.get_by_label("Language").select_option("JavaScript")

    expect(shown(opened(other), "JavaScript")).to_contain_text("# javascript, stripe v1")


@pytest.mark.long
def test_all_of_it_is_copied(host: Open):
    page = host(permissions=["clipboard-read", "clipboard-write"])
    widget = opened(page.mount())
    expect(shown(widget)).to_contain_text("def verify")
    expect(widget.root.get_by_role("status")).to_contain_text("Not signed")  # said once, after a while
    widget.button("Copy receiver code").click()
    expect(widget.root.get_by_role("status")).to_contain_text("Copied: receiver code")
    text = page.page.evaluate("navigator.clipboard.readText()")

    assert text.startswith("# python, stripe v1\ndef verify(headers, body):\n")
    assert text.endswith("step_29(headers, body)\n")


def test_that_of_another_provider_cannot_be_copied(host: Open):
    page = host()
    widget = opened(page.mount())
    expect(shown(widget)).to_contain_text("def verify")
    page.page.evaluate("widget.kernel.faults.silent = true")
    widget.pick("Provider", "Vault")

    expect(widget.button("Copy receiver code")).to_have_attribute("aria-disabled", "true")


@pytest.mark.long
def test_why_there_is_none_is_said_in_its_place(host: Open):
    page = host()
    widget = page.mount(traits={"provider": "discord", "event": "ping"})
    expect(widget.root.get_by_role("status")).to_contain_text("Not signed")  # said once, after a while
    opened(widget)
    expect(widget.region("Request")).to_contain_text("there is no receiver for key pairs in this language")
    expect(widget.button("Copy receiver code")).to_have_attribute("aria-disabled", "true")
    expect(widget.root.get_by_role("status")).to_contain_text("there is no receiver for key pairs")
    widget.pick("Provider", "Stripe")

    expect(shown(widget)).to_contain_text("# python, stripe v1")
