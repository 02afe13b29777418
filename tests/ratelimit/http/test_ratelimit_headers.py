"""``RateLimit`` and ``RateLimit-Policy`` of draft-ietf-httpapi-ratelimit-headers-10."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidHeader
from hook_widgets.ratelimit.http.ratelimit_headers import (
    QuotaPolicy,
    ServiceLimit,
    build_ratelimit,
    build_ratelimit_policy,
    parse_ratelimit,
    parse_ratelimit_policy,
)

names = st.text(alphabet=[chr(code) for code in range(0x20, 0x7F)], min_size=1)
wholes = st.integers(0, 10**15 - 1)
keys = st.none() | st.binary(max_size=20)
policies = st.builds(
    QuotaPolicy,
    name=names,
    quota=wholes,
    window_s=st.none() | wholes.filter(bool),
    unit=names,
    partition_key=keys,
)
limits = st.builds(ServiceLimit, names, wholes, st.none() | wholes, keys)
numbers = st.one_of(
    st.fractions(min_value=-10, max_value=10**9),
    st.floats(min_value=-10, max_value=1e9, allow_nan=False),
    st.decimals(min_value=-10, max_value=10**9, allow_nan=False),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [  # the examples of the draft, sections 3 and 3.2
        (
            '"burst";q=100;w=60,"daily";q=1000;w=86400',
            [
                QuotaPolicy(name="burst", quota=100, window_s=60),
                QuotaPolicy(name="daily", quota=1000, window_s=86400),
            ],
        ),
        ('"default";q=100;w=10', [QuotaPolicy(name="default", quota=100, window_s=10)]),
        (
            '"permin";q=50;w=60,"perhr";q=1000;w=3600',
            [
                QuotaPolicy(name="permin", quota=50, window_s=60),
                QuotaPolicy(name="perhr", quota=1000, window_s=3600),
            ],
        ),
        (
            '"peruser";q=100;w=60;pk=:cHsdsRa894==:',
            [QuotaPolicy(name="peruser", quota=100, window_s=60, partition_key=b"p{\x1d\xb1\x16\xbc\xf7")],
        ),
        (
            '"peruser";q=65535;qu="content-bytes";w=10;pk=:sdfjLJUOUH==:',
            [
                QuotaPolicy(
                    name="peruser",
                    quota=65535,
                    window_s=10,
                    unit="content-bytes",
                    partition_key=b"\xb1\xd7\xe3,\x95\x0eP",
                )
            ],
        ),
    ],
)
def test_the_drafts_examples_of_policies_are_read(text: str, expected: list[QuotaPolicy]) -> None:
    assert tuple(expected) == parse_ratelimit_policy(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [  # the examples of the draft, sections 4 and 4.2
        ('"default";r=50;t=30', ServiceLimit("default", 50, 30)),
        ('"default";r=999;pk=:dHJpYWwxMjEzMjM=:', ServiceLimit("default", 999, None, b"trial121323")),
        (
            '"default";r=300000000;t=60;pk=:QXBwLTk5OQ==:',
            ServiceLimit("default", 300_000_000, 60, b"App-999"),
        ),
        ('"problemPolicy";r=0;t=10', ServiceLimit("problemPolicy", 0, 10)),
    ],
)
def test_the_drafts_examples_of_limits_are_read(text: str, expected: ServiceLimit) -> None:
    assert (expected,) == parse_ratelimit(text)


def test_policies_and_limits_are_written_as_the_draft_writes_them() -> None:
    burst = QuotaPolicy(name="burst", quota=100, window_s=60)
    bytes_limit = QuotaPolicy(
        name="peruser", quota=65535, window_s=10, unit="content-bytes", partition_key=b"user-7"
    )

    assert (
        '"burst";q=100;w=60, "peruser";q=65535;qu="content-bytes";w=10;pk=:dXNlci03:'
        == build_ratelimit_policy([burst, bytes_limit])
    )
    assert '"default";r=999;pk=:dXNlci03:' == build_ratelimit([ServiceLimit("default", 999, None, b"user-7")])


@given(st.lists(policies, min_size=1, max_size=4))
def test_a_written_policy_is_read_back(written: list[QuotaPolicy]) -> None:
    assert written == list(parse_ratelimit_policy(build_ratelimit_policy(written)))


@given(st.lists(limits, min_size=1, max_size=4))
def test_a_written_limit_is_read_back(written: list[ServiceLimit]) -> None:
    assert written == list(parse_ratelimit(build_ratelimit(written)))


def test_parameters_of_vendors_are_comments() -> None:
    text = '"default";r=50;acme-burst=2.5;acme-note=token;acme-on;t=30'

    assert (ServiceLimit("default", 50, 30),) == parse_ratelimit(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is empty; it must have one policy or be left out"),
        ("default;q=1", "begins with the policy's name in double quotes"),
        ('"";q=1', "begins with the policy's name in double quotes"),
        ('"a"', '"a" has no q, the quota it must have'),
        ('"a";q=-1', 'q of "a" must be a whole number of at least 0'),
        ('"a";q=1.0', 'q of "a" must be a whole number of at least 0'),
        ('"a";q="1"', 'q of "a" must be a whole number of at least 0'),
        ('"a";q', 'q of "a" must be a whole number of at least 0'),
        ('"a";q=1;w=0', 'w of "a" must be a whole number of at least 1'),
        ('"a";q=1;qu=requests', 'qu of "a" must be a String'),
        ('"a";q=1;qu=""', 'qu of "a" must be a String'),
        ('"a";q=1;pk="x"', 'pk of "a" must be a Byte Sequence'),
    ],
)
def test_a_policy_that_breaks_a_rule_is_rejected(text: str, problem: str) -> None:
    with pytest.raises(InvalidHeader) as caught:
        parse_ratelimit_policy(text)

    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("default;r=1", "begins with the policy's name in double quotes"),
        ('"a";t=1', '"a" has no r, the remaining quota it must have'),
        ('"a";r=-1', 'r of "a" must be a whole number of at least 0'),
        ('"a";r=1;t=0.5', 't of "a" must be a whole number of at least 0'),
        ('"a";r=1;pk=x', 'pk of "a" must be a Byte Sequence'),
        ("limit=100, remaining=50, reset=5", "malformed at character 6"),
    ],
)
def test_a_limit_that_breaks_a_rule_is_rejected(text: str, problem: str) -> None:
    with pytest.raises(InvalidHeader) as caught:
        parse_ratelimit(text)

    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"name": ""}, "printable ASCII text"),
        ({"name": "hourly\n"}, "printable ASCII text"),
        ({"quota": 1.5}, "q must be a whole number"),
        ({"quota": True}, "q must be a whole number"),
        ({"quota": 10**15}, "at most 15 digits"),
        ({"window_s": 0}, "w must be a whole number of at least 1"),
        ({"unit": ""}, "qu must be printable"),
        ({"partition_key": "key"}, "a partition key is bytes, not str"),
    ],
)
def test_a_policy_that_cannot_be_written_is_not_made(arguments: dict[str, Any], problem: str) -> None:
    policy: dict[str, Any] = {"name": "a", "quota": 1} | arguments
    with pytest.raises(InvalidHeader, match=problem):
        QuotaPolicy(**policy)


def test_a_limit_that_cannot_be_written_is_not_made() -> None:
    with pytest.raises(InvalidHeader, match="t must be a whole number of at least 0"):
        ServiceLimit("a", 1, -1)


@given(remaining=numbers, reset=numbers)
def test_a_client_that_obeys_a_limit_is_never_early_and_never_over(
    remaining: float | Fraction | Decimal, reset: float | Fraction | Decimal
) -> None:
    service_limit = ServiceLimit.rounded("a", remaining=remaining, reset_s=reset)

    assert service_limit.reset_s is not None
    assert 0 <= service_limit.reset_s - max(Fraction(0), Fraction(reset)) < 1
    assert 0 <= max(Fraction(0), Fraction(remaining)) - service_limit.remaining < 1


@given(quota=numbers, window=numbers)
def test_a_policy_promises_no_higher_rate_than_there_is(
    quota: float | Fraction | Decimal, window: float | Fraction | Decimal
) -> None:
    policy = QuotaPolicy.rounded("a", quota=quota, window_s=window)

    assert policy.window_s is not None
    assert max(Fraction(1), Fraction(window)) <= policy.window_s
    assert policy.quota <= max(Fraction(0), Fraction(quota))


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), Decimal("NaN"), "3", True, None, 1e300])
def test_a_number_that_cannot_be_written_is_rejected(wrong: Any) -> None:
    with pytest.raises(InvalidHeader, match=r"^r "):
        ServiceLimit.rounded("a", remaining=wrong)
