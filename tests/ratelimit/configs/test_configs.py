"""Test configurations: written, read back, refused.

Real servers and libraries: tests/nginx, tests/peers; models of the others: test_source_models.py.
"""

from __future__ import annotations

import json
from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit import (
    Concurrency,
    FixedWindow,
    Gcra,
    HoldOff,
    Layers,
    LeakyBucket,
    Limiter,
    PerClient,
    Replicas,
    SlidingCounter,
    SlidingLog,
    TokenBucket,
    simulate,
)
from hook_widgets.ratelimit.configs import ExportTarget, export_config, import_config
from tests.support.work import at_most_lines

counts = st.integers(1, 10**6)
keys = st.sampled_from(["", "ip", "user", "endpoint", "x-api-key"])


def keyed(key: str, limit: Limiter) -> Limiter:
    return PerClient(key, limit) if key else limit


def bucket_of(limiter: Limiter) -> TokenBucket:
    """The token bucket of each client."""
    assert isinstance(limiter, PerClient)
    assert isinstance(limiter.limit, TokenBucket)
    return limiter.limit


def queues(size: int, rate: Fraction, undelayed: int) -> LeakyBucket:
    return LeakyBucket(size, rate, "immediate", undelayed=undelayed)


nginx_rates = counts | counts.map(lambda n: Fraction(n, 2))  # 30r/m is half a request per second
nginx_limits = st.builds(TokenBucket, counts, nginx_rates) | st.builds(
    queues, counts, nginx_rates, st.integers(0, 9)
)


@given(st.lists(st.builds(keyed, keys, nginx_limits), min_size=1, max_size=3))
def test_what_nginx_enforces_exactly_is_read_back(limits):
    limiter = limits[0] if len(limits) == 1 else Layers(*limits)

    assert limiter == import_config(export_config(limiter, "nginx").text, "nginx")


@given(counts, st.integers(1, 10**7), st.sampled_from(["ip", "X-Api-Key"]))
def test_what_haproxy_enforces_exactly_is_read_back(limit, window_ms, key):
    counter = SlidingCounter(limit, Fraction(window_ms, 1000), "lt", count_rejected=True, align="first")

    assert PerClient(key, counter) == import_config(
        export_config(PerClient(key, counter), "haproxy").text, "haproxy"
    )


@given(counts, st.fractions(Fraction(1, 1000), 10**4, max_denominator=1000))
def test_what_envoy_enforces_exactly_is_read_back(capacity, rate):
    bucket = TokenBucket(capacity, rate)

    assert bucket == import_config(export_config(bucket, "envoy").text, "envoy")
    gcra = Gcra(1 / rate, (capacity - 1) / rate)
    assert bucket == import_config(export_config(gcra, "envoy").text, "envoy")


rates = st.integers(1, 10**6) | st.fractions(Fraction(1, 1000), 10**4, max_denominator=1000)


@given(counts, rates, st.sampled_from(["ip", "X-Api-Key"]))
def test_what_traefik_enforces_exactly_is_read_back(burst, rate, key):
    written = PerClient(key, TokenBucket(burst, rate))
    enforced = import_config(export_config(written, "traefik").text, "traefik")

    assert bucket_of(enforced).refill_rate == rate
    assert burst < bucket_of(enforced).capacity < burst + 1
    assert enforced == import_config(export_config(enforced, "traefik").text, "traefik")


@given(counts, st.integers(1, 10**7), st.sampled_from(["", "ip", "user", "endpoint", "X-Api-Key"]))
def test_what_caddy_enforces_exactly_is_read_back(limit, window_ms, key):
    log = keyed(key, SlidingLog(limit, Fraction(window_ms, 1000), "closed"))

    assert log == import_config(export_config(log, "caddy").text, "caddy")


@given(st.integers(1, 500), st.integers(1, 500), st.integers(1, 20), st.sampled_from(["rps", "rpm", "both"]))
def test_what_ingress_nginx_enforces_exactly_is_read_back(per_s, per_minute, multiplier, kind):
    second = PerClient("ip", TokenBucket(1 + per_s * multiplier, per_s))
    count = 3 * per_minute if per_minute % 20 else 3 * per_minute + 1
    minute = PerClient("ip", TokenBucket(1 + count * multiplier, Fraction(count, 60)))
    written = {"rps": second, "rpm": minute, "both": Layers(second, minute)}[kind]

    read = import_config(export_config(written, "ingress-nginx").text, "ingress-nginx")

    for layer, limit in zip(map(bucket_of, read.layers), map(bucket_of, written.layers), strict=True):
        assert layer.capacity == limit.capacity
        whole = limit.refill_rate.denominator == 1
        assert layer.refill_rate == (
            limit.refill_rate if whole else Fraction(int(limit.refill_rate * 1000), 1000)
        )


@given(st.lists(st.sampled_from([1, 60, 3600, 86_400]), min_size=1, unique=True), counts, keys)
def test_what_kong_enforces_exactly_is_read_back(windows_s, limit, key):
    key = key.replace("endpoint", "ip")
    windows = [keyed(key, FixedWindow(limit + span_s, span_s)) for span_s in sorted(windows_s)]
    limiter = windows[0] if len(windows) == 1 else Layers(*windows)

    assert limiter == import_config(export_config(limiter, "kong").text, "kong")


@given(counts, st.sampled_from([1, 8, 500, 10**6, Fraction(1, 60), Fraction(5, 8)]), keys)
def test_what_redis_cell_enforces_exactly_is_read_back(capacity, rate, key):
    limiter = keyed(key, TokenBucket(capacity, rate))

    assert limiter == import_config(export_config(limiter, "redis-cell").text, "redis-cell")


@given(st.integers(1, 10**6))
def test_a_rate_per_minute_is_what_nginx_makes_of_it_and_the_difference_is_reported(per_minute):
    """ngx_http_limit_req_zone: rate = rate * 1000 / scale, in integers."""
    bucket = TokenBucket(5, Fraction(per_minute, 60))
    config = export_config(bucket, "nginx")

    enforced = import_config(config.text, "nginx")

    assert isinstance(enforced, TokenBucket)
    whole = per_minute % 60 == 0
    assert enforced.refill_rate == (
        Fraction(per_minute, 60) if whole else Fraction(per_minute * 1000 // 60, 1000)
    )
    exact = enforced.refill_rate == bucket.refill_rate
    numbers = [(d.limiter, d.exported) for d in config.deviations if d.unit == "1/s"]
    assert numbers == ([] if exact else [(bucket.refill_rate, enforced.refill_rate)])
    assert whole != any(d.unit == "requests" for d in config.deviations)


def test_a_config_of_several_limits_of_nginx():
    limits = Layers(
        PerClient("X-Api-Key", TokenBucket(20, "10/s")), LeakyBucket(5, "30/min", "immediate", undelayed=2)
    )

    config = export_config(limits, "nginx")

    assert str(config) == (
        "# in http\n"
        "limit_req_zone $http_x_api_key zone=limit1:10m rate=10r/s;\n"
        "limit_req_zone all zone=limit2:10m rate=30r/m;\n"
        "\n"
        "# in a location\n"
        "limit_req zone=limit1 burst=19 nodelay;\n"
        "limit_req zone=limit2 burst=5 delay=2;\n"
        "limit_req_status 429;\n"
    )
    assert [
        "times are whole milliseconds: 1 ms",
        "nginx does not limit requests whose key is empty",
        "nginx rounds each refill down to thousandths: 0 requests → 0.001 requests",
    ] == list(map(str, config.deviations))


def test_a_config_that_somebody_wrote_is_read():
    nginx = (
        "http {\n  limit_req_zone $binary_remote_addr zone=one:10m rate=59r/m;\n"
        "  server { location / {\n    limit_req zone=one;\n  } }\n}"
    )
    haproxy = (
        "frontend web\n  stick-table type ip size 1m expire 10m store gpc0,http_req_rate(10s)\n"
        "  http-request track-sc0 src\n  http-request deny deny_status 429 if { sc_http_req_rate(0) gt 20 }\n"
    )
    one_line = "location / { limit_req zone=one burst=4 nodelay; limit_req zone=two; }  # limit_req zone=x;"
    zones = "limit_req_zone $uri zone=one:1m rate=5r/s; limit_req_zone $uri zone=two:1m rate=9r/s; "
    traefik = "rateLimit:\n  average: 100 # a comment\n  period: '1m30s'\n"
    ingress = 'annotations:\n  nginx.ingress.kubernetes.io/limit-rps: "10"\n'
    kong = "plugins:\n  - name: rate-limiting\n    config:\n      minute: 5\n      hour: 9\n"
    caddy = "rate_limit {\n  zone a {\n    match {\n    }\n    events 5\n    window 1m\n  }\n}\n"
    envoy = "token_bucket:\n  max_tokens: 10  # a burst\n  tokens_per_fill: 5\n  fill_interval: 0.25s\n"

    assert PerClient("ip", TokenBucket(1, Fraction(983, 1000))) == import_config(nginx, "nginx")
    expected = SlidingCounter(20, 10, "lt", count_rejected=True, align="first")
    assert PerClient("ip", expected) == import_config(haproxy, "haproxy")
    assert TokenBucket(10, 20) == import_config(envoy, "envoy")
    assert Layers(
        PerClient("endpoint", TokenBucket(5, 5)), PerClient("endpoint", TokenBucket(1, 9))
    ) == import_config(zones + one_line, "nginx")
    maximum_wait = Fraction(10**9 // 2, 10**9)
    assert PerClient("ip", TokenBucket(1 + Fraction(10, 9) * maximum_wait, Fraction(10, 9))) == import_config(
        traefik, "traefik"
    )
    numbers = {
        "average: 8": 8,
        "average: 8\nperiod: 2": 4,
        "average: 8\nperiod: 1s500ms  # a comment": Fraction(16, 3),
    }
    for traefik, rate in numbers.items():
        assert rate == bucket_of(import_config(traefik, "traefik")).refill_rate
    assert PerClient("ip", TokenBucket(51, 10)) == import_config(ingress, "ingress-nginx")
    assert Layers(
        PerClient("user", FixedWindow(5, 60)), PerClient("user", FixedWindow(9, 3600))
    ) == import_config(kong, "kong")
    assert SlidingLog(5, 60, "closed") == import_config(caddy, "caddy")
    assert SlidingLog(5, "2 days", "closed") == import_config(caddy.replace("1m", "2d"), "caddy")
    throttle = import_config("127.0.0.1:6379> cl.throttle user123 15 30 60 1\n", "redis-cell")
    assert TokenBucket(16, Fraction(1, 2)) == throttle


TARGETS = {
    "nginx": TokenBucket(2, 1),
    "haproxy": PerClient("ip", SlidingCounter(2, 1, "lt", True, "first")),
    "envoy": TokenBucket(2, 1),
    "limits": FixedWindow(2, 1, "first"),
    "pyrate-limiter": SlidingLog(2, 1, "closed"),
    "aiolimiter": TokenBucket(2, 1),
    "x/time/rate": TokenBucket(2, "10/min"),
    "traefik": PerClient("ip", TokenBucket(2, 4)),
    "caddy": SlidingLog(2, 1, "closed"),
    "ingress-nginx": PerClient("ip", TokenBucket(3, 2)),
    "kong": FixedWindow(2, 1),
    "krakend": TokenBucket(2, "10/min"),
    "aws-apigateway": PerClient("x-api-key", TokenBucket(2, 1)),
    "governor": TokenBucket(2, 8),
    "bucket4j": TokenBucket(2, "10/min"),
    "redis-cell": TokenBucket(2, "10/min"),
    "express-rate-limit": FixedWindow(2, 1, "first"),
    "rate-limiter-flexible": HoldOff(FixedWindow(2, 1, "first"), 10),
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("limits", "rate = RateLimitItemPerSecond(2, 1)"),
        ("pyrate-limiter", "InMemoryBucket([Rate(2, 1000)], algorithm=SlidingWindowLog())"),
        ("aiolimiter", "limiter = AsyncLimiter(2, 2)"),
        ("x/time/rate", "rate.NewLimiter(1.0/6, 2)"),
        ("express-rate-limit", 'rateLimit({ windowMs: 1000, limit: 2, keyGenerator: () => "all" })'),
        ("rate-limiter-flexible", "new RateLimiterMemory({ points: 2, duration: 1, blockDuration: 10 })"),
        ("governor", "Quota::per_second(nonzero!(8u32)).allow_burst(nonzero!(2u32))"),
        ("bucket4j", ".addLimit(limit -> limit.capacity(2).refillGreedy(1, Duration.ofSeconds(6)))"),
        ("krakend", '"max_rate": 1,'),
        ("aws-apigateway", '"BurstLimit": 2,'),
    ],
)
def test_code_for_a_library(target, expected):
    config = export_config(TARGETS[target], target)

    assert expected in config.text
    assert target == config.target
    assert config.deviations or target in ("governor", "bucket4j")
    with pytest.raises(InvalidLimit, match="is not read; write the limiter yourself"):
        import_config(config.text, target)


def test_all_limits_of_an_endpoint_of_krakend():
    limits = Layers(TokenBucket(50, "100/min"), PerClient("X-Api-Key", TokenBucket(1, Fraction(1, 600))))

    config = export_config(limits, "krakend")

    assert json.loads(config.text) == {
        "extra_config": {
            "qos/ratelimit/router": {
                "max_rate": 1000,
                "capacity": 50,
                "client_max_rate": 1,
                "client_capacity": 1,
                "every": "600s",
                "strategy": "header",
                "key": "X-Api-Key",
            }
        }
    }
    assert "the status of a rejection by the limit for all: 429 → 503" in map(str, config.deviations)


def test_a_client_that_krakend_forgets_has_a_full_bucket_again():
    config = export_config(PerClient("ip", TokenBucket(100, "1/min")), "krakend")

    seconds = [(Fraction(6000), Fraction(600))]
    assert seconds == [(d.limiter, d.exported) for d in config.deviations if d.unit == "s"]
    assert '"strategy": "ip"' in config.text
    assert "key" not in json.loads(config.text)["extra_config"]["qos/ratelimit/router"]


def test_a_usage_plan_of_aws():
    """AWS::ApiGateway::UsagePlan: Throttle {BurstLimit: Integer, RateLimit: Number}, Quota."""
    limits = Layers(TokenBucket(200, Fraction(1, 3)), FixedWindow(1000, "1 day"))

    config = export_config(PerClient("x-api-key", limits), "aws-apigateway")

    plan = json.loads(config.text)["Resources"]["UsagePlan"]
    assert plan == {
        "Type": "AWS::ApiGateway::UsagePlan",
        "Properties": {
            "Throttle": {"BurstLimit": 200, "RateLimit": 1 / 3},
            "Quota": {"Limit": 1000, "Period": "DAY"},
        },
    }
    assert 3 == len(config.deviations)


@pytest.mark.parametrize(
    ("target", "limiter", "expected"),
    [
        ("limits", SlidingLog(3, 2, "closed"), "limiter = MovingWindowRateLimiter(MemoryStorage())"),
        ("limits", SlidingCounter(3, 2), "limiter = SlidingWindowCounterRateLimiter(MemoryStorage())"),
        (
            "pyrate-limiter",
            TokenBucket(3, "7/s"),
            "StateBucket([Rate(7, 1000, burst=3)], algorithm=TokenBucket())",
        ),
        ("pyrate-limiter", Gcra("0.5 s", "1 s"), "Rate(2, 1000, burst=3)"),
        ("pyrate-limiter", FixedWindow(3, "1 min"), "[Rate(3, 60000)], algorithm=FixedWindow()"),
        (
            "pyrate-limiter",
            Layers(SlidingLog(2, 1, "closed"), SlidingLog(9, 60, "closed")),
            "[Rate(2, 1000), Rate(9, 60000)], algorithm=SlidingWindowLog()",
        ),
        ("x/time/rate", TokenBucket(5, 100), "rate.NewLimiter(100, 5)"),
        (
            "governor",
            TokenBucket(2, "10/min"),
            "Quota::with_period(Duration::from_nanos(6000000000)).unwrap().allow_burst(nonzero!(2u32))",
        ),
        ("governor", PerClient("X-Api-Key", TokenBucket(2, 8)), "RateLimiter::keyed(quota)"),
        ("governor", PerClient("X-Api-Key", TokenBucket(2, 8)), "limiter.check_key(&x_api_key).is_ok()"),
        ("governor", PerClient("class", TokenBucket(2, 8)), "limiter.check_key(&key).is_ok()"),
        ("bucket4j", TokenBucket(5, 3, "empty"), "limit.capacity(5).refillGreedy(3, Duration.ofSeconds(1))."),
        (
            "bucket4j",
            TokenBucket(6, 4, 3, refill_every_s="250 ms"),
            "limit.capacity(6).refillIntervally(1, Duration.ofNanos(250000000L)).initialTokens(3))",
        ),
        (
            "redis-cell",
            PerClient("user-id", TokenBucket(16, "30/min")),
            "CL.THROTTLE limit:{user-id} 15 1 2\n",
        ),
        ("traefik", PerClient("X-Api-Key", TokenBucket(2, 4)), "requestHeaderName: X-Api-Key"),
        (
            "caddy",
            PerClient("ip", SlidingLog(2, "90 s")),
            "key {remote_host}\n        events 2\n        window 90s",
        ),
        ("caddy", PerClient("X-Api-Key", SlidingLog(2, "0.25 s")), "{header.X-Api-Key}"),
        ("caddy", Layers(SlidingLog(2, 1), SlidingLog(9, 3600)), "zone limit2 {\n        key static"),
        ("kong", PerClient("X-Api-Key", FixedWindow(2, 1)), "limit_by: header\n    header_name: X-Api-Key"),
        ("kong", PerClient("user", FixedWindow(2, 1)), "limit_by: consumer"),
        (
            "kong",
            Layers(FixedWindow(5000, "1 hour"), FixedWindow(5, 1)),
            "second: 5\n    hour: 5000\n    limit_by: service\n    policy: local\n",
        ),
        ("ingress-nginx", PerClient("ip", TokenBucket(151, "30/min")), 'limit-rpm: "30"'),
        ("aws-apigateway", PerClient("X-API-Key", FixedWindow(9, "1 day")), '"Period": "DAY"'),
        (
            "aws-apigateway",
            PerClient("endpoint", TokenBucket(2, Fraction(5, 3))),
            '"ThrottlingBurstLimit": 2,',
        ),
    ],
)
def test_code_for_other_limiters(target, limiter, expected):
    assert expected in export_config(limiter, target).text


def test_a_token_of_pyrate_takes_whole_microseconds_and_the_difference_is_reported():
    differences = [
        (d.limiter, d.exported) for d in export_config(TokenBucket(3, "7/s"), "pyrate-limiter").deviations
    ]

    assert (Fraction(7), Fraction(10**6, 142_858)) in differences
    assert 1 == len(export_config(TokenBucket(3, "8/s"), "pyrate-limiter").deviations)


def test_nginx_without_a_queue_lets_one_pass():
    assert "limit_req zone=limit1;" in export_config(LeakyBucket(0, 5, "immediate"), "nginx").text


def test_each_target_has_an_example():
    assert set(ExportTarget) == set(TARGETS)


def test_clients_are_named_as_the_target_names_them():
    window = FixedWindow(5, 60, "first")

    assert (
        "rateLimit({ windowMs: 60000, limit: 5 })"
        in export_config(PerClient("ip", window), "express-rate-limit").text
    )
    assert (
        'request.get("X-Api-Key")' in export_config(PerClient("X-Api-Key", window), "express-rate-limit").text
    )
    assert (
        "limiter.consume(x_api_key)"
        in export_config(PerClient("X-Api-Key", window), "rate-limiter-flexible").text
    )
    assert "limiter.hit(rate, user)" in export_config(PerClient("user", window), "limits").text
    counter = PerClient("X-Api-Key", SlidingCounter(2, 1, "lt", True, "first"))
    assert "http-request track-sc0 req.hdr(X-Api-Key)" in export_config(counter, "haproxy").text


ODD = 'x"; deny all; #'


@pytest.mark.parametrize(
    ("limiter", "target", "complaint"),
    [
        (TokenBucket(2, 1), "ngnix", "target is 'ngnix'; did you mean 'nginx'"),
        (FixedWindow(5, 1), "nginx", "^nginx has no fixed window; use a token bucket"),
        (TokenBucket(2.5, 1), "nginx", r"nginx has no capacity of 2.5; choose a whole number"),
        (TokenBucket(0, 1), "nginx", "nginx has no capacity of 0"),
        (
            TokenBucket(2, "1000/hour"),
            "nginx",
            "nginx has no rate of 16.6667 per minute; choose a whole rate per second or minute",
        ),
        (TokenBucket(2, 1, "empty"), "nginx", "no bucket that does not start full; leave initial out"),
        (TokenBucket(2, 1, refill_every_s=1), "envoy", "envoy has no refill in steps"),
        (LeakyBucket(2, 1), "nginx", "^nginx has no leaky bucket like this; use start='immediate' and tie="),
        (PerClient(ODD, TokenBucket(2, 1)), "nginx", "nginx has no clients by"),
        (Replicas(2, TokenBucket(2, 1)), "nginx", "nginx has no replicas; export the limit of one of them"),
        (Concurrency(2), "nginx", "^nginx has no concurrency limit; "),
        (TokenBucket(2, 1), "haproxy", "use a SlidingCounter"),
        (SlidingCounter(2, 1, align="first"), "haproxy", "use rule='lt' and count_rejected=True"),
        (SlidingCounter(2, 1, "lt", True), "haproxy", "use align='first'"),
        (SlidingCounter(2, 1, "lt", True, "first"), "haproxy", r"use PerClient\('ip', ...\) or the name"),
        (
            PerClient(ODD, SlidingCounter(2, 1, "lt", True, "first")),
            "haproxy",
            "haproxy has no clients by",
        ),
        (
            Layers(TokenBucket(2, 1), TokenBucket(9, 5)),
            "envoy",
            "no place for several limits; export each layer",
        ),
        (FixedWindow(2, 1), "envoy", "use a TokenBucket"),
        (PerClient("ip", TokenBucket(2, 1)), "envoy", "envoy has no limiter for each ip"),
        (TokenBucket(2**32, 1), "envoy", "envoy has no capacity of 4294967296"),
        (FixedWindow(2, 1), "limits", "use align='first'"),
        (FixedWindow(2, 1.5, "first"), "limits", "limits has no window in seconds of 1.5"),
        (SlidingLog(2, 1), "limits", "use edge='closed'"),
        (SlidingCounter(2, 1, align="first"), "limits", "use rule='lt', windows on the clock"),
        (TokenBucket(2, 1), "limits", "use a FixedWindow, SlidingLog or SlidingCounter"),
        (FixedWindow(2, 1, "first"), "pyrate-limiter", "use align='clock' without a phase"),
        (SlidingLog(2, 1), "pyrate-limiter", "use edge='closed'"),
        (LeakyBucket(2, 1), "pyrate-limiter", "use a TokenBucket, a FixedWindow, or SlidingLogs"),
        (PerClient("ip", SlidingLog(2, 1, "closed")), "pyrate-limiter", "export the limit without PerClient"),
        (LeakyBucket(2, 1), "aiolimiter", "use a TokenBucket"),
        (PerClient("ip", TokenBucket(2, 1)), "aiolimiter", "aiolimiter has no limiter for each ip"),
        (LeakyBucket(2, 1), "x/time/rate", "use a TokenBucket"),
        (PerClient("ip", TokenBucket(2, 1)), "x/time/rate", "has no limiter for each ip"),
        (FixedWindow(2, 1), "express-rate-limit", "use a FixedWindow with align='first'"),
        (PerClient(ODD, FixedWindow(2, 1, "first")), "express-rate-limit", "use ip, or the name of a header"),
        (HoldOff(FixedWindow(2, 9, "first"), 5), "rate-limiter-flexible", "choose a longer hold_s"),
        (HoldOff(TokenBucket(2, 9), 5), "rate-limiter-flexible", "use a FixedWindow with align='first'"),
        (TokenBucket(2, 4), "traefik", r"no limit for all clients; use PerClient\('ip', ...\)"),
        (PerClient(ODD, TokenBucket(2, 4)), "traefik", "traefik has no clients by"),
        (PerClient("ip", TokenBucket(2.25, 4)), "traefik", "traefik has no capacity of 2.25"),
        (PerClient("ip", TokenBucket(2, 4, "empty")), "traefik", "leave initial out"),
        (PerClient("ip", FixedWindow(2, 1)), "traefik", "use a TokenBucket"),
        (TokenBucket(2, 4), "caddy", "use a SlidingLog"),
        (SlidingLog(2, 4, count_rejected=True), "caddy", "use count_rejected=False"),
        (SlidingLog(2, Fraction(1, 3)), "caddy", "caddy has no window in nanoseconds of 3.33333e\\+08"),
        (PerClient(ODD, SlidingLog(2, 4)), "caddy", "caddy has no clients by"),
        (PerClient("ip", TokenBucket(20, 10)), "ingress-nginx", "1 more than a multiple of 10, such as 21"),
        (PerClient("ip", TokenBucket(1, 10)), "ingress-nginx", "no capacity of 1 at this rate"),
        (TokenBucket(21, 10), "ingress-nginx", "no limit for all; use PerClient"),
        (PerClient("user", TokenBucket(21, 10)), "ingress-nginx", "no limit by 'user'"),
        (PerClient("ip", TokenBucket(2, Fraction(1, 90))), "ingress-nginx", "no rate per minute of 0.666667"),
        (
            PerClient("ip", Layers(TokenBucket(11, 10), TokenBucket(21, 20))),
            "ingress-nginx",
            "no place for two rates of one kind",
        ),
        (
            PerClient("ip", Layers(TokenBucket(21, 10), TokenBucket(91, Fraction(3, 2)))),
            "ingress-nginx",
            "no different burst multipliers",
        ),
        (TokenBucket(2, 4), "kong", "use a FixedWindow"),
        (FixedWindow(2, 1, "first"), "kong", "use align='clock'"),
        (FixedWindow(2, 5), "kong", "use a window of a second, minute, hour or day"),
        (Layers(FixedWindow(2, 1), FixedWindow(3, 1)), "kong", "no place for two limits of one period"),
        (Layers(FixedWindow(5, 1), FixedWindow(3, 60)), "kong", "raise the limit of the longer period"),
        (Layers(FixedWindow(5, 1), PerClient("ip", FixedWindow(9, 60))), "kong", "different clients"),
        (PerClient(ODD, FixedWindow(2, 1)), "kong", "kong has no clients by"),
        (FixedWindow(2, 1), "krakend", "use a TokenBucket"),
        (Layers(TokenBucket(2, 1), TokenBucket(3, 1)), "krakend", "no place for two limits of one kind"),
        (PerClient(ODD, TokenBucket(2, 1)), "krakend", "krakend has no clients by"),
        (TokenBucket(2, 10**10), "krakend", "krakend has no number of tokens in a period of 10000000000"),
        (TokenBucket(2, 1), "aws-apigateway", "use PerClient\\('x-api-key', ...\\) for a usage plan"),
        (PerClient("x-api-key", FixedWindow(2, 60)), "aws-apigateway", "use a FixedWindow of a day"),
        (
            PerClient("x-api-key", Layers(TokenBucket(2, 1), TokenBucket(3, 1))),
            "aws-apigateway",
            "no place for two limits of one kind",
        ),
        (PerClient("x-api-key", SlidingLog(2, 1)), "aws-apigateway", "use a TokenBucket"),
        (FixedWindow(2, 1), "governor", "use a TokenBucket"),
        (TokenBucket(2, 2 * 10**9), "governor", "choose one from a nanosecond to some centuries"),
        (TokenBucket(2**32 - 1, Fraction(1, 10**4)), "governor", "some centuries"),
        (FixedWindow(2, 1), "bucket4j", "use a TokenBucket"),
        (PerClient("ip", TokenBucket(2, 1)), "bucket4j", "bucket4j has no limiter for each ip"),
        (TokenBucket(2, 1, 0.5), "bucket4j", "no part of a token; choose a whole initial"),
        (TokenBucket(2, Fraction(10**7, 10**6 + 1)), "bucket4j", "choose a rounder rate"),
        (FixedWindow(2, 1), "redis-cell", "use a TokenBucket"),
        (PerClient(ODD, TokenBucket(2, 1)), "redis-cell", "redis-cell has no clients by"),
        (TokenBucket(2, 2 * 10**9), "redis-cell", "choose one from a nanosecond"),
    ],
)
def test_what_a_target_cannot_enforce_is_rejected(limiter, target, complaint):
    with pytest.raises(InvalidLimit, match=complaint):
        export_config(limiter, target)


@pytest.mark.parametrize(
    ("text", "target", "complaint"),
    [
        ("", "nginx", "nginx, line 1, column 1: there is no limit_req; give a zone and its use"),
        ("x;\n  limit_req zone=one;", "nginx", "line 2, column 3: there is no zone 'one' before it"),
        (
            "limit_req_zone $a zone=b:1m rate=1.5r/s;",
            "nginx",
            "line 1, column 1: this directive is not known",
        ),
        ("limit_req_zone $a zone=b:1m rate=0r/s;", "nginx", "this directive is not known"),
        ("http-request track-sc0 src", "haproxy", "line 1, column 1: there are 0 lines with stick-table"),
        (
            (
                "stick-table type ip store http_req_rate(0)\nhttp-request track-sc0 src\n"
                "http-request deny if { sc_http_req_rate(0) gt 1 }"
            ),
            "haproxy",
            "line 1, column 41: the period is zero",
        ),
        ("max_tokens: 1\nmax_tokens: 2\n", "envoy", "line 2, column 1: there are 2 lines with max_tokens"),
        (
            "max_tokens: 0\ntokens_per_fill: 1\nfill_interval: 1s",
            "envoy",
            "line 1, column 13: max_tokens is zero",
        ),
        (
            "max_tokens: 1\ntokens_per_fill: 1\nfill_interval: 0.01s",
            "envoy",
            "line 3, column 1: fill_interval is below",
        ),
        ("x" * 100_001, "nginx", "the text is longer than 100000 characters"),
        ("", "traefik", "traefik, line 1, column 1: there is no line with average; give one"),
        ("average: 1\n  average: 2", "traefik", "line 2, column 3: there are two lines with average"),
        ("average: 0", "traefik", "line 1, column 10: average is no whole number"),
        ("average: 1\nperiod: 1x", "traefik", "line 2, column 9: period is no duration such as 1m30s"),
        ("average: 1\nperiod: 0s", "traefik", "line 2, column 9: period is no duration"),
        ("average: 1\nredis: yes", "traefik", "line 2, column 8: redis is not read; leave it out"),
        ("", "caddy", "line 1, column 1: there is no zone"),
        ("zone a {\n events 1\n", "caddy", "line 1, column 1: there is no window"),
        ("zone a {\n}\nzone b {\n", "caddy", "line 3, column 1: there are two lines with zone"),
        ("zone a {\n events 0\n window 1s\n", "caddy", "line 2, column 9: events is no whole number"),
        ("zone a {\n events 1\n window 1\n", "caddy", "line 3, column 9: window is no duration"),
        ("zone a {\n distributed {", "caddy", "line 2, column 2: a distributed limit is not exact"),
        (
            "zone a {\n key {vars.x}\n events 1\n window 1s",
            "caddy",
            "line 2, column 6: this key is not known",
        ),
        ("", "ingress-nginx", "line 1, column 1: there is neither limit-rps nor limit-rpm"),
        (
            "nginx.ingress.kubernetes.io/limit-rps: 0",
            "ingress-nginx",
            "line 1, column 40: nginx.ingress.kubernetes.io/limit-rps is no whole number",
        ),
        (
            'nginx.ingress.kubernetes.io/limit-connections: "5"',
            "ingress-nginx",
            "line 1, column 49: connections is not read",
        ),
        ("", "kong", "line 1, column 1: there is no limit; give second"),
        ("second: 1.5", "kong", "line 1, column 9: second is no whole number"),
        ("second: 1\nmonth: 5", "kong", "line 2, column 8: a month has no fixed length"),
        ("policy: redis", "kong", "line 1, column 9: counters of a cluster or of Redis are not exact"),
        ("limit_by: path", "kong", "line 1, column 11: this is not read; use service"),
        ("limit_by: header", "kong", "line 1, column 1: there is no name of the header"),
        ("", "redis-cell", "line 1, column 1: there are 0 commands CL.THROTTLE"),
        (
            "\nCL.THROTTLE a 1 2 3\nCL.THROTTLE a 1 2 3",
            "redis-cell",
            "line 3, column 1: there are 2 commands",
        ),
        ("CL.THROTTLE a 1 2 3 4", "redis-cell", "line 1, column 1: this is not read"),
        ("CL.THROTTLE a 1 0 3", "redis-cell", "line 1, column 17: this rate is not enforced"),
    ],
)
def test_what_cannot_be_read_is_reported_with_its_place(text, target, complaint):
    with pytest.raises(InvalidLimit, match=complaint):
        import_config(text, target)


READ = ["nginx", "haproxy", "envoy", "traefik", "caddy", "ingress-nginx", "kong", "redis-cell"]


@pytest.mark.parametrize("target", READ)
@pytest.mark.parametrize(
    "line",
    [
        "limit_req zone=a ", "stick-table ", "http-request deny ", "max_tokens: 1", "\t",
        "limit_req_zone $a ",
        "#", ";", "\n", "- ", "average: '", "period: 1", "second:", "zone a ", "window 1", "CL.THROTTLE a ",
        "nginx.ingress.kubernetes.io/limit-", "1m", "{",
    ],
)  # fmt: skip
@pytest.mark.parametrize("end", ["", "\n"])
def test_the_work_for_a_hostile_text_grows_as_its_length_at_most(target, line, end):
    text = (line + end) * (100_000 // len(line + end))
    with at_most_lines(len(text) + 1_000), pytest.raises(InvalidLimit):
        import_config(text, target)


@given(
    st.sampled_from(READ),
    st.text(st.sampled_from("".join(map(chr, range(9, 127))) + "µ€\u0660"), max_size=60),
)
def test_any_text_is_read_or_an_error(target, text):
    for line in (text, f"average: {text}", f"zone a\nevents 1\nwindow {text}", f"CL.THROTTLE a 1 {text}"):
        with suppress(InvalidLimit):
            import_config(line, target)


def test_a_config_decides_as_its_limiter():
    limiter = PerClient("ip", LeakyBucket(3, 4, "immediate", undelayed=1))
    again = import_config(export_config(limiter, "nginx").text, "nginx")

    at = [k / 10 for k in range(50)]
    first, second = (simulate(each, at, clients={"ip": "192.0.2.1"}) for each in (limiter, again))
    assert (first.admitted, first.wait_s) == (second.admitted, second.wait_s)
