"""Exported configurations decide as their limiters, in models of the targets that cannot run here."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any, Protocol

import pytest

from hook_widgets.ratelimit import FixedWindow, Layers, Limiter, PerClient, SlidingLog, TokenBucket, simulate
from hook_widgets.ratelimit.configs import ExportedConfig, export_config, import_config
from tests.ratelimit.configs import source_models as models
from tests.support.extent import extent

yaml = pytest.importorskip("yaml")  # not in Pyodide

S = 10**9
MS = 10**6


class Model(Protocol):
    """A limiter that decides one request after the other."""

    def admits(self, now: int) -> bool: ...


def go(config: ExportedConfig) -> models.GoLimiter:
    ((tokens, seconds, burst),) = re.findall(r"NewLimiter\((\d+)(?:\.0/(\d+))?, (\d+)\)", config.text)
    return models.GoLimiter(float(tokens) / int(seconds or 1), int(burst))


def traefik(config: ExportedConfig) -> models.Traefik:
    (middleware,) = yaml.safe_load(config.text)["http"]["middlewares"].values()
    limit = middleware["rateLimit"]
    return models.Traefik(limit["average"], int(limit["period"].removesuffix("s")) * S, limit["burst"])


def caddy(config: ExportedConfig) -> models.Caddy:
    (events,) = re.findall(r"events (\d+)", config.text)
    (window,) = re.findall(r"window (\d+)ms", config.text)
    return models.Caddy(int(events), int(window) * MS)


def kong(config: ExportedConfig) -> models.Kong:
    (plugin,) = yaml.safe_load(config.text)["plugins"]
    return models.Kong({name: n for name, n in plugin["config"].items() if name in models.Kong.SECONDS})


def krakend(config: ExportedConfig) -> models.KrakenD:
    settings = json.loads(config.text)["extra_config"]["qos/ratelimit/router"]
    every = float(settings["every"].removesuffix("s"))
    return models.KrakenD(settings["max_rate"] * (1.0 / every), settings["capacity"])  # router.go: factor


def governor(config: ExportedConfig) -> models.Governor:
    (burst,) = re.findall(r"allow_burst\(nonzero!\((\d+)u32\)\)", config.text)
    per_second = re.findall(r"per_second\(nonzero!\((\d+)u32\)\)", config.text)
    interval = (
        S // int(per_second[0]) if per_second else int(re.findall(r"from_nanos\((\d+)\)", config.text)[0])
    )
    return models.Governor(interval, int(burst))


def bucket4j(config: ExportedConfig) -> models.Bucket4j:
    limits = re.findall(
        r"capacity\((\d+)\)\.refill(\w+)\((\d+), Duration\.of(\w+)\((\d+)L?\)\)(?:\.initialTokens\((\d+)\))?",
        config.text,
    )
    return models.Bucket4j(
        *(
            models.Bandwidth(
                int(capacity),
                int(tokens),
                int(period) * {"Seconds": S, "Nanos": 1}[unit],
                kind == "Intervally",
                int(initial) if initial else None,
            )
            for capacity, kind, tokens, unit, period, initial in limits
        )
    )


def redis_cell(config: ExportedConfig) -> models.RedisCell:
    return models.RedisCell(*map(int, config.text.split()[2:]))


MODELS: dict[str, Callable[[ExportedConfig], Model]] = {
    "x/time/rate": go,
    "traefik": traefik,
    "caddy": caddy,
    "kong": kong,
    "krakend": krakend,
    "governor": governor,
    "bucket4j": bucket4j,
    "redis-cell": redis_cell,
}


def model_of(config: ExportedConfig) -> Model:
    return MODELS[config.target](config)


def admitted(limiter: Limiter, at: list[int]) -> list[bool]:
    """The decisions of simulate for one client, at these nanoseconds."""
    keys = {layer.key for layer in limiter.layers if isinstance(layer, PerClient)}
    clients = dict.fromkeys(keys, "one")
    return simulate(limiter, [Fraction(t, S) for t in at], clients=clients).admitted


def arrivals(rng: random.Random, span: int, grain: int, count: int = 60) -> list[int]:
    return sorted(rng.randrange(span // grain) * grain for _ in range(count))


NS, MILLISECOND, FLOAT = (
    1,
    MS,
    S // 512,
)  # a 512th of a second is whole nanoseconds, and exact in floating point

# Limiters, the span of their arrivals, and the grain on which a target is exact: floats on powers of two,
# Redis on milliseconds, the others on every nanosecond.
CASES: list[tuple[str, Limiter, int, int]] = [
    ("x/time/rate", TokenBucket(4, 8), 5 * S, FLOAT),
    ("x/time/rate", TokenBucket(1, Fraction(1, 4)), 90 * S, FLOAT),
    ("traefik", PerClient("ip", TokenBucket(Fraction(7, 2), 4)), 9 * S, FLOAT),
    ("traefik", PerClient("X-Api-Key", TokenBucket(Fraction(9, 2), 8)), 5 * S, FLOAT),
    ("caddy", SlidingLog(4, "0.999 s", "closed"), 8 * S, 2 * MS),  # no two are a window apart
    ("caddy", PerClient("ip", SlidingLog(1, "0.125 s")), 6 * S, 2 * MS),
    ("kong", FixedWindow(5, 1), 12 * S, NS),
    ("kong", Layers(FixedWindow(3, 1), FixedWindow(40, 60), FixedWindow(50, 3600)), 90 * S, NS),
    ("kong", PerClient("ip", FixedWindow(9, "1 day")), 400_000 * S, NS),
    ("governor", TokenBucket(4, 8), 5 * S, NS),
    ("governor", TokenBucket(1, "10/min"), 200 * S, NS),
    ("governor", TokenBucket(7, Fraction(1, 3)), 60 * S, S),
    ("bucket4j", TokenBucket(4, 8), 5 * S, NS),
    ("bucket4j", TokenBucket(5, "7/min"), 300 * S, NS),
    ("bucket4j", TokenBucket(5, 3, 2), 9 * S, NS),
    ("bucket4j", TokenBucket(6, 4, refill_every_s="0.5 s"), 9 * S, NS),
    ("bucket4j", TokenBucket(6, 3, "empty", refill_every_s=2), 20 * S, NS),
    ("bucket4j", Layers(TokenBucket(3, 4), TokenBucket(9, "2/s", refill_every_s=1)), 20 * S, NS),
    ("redis-cell", TokenBucket(4, 8), 5 * S, MILLISECOND),
    ("redis-cell", PerClient("user", TokenBucket(1, "10/min")), 200 * S, MILLISECOND),
]


@pytest.mark.parametrize(("target", "limiter", "span", "grain"), CASES, ids=str)
def test_a_target_decides_as_the_limiter_that_was_exported(
    target: str, limiter: Limiter, span: int, grain: int
) -> None:
    rng, config = random.Random(f"{target} {limiter}"), export_config(limiter, target)
    rejected = requests = 0
    for _ in range(extent(20, 400)):
        at = arrivals(rng, span, grain)

        model = model_of(config)
        expected = [model.admits(t) for t in at]

        assert admitted(limiter, at) == expected
        rejected += expected.count(False)
        requests += len(expected)
    assert 0.03 < rejected / requests < 0.97


def numbers(config: ExportedConfig, unit: str) -> list[tuple[Any, Any]]:
    """The numbers of the deviations with this unit, of the limiter and as exported."""
    return [(d.limiter, d.exported) for d in config.deviations if d.unit == unit]


@pytest.mark.parametrize("rate", [Fraction(1, 4), Fraction(1, 2), Fraction(4), Fraction(16)])
def test_traefik_admits_half_a_request_more_which_waits(rate: Fraction) -> None:
    rng, bucket = random.Random(str(rate)), TokenBucket(2, rate)
    config = export_config(PerClient("ip", bucket), "traefik")
    ((_, wider),) = numbers(config, "requests")
    _, longest_wait_s = numbers(config, "s")[0]

    waits: list[int] = []
    for _ in range(20):
        model = traefik(config)
        at = arrivals(rng, int(8 / rate * S), FLOAT)
        if any(later - earlier >= (model.ttl - 1) * S for earlier, later in pairwise(at)):
            continue  # forgets the client
        expected = [model.wait(t) for t in at]
        assert admitted(TokenBucket(wider, rate), at) == [wait is not None for wait in expected]
        waits += [wait for wait in expected if wait is not None]

    assert longest_wait_s * S / 4 < max(waits) <= longest_wait_s * S
    assert wider == 2 + rate * longest_wait_s


def test_go_admits_a_token_that_is_less_than_a_nanosecond_away() -> None:
    bucket = TokenBucket(1, 3)
    config = export_config(bucket, "x/time/rate")
    ((_, short_s),) = numbers(config, "s")
    model = go(config)

    at = [0, S // 3]  # the token is there a third of a nanosecond later

    assert short_s == Fraction(1, S)
    assert [model.admits(t) for t in at] == [True, True]
    assert admitted(bucket, at) == [True, False]


def test_traefik_forgets_an_idle_client() -> None:
    config = export_config(PerClient("ip", TokenBucket(8, 4)), "traefik")
    full_s, idle_s = numbers(config, "s")[1]
    last = 511 * FLOAT  # just before a whole second, of which the clock of the map consists

    model = traefik(config)
    at = [0] * 10 + [last] * 10 + [2 * S] * 10
    decisions = [model.admits(t) for t in at]

    assert (full_s, idle_s) == (Fraction(17, 8), 1)
    assert 8 == decisions[20:].count(True)
    assert 2 * S - last > idle_s * S
    assert 5 > admitted(TokenBucket(Fraction(17, 2), 4), at)[20:].count(True)


def test_a_request_one_window_after_the_oldest_passes_caddy_uncounted() -> None:
    model = models.Caddy(1, S)

    at = [0, S, S, S, S + 1, S + 2]

    assert [model.admits(t) for t in at] == [True, True, True, True, True, False]
    assert admitted(SlidingLog(1, 1, "closed"), at) == [True, False, False, False, True, False]
    assert admitted(SlidingLog(1, 1, "open"), at) == [True, True, False, False, False, False]


def test_krakend_decides_as_the_bucket_under_overload() -> None:
    rng, bucket = random.Random(4), TokenBucket(5, 8)
    config = export_config(bucket, "krakend")
    for _ in range(extent(20, 400)):
        # More than the bucket at the beginning, and later at least one request in each interval of 125 ms.
        at = sorted([0] * 6 + [k * 125 * MS + rng.randrange(125 * MS) for k in range(40) for _ in range(2)])

        model = krakend(config)

        assert admitted(bucket, at) == [model.admits(t) for t in at]


def test_krakend_admits_more_at_once_after_an_idle_time() -> None:
    config = export_config(TokenBucket(5, 8), "krakend")
    ((capacity, at_once),) = numbers(config, "requests")

    model = krakend(config)
    decisions = [model.admits(60 * S) for _ in range(20)]

    assert (capacity, at_once) == (5, 11)
    assert decisions == [True] * 11 + [False] * 9


def test_krakend_never_admits_more_than_the_larger_bucket() -> None:
    rng = random.Random(5)
    larger = TokenBucket(11, 8)
    for _ in range(extent(10, 200)):
        at = arrivals(rng, 6 * S, NS, 100)
        model = krakend(export_config(TokenBucket(5, 8), "krakend"))
        passed = [t for t in at if model.admits(t)]
        for i, begin in enumerate(passed):
            for count, end in enumerate(passed[i + 1 :], 2):
                assert (
                    count <= larger.max_admitted(Fraction(end - begin, S), closed=True) if end > begin else 11
                )


@pytest.mark.parametrize("target", ["governor", "redis-cell", "krakend"])
@pytest.mark.parametrize("per_s", [3, 7, 60, 999])
def test_an_interval_in_whole_nanoseconds_is_a_deviation(target: str, per_s: int) -> None:
    config = export_config(TokenBucket(2, per_s), target)

    assert [(per_s, Fraction(S, S // per_s))] == numbers(config, "1/s")
    assert [] == numbers(export_config(TokenBucket(2, 8), target), "1/s")


@pytest.mark.parametrize("per_s", [3, 7, 60, 999])
def test_governor_decides_as_the_bucket_of_the_deviation(per_s: int) -> None:
    rng, config = random.Random(per_s), export_config(TokenBucket(2, per_s), "governor")
    ((_, enforced),) = numbers(config, "1/s")
    interval = S // per_s
    at = sorted(rng.randrange(60) * interval + rng.randrange(3) for _ in range(200))
    model = governor(config)

    assert admitted(TokenBucket(2, enforced), at) == [model.admits(t) for t in at]


def test_redis_forgets_the_last_millisecond_of_a_bucket() -> None:
    limiter = TokenBucket(1, 3)
    config = export_config(limiter, "redis-cell")
    ((_, early_s),) = numbers(config, "s")
    model = redis_cell(config)

    at = [900_000, 333_999_999, 334_000_000]  # the bucket is full at 334,233,333 ns

    assert early_s == Fraction(1, 1000)
    assert [model.admits(t) for t in at] == [True, False, True]
    assert admitted(limiter, at) == [True, False, False]


def test_annotations_become_the_directives_that_nginx_enforces() -> None:
    limits = Layers(
        PerClient("ip", TokenBucket(21, 10)), PerClient("ip", TokenBucket(201, Fraction(100, 60)))
    )
    config = export_config(limits, "ingress-nginx")
    annotations = yaml.safe_load(config.text)["metadata"]["annotations"]

    zones, uses = models.ingress_directives(annotations, "web", "$binary_remote_addr")

    assert import_config("\n".join([*zones, uses]), "nginx") == import_config(config.text, "ingress-nginx")
