"""Hidden limiters with what a client sees of them: requests with a latency, decided at any time within it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from fractions import Fraction

from hook_widgets.ratelimit import FixedWindow, Limiter, SlidingCounter, SlidingLog, TokenBucket
from hook_widgets.ratelimit.inference import Inference, Observation, ProbeStep, infer

BUCKET = "token bucket, leaky bucket or GCRA"


def windows(limit: int, window_s: int, phase_s: Fraction) -> dict[str, Limiter]:
    """Return one limiter of each family with windows by its name."""
    limiters: dict[str, Limiter] = {
        "sliding log": SlidingLog(limit, window_s),
        "sliding log that counts rejected requests": SlidingLog(
            limit, window_s, "closed", count_rejected=True
        ),
        "fixed window by the clock": FixedWindow(limit, window_s, phase_s=phase_s),
        "fixed window from the first request": FixedWindow(limit, window_s, "first"),
    }
    for align, begin in (("clock", "by the clock"), ("first", "from the first request")):
        for rule in ("le_plus_one", "lt"):
            for counts, text in ((False, ""), (True, " that counts rejected requests")):
                phase = phase_s if align == "clock" else 0
                name = f'sliding counter {begin} with rule "{rule}"{text}'
                limiters[name] = SlidingCounter(limit, window_s, rule, counts, align, phase)
    return limiters


class Api:
    """A limiter behind a network: each request takes `round_trip_s` and is decided at a random time in it."""

    def __init__(self, limiter: Limiter, chance: random.Random, round_trip_s: Fraction) -> None:
        self._running = limiter.begin()
        self._chance = chance
        self._round_trip_s = round_trip_s
        self._start_s = Fraction(chance.randrange(100_000), 1000)  # of the client's clock by the server's
        self._now_s = Fraction(0)
        self.observations: list[Observation] = []

    def wait(self, seconds: float | Fraction) -> None:
        self._now_s += Fraction(round(seconds * 10**6), 10**6)

    def send(self) -> bool:
        sent = self._now_s
        decided = sent + Fraction(self._chance.randrange(1001), 1000) * self._round_trip_s
        admitted = bool(self._running.decide(self._start_s + decided))
        self._now_s += self._round_trip_s
        self.observations.append(Observation(sent, self._now_s, 200 if admitted else 429))
        return admitted

    def run(self, steps: Iterable[ProbeStep], most: int) -> None:
        for step in steps:
            self.wait(step.wait_s)
            for _ in range(step.requests):
                if len(self.observations) == most or (not self.send() and step.until_rejected):
                    break


def at_random(
    limiter: Limiter, chance: random.Random, round_trip_s: Fraction, requests: int
) -> list[Observation]:
    """Return what a client sees that sends bursts after random pauses."""
    api = Api(limiter, chance, round_trip_s)
    while len(api.observations) < requests:
        api.wait(10 ** chance.uniform(-1.7, 1.8))
        for _ in range(min(chance.randint(2, 12), requests - len(api.observations))):
            api.send()
    return api.observations


def probed(limiter: Limiter, chance: random.Random, round_trip_s: Fraction, requests: int) -> Inference:
    """Return what is inferred if the requests are sent that `Inference.next_probe` plans."""
    api = Api(limiter, chance, round_trip_s)
    result = infer([])
    while plan := result.next_probe(max_requests=requests - len(api.observations)):
        api.run(plan.steps, requests)
        result = result.extend(api.observations[result.requests :])
    return result


def keeps(result: Inference, name: str, limiter: Limiter) -> bool:
    """Return True if the regions of a result contain a limiter of the family with this name."""
    regions: Sequence = [
        region for each in result.classes for region in each.regions if region.algorithm == name
    ]
    if isinstance(limiter, TokenBucket):
        capacity, rate = float(limiter.capacity), float(limiter.refill_rate)
        return any(
            region.capacity[0] <= capacity <= region.capacity[1]
            and region.refill_rate[0] <= rate <= region.refill_rate[1]
            for region in regions
        )
    assert isinstance(limiter, FixedWindow | SlidingLog | SlidingCounter)
    limit, window_s = limiter.limit, limiter.window_s
    return any(
        region.limit == limit and region.window_s[0] <= window_s <= region.window_s[1] for region in regions
    )
