"""Reading the fields of any API: each dialect, and what is not understood."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.http.observed import ObservedLimit, observe

NOW = 1_790_000_000


def f(number: int) -> Fraction:
    return Fraction(number)


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        pytest.param(
            {
                "RateLimit": '"hourly";r=3;t=7',
                "RateLimit-Policy": '"hourly";q=100;w=3600, "daily";q=1000;w=86400',
            },
            [
                ObservedLimit(name="hourly", quota=f(100), remaining=f(3), reset_s=f(7), window_s=f(3600)),
                ObservedLimit(name="daily", quota=f(1000), window_s=f(86400)),
            ],
            id="IETF draft 10",
        ),
        pytest.param(
            {"RateLimit": "limit=100, remaining=50, reset=5", "RateLimit-Policy": "100;w=60"},
            [ObservedLimit(name="", quota=f(100), remaining=f(50), reset_s=f(5), window_s=f(60))],
            id="IETF draft 07",
        ),
        pytest.param(
            {
                "RateLimit-Limit": '100, 100;w=60;comment="fixed"',
                "RateLimit-Remaining": "50",
                "RateLimit-Reset": "50",
            },
            [ObservedLimit(name="", quota=f(100), remaining=f(50), reset_s=f(50), window_s=f(60))],
            id="IETF draft 03",
        ),
        pytest.param(
            {
                "x-ratelimit-limit": "5000",
                "x-ratelimit-remaining": "4999",
                "x-ratelimit-used": "1",
                "x-ratelimit-reset": str(NOW + 1200),
                "x-ratelimit-resource": "core",
            },
            [ObservedLimit(name="core", quota=f(5000), remaining=f(4999), reset_s=f(1200))],
            id="GitHub, epoch seconds",
        ),
        pytest.param(
            {"X-RateLimit-Limit": "10", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "12"},
            [ObservedLimit(name="", quota=f(10), remaining=f(0), reset_s=f(12))],
            id="seconds from now",
        ),
        pytest.param(
            {"X-RateLimit-Limit": "10", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": f"{NOW}500"},
            [ObservedLimit(name="", quota=f(10), remaining=f(0), reset_s=Fraction(1, 2))],
            id="epoch milliseconds",
        ),
        pytest.param(
            {
                "X-RateLimit-Limit": "5",
                "X-RateLimit-Remaining": "0",
                "X-RateLimit-Reset": f"{NOW + 2}.123",
                "X-RateLimit-Reset-After": "1.25",
            },
            [ObservedLimit(name="", quota=f(5), remaining=f(0), reset_s=Fraction(5, 4))],
            id="Discord, seconds with a fraction",
        ),
        pytest.param(
            {"x-rate-limit-limit": "15", "x-rate-limit-remaining": "2", "x-rate-limit-reset": str(NOW + 9)},
            [ObservedLimit(name="", quota=f(15), remaining=f(2), reset_s=f(9))],
            id="X-Rate-Limit",
        ),
        pytest.param(
            {"X-RateLimit-Remaining": "2"},
            [ObservedLimit(name="", quota=None, remaining=f(2))],
            id="one of three",
        ),
        pytest.param(
            {"X-Shopify-Shop-Api-Call-Limit": "32/40"},
            [ObservedLimit(name="", quota=f(40), remaining=f(8))],
            id="Shopify, used of limit",
        ),
        pytest.param({"Content-Type": "text/plain"}, [], id="none"),
    ],
)
def test_every_dialect_becomes_one_record(headers: dict[str, str], expected: list[ObservedLimit]) -> None:
    observed = observe(headers, now=NOW)

    assert tuple(expected) == observed.limits
    assert () == observed.ignored


def test_the_fields_of_the_current_draft_are_preferred() -> None:
    headers = {"X-RateLimit-Remaining": "9", "RateLimit": '"a";r=1', "RateLimit-Remaining": "5"}

    assert (ObservedLimit(name="a", quota=None, remaining=f(1)),) == observe(headers, now=NOW).limits


def test_retry_after_takes_precedence_over_the_reset() -> None:
    headers = {"RateLimit": '"a";r=0;t=7', "Retry-After": "30"}

    assert 30 == observe(headers, now=NOW).wait_s


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1.5", Fraction(3, 2)), ("0", Fraction(0)), ("Mon, 21 Sep 2026 14:13:51 GMT", Fraction(31))],
)
def test_retry_after_is_read_in_every_form(text: str, expected: Fraction) -> None:
    assert expected == observe({"retry-after": text}, now=NOW).retry_after_s


def test_without_retry_after_the_longest_reset_of_an_exhausted_limit_counts() -> None:
    headers = {"RateLimit": '"a";r=0;t=7, "b";r=0;t=40, "c";r=5;t=900, "d";r=0'}

    assert 40 == observe(headers, now=NOW).wait_s


def test_a_client_with_quota_left_need_not_wait() -> None:
    assert 0 == observe({"RateLimit": '"a";r=1;t=7'}, now=NOW).wait_s


def test_a_reset_that_has_passed_is_no_wait() -> None:
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(NOW - 5)}

    assert 0 == observe(headers, now=NOW).wait_s


def test_malformed_fields_are_passed_over_and_named() -> None:
    headers = {
        "RateLimit": '"a";t=7',
        "RateLimit-Policy": "?",
        "X-RateLimit-Limit": "many",
        "X-RateLimit-Remaining": "3",
        "X-RateLimit-Reset": "soon",
        "Retry-After": "later",
    }
    observed = observe(headers, now=NOW)

    assert (ObservedLimit(name="", quota=None, remaining=f(3)),) == observed.limits
    assert ("X-RateLimit-Remaining",) == observed.read
    assert ["RateLimit", "RateLimit-Policy", "X-RateLimit-Limit", "X-RateLimit-Reset", "Retry-After"] == [
        name for name, _ in observed.ignored
    ]
    assert all(reason for _, reason in observed.ignored)
    assert 0 == observed.wait_s


def test_a_repeated_field_is_one_list() -> None:
    pairs = [("RateLimit", '"a";r=1'), ("ratelimit", '"b";r=2')]

    assert ["a", "b"] == [limit.name for limit in observe(pairs, now=NOW).limits]


def test_the_time_must_be_known() -> None:
    with pytest.raises(InvalidHeader, match="now must be a number"):
        observe({}, now="now")  # type: ignore[arg-type]


names = st.sampled_from(
    [
        "RateLimit",
        "RateLimit-Limit",
        "RateLimit-Policy",
        "RateLimit-Reset",
        "Retry-After",
        "X-RateLimit-Limit",
        "X-RateLimit-Remaining",
        "X-RateLimit-Reset",
        "X-RateLimit-Reset-After",
        "X-Shopify-Shop-Api-Call-Limit",
    ]
)
texts = st.text() | st.text(alphabet='0123456789;,="./ wqrtab:') | st.integers().map(str)


@given(st.dictionaries(names, texts))
def test_whatever_a_server_sends_is_read_or_named_and_never_raises(headers: dict[str, str]) -> None:
    observed = observe(headers, now=NOW)

    assert 0 <= observed.wait_s
    assert {*observed.read, *(name for name, _ in observed.ignored)} <= set(headers)
