"""Code in the kernel has the tab answer jobs of its own, and learns nothing of the secret but signatures."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Show
from tests.browser.lab import Lab
from tests.security.browser.jobs import Target, made_up
from tests.security.browser.victim import canary, type_secret
from tests.support.extent import extent

KERNEL = Path(__file__).with_name("kernel_code.py").read_text() + "\nimport asyncio\n"
PREFIX = "whsec_"

# Two secrets of the same length; what is guessed of them is right for the first one only.
PAIRS = {
    "gitlab-token": (
        Target("gitlab-token", "secret-token", "token", "00ff13d7e2a94c1b8835"),
        "00ff13d7e2a94c1b8835",
        "Zw_x-VkQ!r.o~pM gYtu",
    ),
    "github": (
        Target("github", "json", "signature", "4f8a2c71d9e3b6501122"),
        "4f8a2c71d9e3b6501122",
        "Zw_x-VkQ!r.o~pM=gYtu",
    ),
    "standard-webhooks": (
        Target("standard-webhooks", "v1", "signature", "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"),
        "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3",
        "whsec_Zw5kE+VkQr0opM3gYtuAzBq/1sHnXvLw",
    ),
}


def hold(show: Show, lab: Lab, provider: str, secret: str) -> None:
    """A new widget whose secret was typed, and the attack in its kernel."""
    widget = show(repr(provider))
    type_secret(widget, secret)
    expect(widget.secret_note).to_contain_text(" bytes")
    # The control, without whose answer nothing would be proven.
    control = made_up(PAIRS[provider][0])["sign as it should be"]
    lab.execute(f"{KERNEL}asker = Asker(w, {control!r})")


def in_kernel(lab: Lab, attack: str) -> Any:
    """Run an attack in a thread of the kernel while the cell waits, and return its result."""
    attack = f"await asyncio.to_thread(lambda: {attack})"
    return json.loads(lab.execute(f"print(json.dumps({attack}))", timeout_s=120))


def answers(lab: Lab, target: Target) -> dict[str, str]:
    """The answer to each job that the kernel makes up, by its shape."""
    questions = made_up(target)
    said = in_kernel(lab, f"asker.ask({list(questions.values())!r})")
    return dict(zip(questions, said, strict=True))


def without_signatures(said: dict[str, str], key: bytes) -> dict[str, str]:
    """The answers, in which the signature of a job as it should be is not told apart by its key."""
    right = hmac.digest(key, b"message", hashlib.sha256).hex()
    return {shape: answer.replace(right, "the signature") for shape, answer in said.items()}


def test_no_letter_of_a_token_is_read_by_match_jobs(show: Show, lab: Lab):
    secret = canary()
    hold(show, lab, "gitlab-token", secret)

    read = in_kernel(lab, "read_by_match(asker, 'gitlab-token', 4)")

    assert (read, secret) == ("", secret)


def test_no_letter_of_a_secret_is_read_by_sign_jobs(show: Show, lab: Lab):
    secret = PREFIX + canary()
    hold(show, lab, "standard-webhooks", secret)

    read = in_kernel(lab, f"read_by_sign(asker, 'standard-webhooks', {PREFIX!r}, 4)")

    assert (read, secret) == ("", secret)


@pytest.mark.parametrize("provider", extent([*PAIRS][:1], [*PAIRS]))
def test_a_job_that_the_kernel_makes_up_is_answered_alike_for_two_secrets(
    show: Show, lab: Lab, provider: str
):
    target, *typed = PAIRS[provider]
    said = []
    for secret in typed:
        hold(show, lab, provider, secret)
        key = secret.encode() if provider != "standard-webhooks" else _decoded(secret)
        said.append(without_signatures(answers(lab, target), key))

    first, second = said
    assert {} == {shape: (first[shape], second[shape]) for shape in first if first[shape] != second[shape]}


def _decoded(secret: str) -> bytes:
    return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
