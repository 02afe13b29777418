"""The Verify tab: a pasted request gets its verdict, and the reason."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import expect

from hook_widgets.webhooks import KeyPair, Secret, WebhookRequest, provider
from tests.browser.generator import Generator
from tests.browser.journeys import find_why_a_signature_is_wrong
from tests.browser.light.conftest import Show
from tests.browser.light.kernel_page import KernelPage

SECRET = "0123456789abcdef0123456789abcdef"


def header_lines(request: WebhookRequest, *, without: str = "") -> str:
    return "\n".join(f"{name}: {value}" for name, value in request.headers.multi_items() if name != without)


def verdict(widget: Generator, headers: str, body: str) -> str:
    """Verify a pasted request in the widget and return the verdict."""
    widget.root.get_by_label("Headers (one per line)").fill(headers)
    widget.root.get_by_label("Body", exact=True).fill(body)
    widget.button("Verify signature").click()
    expect(widget.button("Verify signature")).to_be_enabled()
    expect(widget.region("Verdict").locator(".hw-step").first).to_be_attached()
    return " ".join((widget.region("Verdict").text_content() or "").split())


def test_a_pasted_request_is_accepted_or_rejected_with_the_reason(show: Show):
    widget = show("'slack'")
    request = provider("slack").draft().sign(Secret(SECRET))
    body = request.body.decode()
    widget.sign_with(SECRET)
    widget.tab("Verify")

    good = verdict(widget, header_lines(request), body)
    tampered = verdict(widget, header_lines(request), body.replace("U0TEST", "U9TEST", 1) + " ")
    unsigned = verdict(widget, header_lines(request, without="X-Slack-Signature"), body)
    malformed = verdict(widget, header_lines(request).replace("v0=", "v7="), body)
    widget.root.get_by_role("tabpanel", name="Verify").get_by_label("Clock").select_option("Fixed time")
    sent_at = int(request.headers["X-Slack-Request-Timestamp"])
    late = datetime.fromtimestamp(sent_at + 301, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    widget.root.get_by_label("Time (UTC)").fill(late)
    stale = verdict(widget, header_lines(request), body)

    assert "Valid" in good
    assert "The Slack signature is valid" in good
    assert "Signature: it matches" in good
    assert "Invalid" in tampered
    assert "signature differs" in tampered
    assert "Invalid" in unsigned
    assert "X-Slack-Signature" in unsigned
    assert "Invalid" in malformed
    assert "X-Slack-Signature" in malformed
    assert "timestamp is 5 min 1 s old, 1 s more than the 5 min allowed" in stale


def test_a_body_that_a_text_field_would_change_is_verified_from_its_file(show: Show, tmp_path: Path):
    body = '{"note": "é"}\r\n\r\n\ufeff'.encode() + b"\xff"
    request = provider("github").draft(event="push", body=body).sign(Secret(SECRET))
    file = tmp_path / "body.bin"
    file.write_bytes(body)
    widget = show("'github'")
    widget.sign_with(SECRET)
    widget.tab("Verify")

    widget.root.get_by_label("Headers (one per line)").fill(header_lines(request))
    widget.root.get_by_label("Load body from file").set_input_files(file)
    expect(widget.root.get_by_text("body.bin")).to_be_visible()
    widget.button("Verify signature").click()

    expect(widget.root.get_by_text("The GitHub signature is valid", exact=True)).to_be_visible()


@pytest.mark.parametrize(
    ("name", "algorithm"),
    [("discord", "ed25519"), ("sendgrid", "ecdsa-p256")],
    ids=["Ed25519", "ECDSA P-256"],
)
def test_a_pasted_public_key_is_enough_to_verify(show: Show, name: str, algorithm: str):
    pair = KeyPair.generate(algorithm)
    request = provider(name).draft(body=b'[{"event": "TEST"}]').sign(pair)
    widget = show(f"{name!r}")
    widget.tab("Verify")
    widget.root.get_by_label(provider(name).key.title, exact=True).fill(pair.public)

    good = verdict(widget, header_lines(request), request.body.decode())
    tampered = verdict(widget, header_lines(request), request.body.decode() + " ")

    assert "signature is valid" in good
    assert "signature differs" in tampered


def diagnosed(widget: Generator, headers: str, body: str) -> list[str]:
    """Verify a pasted request in the widget and return the titles of the causes."""
    widget.root.get_by_label("Headers (one per line)").fill(headers)
    widget.root.get_by_label("Body", exact=True).fill(body)
    widget.button("Verify signature").click()
    causes = widget.root.get_by_role("list", name="Causes")
    expect(causes).to_be_visible()
    return causes.get_by_role("heading").all_inner_texts()


def test_why_a_request_does_not_verify_is_found_out_with_the_secret_in_the_browser(show: Show):
    widget = show("'github'")
    request = provider("github").draft(event="push", body=b'{"ref": "refs/heads/main"}').sign(Secret(SECRET))
    widget.sign_with(SECRET)
    widget.tab("Verify")
    compact = diagnosed(widget, header_lines(request), '{"ref":"refs/heads/main"}')
    widget.secret.fill(f'"{SECRET}"')
    widget.secret.press("Enter")
    quoted = diagnosed(widget, header_lines(request), request.body.decode())

    assert [True] == ["with a space after each" in title for title in compact]
    assert [True] == ["quotes" in title for title in quoted]


def test_a_provider_is_recognised_by_the_headers_of_its_request(show: Show):
    widget = show("'stripe'")
    request = provider("slack").draft().sign(Secret(f"{SECRET}\n"))
    widget.tab("Verify")
    widget.pick("Provider", "Detect from headers")
    widget.secret.fill(SECRET)
    widget.secret.press("Enter")

    titles = diagnosed(widget, header_lines(request), request.body.decode())
    assert [True] == ["newline" in title for title in titles]
    expect(widget.root.get_by_text("Detected: Slack")).to_be_visible()


@pytest.mark.parametrize("name", ["gitlab-token", "postmark", "figma"])
def test_a_request_that_carries_the_secret_is_verified_without_it_leaving_the_tab(
    show: Show, tab: KernelPage, name: str
):
    """In a header, in a header as base64, and in the body."""
    secret = "postmark:canary4f8a2c71d9e3b650"
    request, forged = (provider(name).draft().sign(Secret(text)) for text in (secret, "postmark:another-one"))
    widget = show(repr(name))
    widget.secret.fill(secret)
    widget.secret.press("Enter")
    widget.tab("Verify")

    verdicts = [verdict(widget, header_lines(each), each.body.decode()) for each in (request, forged)]
    assert [True, False] == ["Invalid" not in each for each in verdicts]
    assert [] == tab.leaks(secret)


def test_the_cause_of_a_wrong_signature_is_found_without_a_mouse(show: Show, tab: KernelPage):
    widget = show("'github'")
    request = provider("github").draft().sign(Secret(SECRET))

    find_why_a_signature_is_wrong(widget, request, SECRET)

    assert [] == tab.violations(widget.root)
