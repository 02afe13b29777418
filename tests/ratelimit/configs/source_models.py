"""Models of rate limiters that cannot run here, each transcribed from its source, line by line.

They share nothing with hook_widgets. Times are whole nanoseconds. Read in November 2026, at these commits:

- golang.org/x/time 0.3.0: rate/rate.go
- Traefik fd5a576: pkg/middlewares/ratelimiter/rate_limiter.go, in_memory_limiter.go; mailgun/ttlmap c1c17f7
- caddy-ratelimit 5625512: ringbuffer.go, handler.go
- Ingress NGINX Controller dbb11b9: internal/ingress/annotations/ratelimit/main.go, template.go
- Kong 22246ef: kong/plugins/rate-limiting/handler.lua, policies/init.lua; kong/tools/timestamp.lua
- krakend-ratelimit 9870727: tokenbucket.go
- governor 9f3a79d: src/gcra.rs, src/quota.rs
- Bucket4j 731354a: BucketState64BitsInteger.java, BandwidthBuilder.java
- redis-cell 4d42338: src/cell/mod.rs, src/redis/mod.rs; Redis: src/db.c (keyIsExpired), src/module.c
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import ClassVar

S = 10**9


class GoLimiter:
    """rate.Limiter: reserveN of one token, and Allow."""

    def __init__(self, limit: float, burst: int) -> None:
        self.limit, self.burst = limit, burst
        self.tokens = float(burst)
        self.last: int | None = None

    def reserve(self, now: int, max_wait: int | None = None) -> int | None:
        """Nanoseconds until a token is there; None and no change if that is longer than `max_wait`."""
        elapsed = 0 if self.last is None else now - self.last
        tokens = min(self.tokens + elapsed / S * self.limit, float(self.burst)) - 1.0
        wait = int(S * (-tokens / self.limit)) if tokens < 0 else 0  # durationFromTokens
        if max_wait is not None and wait > max_wait:
            return None
        self.last, self.tokens = now, tokens
        return wait

    def cancel(self) -> None:
        """Reservation.CancelAt of the last reservation, at the same instant."""
        self.tokens += 1.0

    def admits(self, now: int) -> bool:
        return self.reserve(now, 0) is not None


class Traefik:
    """rateLimiter.ServeHTTP of one source."""

    def __init__(self, average: int, period_ns: int, burst: int) -> None:
        self.limit = float(average * S) / float(period_ns)
        self.burst = max(burst, 1)
        self.max_delay = S // 2 if self.limit < 1 else S // (int(self.limit) * 2)
        self.ttl = 2 if self.limit >= 1 else 1 + int(1 / self.limit)
        self.expiry_s = -1
        self.bucket = GoLimiter(self.limit, self.burst)

    def wait(self, now: int) -> int | None:
        """Nanoseconds that a request waits; None if it is rejected."""
        if 0 <= self.expiry_s <= now // S:  # TtlMap.get: expired := Priority <= now
            self.bucket = GoLimiter(self.limit, self.burst)
        self.expiry_s = (now + self.ttl * S) // S  # TtlMap.toEpochSeconds
        delay = self.bucket.reserve(now)
        assert delay is not None
        if delay > self.max_delay:
            self.bucket.cancel()
            return None
        return delay

    def admits(self, now: int) -> bool:
        return self.wait(now) is not None


class Caddy:
    """ringBufferRateLimiter of one key, and what the handler makes of When()."""

    def __init__(self, events: int, window_ns: int) -> None:
        self.window = window_ns
        self.ring = [-(10**30)] * events  # the zero time
        self.cursor = 0

    def admits(self, now: int) -> bool:
        if now - self.ring[self.cursor] > self.window:
            self.ring[self.cursor] = now
            self.cursor = (self.cursor + 1) % len(self.ring)
            return True
        return not self.ring[self.cursor] + self.window - now > 0  # rejected if dur > 0


class Kong:
    """RateLimitingHandler:access with the policy local, for one identifier."""

    SECONDS: ClassVar = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}

    def __init__(self, limits: dict[str, int]) -> None:
        self.limits = limits
        self.usage: defaultdict[tuple[str, int], int] = defaultdict(int)

    def admits(self, now: int) -> bool:
        current = now // S  # ngx.time()
        keys = {period: (period, current - current % self.SECONDS[period]) for period in self.limits}
        if any(self.limits[period] - self.usage[key] <= 0 for period, key in keys.items()):
            return False
        for key in keys.values():
            self.usage[key] += 1
        return True


class KrakenD:
    """TokenBucket.canConsume."""

    def __init__(self, rate: float, capacity: int, now: int = 0) -> None:
        self.fill_interval = int(1e9 / rate)
        self.capacity = self.tokens = capacity
        self.last_refill = now

    def admits(self, now: int) -> bool:
        if self.tokens > 0:
            self.tokens -= 1
            return True
        to_add = (now - self.last_refill) // self.fill_interval
        if to_add == 0:
            return False
        self.last_refill += to_add * self.fill_interval
        if self.tokens + to_add > self.capacity:
            self.tokens = self.capacity
            return True
        self.tokens += to_add - 1
        return True


class Governor:
    """Gcra::test_and_update of a quota."""

    def __init__(self, replenish_1_per_ns: int, burst: int) -> None:
        self.t = max(replenish_1_per_ns, 1)
        self.tau = self.t * (burst - 1)
        self.tat: int | None = None

    def admits(self, now: int) -> bool:
        tat = now if self.tat is None else self.tat
        if now < max(tat - self.tau, 0):
            return False
        self.tat = max(tat, now) + self.t
        return True


@dataclass
class Bandwidth:
    """One bandwidth of a bucket of Bucket4j, and its state."""

    capacity: int
    tokens: int
    period_ns: int
    intervally: bool = False
    initial: int | None = None
    size: int = field(init=False)
    last: int = 0
    rounding_error: int = 0

    def __post_init__(self) -> None:
        self.size = self.capacity if self.initial is None else self.initial

    def refill(self, now: int) -> None:
        previous = self.last
        if now <= previous:
            return
        if self.intervally:
            now -= (now - previous) % self.period_ns
        if now <= previous:
            return
        self.last = now
        if self.size >= self.capacity:
            return
        duration, size = now - previous, self.size
        if duration > self.period_ns:
            size += duration // self.period_ns * self.tokens
            if size > self.capacity:
                self.size, self.rounding_error = self.capacity, 0
                return
            duration %= self.period_ns
        divided = self.tokens * duration + self.rounding_error
        calculated = divided // self.period_ns
        error = divided if calculated == 0 else divided % self.period_ns
        size += calculated
        if size >= self.capacity:
            self.size, self.rounding_error = self.capacity, 0
            return
        self.size, self.rounding_error = size, error


class Bucket4j:
    """LockFreeBucket.tryConsume over several bandwidths."""

    def __init__(self, *bandwidths: Bandwidth) -> None:
        self.bandwidths = bandwidths

    def admits(self, now: int, tokens: int = 1) -> bool:
        for bandwidth in self.bandwidths:
            bandwidth.refill(now)
        if tokens > min(bandwidth.size for bandwidth in self.bandwidths):
            return False
        for bandwidth in self.bandwidths:
            bandwidth.size -= tokens
        return True


class RedisCell:
    """RateLimiter::rate_limit of one key, which Redis expires in whole milliseconds."""

    def __init__(self, max_burst: int, count: int, period_s: int) -> None:
        self.interval = int(float(period_s * S) / float(count))
        self.tolerance = self.interval * (max_burst + 1)
        self.tat: int | None = None
        self.expires_ms = 0

    def admits(self, now: int) -> bool:
        if self.tat is not None and now // 10**6 > self.expires_ms:  # keyIsExpired: now > when
            self.tat = None
        tat = now if self.tat is None else self.tat
        new_tat = max(tat, now) + self.interval
        if now - (new_tat - self.tolerance) < 0:
            return False
        self.tat = new_tat
        self.expires_ms = now // 10**6 + (new_tat - now) // 10**6  # whole_milliseconds
        return True


def ingress_directives(annotations: dict[str, str], name: str, key: str) -> tuple[list[str], str]:
    """The zones and the uses that the controller's template renders for these annotations."""
    prefix = "nginx.ingress.kubernetes.io/limit-"
    multiplier = int(annotations.get(f"{prefix}burst-multiplier", "5"))
    zones, uses = [], []
    for unit in ("s", "m"):  # buildRateLimit: RPS, then RPM
        limit = int(annotations.get(f"{prefix}rp{unit}", "0"))
        if limit > 0:
            zones.append(f"limit_req_zone {key} zone={name}_rp{unit}:5m rate={limit}r/{unit};")
            uses.append(f"limit_req zone={name}_rp{unit} burst={limit * multiplier} nodelay;")
    return zones, " ".join(uses)
