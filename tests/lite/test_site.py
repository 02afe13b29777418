"""In one browser tab with the network cut: sign, verify, size a limit, plan a removal, keep the secret."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import string
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from hook_widgets.ratelimit.planning.scenario import scenario
from hook_widgets.ratelimit.reporting.report import report
from hook_widgets.webhooks import Secret, provider
from scripts.lite.__main__ import SITE
from scripts.lite.notebooks import NOT_HERE
from tests.browser.generator import Generator
from tests.browser.leaks import LEAKING
from tests.browser.memory import found_by, probe_for
from tests.browser.tab import ROOT
from tests.browser.ui.calculator.page import Calculator
from tests.browser.ui.planner.page import Planner
from tests.lite.site import LiteTab

# Where nobody listens: what counts is whether it is asked.
ELSEWHERE = "http://127.0.0.1:9/"
FETCH_IN_KERNEL = f"""
import asyncio, js
from pyodide.ffi import JsException, create_once_callable
told = asyncio.get_running_loop().create_future()
js.addEventListener("securitypolicyviolation", create_once_callable(told.set_result))
try:
    await js.fetch({ELSEWHERE!r})
except JsException:
    print("refused", (await told).blockedURI)
"""
FETCH_IN_PAGE = """async (url) => {
  const told = new Promise((done) => addEventListener("securitypolicyviolation", done, {once: true}));
  await fetch(url).catch(() => null);
  return (await told).blockedURI;
}"""


@pytest.fixture
def canary() -> str:
    return "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(40))


@pytest.fixture
def tab(start: LiteTab) -> Iterator[LiteTab]:
    """The tab; what a test does in it asks nothing of the network."""
    yield start
    assert [] == start.asked()


@pytest.fixture
def generator(tab: LiteTab) -> Generator:
    widget = Generator(tab.panel.locator(".hw").nth(0))
    widget.tab("Generate")
    return widget


@pytest.fixture
def calculator(tab: LiteTab) -> Calculator:
    widget = Calculator(tab.panel.locator(".hw").nth(1))
    widget.wait_until_fresh()
    return widget


@pytest.fixture
def planner(tab: LiteTab) -> Planner:
    widget = Planner(tab.panel.locator(".hw").nth(2))
    widget.wait_until_fresh()
    return widget


def test_the_headers_and_the_curl_are_signed_as_hmac_of_the_standard_library_signs(
    generator: Generator, tab: LiteTab, canary: str
):
    generator.sign_with(canary)
    signature = generator.header("Stripe-Signature").inner_text()
    generator.root.get_by_role("tab", name="curl").click()
    curl = generator.root.get_by_label("curl command", exact=True)
    expect(curl).to_contain_text(signature)
    generator.root.get_by_role("tab", name="Headers").click()

    matched = re.fullmatch(r"t=(\d+),v1=([0-9a-f]{64})", signature)
    assert matched is not None
    message = f"{matched[1]}.".encode() + bytes.fromhex(tab.execute("print(webhook.body.hex())"))
    assert hmac.new(canary.encode(), message, hashlib.sha256).hexdigest() == matched[2]


def test_a_good_request_verifies_and_a_tampered_one_does_not(generator: Generator, canary: str):
    request = provider("stripe").draft(event="invoice.paid").sign(Secret(canary))
    generator.sign_with(canary)
    generator.tab("Verify")
    verified = {}
    for what, body in (("good", request.body), ("tampered", request.body.replace(b"2000", b"9000"))):
        lines = "\n".join(f"{name}: {value}" for name, value in request.headers.multi_items())
        generator.root.get_by_label("Headers (one per line)").fill(lines)
        generator.root.get_by_label("Body", exact=True).fill(body.decode())
        generator.button("Verify signature").click()
        region = generator.region("Verdict")
        expect(region.locator(".hw-step").first).to_be_attached()
        verified[what] = region.inner_text()

    assert "The Stripe signature is valid" in verified["good"]
    assert "signature differs" in verified["tampered"]


def test_sending_says_why_it_cannot_and_offers_curl(generator: Generator, canary: str):
    generator.sign_with(canary)
    generator.send()

    expect(generator.answer).to_contain_text("Not sent")
    expect(generator.answer).to_contain_text("CORS")
    expect(generator.answer).to_contain_text("curl")


def test_the_calculator_computes_what_python_elsewhere_does_and_draws_it_without_matplotlib(
    calculator: Calculator,
):
    matched = scenario(
        "1000/hour", clients=12, steady="700/hour", burst=200, latency_s="250 ms", timeout_s="30 s", seed=7
    )  # the seed that the widget begins with
    calculator.tab("Table").click()
    rows = calculator.panel().get_by_role("rowgroup").last.get_by_role("row").all_inner_texts()

    expect(calculator.status).to_have_text(report(matched).status.text)
    assert [list(row) for row in report(matched).over_time.rows] == [row.split("\t") for row in rows]
    assert calculator.picture.evaluate("(picture) => picture.naturalWidth") > 100
    expect(calculator.root).to_contain_text("the full picture needs matplotlib")


def test_a_moved_slider_changes_the_picture_and_the_kernel(calculator: Calculator, tab: LiteTab):
    before = calculator.picture.get_attribute("src") or ""
    calculator.slider("Burst, requests").press("Home")
    calculator.wait_until_fresh()
    shown = calculator.field("Burst, requests").input_value()

    assert "200" != shown
    assert shown == tab.execute("print(limit.burst)").strip()
    expect(calculator.picture).not_to_have_attribute("src", before)


def test_the_planner_shows_the_timeline_and_the_headers_of_another_day(planner: Planner):
    planner.slider("As of").press("End")
    planner.wait_until_fresh()

    assert planner.picture.evaluate("(picture) => picture.naturalWidth") > 100
    expect(planner.row("v1").locator(".hw-chip")).to_contain_text("removed")
    expect(planner.headers()).to_contain_text("410 Gone")


def test_a_typed_secret_is_in_no_message_to_the_kernel_and_nothing_that_the_browser_keeps(
    generator: Generator, tab: LiteTab, canary: str
):
    generator.sign_with(canary)
    generator.secret_button("Show").click()
    generator.secret_button("Hide").click()
    generator.button("Minify").click()
    generator.button("Format").click()
    generator.wait_until_signed()
    generator.send()
    generator.tab("Verify")
    generator.button("Use the generated request").click()
    generator.button("Verify signature").click()
    expect(generator.root.get_by_role("tabpanel", name="Verify")).to_contain_text(
        "The Stripe signature is valid"
    )

    looked_at, holders = found_by(tab.execute(probe_for(canary), timeout_s=60))
    assert looked_at > 10_000
    assert [] == holders
    assert [] == tab.leaks(canary)


def test_a_widget_that_leaks_is_caught_in_these_places(start: LiteTab, canary: str):
    start.show(f"{LEAKING}leaking = Leaking()\nleaking")
    start.panel.locator(".leaking").fill(canary)
    start.execute(f"print(leaking.secret == {canary!r})")
    start.page.evaluate("(secret) => { localStorage.leak = secret; console.log(btoa(secret)); }", canary)
    start.page.evaluate(
        "async (secret) => (await caches.open('leak')).put('/leak', new Response(secret))", canary
    )

    _, holders = found_by(start.execute(probe_for(canary), timeout_s=60))
    assert "str" in holders
    matched = {leak.where for leak in start.leaks(canary)}
    assert {"message to a worker", "saved notebook", "browser storage", "console", "cache"} <= matched


def test_the_browser_blocks_a_request_to_another_server_from_a_cell_and_from_the_page(tab: LiteTab):
    assert f"refused {ELSEWHERE}" == tab.execute(FETCH_IN_KERNEL).strip()
    assert ELSEWHERE == tab.page.evaluate(FETCH_IN_PAGE, ELSEWHERE)


@pytest.mark.parametrize("name", NOT_HERE)
def test_the_notebooks_of_the_project_run_but_for_the_cells_that_are_left_out(tab: LiteTab, name: str):
    shown = {cell["id"]: cell for cell in json.loads((SITE / "files" / name).read_text())["cells"]}
    for cell in json.loads((ROOT / "notebooks" / name).read_text())["cells"]:
        if cell["id"] in NOT_HERE[name]:
            assert "markdown" == shown[cell["id"]]["cell_type"]
            with pytest.raises(AssertionError, match="the kernel failed"):
                tab.execute("".join(cell["source"]))
        elif cell["cell_type"] == "code":
            tab.execute("".join(shown[cell["id"]]["source"]), timeout_s=90)
