"""Exported filters in a real Envoy: each decision is predicted from the times of its own log.

The log has the microsecond at which a request began. Its only worker asks the bucket after that, and before
the next request begins. A decision that hangs on the moment between them is not told apart.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from hook_widgets.ratelimit import Gcra, Limiter, TokenBucket
from hook_widgets.ratelimit.configs import export_config
from tests.proxies.traffic import Server, drive, free_ports, patterns

BOOTSTRAP = "static_resources:\n  listeners:\n"
LISTENER = """\
  - address: {{socket_address: {{address: 127.0.0.1, port_value: {port}}}}}
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": {manager}
          stat_prefix: {name}
          access_log:
          - name: envoy.access_loggers.file
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.access_loggers.file.v3.FileAccessLog
              path: {log}
              log_format:
                text_format_source: {{inline_string: "{name} %START_TIME(%s%6f)% %RESPONSE_CODE%\\n"}}
          http_filters:
{filters}
          - name: envoy.filters.http.router
            typed_config: {{"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}}
          route_config:
            virtual_hosts:
            - name: all
              domains: ["*"]
              routes: [{{match: {{prefix: /}}, direct_response: {{status: 200}}}}]
"""
MANAGER = (
    "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager"
)
LIMITS: dict[str, Limiter] = {
    "bucket": TokenBucket(20, "10/s"),
    "fraction": TokenBucket(5, Fraction(50, 3)),
    "one": TokenBucket(1, "5/s"),
    "gcra": Gcra("100 ms", "400 ms"),
}
LATE_S = Fraction(20, 1000)
"""The longest time between the beginning of a request and its decision."""

Decisions = dict[str, list[tuple[Fraction, bool]]]


def bucket_of(limiter: Limiter) -> TokenBucket:
    bucket = limiter.as_token_bucket() if isinstance(limiter, Gcra) else limiter
    assert isinstance(bucket, TokenBucket)
    return bucket


@pytest.fixture(scope="module")
def decisions(tmp_path_factory: pytest.TempPathFactory) -> Decisions:
    """For each limit the seconds of each request, and whether it was admitted."""
    folder: Path = tmp_path_factory.mktemp("envoy")
    ports = free_ports(3 * len(LIMITS))
    listeners, requests = [], []
    for name, limiter in LIMITS.items():
        bucket = bucket_of(limiter)
        filters = export_config(limiter, "envoy").text.replace("\n", "\n          ").rstrip()
        for pattern, times in patterns(float(bucket.refill_rate), int(bucket.capacity)).items():
            port = ports.pop()
            full = {"name": f"{name}:{pattern}", "port": port, "log": folder / "log", "manager": MANAGER}
            listeners.append(LISTENER.format(filters=f"          {filters}", **full))
            requests += [(at, port, pattern) for at in times]
    (folder / "envoy.yaml").write_text(BOOTSTRAP + "".join(listeners))
    command = [
        os.environ.get("ENVOY") or "envoy", "-c", "envoy.yaml", "--concurrency", "1", "--disable-hot-restart",
        "--file-flush-interval-msec", "50", "-l", "warning",
    ]  # fmt: skip
    with Server(command, folder, sorted({port for _, port, _ in requests})):
        drive(requests)
    results: Decisions = defaultdict(list)
    for line in (folder / "log").read_text().splitlines():
        name, at_us, status = line.split()
        results[name].append((Fraction(int(at_us), 10**6), status == "200"))
    return {name: sorted(rows, key=lambda row: row[0]) for name, rows in results.items()}


def possible(bucket: TokenBucket, rows: list[tuple[Fraction, bool]]) -> Iterator[set[bool]]:
    """For each request the decisions that the bucket can take, after those that Envoy took before.

    The bucket is full from a moment on that lies between two.
    """
    interval, early = 1 / bucket.refill_rate, (bucket.capacity - 1) / bucket.refill_rate
    full_from = full_until = rows[0][0]
    begins = [at for at, _ in rows]
    for (begin, admitted), following in zip(rows, [*begins[1:], begins[-1] + 1], strict=True):
        end = min(following, begin + LATE_S)
        yield {
            decision
            for decision, can_be in (
                (True, full_from <= end + early),
                (False, full_until > begin + early),
            )
            if can_be
        }
        if admitted:
            full_from = max(full_from, begin) + interval
            full_until = max(min(full_until, end + early), end) + interval


@pytest.mark.parametrize("name", LIMITS)
def test_every_decision_is_predicted(name: str, decisions: Decisions) -> None:
    decided = rejected = unsure = 0
    for limit, rows in decisions.items():
        if limit.partition(":")[0] != name:
            continue
        for (at, admitted), expected in zip(rows, possible(bucket_of(LIMITS[name]), rows), strict=True):
            assert admitted in expected, (limit, at)
            unsure += len(expected) > 1
            rejected += not admitted
        decided += len(rows)

    assert decided > 60
    assert rejected > 10
    assert unsure < decided / 4


@pytest.mark.parametrize("almost", [TokenBucket(19, 10), TokenBucket(21, 10), TokenBucket(20, 8)], ids=repr)
def test_a_model_that_is_almost_right_is_found_out(almost: TokenBucket, decisions: Decisions) -> None:
    streams = [decisions[limit] for limit in ("bucket:bursts", "bucket:random")]
    wrong = [
        admitted not in expected
        for rows in streams
        for (_, admitted), expected in zip(rows, possible(almost, rows), strict=True)
    ]

    assert any(wrong)
