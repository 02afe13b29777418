"""Closed-loop simulations over several seeds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from hook_widgets._arguments import several, shown
from hook_widgets.errors import InvalidArrivals, InvalidLimit, LimitModelError
from hook_widgets.ratelimit.clients.client_run import ClientRun
from hook_widgets.ratelimit.clients.client_workload import ClientWorkload
from hook_widgets.ratelimit.clients.estimate import Estimate
from hook_widgets.ratelimit.clients.event_loop import EventLoop
from hook_widgets.ratelimit.clients.policy import ClientPolicy, client_policy
from hook_widgets.ratelimit.clients.server_model import ServerModel
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.simulation.engine import checked_limiter
from hook_widgets.ratelimit.units import Quantity

MAX_RUNS: Final = 1000
"""Upper bound of the number of seeds."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ClientStudy:
    """Runs of one policy with several seeds.

    Each estimate is the mean over the runs, with a confidence interval. The runs of different policies with
    the same seed have the same fresh requests, so that differences between policies are not due to chance.

    Attributes:
        limiter: the limiter.
        workload: the fresh requests.
        policy: the policy of all clients.
        server: the server.
        runs: one run for each seed.
        confidence: confidence of the intervals.
    """

    limiter: Limiter
    workload: ClientWorkload
    policy: ClientPolicy
    server: ServerModel
    runs: tuple[ClientRun, ...] = field(repr=False)
    confidence: float

    def estimate(self, value: Callable[[ClientRun], float]) -> Estimate:
        """Return the estimate of any value of a run.

        Args:
            value: function from a run to a finite number.

        Raises:
            InvalidLimit: a value is not finite.
        """
        return Estimate.of([value(run) for run in self.runs], self.confidence)

    @property
    def demand_per_s(self) -> Estimate:
        """Fresh requests per second."""
        return self.estimate(lambda run: len(run.requests) / run.duration_s)

    @property
    def attempts_per_s(self) -> Estimate:
        """Attempts per second."""
        return self.estimate(lambda run: run.attempts_per_s)

    @property
    def goodput_per_s(self) -> Estimate:
        """Successful requests per second."""
        return self.estimate(lambda run: run.goodput_per_s)

    @property
    def served_share(self) -> Estimate:
        """Successful requests divided by all."""
        return self.estimate(lambda run: run.served_share)

    @property
    def amplification(self) -> Estimate:
        """Attempts per request."""
        return self.estimate(lambda run: run.amplification)

    @property
    def fairness(self) -> Estimate:
        """Jain's index over the clients. See `ClientRun.fairness`."""
        return self.estimate(lambda run: run.fairness)

    @property
    def time_to_success_s(self) -> Estimate | None:
        """Mean time until a success in seconds; None if a run had none."""
        return self._estimate_of([run.time_to_success_s for run in self.runs])

    @property
    def recovery_s(self) -> Estimate | None:
        """Time to recover in seconds; None unless every run recovered. See `ClientRun.recovery_s`."""
        return self._estimate_of([run.recovery_s for run in self.runs])

    @property
    def recovered_share(self) -> float | None:
        """Share of the runs that recovered; None without a disturbance."""
        times = [run.recovery_s for run in self.runs if run.recovery_s is not None]
        return sum(map(math.isfinite, times)) / len(times) if times else None

    def _estimate_of(self, values: list[float | None]) -> Estimate | None:
        finite = [value for value in values if value is not None and math.isfinite(value)]
        return Estimate.of(finite, self.confidence) if len(finite) == len(values) else None

    def __str__(self) -> str:
        rows = {
            "demand": f"{self.demand_per_s} requests/s",
            "goodput": f"{self.goodput_per_s} requests/s",
            "attempts": f"{self.attempts_per_s} /s, {self.amplification} per request",
            "fairness": f"{self.fairness}",
        }
        if self.recovered_share is not None:
            known = self.recovery_s
            rows["recovery"] = f"{known} s" if known else f"in {self.recovered_share:.0%} of the runs"
        return "\n".join(f"{name:<9} {text}" for name, text in rows.items())


def simulate_clients(
    limiter: Limiter,
    workload: ClientWorkload,
    policy: ClientPolicy | str,
    *,
    server: ServerModel | None = None,
    seeds: Iterable[int] = range(10),
    confidence: float = 0.95,
) -> ClientStudy:
    """Simulate clients that react: a closed loop of a limiter and of clients that retry.

    The decisions are those of the limiter, exactly, as `Limiter.begin` gives them. In `PerClient` limits
    each client is one by every key.

    Args:
        limiter: the limit, or several as `Layers`.
        workload: the fresh requests.
        policy: the policy of all clients, or the name of one in `client_policies`.
        server: response times, Retry-After and outages; by default a server that responds at once.
        seeds: a seed for each run.
        confidence: confidence of the intervals, above 0 and below 1.

    Raises:
        InvalidLimit: the first argument is no limiter, there is no such policy, or another argument is
            invalid.
        InvalidArrivals: there are no seeds or too many, or too many requests or attempts.

    >>> from hook_widgets.ratelimit import TokenBucket
    >>> study = simulate_clients(TokenBucket(10, "10/s"), ClientWorkload("20/s", 60), "none", seeds=range(3))
    >>> round(study.goodput_per_s.mean), study.amplification.mean
    (10, 1.0)
    """
    chosen = client_policy(policy) if isinstance(policy, str) else policy
    model = ServerModel() if server is None else server
    for name, value, kind in (
        ("workload", workload, ClientWorkload),
        ("policy", chosen, ClientPolicy),
        ("server", model, ServerModel),
    ):
        if not isinstance(value, kind):
            raise InvalidLimit(f"must be a {kind.__name__}, not {shown(value)}", subject=name)
    if not 0 < confidence < 1:
        raise InvalidLimit("must be above 0 and below 1", subject="confidence")
    checked = checked_limiter(limiter)
    runs = tuple(EventLoop(checked, workload, chosen, model, seed).run() for seed in _seeds(seeds))
    return ClientStudy(
        limiter=checked, workload=workload, policy=chosen, server=model, runs=runs, confidence=confidence
    )


def sweep_demand(
    limiter: Limiter,
    workload: ClientWorkload,
    policy: ClientPolicy | str,
    rates_per_s: Iterable[Quantity],
    *,
    server: ServerModel | None = None,
    seeds: Iterable[int] = range(10),
    confidence: float = 0.95,
) -> tuple[ClientStudy, ...]:
    """Simulate one policy at several rates of fresh requests, for a curve of demand against goodput.

    Args:
        limiter: the limit, or several as `Layers`.
        workload: the fresh requests, whose rate is replaced.
        policy: the policy of all clients, or the name of one.
        rates_per_s: the rates.
        server: response times, Retry-After and outages.
        seeds: a seed for each run of a rate.
        confidence: confidence of the intervals, above 0 and below 1.

    Raises:
        InvalidLimit: as `simulate_clients`.
        InvalidArrivals: as `simulate_clients`, or a rate is invalid.
    """
    listed = _seeds(seeds)
    return tuple(
        simulate_clients(
            limiter, workload.with_rate(rate), policy, server=server, seeds=listed, confidence=confidence
        )
        for rate in several(rates_per_s, "rates_per_s", InvalidLimit)
    )


def _seeds(seeds: Iterable[int]) -> list[int]:
    if isinstance(seeds, int) or not isinstance(seeds, Iterable):
        raise InvalidArrivals("must be a list, such as range(10)", subject="seeds")
    listed: list[int] = []
    for seed in seeds:
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise InvalidArrivals(f"must be integers, not {shown(seed)}", subject="seeds")
        listed.append(seed)
        if len(listed) > MAX_RUNS:
            raise InvalidArrivals(f"are more than {MAX_RUNS}; give fewer", subject="seeds")
    if not listed:
        raise InvalidArrivals("are empty; give at least one", subject="seeds")
    return listed


def checked_study(study: object) -> ClientStudy:
    """Return a study.

    Raises:
        LimitModelError: it is something else.
    """
    if not isinstance(study, ClientStudy):
        raise LimitModelError(f"{shown(study)} is no study; give what simulate_clients returns")
    return study


def named_studies(title: str, studies: ClientStudy | Mapping[str, ClientStudy]) -> dict[str, ClientStudy]:
    """Return studies by title; a single one gets `title`.

    Raises:
        LimitModelError: one is something else.
    """
    named = studies if isinstance(studies, Mapping) else {title: studies}
    return {title: checked_study(study) for title, study in named.items()}
