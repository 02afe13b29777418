"""A script that resizes the secret's field reads nothing of the secret from where its note wraps."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.generator import Generator
from tests.browser.light.kernel_page import KernelPage
from tests.browser.server import LabServer
from tests.support.extent import extent

STEP_PX = extent(24, 8)
# The page is told the height of the frame's content, by a message that comes some frames later.
_MEASURE = """async (step) => {
  const host = document.querySelector(".hw-vault");
  const frames = async (count) => {
    for (let n = 0; n < count; n++) await new Promise(requestAnimationFrame);
  };
  const heights = [];
  for (let width = 120; width <= 640; width += step) {
    host.style.width = `${width}px`;
    await frames(4);
    heights.push(`${width}: ${host.style.height}`);
  }
  host.style.width = "";
  await frames(4);
  return heights;
}"""


@pytest.mark.parametrize(
    ("provider", "note", "secrets"),
    [
        ("github", " byte", ["i", "W" * 1200, " " + "i" * 80]),
        (
            "standard-webhooks",
            "Invalid secret",
            ["whsec_i", "whsec_MDEy|DEy", "whsec_" + "MDEy" * 30 + "@DEy"],
        ),
    ],
    ids=["usable", "malformed"],
)
def test_no_height_depends_on_the_secret(
    server: LabServer, browser: Browser, provider: str, note: str, secrets: list[str]
):
    page = KernelPage(server, browser)
    page.run("from hook_widgets import WebhookGenerator", f"w = WebhookGenerator({provider!r})\nw")
    widget = Generator(page.panel.locator(".hw"))
    measured = []
    for secret in secrets:
        widget.secret.fill(secret)
        widget.secret.press("Enter")
        expect(widget.secret_note).to_contain_text(note)
        measured.append(page.page.evaluate(_MEASURE, STEP_PX))
    page.close()

    first, *others = measured
    assert [] == [line for other in others for line in set(first) ^ set(other)]
