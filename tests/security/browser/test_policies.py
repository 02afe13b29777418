"""The frame that keeps a secret runs on pages with almost any policy; which ones do not let it is known."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Error as Refused
from playwright.sync_api import Page

from tests.browser.shared_pages import Pages
from tests.security.browser.loopback import Listeners, listening
from tests.security.browser.policies import POLICIES
from tests.security.browser.vault_frame import runs, script_hashes, show, vault_document


@pytest.fixture(scope="module")
def served() -> Iterator[Listeners]:
    """A page for each policy."""
    with listening() as listeners:
        for n, policy in enumerate(POLICIES.values()):
            csp = policy.csp.replace("{hashes}", " ".join(script_hashes()))
            listeners.headers[f"/{n}"] = {
                **policy.headers,
                **({"Content-Security-Policy": csp} if csp else {}),
            }
        yield listeners


@pytest.fixture
def page(pages: Pages) -> Iterator[Page]:
    page = pages.take({})
    yield page
    pages.give_back(page, {})


def frame_runs(page: Page) -> bool:
    try:
        frame = show(page, vault_document())
    except Refused:
        return False
    return runs(frame)


@pytest.mark.parametrize("name", POLICIES)
def test_the_frame_runs_where_the_page_lets_it(served: Listeners, page: Page, name: str):
    page.goto(f"{served.base}/{list(POLICIES).index(name)}")

    assert POLICIES[name].runs == frame_runs(page)


def test_a_document_whose_script_is_not_the_one_of_its_policy_does_not_run(served: Listeners, page: Page):
    page.goto(f"{served.base}/0")
    frame = show(page, vault_document().replace("</script>", "\n</script>"))

    assert not runs(frame)
