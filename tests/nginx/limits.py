"""Configurations of nginx, each with the limiter that must decide the same.

The correspondence is read from ngx_http_limit_req_module: `burst=B` lets B more pass than the one that the
rate itself lets pass, so with nodelay it is a full token bucket of B + 1; without, the B wait in a queue
behind a first one that leaves at once. Refills are counted in whole thousandths of a request: a rate per
minute is rounded down to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import yaml

from hook_widgets.ratelimit import Gcra, Layers, LeakyBucket, Limiter, PerClient, TokenBucket
from hook_widgets.ratelimit.configs import export_config
from tests.ratelimit.configs.source_models import ingress_directives


@dataclass(frozen=True, slots=True)
class Limit:
    """One location of nginx.

    Attributes:
        path: of the location.
        zones: the directives in `http`.
        directives: the ones in the location.
        model: what decides the same.
        pace: around how many requests per second its traffic goes.
        at_once: how many requests pass at once.
        rejected: status of a rejected request.
    """

    path: str
    zones: list[str]
    directives: str
    model: Limiter
    pace: float
    at_once: int
    rejected: int = 503


def zone(name: str, rate: str, key: str = "$arg_key") -> str:
    """The directive of a zone."""
    return f"limit_req_zone {key} zone={name}:1m rate={rate};"


PER_MINUTE = Fraction(2500 * 1000 // 60, 1000)
"""2500 per minute, in whole thousandths per second: 41.666 and not 41.666..."""

NO_BURST = Limit(
    "no_burst", [zone("no_burst", "50r/s")], "limit_req zone=no_burst;", TokenBucket(1, 50), 50, 1
)
NODELAY = Limit(
    "nodelay",
    [zone("nodelay", "100r/s")],
    "limit_req zone=nodelay burst=5 nodelay;",
    TokenBucket(6, 100),
    pace=100,
    at_once=6,
)
LARGE = Limit(
    "large",
    [zone("large", "150r/s")],
    "limit_req zone=large burst=40 nodelay; limit_req_status 429;",
    TokenBucket(41, 150),
    pace=150,
    at_once=41,
    rejected=429,
)
QUEUE = Limit(
    "queue",
    [zone("queue", "40r/s")],
    "limit_req zone=queue burst=5;",
    LeakyBucket(5, 40, start="immediate"),
    pace=40,
    at_once=6,
)
SOFT_QUEUE = Limit(
    "soft_queue",
    [zone("soft_queue", "40r/s")],
    "limit_req zone=soft_queue burst=8 delay=3;",
    LeakyBucket(8, 40, start="immediate", undelayed=3),
    pace=40,
    at_once=9,
)
MINUTE = Limit(
    "minute", [zone("minute", "2500r/m")], "limit_req zone=minute;", TokenBucket(1, PER_MINUTE), 2500 / 60, 1
)
MINUTE_BURST = Limit(
    "minute_burst",
    [zone("minute_burst", "2500r/m")],
    "limit_req zone=minute_burst burst=5 nodelay;",
    TokenBucket(6, PER_MINUTE),
    pace=2500 / 60,
    at_once=6,
)
LAYERS = Limit(
    "layers",
    [zone("quick", "100r/s"), zone("slow", "60r/s"), zone("slowest", "50r/s")],
    "limit_req zone=quick; limit_req zone=slow burst=9 nodelay; limit_req zone=slowest burst=19 nodelay;",
    Layers(TokenBucket(1, 100), TokenBucket(10, 60), TokenBucket(20, 50)),
    pace=60,
    at_once=2,
)
DRY_RUN = Limit(
    "dry_run",
    [zone("dry_run", "100r/s")],
    "limit_req zone=dry_run burst=10 nodelay; limit_req_dry_run on;",
    TokenBucket(11, 100),
    pace=100,
    at_once=11,
)


def exported(path: str, model: Limiter, pace: float, at_once: int) -> Limit:
    """Configure a location with what `export_config` writes, counted by the key of each stream."""
    text = export_config(model, "nginx").text.replace("_zone all ", "_zone $arg_key ")
    text = text.replace("limit1", f"{path}1")
    http, _, location = text.replace("limit2", f"{path}2").partition("# in a location")
    zones = [line for line in http.splitlines() if line.startswith("limit_req_zone")]
    return Limit(path, zones, location.replace("\n", " "), model, pace, at_once, rejected=429)


def annotated(path: str, model: TokenBucket, pace: float, at_once: int) -> Limit:
    """Configure a location with what the Ingress NGINX Controller makes of exported annotations."""
    annotations = yaml.safe_load(export_config(PerClient("ip", model), "ingress-nginx").text)["metadata"]
    zones, uses = ingress_directives(annotations["annotations"], path, "$arg_key")
    return Limit(path, zones, uses, model, pace, at_once)


EXPORTED = [
    annotated("annotated", TokenBucket(41, 20), pace=20, at_once=41),
    exported("exported", TokenBucket(8, 80), pace=80, at_once=8),
    exported("exported_gcra", Gcra("10 ms", "30 ms"), pace=100, at_once=4),
    exported("exported_layers", Layers(TokenBucket(3, 100), TokenBucket(20, 50)), pace=60, at_once=3),
]
LIMITS = [NO_BURST, NODELAY, LARGE, QUEUE, SOFT_QUEUE, MINUTE, MINUTE_BURST, LAYERS, DRY_RUN, *EXPORTED]
QUEUES = [QUEUE, SOFT_QUEUE]
"""Those that let requests wait."""
EXACT = [NO_BURST, NODELAY, LARGE, *QUEUES, MINUTE, LAYERS, *EXPORTED]
"""Those of which the model predicts every status. (The others are tested, too: each in its own way.)"""
