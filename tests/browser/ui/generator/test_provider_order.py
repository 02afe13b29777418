"""The order of the provider list: by word start, then popularity, recent ones first."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.generator import Generator
from tests.browser.ui.fake_host import Open

CODE = {"codeHosting": True}


def options(widget: Generator) -> list[str]:
    return widget.root.get_by_role("option").locator("span:first-child").all_inner_texts()


def test_git_and_enter_pick_github(host: Open):
    widget = host().mount(faults=CODE)
    field = widget.root.get_by_role("combobox", name="Provider")
    field.fill("git")

    # "Digits" has it inside its name. The events of all others have "digits" among their words.
    assert ["GitHub", "GitLab", "Gitea", "Digits"] == options(widget)
    field.press("Enter")
    expect(field).to_have_value("GitHub")


@pytest.mark.long
def test_popular_ones_stand_first_and_recent_ones_before_them(host: Open):
    page = host()
    widget = page.mount(faults=CODE)
    field = widget.root.get_by_role("combobox", name="Provider")
    field.click()
    groups = widget.root.locator(".hw-group")
    expect(groups.first).to_have_text("Popular")
    assert ["GitHub", "GitLab"] == options(widget)[:2]
    page.page.keyboard.press("Escape")
    widget.pick("Provider", "Gitea")
    widget.pick("Provider", "Vault")
    field.click()
    expect(groups.first).to_have_text("Recent")
    assert ["Vault", "Gitea", "GitHub", "GitLab"] == options(widget)[:4]
    page.page.keyboard.press("Escape")
    field.fill("git")

    assert ["Gitea", "GitHub", "GitLab", "Digits"] == options(widget)


@pytest.mark.long
def test_the_filters_say_what_they_leave(host: Open):
    widget = host().mount()
    widget.root.get_by_role("combobox", name="Provider").click()

    expect(widget.root.get_by_label("Kind").locator("option").first).to_have_text("All kinds of service")
    expect(widget.root.get_by_label("Confidence").locator("option").first).to_have_text(
        "Signature: verified in any way"
    )
