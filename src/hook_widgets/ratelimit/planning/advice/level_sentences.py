"""Sentences on limits that are kept for each user, IP address or endpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from hook_widgets.ratelimit.formatting import percent, short, window
from hook_widgets.ratelimit.planning.advice.claims import Advice, Claim, ClaimKind, claim, reason
from hook_widgets.ratelimit.planning.levels import LEVELS
from hook_widgets.ratelimit.planning.metrics import PublishedLimit, Value

_PLURAL = {"ip": "IP addresses", "user": "users", "endpoint": "endpoints"}


def level_reasons(limits: Iterable[PublishedLimit], rate: Callable[[Value], str]) -> Iterator[Advice]:
    """Yield a sentence on what each limit of a level means for the whole traffic."""
    for limit in limits:
        if not limit.per:
            continue
        name, total = named(limit).replace("the", "The", 1), rate(limit.rate_per_s)
        keys = f"{short(limit.keys)} {_PLURAL[limit.per]}"
        if limit.keys == 1:
            text = f"With one {LEVELS[limit.per]}, {named(limit)} is one for all requests."
        elif limit.is_even:
            text = (
                f"{name} allows {total} in total if {keys} send in turn; real traffic is less even, so "
                "set the share of the busiest."
            )
        else:
            share = percent(limit.share)
            text = f"{name} allows {total} in total if the busiest of {keys} sends {share} of it."
        yield reason(text, level_claim(limit))


def level_claim(limit: PublishedLimit) -> Claim:
    """Return what is claimed of the rate that a limit allows in total."""
    allowed: dict[str, Value] = {"rate_per_s": limit.rate_per_s, "one_per_s": limit.rate_of_one_per_s}
    return claim(ClaimKind.LEVEL_ADMITS, **allowed, keys=limit.keys, share=limit.share)


def named(limit: PublishedLimit) -> str:
    """Return the name of a limit in a sentence."""
    name = f" {limit.name!r}" if limit.name and limit.name != limit.level.strip() else ""
    return f"the limit{name} of {short(limit.quota)} {window(limit.window_s)}{limit.level}"
