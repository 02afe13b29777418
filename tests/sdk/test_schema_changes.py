"""Our comparison of JSON Schemas against json-schema-diff (Node), over pairs that differ in one place.

It computes, for draft 7, whether the new schema accepts something that the old one did not, and the other way
round. It passes over enum, const, pattern, format, multipleOf, patternProperties, contains and if, so the
pairs are made of the other keywords.
"""

from __future__ import annotations

import copy
import json
import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from hook_widgets.versioning.compat import Comparison, compare
from tests.support.extent import extent

FOLDER = Path(__file__).parent / "node"
COUNT = extent(150, 400)
TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
COUNTED = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")

CLIENTS = frozenset({"property-added", "property-allowed", "additional-properties-opened"})
"""Rules about fields that clients pass over: it compares sets of values, and we what clients meet."""
LOST = frozenset({"property-removed", "property-renamed"})
"""Without a field, an open schema accepts more; we say that what clients send is no longer read."""


def schema(draw: random.Random, deep: int) -> dict[str, Any]:
    """A small schema."""
    if deep <= 0:
        return {"type": draw.choice(TYPES)}
    return dict(keyword(draw, deep - 1) for _ in range(draw.randint(1, 2)))


def keyword(draw: random.Random, deep: int) -> tuple[str, Any]:
    """One keyword with its value."""
    kind = draw.choice(
        ("type", "bound", "count", "required", "properties", "properties", "others", "items", "of", "not")
    )
    if kind == "type":
        many = sorted(draw.sample(TYPES, draw.randint(2, 4)))
        return kind, draw.choice((draw.choice(TYPES), many))
    if kind == "bound":
        return draw.choice(("minimum", "maximum")), draw.randint(0, 4)
    if kind == "count":
        return draw.choice(COUNTED), draw.randint(1, 3)
    if kind == "required":
        return kind, sorted(draw.sample("ab", draw.randint(1, 2)))
    if kind == "properties":
        return kind, {name: schema(draw, deep) for name in sorted(draw.sample("abc", draw.randint(1, 2)))}
    if kind == "others":
        return "additionalProperties", draw.choice((False, schema(draw, deep)))
    if kind == "of":
        return draw.choice(("allOf", "anyOf")), [schema(draw, deep), schema(draw, deep)]
    return kind, schema(draw, deep)


def schemas(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A schema and those in it."""
    yield value
    for word, below in value.items():
        if word == "properties":
            for each in below.values():
                yield from schemas(each)
        elif isinstance(below, dict):
            yield from schemas(below)
        elif word in ("allOf", "anyOf"):
            for each in below:
                yield from schemas(each)


@cache
def pairs() -> tuple[tuple[dict[str, Any], dict[str, Any]], ...]:
    """Pairs of schemas: one has a keyword more, or another value of it; always the same ones."""
    draw = random.Random(7)
    comparison = []
    for _ in range(COUNT):
        old = dict(keyword(draw, 1) for _ in range(draw.randint(1, 3)))
        new = copy.deepcopy(old)
        target = draw.choice(list(schemas(new)))
        if draw.random() < 0.5:
            word, value = keyword(draw, 1)
            target[word] = value
        else:
            del target[draw.choice(sorted(target))]
        comparison.append((old, new) if draw.random() < 0.5 else (new, old))
    return tuple(comparison)


@cache
def reports() -> tuple[dict[str, bool], ...]:
    """Return json-schema-diff's reports of the pairs."""
    node = os.environ.get("NODE") or shutil.which("node")
    if node is None or not (FOLDER / "node_modules").is_dir():
        raise RuntimeError("no Node, or its packages are missing: `make test-sdk` brings both")
    ran = subprocess.run(
        [node, "schemas.mjs"],
        cwd=FOLDER,
        input="".join(json.dumps({"old": old, "new": new}) + "\n" for old, new in pairs()),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    answers = tuple(map(json.loads, ran.stdout.splitlines()))
    assert COUNT == len(answers)
    return answers


@cache
def verdicts() -> tuple[tuple[bool, Comparison, str], ...]:
    """For each pair and direction: whether it finds what breaks clients, our comparison, and the pair."""
    return tuple(
        (
            theirs,
            compare(old, new, kind="schema", direction=direction),
            f"{direction}: {json.dumps(old)} -> {json.dumps(new)}",
        )
        for (old, new), comparison in zip(pairs(), reports(), strict=True)
        for direction, theirs in (("request", comparison["removed"]), ("response", comparison["added"]))
    )


def rules(comparison: Comparison) -> set[str]:
    """The rules of all differences."""
    return {change.rule for change in comparison.changes}


def test_whatever_it_finds_breaks_clients_for_us_but_for_fields_that_clients_pass_over() -> None:
    missed = [
        pair
        for theirs, ours, pair in verdicts()
        if theirs and not ours.needs_major and not rules(ours) & CLIENTS
    ]

    assert [] == missed


def test_where_it_finds_nothing_we_seldom_do_unless_a_field_is_gone() -> None:
    """Undecided changes count as breaking, such as overlapping alternatives."""
    quiet = [ours for theirs, ours, _ in verdicts() if not theirs]
    added = [ours for ours in quiet if ours.needs_major and not rules(ours) & LOST]

    assert len(quiet) > COUNT / 4
    assert len(added) < 0.08 * len(quiet)


def test_it_finds_something_in_enough_pairs_to_be_a_reference() -> None:
    assert sum(theirs for theirs, _, _ in verdicts()) > COUNT / 4
