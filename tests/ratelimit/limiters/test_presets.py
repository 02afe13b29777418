"""The presets: data with a source and a day each."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.limiters.presets import Preset, preset, presets
from hook_widgets.ratelimit.planning.metrics import PublishedLimit


@pytest.mark.parametrize(("tier", "per_hour"), [("free", 1_000), ("basic", 10_000), ("pro", 100_000)])
def test_the_tiers_allow_so_many_requests_an_hour(tier: str, per_hour: int) -> None:
    (limit,) = (PublishedLimit.of(name, text) for name, text in preset(tier).limits.items())

    assert per_hour == limit.quota
    assert 3600 == limit.window_s


def test_the_enterprise_tier_has_no_limit_of_its_own() -> None:
    assert {} == dict(preset("enterprise").limits)


@pytest.mark.parametrize("published", presets().values(), ids=lambda published: published.id)
def test_every_preset_can_be_planned_for_and_says_where_its_limits_are_published(published: Preset) -> None:
    for name, text in published.limits.items():
        assert PublishedLimit.of(name, text).rate_per_s > 0
    if published.kind == "api":
        assert published.limits
        assert published.source.startswith("https://")
        assert published.read is not None
        assert date(2026, 1, 1) <= published.read
    else:
        assert "tier" == published.kind
    assert published.title


def test_a_preset_says_whether_it_rejects_what_exceeds_it_or_lets_it_wait() -> None:
    assert ["kubernetes-client"] == [
        name for name, limit in presets().items() if limit.enforcement == "queue"
    ]
    assert {"meter", "queue"} == {limit.enforcement for limit in presets().values()}
    assert "meter" == preset("shopify-rest").enforcement


def test_an_unknown_preset_is_rejected_with_the_nearest_name() -> None:
    with pytest.raises(InvalidLimit, match=r"(?i)there is no preset 'github'; did you mean 'github-user'"):
        preset("github")


@pytest.mark.parametrize(
    ("text", "quota", "window"),
    [
        ("1000/hour", 1000, 3600),
        ("190/10 s", 190, 10),
        ("5 per minute", 5, 60),
        ("10r/m", 10, 60),
        ("100/.5 s", 100, Fraction(1, 2)),
        (3, 3, 1),
        ("3", 3, 1),
        (0.5, 1, 2),
        ("0.5/min", 1, 120),
    ],
)
def test_a_limit_keeps_its_window(text: str, quota: int, window: Fraction) -> None:
    limit = PublishedLimit.of("", text)

    assert quota == limit.quota
    assert window == limit.window_s
    assert Fraction(quota) / window == limit.rate_per_s
