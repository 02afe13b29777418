"""Run as a program: record the waits of libraries that the environments of the tests do not have.

It needs tenacity, stamina, botocore, google-api-core and grpcio, and prints `library_waits.json`. Clocks,
sleeps and random numbers of the libraries are replaced: every random number is u, and time passes only in
sleeps. Those of gRPC are in compiled code: its waits are measured.
"""

from __future__ import annotations

import json
import random
import sys
import time
from concurrent import futures
from importlib import import_module
from importlib.metadata import version
from itertools import pairwise
from typing import Any
from unittest import mock

US = (0.0, 0.25, 0.5, 0.9)


class World:
    """A clock that moves only in sleeps, and the same random number again and again."""

    def __init__(self, u: float) -> None:
        self.now, self.u = 1000.0, u
        self.sleeps: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        self.now += seconds

    def monotonic(self) -> float:
        return self.now

    def random(self) -> float:
        return self.u

    def uniform(self, a: float, b: float) -> float:
        return a + (b - a) * self.u

    def __enter__(self) -> World:
        self._patches: list[Any] = [
            mock.patch.object(time, "sleep", self.sleep),
            mock.patch.object(time, "monotonic", self.monotonic),
            mock.patch.object(random, "random", self.random),
            mock.patch.object(random, "uniform", self.uniform),
        ]
        for patch in self._patches:
            patch.start()
        return self

    def __exit__(self, *_: object) -> None:
        for patch in self._patches:
            patch.stop()


def fails() -> None:
    raise ConnectionError


def waits(world: World, call: Any) -> list[float]:
    with world:
        try:
            call()
        except Exception:  # noqa: BLE001 (each library raises its own)
            return world.sleeps
    raise AssertionError("the call succeeded")


def tenacity(u: float, **options: Any) -> list[float]:
    library, world = import_module("tenacity"), World(u)
    return waits(world, library.retry(sleep=world.sleep, **options)(fails))


def stamina(u: float) -> list[float]:
    return waits(World(u), import_module("stamina").retry(on=ConnectionError)(fails))


def google(u: float) -> list[float]:
    errors = import_module("google.api_core.exceptions")

    def limited() -> None:
        raise errors.TooManyRequests("slow down")

    return waits(World(u), import_module("google.api_core.retry").Retry()(limited))


def botocore(u: float, *, status: int) -> list[float]:
    """Ask the handler of the standard mode after each attempt, as botocore's endpoint does."""
    standard, quota = import_module("botocore.retries.standard"), import_module("botocore.retries.quota")
    adapter = standard.RetryEventAdapter()
    detector = standard.ThrottlingErrorDetector(adapter)
    handler = standard.RetryHandler(
        retry_policy=standard.RetryPolicy(
            retry_checker=standard.StandardRetryConditions(),
            retry_backoff=standard.ExponentialBackoff(random=lambda: u, throttling_detector=detector),
        ),
        retry_event_adapter=adapter,
        retry_quota=standard.RetryQuotaChecker(quota.RetryQuota(), detector),
    )
    response = mock.Mock(status_code=status, headers={})
    request: dict[str, Any] = {"context": {}}
    delays: list[float] = []
    while True:
        delay = handler.needs_retry(
            response=(response, {"Error": {}}),
            operation=None,
            attempts=len(delays) + 1,
            caught_exception=None,
            request_dict=request,
        )
        if delay is None:
            return delays
        delays.append(delay)


def botocore_quota(*, status: int) -> int:
    """Count the retries of failing calls until the quota is used up."""
    standard, quota = import_module("botocore.retries.standard"), import_module("botocore.retries.quota")
    adapter = standard.RetryEventAdapter()
    checker = standard.RetryQuotaChecker(quota.RetryQuota(), standard.ThrottlingErrorDetector(adapter))
    context = standard.RetryContext(1, http_response=mock.Mock(status_code=status, headers={}))
    count = 0
    while checker.acquire_retry_quota(context):
        count += 1
    return count


def grpc(calls: int, *, throttling: bool) -> list[list[float]]:
    """Return the waits between the attempts of failing calls, as the server sees them."""
    library, times = import_module("grpc"), list[float]()

    class Failing(library.GenericRpcHandler):  # type: ignore[name-defined, misc]
        def service(self, details: object) -> Any:
            def fail(_: object, context: Any) -> None:
                times.append(time.monotonic())
                context.abort(library.StatusCode.UNAVAILABLE, "down")

            return library.unary_unary_rpc_method_handler(fail)

    server = library.server(futures.ThreadPoolExecutor(2))
    server.add_generic_rpc_handlers((Failing(),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    policy = {
        "maxAttempts": 4,
        "initialBackoff": "0.1s",
        "maxBackoff": "1s",
        "backoffMultiplier": 2,
        "retryableStatusCodes": ["UNAVAILABLE"],
    }
    config: dict[str, Any] = {"methodConfig": [{"name": [{}], "retryPolicy": policy}]}
    if throttling:
        config["retryThrottling"] = {"maxTokens": 10, "tokenRatio": 0.1}
    rows = []
    options = [("grpc.service_config", json.dumps(config))]
    with library.insecure_channel(f"127.0.0.1:{port}", options=options) as channel:
        for _ in range(calls):
            times.clear()
            try:
                channel.unary_unary("/any/method")(b"")
            except library.RpcError:
                rows.append([round(b - a, 4) for a, b in pairwise(times)])
    server.stop(0).wait()
    return rows


def main() -> None:
    library = import_module("tenacity")
    six = {"stop": library.stop_after_attempt(6)}
    recorded: dict[str, Any] = {}
    for u in US:
        recorded[str(u)] = {
            "tenacity-random-exponential": tenacity(u, wait=library.wait_random_exponential(max=60), **six),
            "tenacity-exponential-jitter": tenacity(u, wait=library.wait_exponential_jitter(max=60), **six),
            "stamina": stamina(u),
            "aws-sdk": botocore(u, status=503),
            "aws-sdk rejected": botocore(u, status=429),
            **({"google-api-core": google(u)} if u else {}),  # retries for ever without waiting when u is 0
        }
    libraries = ("tenacity", "stamina", "botocore", "google-api-core", "grpcio")
    json.dump(
        {
            "versions": {name: version(name) for name in libraries},
            "waits_s": recorded,
            "grpc waits_s": grpc(20, throttling=False),
            "grpc retries of failing calls with throttling": [len(row) for row in grpc(4, throttling=True)],
            "retries until botocore's quota is used up": {
                "rejected": botocore_quota(status=429),
                "failed": botocore_quota(status=503),
            },
        },
        sys.stdout,
        indent=1,
    )
    print()


if __name__ == "__main__":
    main()
