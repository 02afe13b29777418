"""Headers narrow the regions, and headers that do not fit are told and disregarded."""

from __future__ import annotations

import pytest

from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.inference import infer

# Three requests pass, the fourth does not; at 3 s nothing passes yet, at 20 s all does.
OBSERVATIONS = [(0, 0, 200), (0.1, 0.1, 200), (0.2, 0.2, 200), (0.3, 0.3, 429), (3, 3, 429), (20, 20, 200)]


def region(result, name):
    (only,) = [each for entry in result.classes for each in entry.regions if each.algorithm == name]
    return only


@pytest.mark.parametrize(
    "headers",
    [
        {"RateLimit-Policy": '"default";q=3;w=10'},
        {"ratelimit-limit": "3, 3;w=10", "ratelimit-remaining": "2", "ratelimit-reset": "9"},
        [("RateLimit-Policy", '"day";q=5000;w=86400, "burst";q=3;w=10')],
    ],
    ids=str,
)
def test_a_stated_window_is_the_window(headers):
    result = infer(OBSERVATIONS, headers)
    assert not result.headers_contradict
    low, high = region(result, "sliding log").window_s
    assert 9.98 < low < 10 < high < 10.02
    assert {each.limit for entry in result.classes for each in entry.regions if hasattr(each, "limit")} == {3}
    # 3 per 10 s is a token every 10/3 s.
    slowest, fastest = region(result, "token bucket, leaky bucket or GCRA").refill_rate
    assert slowest < 0.3 < fastest < 0.301


def test_a_quota_alone_leaves_the_window_open():
    low, high = region(
        infer(OBSERVATIONS, {"X-RateLimit-Limit": "3"}), "fixed window from the first request"
    ).window_s
    assert low < 3.1
    assert high > 19.9


def test_a_promise_of_retry_after_bounds_the_window():
    # At 0.3 s a request is promised 5 s later: the first three are no longer in the window then.
    observations = [*OBSERVATIONS[:3], (0.3, 0.3, 429, {"Retry-After": "5"}), *OBSERVATIONS[4:]]
    result = infer(observations)
    for name in ("sliding log", "fixed window from the first request"):
        assert region(result, name).window_s[1] == pytest.approx(5.3, abs=0.01)
    for interval, lowest, _ in region(result, "token bucket, leaky bucket or GCRA").corners:
        assert lowest >= 4 * interval - 5.3 - 0.01  # a fourth token by then
    assert region(infer(OBSERVATIONS), "sliding log").window_s[1] == pytest.approx(20, abs=0.01)


@pytest.mark.parametrize(
    ("headers", "answer"),
    [
        ({"RateLimit-Policy": '"default";q=2;w=1'}, {}),
        ({"X-RateLimit-Limit": "99"}, {}),
        (None, {"Retry-After": "1"}),
    ],
)
def test_headers_that_do_not_fit_are_disregarded(headers, answer):
    observations = [*OBSERVATIONS[:3], (0.3, 0.3, 429, answer), *OBSERVATIONS[4:]]
    result = infer(observations, headers)
    alone = {str(each) for each in infer(OBSERVATIONS).classes}
    assert result.headers_contradict or alone - {str(each) for each in result.classes}
    if headers:
        assert result.headers_contradict
        assert {str(each) for each in result.classes} == alone
        assert "disregarded" in str(result)


@pytest.mark.parametrize(
    "headers",
    [
        {"RateLimit-Policy": "???", "X-RateLimit-Limit": "many", "Retry-After": "soon"},
        {"RateLimit-Policy": '"a";q=0;w=0'},
        {"X-RateLimit-Limit": "999999999999999"},
        {"Retry-After": "9" * 5000},
        {"Retry-After": "²"},
        {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"},
        {},
    ],
    ids=lambda headers: str(headers)[:40],
)
def test_malformed_headers_are_no_error(headers):
    observations = [*OBSERVATIONS[:3], (0.3, 0.3, 429, headers), *OBSERVATIONS[4:]]
    assert infer(observations, headers).classes


@pytest.mark.parametrize("headers", [{"a": 1}, [("a",)], "Retry-After: 1", 5, [("a", "b")] * 2000], ids=str)
def test_what_are_no_headers_is_an_error(headers):
    with pytest.raises(InvalidHeader, match="pairs of name and value"):
        infer(OBSERVATIONS, headers)
    with pytest.raises(InvalidHeader, match="pairs of name and value"):
        infer([(0, 0, 429, headers)])
