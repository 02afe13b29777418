"""Arguments of plans as a person would enter them, alone and together."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from hook_widgets.ratelimit.planning.plan import plan


def random_arguments(number: int) -> dict[str, Any]:
    """Return the arguments of one plan; as a person would enter them, alone and together."""
    dice = random.Random(f"plan {number}")
    limit = dice.choice(
        ["1000/hour", "100/s", "60/min", "10000/s", "5/s", "190/10 s", "2/s", "1/min", "github-user",
         "stripe-live", "aws-api-gateway", "kubernetes-client", "shopify-rest", "slack-posting",
         "hubspot-professional"]
    )  # fmt: skip
    per_s = float(plan(limit).binding.rate_per_s)
    choices: dict[str, Callable[[], Any]] = {
        "burst_allowance": lambda: dice.choice([1, 5, 40, 150, 5_000]),
        "capacity": lambda: dice.choice([1, 3, 10, 150, 2_000]),
        "cushion": lambda: dice.choice([0, 0.05, 0.1, 0.2, 0.3]),
        "steady": lambda: f"{per_s * dice.choice([0.1, 0.5, 0.7, 0.83, 0.9, 1, 1.2, 3]):.9f}/s",
        "burst": lambda: dice.choice([1, 2, 7, 30, 200, 1_000]),
        "burst_window_s": lambda: dice.choice([0, 0.5, 2, 20]),
        "clients": lambda: dice.choice([2, 3, 12, 100]),
        "timeout_s": lambda: dice.choice([0.1, 1, 10, 30, 300]),
        "retries": lambda: dice.randrange(5),
    }
    arguments = {name: choose() for name, choose in choices.items() if dice.random() < 0.45}
    if dice.random() < 0.4:
        arguments["latency_s"] = dice.choice([0.01, 0.25, 2])
        if dice.random() < 0.6:
            arguments["concurrency"] = dice.choice([1, 2, 10, 50])
        if dice.random() < 0.4:
            arguments["in_flight"] = dice.choice([1, 5, 100])
    if dice.random() < 0.2:
        arguments.pop("clients", None)
        arguments["weights"] = {"web": 7, "batch": 2, "cron": 1}
    if dice.random() < 0.35:
        arguments |= random_levels(dice)
        limit = arguments.pop("limit")
    return {"limit": limit, **arguments}


def random_levels(dice: random.Random) -> dict[str, Any]:
    """Return limits of which some are kept for each user, IP address or endpoint, and their numbers."""
    limits = dice.sample(
        ["100/min per user", "1000/hour per ip", "20/s per user", "5/s per endpoint", "30/10 s per IP",
         "10/min per user", "2/s per ip"],
        dice.choice([1, 1, 2]),
    )  # fmt: skip
    if dice.random() < 0.6:
        limits.insert(dice.randrange(2), dice.choice(["1000/min", "10000/hour", "100/s"]))
    choices = {
        "users": lambda: dice.choice([1, 2, 3, 7, 12, 100]),
        "ips": lambda: dice.choice([1, 2, 5, 40]),
        "endpoints": lambda: dice.choice([2, 3, 10]),
    }
    arguments: dict[str, Any] = {name: choose() for name, choose in choices.items() if dice.random() < 0.7}
    if dice.random() < 0.4:  # at least two of each, so that a half is not too little
        arguments["busiest_share"] = dice.choice([0.5, 0.6, 2 / 3, 0.75, 0.9, 1])
        arguments |= {name: max(arguments.get(name, 2), 2) for name in choices}
    per_s = float(plan(limits, **arguments).binding.rate_per_s)
    if dice.random() < 0.7:
        arguments["steady"] = f"{per_s * dice.choice([0.3, 0.7, 0.83, 1, 1.3, 3]):.9f}/s"
    return {"limit": limits, **arguments}
