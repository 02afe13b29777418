"""The published test cases of oasdiff: two documents each, and the changes that its own tests expect.

tests/vectors/oasdiff/README.md describes how the cases were extracted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

Document = dict[str, object]

_FILE = Path(__file__).parents[2] / "vectors" / "oasdiff" / "cases.json"

WRITTEN = datetime(2026, 11, 21, tzinfo=UTC)
"""The value of "today" in cases whose dates oasdiff counts from the day on which its tests run."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A change that oasdiff's test expects.

    Attributes:
        rule: oasdiff's id of the change; empty if the test checks only the level.
        level: ``"ERR"`` breaks clients, ``"WARN"`` may, ``"INFO"`` does not.
        operation: the method, in upper case; empty if the test does not check it.
        path: the path, ``"webhook:name"`` for a webhook; empty if the test does not check it.
    """

    rule: str
    level: str
    operation: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One comparison of oasdiff's tests.

    Attributes:
        name: the Go test, with a number when it makes several comparisons.
        source: file and line in oasdiff's repository.
        old: the first document.
        new: the second document.
        checks: the only checks that the test runs; empty if it runs all.
        level: the minimum level that the test requests.
        expected: the changes that must be reported.
        exact: True if these checks report no other change of that level.
        absent: rules that must not be reported.
    """

    name: str
    source: str
    old: Document
    new: Document
    checks: tuple[str, ...]
    level: str
    expected: tuple[Expected, ...]
    exact: bool
    absent: tuple[str, ...]


def merged(document: object, patch: object) -> object:
    """Apply a JSON Merge Patch (RFC 7396) to a copy of a document."""
    if not isinstance(patch, Mapping):
        return patch
    result = dict(document) if isinstance(document, Mapping) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result


@cache
def cases() -> tuple[Case, ...]:
    """Return all cases, in the order of oasdiff's files."""
    stored = json.loads(_FILE.read_text(encoding="utf-8"))
    documents = stored["documents"]

    def case(row: dict[str, Any]) -> Case:
        old = documents[row["old"]]
        new: Any = merged(old, row["patch"]) if "patch" in row else documents[row.get("new", row["old"])]
        return Case(
            name=row["test"],
            source=row["source"],
            old=old,
            new=new,
            checks=tuple(row.get("checks", ())),
            level=row["level"],
            expected=tuple(Expected(**{"rule": "", **change}) for change in row["expected"]),
            exact=row["exact"],
            absent=tuple(row.get("absent", ())),
        )

    return tuple(case(row) for row in stored["cases"])
