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


CUT = "whsec_canaryOfTheMask4711xyzzyEnd"


@pytest.mark.parametrize(
    "text",
    [
        f"{CUT[:20]}\x1b[39;49;00m...",
        f"{CUT[:8]}\x1b[0m\x1b[33m{CUT[8:20]}...",
        f"{CUT[:8]}'\n  '{CUT[8:20]}…",
        f"...{CUT[12:20]}\nE     {CUT[20:]}",
        f"…\x1b[33m{CUT[12:]}",
        f"{CUT[:8]}\x1b[K{CUT[8:]}",
        f"{CUT[:3]}'\n\n 'lines{CUT[:9]}...",
    ],
)
def test_a_part_that_is_cut_and_broken_or_colored_is_masked(text: str) -> None:
    masked = mask_of(CUT).text(text)

    assert "•" in masked
    assert [] == [CUT[at : at + 4] for at in range(6, len(CUT) - 4) if CUT[at : at + 4] in masked]


def test_a_secret_with_other_letters_is_masked_in_the_literals_of_python() -> None:
    secret = "pä$$wörtxyz"
    masked = mask_of(secret).text(f"{secret.encode()!r} {secret!a} {secret!r}")

    assert "b'••••' '••••' '••••'" == masked


def test_what_a_test_records_is_masked_whatever_it_is() -> None:
    recorded = [("a", {"b": [CUT]}), ("c", CUT.encode()), ("d", {CUT}), ("e", {"f": 1}), ("g", b"1")]

    assert [
        ("a", "{'b': ['••••']}"),
        ("c", "b'••••'"),
        ("d", "{'••••'}"),
        ("e", {"f": 1}),
        ("g", b"1"),
    ] == mask_of(CUT).report(recorded)


def test_the_lines_beside_a_secret_stay() -> None:
    assert "one\n••••\ntwo" == mask_of(CUT).text(f"one\n{CUT}\ntwo")


def test_a_secret_that_is_printed_very_often_is_masked_in_one_walk() -> None:
    """One copy of the text for each of them would be hundreds of billions of characters."""
    assert "•••• " * 100_000 == mask_of(CUT).text(f"{CUT} " * 100_000)


def test_secrets_that_are_not_in_a_text_cost_no_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling one takes milliseconds, and a session may have a secret for each of its tests."""
    mask = mask_of(*(f"secret_of_test_{n:04d}_{n * 7919 % 10_007:05d}" for n in range(300)))
    monkeypatch.setattr("hook_widgets.testing.masking._Form._whole", property(pytest.fail))

    assert "assert 1 == 2" == mask.text("assert 1 == 2")
