"""Divide traffic into parts that a limit decides independently: by client, or at pauses."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final, Literal, NamedTuple

from hook_widgets.errors import InvalidLimit
from hook_widgets.ratelimit.limiters.base import Limiter, SingleLimiter, ceil_div
from hook_widgets.ratelimit.limiters.buckets import Gcra, LeakyBucket, TokenBucket
from hook_widgets.ratelimit.limiters.hold_off import HoldOff, inner_limit
from hook_widgets.ratelimit.limiters.keyed import PerClient, Replicas, one_client
from hook_widgets.ratelimit.limiters.windows import (
    FixedWindow,
    SlidingCounter,
    SlidingLog,
    WindowAlignment,
    WindowEdge,
)
from hook_widgets.ratelimit.sweeping.traffic_file import TrafficFile
from hook_widgets.ratelimit.units import NS_PER_S

_BLOCK: Final = 1 << 20


class Part(NamedTuple):
    """A part of the requests.

    Attributes:
        by: ``"time"``: the requests from index `first` up to, excluding, index `second`; ``"client"``: those
            of the clients whose number leaves the remainder `first` when divided by `second`.
    """

    by: Literal["time", "client"]
    first: int
    second: int


def divide(limiter: Limiter, traffic: TrafficFile, count: int) -> list[Part]:
    """Return at most `count` parts that are decided as in the whole traffic.

    Raises:
        InvalidLimit: the limit couples all requests.
    """
    if count == 1 or not traffic.count:
        return [Part("time", 0, traffic.count)]
    for layer in limiter.layers:
        if isinstance(layer, Replicas):
            raise InvalidLimit(
                f"{limiter.label} cannot be divided: {layer.label!r} routes requests in their order; leave "
                "parts out"
            )
    keys = {layer.key if isinstance(layer, PerClient) else "" for layer in limiter.layers}
    if len(keys) == 1 and "" not in keys:
        return [Part("client", k, count) for k in range(count)]
    edges = _edges(limiter, traffic.times_ns(), count)
    if len(edges) < 3:
        shared = [layer.label for layer in limiter.layers if not isinstance(layer, PerClient)]
        coupled = f"{shared[0]} is shared by all" if shared else f"it has clients by {sorted(keys)}"
        raise InvalidLimit(
            f"{limiter.label} cannot be divided: {coupled}, and there is no pause after which it starts "
            "afresh; leave parts out"
        )
    return [Part("time", begin, end) for begin, end in pairwise(edges)]


def _edges(limiter: Limiter, times_ns: Any, count: int) -> list[int]:
    """Return indexes that begin parts of about equal length, with 0 and the number of requests."""
    total, edges = len(times_ns), [0]
    for k in range(1, count):
        aim = max(total * k // count, edges[-1] + 1)
        cut = next(_cuts(limiter, times_ns, aim), None)
        if cut is None:
            break
        edges.append(cut)
    return [*edges, total]


def _cuts(limiter: Limiter, times_ns: Any, first: int) -> Iterator[int]:
    """Yield the indexes of requests, from `first` on, that every layer decides as if none came before."""
    for begin in range(first, len(times_ns), _BLOCK):
        stop = min(begin + _BLOCK, len(times_ns))
        before, times = times_ns[begin - 1 : stop - 1], times_ns[begin:stop]
        cut = _begins_anew(limiter.layers[0], before, times)
        for layer in limiter.layers[1:]:
            cut &= _begins_anew(layer, before, times)
        yield from (begin + cut.nonzero()[0]).tolist()


def _begins_anew(layer: SingleLimiter, before: Any, times: Any) -> Any:
    """Return for each request if a layer decides it as if the one before it, and all others, had not come.

    A pause also empties the limit of each client, since its own pauses are not shorter.
    """
    gaps = times - before
    one, limit = one_client(layer), inner_limit(layer)
    anew: Any
    match limit:
        case FixedWindow(align=WindowAlignment.CLOCK) | SlidingCounter(align=WindowAlignment.CLOCK):
            per_ns = limit._ticks_per_ns()
            phase, window = (int(s * NS_PER_S * per_ns) for s in (limit.phase_s, limit.window_s))
            passed = (times * per_ns - phase) // window - (before * per_ns - phase) // window
            anew = passed >= (1 if isinstance(limit, FixedWindow) else 2)
        case FixedWindow():
            anew = gaps >= _ns(limit.window_s)
        case SlidingCounter():
            anew = gaps >= _ns(2 * limit.window_s)
        case SlidingLog(edge=WindowEdge.CLOSED):
            anew = gaps > int(limit.window_s * NS_PER_S)
        case SlidingLog():
            anew = gaps >= _ns(limit.window_s)
        case TokenBucket() | Gcra():
            bucket = limit.as_token_bucket() if isinstance(limit, Gcra) else limit
            anew = gaps >= _ns(bucket.capacity / bucket.refill_rate + (bucket.refill_every_s or 0))
        case LeakyBucket():
            anew = gaps >= _ns((limit._places + 2) / limit.drain_rate)
        case _:
            anew = gaps < 0
    return anew & (gaps >= _ns(one.hold_s)) if isinstance(one, HoldOff) else anew


def _ns(seconds: Fraction) -> int:
    return ceil_div(seconds * NS_PER_S, 1)
