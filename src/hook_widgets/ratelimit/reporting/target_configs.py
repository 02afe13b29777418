"""The API's limiter as each server and library would enforce it, for the calculator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.configs.api import MODULES, ExportTarget, export_config
from hook_widgets.ratelimit.configs.model import Deviation
from hook_widgets.ratelimit.limiters.base import Limiter
from hook_widgets.ratelimit.limiters.buckets import LeakyBucket, WaitingBucket
from hook_widgets.ratelimit.limiters.keyed import PerClient
from hook_widgets.ratelimit.limiters.layers import all_of
from hook_widgets.ratelimit.limiters.windows import FixedWindow, SlidingCounter, SlidingLog
from hook_widgets.ratelimit.planning.scenario import Scenario

_FROM_FIRST = Deviation("windows begin with the first request, not on the clock")
_CLOSED = Deviation("a request exactly one window old still counts")
_COUNTS_REJECTED = Deviation(
    "windows begin with the first request, and rejected ones count: clients that keep retrying are locked out"
)
_REJECTS = Deviation("requests above the limit are rejected instead of waiting")
_AT_ONCE = Deviation("the first request of a burst passes at once, and the others wait one interval less")


@dataclass(frozen=True, slots=True)
class TargetConfig:
    """The configuration of one target.

    Attributes:
        target: one of `ExportTarget`.
        kind: ``"proxies"``, ``"gateways"`` or ``"libraries"``.
        text: the configuration; empty if there is a problem.
        deviations: in what it differs from the simulated limiter, one sentence each.
        problem: the reason why the target cannot enforce the limiter, and what it can; empty if it can.
    """

    target: str
    kind: str
    text: str
    deviations: tuple[str, ...]
    problem: str


def target_configs(scenario: Scenario) -> list[TargetConfig]:
    """Return the configuration of each target; of the nearest limiter where it cannot enforce this one."""
    variants = list(_variants(scenario.limiter()))
    return [_config(target, variants) for target in ExportTarget]


def _config(target: ExportTarget, variants: list[tuple[Limiter, tuple[Deviation, ...]]]) -> TargetConfig:
    kind, problem = MODULES[target].partition(".")[0], ""
    for limiter, changes in variants:
        try:
            config = export_config(limiter, target)
        except InvalidLimit as error:
            problem = problem or str(error)
        else:
            sentences = tuple(_sentence(deviation, target) for deviation in (*changes, *config.deviations))
            return TargetConfig(target, kind, config.text, sentences, "")
    if any(_per_address(limiter, target) for limiter, _ in variants):
        problem = f"{target} limits each client on its own; let the limit apply to each IP address"
    return TargetConfig(target, kind, "", (), problem)


def _per_address(limiter: Limiter, target: ExportTarget) -> bool:
    """Return True if a target enforces a limit for all as one of each IP address."""
    if any(isinstance(layer, PerClient) for layer in limiter.layers):
        return False
    try:
        export_config(PerClient("ip", limiter), target)
    except InvalidLimit:
        return False
    return True


def _sentence(deviation: Deviation, target: str) -> str:
    """Return a deviation with a capital letter, unless it begins with the name of the target."""
    text = str(deviation)
    return text if text.startswith(target) else f"{text[:1].upper()}{text[1:]}"


def _variants(limiter: Limiter) -> Iterator[tuple[Limiter, tuple[Deviation, ...]]]:
    """Yield the limiter, and the nearest one that begins windows or counts requests as libraries do."""
    yield limiter, ()
    nearest = [_nearest(layer) for layer in limiter.layers]
    layers = [layer for layer, _ in nearest]
    changes = dict.fromkeys(change for _, change in nearest if change is not None)
    if changes:
        yield all_of(layers), tuple(changes)


def _nearest(limiter: Limiter) -> tuple[Limiter, Deviation | None]:
    match limiter:
        case PerClient():
            one, change = _nearest(limiter.limit)
            return PerClient(limiter.key, one, name=limiter.name), change
        case FixedWindow(limit=limit, window_s=window_s):
            return FixedWindow(limit, window_s, "first", name=limiter.name), _FROM_FIRST
        case SlidingLog(limit=limit, window_s=window_s):
            return SlidingLog(limit, window_s, "closed", name=limiter.name), _CLOSED
        case SlidingCounter(limit=limit, window_s=window_s):
            counter = SlidingCounter(limit, window_s, count_rejected=True, align="first", name=limiter.name)
            return counter, _COUNTS_REJECTED
        case WaitingBucket():
            return limiter.as_token_bucket(), _REJECTS
        case LeakyBucket(queue_size=size) if size:
            return LeakyBucket(size - 1, limiter.drain_rate, "immediate", name=limiter.name), _AT_ONCE
    return limiter, None
