"""The WebhookGenerator on a page, found by the names that a screen reader says."""

from __future__ import annotations

import re

from playwright.sync_api import Frame, Locator, expect

from tests.browser.protected import protected_frame

#: the chip that says that the signature shown belongs to the bytes shown
SIGNED = "Signature up to date"

#: how long the pointer rests before it presses a guarded button, longer than `STEADY_MS` of the front end
REST_MS = 1000

# A tab that is not in front draws no frames.
TWO_FRAMES = """() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
  setTimeout(done, 1000);
})"""


def press_at_rest(button: Locator) -> None:
    """Press a guarded button of the secret's field, with the pointer at rest, until it acts.

    A busy browser tells late that nothing covers the field.
    """
    for _ in range(10):
        button.hover()
        button.page.wait_for_timeout(REST_MS)
        button.click()
        button.page.wait_for_timeout(REST_MS / 2)
        if not button.count() or button.text_content() != "Press again":
            return


class Generator:
    """One view of a widget.

    Args:
        root: its frame.
    """

    def __init__(self, root: Locator) -> None:
        self.root = root

    # -- parts ----------------------------------------------------------------------------------

    def region(self, name: str) -> Locator:
        """A titled section of the tab in front."""
        return self.root.get_by_role("region", name=name, exact=True)

    @property
    def vault(self) -> Frame:
        """The protected frame of the secret in the tab in front, as it is now."""
        return protected_frame(self.region("Secret"))

    @property
    def secret(self) -> Locator:
        """The secret's field in the tab in front."""
        return self.vault.locator("input")

    @property
    def secret_note(self) -> Locator:
        """The text below the secret's field."""
        return self.vault.locator(".hw-hint")

    def secret_button(self, name: str) -> Locator:
        """A button beside the secret's field."""
        return self.vault.get_by_role("button", name=name, exact=True)

    @property
    def consent(self) -> Locator:
        """The question in the protected frame whether a token may go to the kernel."""
        return self.vault.get_by_role("group")

    @property
    def payload(self) -> Locator:
        """The payload's text field; the text area stays the model of what CodeMirror shows."""
        return self.region("Payload").locator(".cm-content")

    @property
    def url(self) -> Locator:
        """The receiver's URL."""
        return self.root.get_by_label("Receiver URL")

    @property
    def answer(self) -> Locator:
        """The last delivery's answer, or why nothing was sent."""
        return self.region("Response")

    def button(self, name: str) -> Locator:
        """A button of the tab in front."""
        return self.root.get_by_role("button", name=name, exact=True)

    def header(self, name: str) -> Locator:
        """The shown value of a header of the request."""
        row = (
            self.region("Request")
            .get_by_role("row")
            .filter(has=self.root.page.get_by_role("rowheader", name=name, exact=True))
        )
        return row.get_by_role("cell")

    # -- what a user does -----------------------------------------------------------------------

    def tab(self, name: str) -> None:
        """Go to a tab; *History* counts, so its beginning is enough."""
        self.root.get_by_role("tab", name=re.compile(f"^{name}")).click()

    def pick(self, label: str, option: str) -> None:
        """Choose from a searchable list by the option's exact text."""
        self.root.get_by_role("combobox", name=label).fill(option)
        exact = self.root.page.get_by_text(option, exact=True)
        self.root.get_by_role("option").filter(has=exact).click()

    def choose(self, provider: str, event: str) -> None:
        """Choose provider and event, and wait for the kernel's draft of it."""
        self.pick("Provider", provider)
        self.pick("Event", event)

    def wait_until_signed(self) -> None:
        """Wait until the signature belongs to the bytes."""
        expect(self.region("Request").get_by_text(SIGNED)).to_be_visible()

    def write_payload(self, text: str) -> None:
        """Replace the payload, when the editor has taken the place of the text area with its cursor."""
        self.payload.wait_for()
        self.payload.evaluate(TWO_FRAMES)
        self.payload.press("ControlOrMeta+a")
        self.root.page.keyboard.insert_text(text)

    def sign_with(self, secret: str) -> None:
        """Type a secret, press Enter and wait for the signature."""
        self.secret.fill(secret)
        self.secret.press("Enter")
        self.wait_until_signed()

    def send(self, url: str | None = None) -> None:
        """Send, to another URL if one is given; does not wait for the answer."""
        if url is not None:
            self.url.fill(url)
        self.button("Send").click()

    def send_and_see(self, answer: str, *, url: str | None = None) -> None:
        """Send, wait for the end of the delivery, and see this text of it."""
        history = self.root.get_by_role("tab", name=re.compile("^History"))
        before = int(re.sub(r"\D", "", history.inner_text()) or 0)
        self.send(url)
        expect(history).to_have_text(re.compile(rf"History\s*{before + 1}$"))
        expect(self.answer).to_contain_text(answer)
