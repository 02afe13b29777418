"""Test the configurations that the calculator shows."""

from __future__ import annotations

import pytest

from hook_widgets.ratelimit import LimitAlgorithm, scenario
from hook_widgets.ratelimit.configs import export_config
from hook_widgets.ratelimit.limiters.windows import FixedWindow
from hook_widgets.ratelimit.reporting.target_configs import TargetConfig, target_configs


def configs_of(algorithm: str, limit: str = "60/min", **inputs: str) -> dict[str, TargetConfig]:
    example = scenario(
        limit, algorithm=algorithm, steady="1/s", burst_allowance=inputs.get("allowance", "10")
    )
    return {config.target: config for config in target_configs(example)}


def test_a_target_that_enforces_the_limiter_gets_it_as_it_is():
    config = configs_of("fixed_window")["kong"]

    assert config.text == export_config(FixedWindow(60, 60), "kong").text
    assert config.kind == "gateways"
    assert not config.problem


@pytest.mark.parametrize(
    ("algorithm", "target", "change", "code"),
    [
        ("fixed_window", "express-rate-limit", "Windows begin with the first request", "windowMs: 60000"),
        ("sliding_log", "limits", "exactly one window old still counts", "MovingWindowRateLimiter"),
        ("sliding_counter", "haproxy", "rejected ones count: clients that keep retrying", "gt 60 }"),
        ("leaky_bucket", "nginx", "The first request of a burst passes at once", "burst=9;"),
    ],
)
def test_the_nearest_limiter_of_a_target_is_written_and_the_change_is_a_deviation(
    algorithm: str, target: str, change: str, code: str
):
    config = configs_of(algorithm, "60/min per ip")[target]

    assert code in config.text
    assert change in config.deviations[0]


def test_a_target_without_such_a_limit_tells_what_it_has():
    config = configs_of("token_bucket")["kong"]

    assert not config.text
    assert not config.deviations
    assert "kong has no token bucket; use a FixedWindow" == config.problem


def test_a_target_that_only_limits_each_client_is_reported():
    advice = "traefik limits each client on its own; let the limit apply to each IP address"

    assert advice == configs_of("token_bucket")["traefik"].problem
    assert configs_of("token_bucket", "60/min per ip")["traefik"].text
    assert "use PerClient" in configs_of("token_bucket", "60/min per user")["ingress-nginx"].problem


@pytest.mark.parametrize("algorithm", LimitAlgorithm)
def test_each_algorithm_has_some_target(algorithm: LimitAlgorithm):
    by_ip = configs_of(algorithm, "60/min per ip", allowance="61")
    for_all = configs_of(algorithm)

    assert any(config.text for config in by_ip.values())
    assert any(config.text for config in for_all.values())
