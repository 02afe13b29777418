"""Signatures per second, against the bare digest and against the packages that users have today.

Run it with `make bench`. All candidates of one body size are timed in turn, round after round, so that a
machine that slows down slows down for all of them; the best round of each counts.
"""

from __future__ import annotations

import base64
import hmac
import timeit
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial

from slack_sdk.signature import SignatureVerifier
from standardwebhooks import Webhook

from hook_widgets.webhooks import Secret, provider
from tests.benchmarks.report import Gap, Parts, Row, emit

ROUNDS = 25
KEY = b"k" * 32
AT = datetime(2026, 9, 30, 12, tzinfo=UTC)
STAMP = str(int(AT.timestamp()))


def candidates(body: bytes) -> dict[str, Callable[[], object]]:
    """Return the timed functions; each call signs `body`, the bytes on the wire, once."""
    secret, stamp = Secret(KEY.decode()), STAMP.encode()
    slack = SignatureVerifier(KEY.decode())
    standard = Webhook(base64.b64encode(KEY).decode())
    github = provider("generic").signature_function(secret)
    chat = provider("slack").signature_function(secret)
    draft = provider("slack").draft(body=body, at=AT)
    return {
        "hmac.digest (the limit)": lambda: hmac.digest(KEY, body, "sha256"),
        "ours, body alone": lambda: github(body=body),
        "ours, v0:timestamp:body": lambda: chat(timestamp=stamp, body=body),
        "ours, Draft.sign (whole request)": lambda: draft.sign(secret),
        "slack_sdk, v0:timestamp:body": lambda: slack.generate_signature(timestamp=STAMP, body=body),
        "standardwebhooks, id.timestamp.body": lambda: standard.sign("msg_1", AT, body.decode()),
    }


def best_seconds(
    calls: dict[str, Callable[[], object]], number: int, *, rounds: int = ROUNDS
) -> dict[str, float]:
    """The best time of one call of each candidate, in seconds."""
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            best[name] = min(best[name], timeit.timeit(call, number=number) / number)
    return best


def rows(label: str, size: int, number: int, *, rounds: int) -> Iterator[Row]:
    """Yield a row for each signature of ours beside the digest, and beside each library that has the same."""
    pairs = (
        ("ours, body alone", "hmac.digest (the limit)"),
        ("ours, v0:timestamp:body", "slack_sdk, v0:timestamp:body"),
        ("ours, v0:timestamp:body", "standardwebhooks, id.timestamp.body"),
        ("ours, Draft.sign (whole request)", "hmac.digest (the limit)"),
    )
    body = b'{"a":"' + b"x" * (size - 8) + b'"}'
    best = best_seconds(candidates(body), number, rounds=rounds)
    for ours, anchor in pairs:
        yield Row(
            what=f"Sign {label}: {ours.removeprefix('ours, ')}",
            ours=best[ours] * 1e6,
            anchor=best[anchor] * 1e6,
            anchor_name=anchor,
            unit="us",
            runs=rounds,
        )


def parts(*, smallest: bool = False) -> Parts:
    """Return the parts, of the usual or of the smallest size."""
    sizes = {"1 KB": (1024, 2000), "1 MB": (1 << 20, 12)}
    return {
        f"Sign {label}": partial(
            rows, label, size, 1 if smallest else number, rounds=1 if smallest else ROUNDS
        )
        for label, (size, number) in sizes.items()
    }


def main() -> Sequence[Gap]:
    """Measure, and return what is missing."""
    return emit(parts(), "slack-sdk", "standardwebhooks")
