"""Masks on the output of tests: a secret broken or cut at any place, and the work for many secrets."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.testing.masking import SecretMask
from hook_widgets.webhooks import Secret, provider

BREAKS = ["\n", "'\n  '", '"\nE         b"', "'\n+ '", "\x1b[0m\n\x1b[31mE     ", "\\\\n"]
#: with letters of which breaks consist, too
SECRETS = st.text("abEn+>-4 7xyz'", min_size=16, max_size=40).filter(lambda text: text == text.strip())


def mask_of(*secrets: str) -> SecretMask:
    mask = SecretMask()
    for secret in secrets:
        mask.add(provider("gitlab-token"), Secret(secret))
    return mask


@given(SECRETS, st.sets(st.integers(1, 15), min_size=1, max_size=3), st.data())
def test_a_secret_that_is_broken_at_any_places_is_masked(secret: str, places: set[int], data) -> None:
    text = secret
    for at in sorted(places, reverse=True):
        text = text[:at] + data.draw(st.sampled_from(BREAKS)) + text[at:]

    masked = mask_of(secret).text(f"before {text} after")

    assert re.fullmatch(r"before •+ after", masked), masked


@pytest.mark.parametrize("size", range(7, 30, 4))
def test_a_secret_that_is_cut_is_masked(size: int) -> None:
    secret = "whsec_canaryOfTheMask4711xyzzyEnd"
    masked = mask_of("another_secret_of_it", secret).text(f"{secret[:size]}... and ...{secret[-size:]}")

    assert re.fullmatch(r"•+\.\.\. and \.\.\.•+", masked)


def test_secrets_that_are_not_in_a_text_cost_no_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling one takes milliseconds, and a session may have a secret for each of its tests."""
    mask = mask_of(*(f"secret_of_test_{n:04d}_{n * 7919 % 10_007:05d}" for n in range(300)))
    monkeypatch.setattr("hook_widgets.testing.masking._pattern", pytest.fail)

    assert "assert 1 == 2" == mask.text("assert 1 == 2")
