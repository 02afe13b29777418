"""Versions: what choosing one costs each request, and how long it takes to compare two large documents.

Run it with `make bench`. Choosing stands beside the least that it could be (one regular expression on the
path) and beside what Werkzeug and WebOb take for the ``Accept`` alone; comparing stands beside reading the
two documents, and beside openapi-diff in Node, whose process has to start. The best round of each counts.
"""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import subprocess
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

from hook_widgets.versioning import Api, Release, compare, lifecycle
from tests.benchmarks.report import Gap, Parts, Row, emit
from tests.benchmarks.signing import ROUNDS, best_seconds

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it imports cgi
    from webob.acceptparse import create_accept_header

NODE = Path(__file__).parents[1] / "sdk" / "node"
AT = datetime(2026, 9, 30, 12, tzinfo=UTC)
OLD = Release(2, lifecycle=lifecycle(datetime(2026, 3, 2, 10, tzinfo=UTC)))
API = Api(releases=(Release(1), OLD, Release(3)), migration_guide="https://docs.example.com/v{old}-to-v{new}")
OTHERS = [(f"X-Header-{n}", "a value as long as they usually are") for n in range(9)]
OFFERS = [f"application/vnd.example.v{major}+json" for major in (1, 2, 3)]
PATH = re.compile(r"/api/v([1-9]\d*)(/[^?]*)")


def choosing() -> dict[str, Callable[[], object]]:
    """Return the timed functions; each call handles one request with ten headers."""
    accept = "application/vnd.example.v{};q=0.5, application/vnd.example.v1+json;q=0.{}, */*;q=0.1"
    values = [accept.format("3+json", n) for n in range(100, 1000)]  # few clients send the same one
    ours, werkzeug, webob = cycle(values), cycle(values), cycle(values)

    def ask(target: str, *headers: tuple[str, str]) -> Callable[[], object]:
        return lambda: API.negotiate(target, [*OTHERS, *headers], at=AT)

    return {
        "one regular expression (the limit)": lambda: PATH.match("/api/v3/orders?limit=5"),
        "ours, path": ask("/api/v3/orders?limit=5"),
        "ours, path of a deprecated version": ask("/api/v2/orders?limit=5"),
        "ours, Api-Version": ask("/api/orders?limit=5", ("Api-Version", "3")),
        "ours, Accept, a new value each time": lambda: API.negotiate(
            "/api/orders", [*OTHERS, ("Accept", next(ours))], at=AT
        ),
        "Werkzeug, Accept alone": lambda: parse_accept_header(next(werkzeug), MIMEAccept).best_match(OFFERS),
        "WebOb, Accept alone": lambda: create_accept_header(next(webob)).acceptable_offers(OFFERS),
    }


def descriptions(endpoints: int) -> tuple[str, str]:
    """Two OpenAPI documents; one field of one endpoint differs."""
    order = {
        "type": "object",
        "required": ["id", "total"],
        "properties": {
            "id": {"type": "string", "format": "uuid", "description": "The order's id."},
            "total": {"type": "integer", "minimum": 0, "maximum": 1_000_000},
            "lines": {"type": "array", "maxItems": 500, "items": {"type": "string", "maxLength": 200}},
        },
    }

    def endpoint() -> dict[str, Any]:
        content = {"application/json": {"schema": copy.deepcopy(order)}}
        limit = {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 100}}
        answers = {"200": {"description": "ok", "content": content}, "404": {"description": "none"}}
        return {"get": {"operationId": "read", "parameters": [limit], "responses": answers}}

    document: dict[str, Any] = {"openapi": "3.0.3", "info": {"title": "Orders", "version": "1.0.0"}}
    document["paths"] = {f"/orders/{n}": endpoint() for n in range(endpoints)}
    revised = copy.deepcopy(document)
    answer = revised["paths"]["/orders/7"]["get"]["responses"]["200"]
    answer["content"]["application/json"]["schema"]["properties"]["total"]["type"] = "string"
    return json.dumps(document), json.dumps(revised)


def in_node(old: str, new: str) -> None:
    """openapi-diff on one pair, in a process that has to start."""
    ran = subprocess.run(
        [os.environ.get("NODE") or str(shutil.which("node")), "changes.mjs"],
        cwd=NODE,
        input=f'{{"old": {old}, "new": {new}}}\n',
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert '"type":"breaking"' in ran.stdout, ran.stdout[:200]


def _node_package(name: str) -> dict[str, str]:
    """Return the version of an npm package by its name; nothing if it is not installed."""
    file = NODE / "node_modules" / name / "package.json"
    return {name: str(json.loads(file.read_text(encoding="utf-8"))["version"])} if file.is_file() else {}


def seconds(call: Callable[[], object], *, rounds: int) -> float:
    """The best time of one call."""
    best = float("inf")
    for _ in range(rounds):
        begin = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - begin)
    return best


def negotiation(*, rounds: int, calls: int) -> Iterator[Row]:
    """Yield what choosing the version of a request costs."""
    best = best_seconds(choosing(), calls, rounds=rounds)
    limit = "one regular expression (the limit)"
    ours_by_accept = "ours, Accept, a new value each time"
    pairs = [(name, limit) for name in best if name.startswith("ours")]
    pairs += [(ours_by_accept, f"{peer}, Accept alone") for peer in ("Werkzeug", "WebOb")]
    for ours, anchor in pairs:
        yield Row(
            what=f"Version of a request: {ours.removeprefix('ours, ')}",
            ours=best[ours] * 1e6,
            anchor=best[anchor] * 1e6,
            anchor_name=anchor,
            unit="us",
            runs=rounds,
        )


def comparison(endpoints: int, anchor: str, *, rounds: int) -> Iterator[Row]:
    """Yield what comparing two documents costs beside one of `ANCHORS`."""
    old, new = descriptions(endpoints)
    assert [change.rule for change in compare(old, new).breaking] == ["type-changed"]
    yield Row(
        what=f"Compare OpenAPI documents of {len(old) / 1000:,.0f} KB",
        ours=seconds(lambda: compare(old, new), rounds=rounds) * 1000,
        anchor=seconds(lambda: ANCHORS[anchor](old, new), rounds=rounds) * 1000,
        anchor_name=anchor,
        unit="ms",
        runs=rounds,
    )


READ = "json.loads of both"
DIFF = "openapi-diff in Node, process included"
ANCHORS: dict[str, Callable[[str, str], object]] = {
    READ: lambda old, new: (json.loads(old), json.loads(new)),
    DIFF: in_node,
}


def parts(*, smallest: bool = False) -> Parts:
    """Return the parts, of the usual or of the smallest size."""
    rounds = 1 if smallest else 3
    # openapi-diff takes minutes for a megabyte
    pairs = [(40, READ), (40, DIFF), (1850, READ)]
    return {
        "Version of a request": partial(
            negotiation, rounds=1 if smallest else ROUNDS, calls=1 if smallest else 300
        ),
        **{
            f"Compare OpenAPI documents of {endpoints} endpoints, beside {anchor}": partial(
                comparison, 10 if smallest else endpoints, anchor, rounds=rounds
            )
            for endpoints, anchor in (pairs[:2] if smallest else pairs)
        },
    }


def main() -> Sequence[Gap]:
    """Measure, and return what is missing."""
    return emit(parts(), "werkzeug", "webob", **_node_package("openapi-diff"))
