"""The requests that each ``wire.ts`` documents are those that the kernel serves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hook_widgets import RateLimitCalculator, VersionPlanner, WebhookGenerator

_SRC = Path(__file__).parents[2] / "js/src"
#: a documented request: its name or names, and its arguments in braces
_REQUEST = re.compile(r"^ \*   ([a-z_]+(?: \| [a-z_]+)*) \{", re.MULTILINE)


def documented(*names: str) -> set[str]:
    """The names of the requests that these files document."""
    operations = set()
    for name in names:
        comment = (_SRC / name).read_text(encoding="utf-8").split("*/")[0]
        requests = comment.split("NOTIFICATIONS")[0].partition("TRAITS")[2] or comment
        for line in _REQUEST.findall(requests):
            operations.update(line.split(" | "))
    return operations


@pytest.mark.parametrize(
    ("widget", "names"),
    [
        (lambda: WebhookGenerator("github"), ["generator/wire.ts"]),
        (lambda: RateLimitCalculator("100/min"), ["calculator/wire.ts", "plot/wire.ts"]),
        (VersionPlanner, ["planner/wire.ts", "plot/wire.ts"]),
    ],
    ids=["generator", "calculator", "planner"],
)
def test_the_documented_requests_are_those_that_the_kernel_serves(widget, names: list[str]):
    shown = widget()

    assert sorted(shown._rpc.operations) == sorted(documented(*names))
