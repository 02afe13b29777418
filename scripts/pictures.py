"""Take the pictures of the widgets that README and docs show, in JupyterLab.

python -m scripts.pictures [folder]      docs/images when no folder is named
"""

from __future__ import annotations

import re
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Locator, expect, sync_playwright

from hook_widgets.webhooks import Receiver, Secret
from scripts import picture_texts
from tests.browser.conftest import SHARED, chromium_path
from tests.browser.generator import Generator
from tests.browser.lab import Lab
from tests.browser.server import LabServer
from tests.browser.tab import ROOT
from tests.browser.ui.calculator.page import Calculator
from tests.browser.ui.planner.page import Planner
from tests.browser.ui.plot_page import PlotPage
from tests.support.rewriting import Rewriting

_SECRET = "whsec_TESTnotARealSecret"
_WIDTH_PX = 1080
"""Width of a widget: two columns, and small enough to be read in README."""
_LOOKS = ((1440, "dark"), (360, "light"))
"""Width and theme of the pictures in the reference."""
_TOUR_WIDTH_PX = 760
_TOUR_HEIGHT_PX = 540


def generator(lab: Lab, url: str) -> Locator:
    """Show the generator after a delivery."""
    lab.run(
        "from hook_widgets import WebhookGenerator",
        f"WebhookGenerator('stripe', 'payment_intent.succeeded', url={url!r})",
        name=SHARED,
    )
    widget = Generator(lab.panel.locator(".hw"))
    widget.sign_with(_SECRET)
    widget.send_and_see("200 OK")
    return widget.root


def calculator(lab: Lab) -> Locator:
    """Show the calculator with the README's limit and traffic, those of `picture_texts.texts`."""
    lab.run(
        "from hook_widgets import RateLimitCalculator",
        "RateLimitCalculator('1000/hour', clients=12, steady='700/hour', burst=200, latency_s='250 ms',"
        " timeout_s='30 s')",
        name=SHARED,
    )
    widget = Calculator(lab.panel.locator(".hw"))
    PlotPage.wait_until_fresh(widget)  # a calculator's own unfolds the inputs
    return widget.root


def planner(lab: Lab) -> Locator:
    """Show the planner with a version that is deprecated."""
    plan = "[['1', '2024-05-01', '2026-06-01', '2027-12-01'], ['2', '2026-03-02']], name='Orders API'"
    lab.run(
        "from hook_widgets import VersionPlanner",
        f"VersionPlanner({plan}, at='2026-11-20 12:00', version='1',"
        " migration_guide='https://docs.example.com/v2')",
        name=SHARED,
    )
    widget = Planner(lab.panel.locator(".hw"))
    widget.wait_until_fresh()
    return widget.root


def tour(lab: Lab, folder: Path) -> None:
    """Take the pictures of README's tour: a delivery, its rejection, the cause, many events, the history."""
    receiver = Rewriting(_SECRET)

    def snap(name: str, *, above: Locator) -> None:
        lab.page.mouse.move(0, 0)
        above.evaluate("(part) => part.scrollIntoView({block: 'start'})")
        top, box = above.bounding_box(), widget.root.bounding_box()
        assert top
        assert box
        clip = {
            "x": box["x"],
            "y": top["y"],
            "width": box["width"],
            "height": min(_TOUR_HEIGHT_PX, box["y"] + box["height"] - top["y"]),
        }
        lab.page.screenshot(path=folder / f"tour-{name}.png", clip=clip, animations="disabled")  # type: ignore[arg-type]

    with receiver.listening() as url:
        lab.run(
            "from hook_widgets import WebhookGenerator",
            f"WebhookGenerator('stripe', 'invoice.paid', url={url!r})",
            name=SHARED,
        )
        widget = Generator(lab.panel.locator(".hw"))
        lab.resize(widget.root, _TOUR_WIDTH_PX)
        lab.page.set_viewport_size({"width": lab.page.evaluate("() => innerWidth"), "height": 2400})
        widget.sign_with(_SECRET)
        snap("signed", above=widget.root)
        widget.send_and_see("400")
        widget.button("Find out why…").click()
        widget.button("Send them").click()
        cause = widget.root.get_by_role("list", name="Cause of the rejection")
        expect(cause).to_contain_text("json.dumps")
        snap("why", above=widget.answer)

        receiver.rewrites = False
        lab.resize(widget.root, _WIDTH_PX)
        lab.page.set_viewport_size({"width": lab.page.evaluate("() => innerWidth"), "height": 2400})
        widget.button("Send several events").click()
        widget.button("First 5").click()
        widget.root.get_by_label("All that apply").click()
        widget.button("Send 35 requests").click()
        expect(widget.root.get_by_text("35 of 35 responses as expected")).to_be_visible(timeout=120_000)
        snap("run", above=widget.root)
        widget.tab("History")
        widget.root.get_by_role("button", name=re.compile(r"^#1\b")).click()
        expect(widget.root.get_by_role("region", name="Exchange 1")).to_be_visible()
        snap("history", above=widget.root)


def take(lab: Lab, root: Locator, width_px: int, path: Path) -> None:
    """Take a picture of a whole widget of this width."""
    lab.resize(root, width_px)
    lab.page.set_viewport_size({"width": lab.page.evaluate("() => innerWidth"), "height": 4800})
    lab.page.wait_for_timeout(1500)  # the picture follows the width
    root.screenshot(path=path, animations="disabled")


def main() -> None:
    """Take pictures of each widget, and those of the tour."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/images"
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as notebooks,
        Receiver("stripe", Secret(_SECRET), explain=True) as receiver,
        sync_playwright() as playwright,
        closing(
            playwright.chromium.launch(
                executable_path=chromium_path(), args=["--no-sandbox", "--disable-gpu"]
            )
        ) as browser,
    ):
        server = LabServer(Path(notebooks)).start()
        try:
            for name, show in (
                ("generator", lambda lab: generator(lab, receiver.url)),
                ("calculator", calculator),
                ("planner", planner),
            ):
                with closing(Lab(server, browser, device_scale_factor=1.5)) as lab:
                    take(lab, show(lab), _WIDTH_PX, folder / f"{name}.png")
                with closing(Lab(server, browser)) as lab:
                    root = show(lab)
                    for width_px, theme in _LOOKS:
                        lab.theme(theme)
                        take(lab, root, width_px, folder / f"{name}-{width_px}-{theme}.png")
            with closing(Lab(server, browser)) as lab:
                tour(lab, folder)
            picture_texts.write(folder / picture_texts.FILE.name)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
