"""Common tests of all hosts: the code of three widgets, and a user's steps with each."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import string

from playwright.sync_api import FrameLocator, Locator, Page, expect

from tests.browser.generator import Generator
from tests.browser.leaks import Leak
from tests.browser.ui.calculator.page import Calculator
from tests.browser.ui.planner.page import Planner
from tests.support.wire import Wire

GENERATOR = "generator = WebhookGenerator('github', 'push', url={url!r})"
CALCULATOR = "calculator = RateLimitCalculator('10/s', burst=40, burst_allowance=30)"
PLANNER = (
    "planner = VersionPlanner([['1', '', '2026-06-01'], ['2', '2026-03-02']], name='Orders API', "
    "zone='Europe/Berlin', at='2026-11-20 12:00', version='1')"
)
IMPORTS = "from hook_widgets import RateLimitCalculator, VersionPlanner, WebhookGenerator"

#: A widget that gives away what is typed into it; it tells when the kernel has it.
LEAKING = """
import anywidget, traitlets

class Leaking(anywidget.AnyWidget):
    _esm = '''export default { render({model, el}) {
      const field = document.createElement("input"), heard = document.createElement("output");
      field.className = "leaking"; heard.className = "heard"; el.append(field, heard);
      field.oninput = () => { model.set("secret", field.value); model.save_changes(); };
      model.on("change:length", () => { heard.textContent = model.get("length"); });
    } }'''
    secret = traitlets.Unicode().tag(sync=True)
    length = traitlets.Int().tag(sync=True)

    @traitlets.observe("secret")
    def _hear(self, change):
        self.length = len(change.new)

leaking = Leaking()
"""


def any_secret() -> str:
    """Forty letters and digits, which have one form in every JSON."""
    return "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(40))


class Widgets:
    """The three widgets on one page, wherever the host put them.

    Args:
        page: the tab.
        place: where in it to look; the whole page when none is named.
    """

    def __init__(self, page: Page, place: FrameLocator | None = None) -> None:
        self.page = page
        self._place: FrameLocator | Page = place or page

    def _having(self, own: Locator) -> Locator:
        return self._place.locator(".hw").filter(has=own)

    def _having_region(self, name: str) -> Locator:
        # By its own regions: each widget has other ones.
        return self._having(self.page.get_by_role("region", name=name, exact=True))

    @property
    def generator(self) -> Generator:
        """The webhook generator."""
        return Generator(self._having(self.page.get_by_role("tab", name="Generate", exact=True)))

    @property
    def calculator(self) -> Calculator:
        """The rate-limit calculator."""
        return Calculator(self._having_region("What it means"))

    @property
    def planner(self) -> Planner:
        """The version planner."""
        return Planner(self._having_region("Dates and notices"))


def sign_and_send(generator: Generator, receiver: Wire, secret: str) -> None:
    """Type a secret and send; the receiver's own HMAC agrees, and so does the header shown."""
    before = len(receiver.requests)
    generator.sign_with(secret)
    generator.send_and_see("200 OK")

    (arrived,) = receiver.requests[before:]
    right = "sha256=" + hmac.new(secret.encode(), arrived.body, hashlib.sha256).hexdigest()
    headers = dict(arrived.headers)
    assert (right, "push") == (headers["X-Hub-Signature-256"], headers["X-GitHub-Event"])
    expect(generator.header("X-Hub-Signature-256")).to_contain_text(right)


def size_a_bucket(calculator: Calculator) -> None:
    """See the picture, move a slider by keyboard, see the next picture and what is in the table."""
    calculator.wait_until_fresh()
    assert calculator.picture.evaluate("(image) => image.naturalWidth") > 300
    expect(calculator.status).to_have_text("25% of the requests get 429")
    before = calculator.picture.get_attribute("src")

    slider = calculator.slider("Burst allowance")
    slider.focus()
    for _ in range(3):
        slider.press("ArrowRight")
    expect(slider).to_be_focused()
    expect(calculator.status).to_have_text("No request is rejected")
    calculator.wait_until_fresh()
    assert before != calculator.picture.get_attribute("src")

    calculator.tab("Table").click()
    expect(calculator.panel().get_by_role("row").nth(1)).to_be_visible()


def look_at_a_plan(planner: Planner) -> None:
    """See the timeline, what a client is answered now, and what to announce."""
    planner.wait_until_fresh()
    assert planner.picture.evaluate("(image) => image.naturalWidth") > 300
    expect(planner.picture).to_have_attribute("alt", re.compile("Orders API"))
    expect(planner.headers()).to_contain_text("Deprecation")
    # 1 June 2026, 10:00 in Berlin, as RFC 9745 writes it: seconds since 1970
    expect(planner.headers()).to_contain_text("@1780300800")


def leak(page: Page, secret: str) -> None:
    """Type into the widget that leaks, and wait until the kernel has it."""
    page.locator("input.leaking").fill(secret)
    expect(page.locator("output.heard")).to_have_text(str(len(secret)))


def kinds(leaks: list[Leak]) -> set[str]:
    """Return the kinds of places where leaks were found."""
    return {each.where.split()[0] for each in leaks}
