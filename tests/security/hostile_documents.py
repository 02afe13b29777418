"""Documents that are made to keep a comparison busy, larger in a long run."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.support.extent import extent

SIZE = extent(4_000, 60_000)
"""Bytes of a document at most."""
Schema = dict[str, Any]


def filled(build: Callable[[int], Any]) -> Any:
    """The largest document of this shape that has at most `SIZE` bytes."""
    most = 1
    while len(json.dumps(build(2 * most))) <= SIZE and most < SIZE:
        most *= 2
    step = most
    while step := step // 2:
        if len(json.dumps(build(most + step))) <= SIZE:
            most += step
    return build(most)


def changed(old: Any, *, every: int = 2) -> Any:
    """The document with every second number and name of a type changed."""
    count = 0

    def copy(value: Any) -> Any:
        nonlocal count
        if isinstance(value, dict):
            return {name: copy(member) for name, member in value.items()}
        if isinstance(value, list):
            return [copy(item) for item in value]
        count += 1
        if count % every:
            return value
        if value == "string":
            return "integer"
        return value + 1 if isinstance(value, int) and not isinstance(value, bool) else value

    return copy(old)


def alternatives(word: str) -> Callable[[int], Schema]:
    """Many alternatives, none of which names what it is."""
    return lambda n: {
        word: [{"properties": {f"a{i}": {"type": "string"}, f"b{i % 7}": {"const": i}}} for i in range(n)]
    }


def choices_of_choices(n: int) -> Schema:
    """All of many choices: as a product there would be more of them than atoms."""
    return {
        "allOf": [
            {"oneOf": [{"properties": {f"p{i}": {"const": k}}, "required": [f"p{i}"]} for k in range(3)]}
            for i in range(n)
        ]
    }


def doubling(word: str) -> Callable[[int], Schema]:
    """Each schema refers twice to the next one."""
    return lambda n: {
        "$defs": {f"d{i}": {word: [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(n)}
        | {f"d{n}": {"type": "string", "maxLength": 5}},
        "$ref": "#/$defs/d0",
    }


def web(n: int) -> Schema:
    """Schemas that all refer to one another."""
    size = max(2, int(n**0.5))
    return {
        "$defs": {
            f"d{i}": {
                "type": "object",
                "properties": {f"p{j}": {"$ref": f"#/$defs/d{j}"} for j in range(size)},
                "maxProperties": i,
            }
            for i in range(size)
        },
        "$ref": "#/$defs/d0",
    }


def chain(n: int) -> Schema:
    """One reference after another."""
    return {
        "$defs": {f"d{i}": {"$ref": f"#/$defs/d{i + 1}"} for i in range(n)} | {f"d{n}": {"type": "string"}},
        "properties": {"a": {"$ref": "#/$defs/d0"}},
    }


def patterns(n: int) -> Schema:
    """Names that many patterns may be about."""
    return {
        "patternProperties": {f"^x.*{i}[a-z]+$": {"maximum": i} for i in range(n)},
        "properties": {f"x-long-name-{i}abc": {"type": "string"} for i in range(n)},
        "additionalProperties": False,
    }


def backtracking(n: int) -> Schema:
    """Patterns that take a backtracking reader exponentially long, with the texts to show it."""
    return {
        "properties": {
            f"p{i}": {"pattern": "^(a+)+(b|b?c)*$", "enum": ["a" * 40 + "!", "a" * i]} for i in range(n)
        }
    }


def repetitions(n: int) -> Schema:
    """Patterns of few letters that stand for many states."""
    return {
        "properties": {
            f"p{i}": {"pattern": "^((a{1,99}){1,99}){1,99}$", "const": "a" * 30, "minLength": i}
            for i in range(n)
        }
    }


def long_pattern(n: int) -> Schema:
    """One pattern as long as the document."""
    return {
        "properties": {
            "a": {"pattern": "(" * min(n, 400) + "a|b" * n + ")" * min(n, 400), "const": "ab" * 99}
        }
    }


def huge_numbers(n: int) -> Schema:
    """Numbers with hundreds of thousands of digits."""
    return {
        "properties": {f"p{k}": {"maximum": 10 ** min(n, 3_000) + k, "multipleOf": 3} for k in range(n // 40)}
    }


def deep(n: int) -> Schema:
    """Many schemas inside of schemas, almost as deep as documents may be."""
    branches = {}
    for i in range(n):
        inner: Schema = {"type": "string", "minLength": i}
        for _ in range(40):
            inner = {"properties": {"a": inner}}
        branches[f"b{i}"] = inner
    return {"properties": branches}


def unevaluated(n: int) -> Schema:
    """Properties left unevaluated by many conditions."""
    return {
        "allOf": [
            {
                "if": {"properties": {"kind": {"const": i}}},
                "then": {"properties": {f"t{i}": {"type": "string"}}},
                "else": {"required": [f"e{i}"]},
            }
            for i in range(n)
        ],
        "unevaluatedProperties": False,
    }


def operations(n: int) -> Schema:
    """An API of many paths that may all mean the same."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {
            f"/{'/'.join('{' + f'p{i}_{j}' + '}' for j in range(4))}": {
                "get": {
                    "parameters": [{"name": f"q{i}", "in": "query", "schema": {"type": "string"}}],
                    "responses": {"200": {"description": "ok"}},
                }
            }
            for i in range(n)
        },
    }


def parameters(n: int) -> Schema:
    """One operation of many parameters, all of one schema."""
    schema = {"$ref": "#/components/schemas/s"}
    return {
        "openapi": "3.0.3",
        "info": {"title": "t", "version": "1"},
        "components": {"schemas": {"s": {"oneOf": [{"type": "string", "maxLength": i} for i in range(50)]}}},
        "paths": {
            "/a": {
                "get": {
                    "parameters": [{"name": f"q{i}", "in": "query", "schema": schema} for i in range(n)],
                    "responses": {"200": {"description": "ok"}},
                }
            }
        },
    }


def payloads(n: int) -> Any:
    """Payloads of which no two are alike."""
    return {"events": [{f"k{i}": i, f"v{i % 9}": [{f"w{i}": None}]} for i in range(n)]}


SHAPES: dict[str, Callable[[int], Any]] = {
    "oneOf of strangers": alternatives("oneOf"),
    "a product of choices": choices_of_choices,
    "allOf that doubles": doubling("allOf"),
    "anyOf that doubles": doubling("anyOf"),
    "a web of references": web,
    "a chain of references": chain,
    "an enum": lambda n: {"enum": list(range(n))},
    "an enum of objects": lambda n: {"enum": [{"a": [i, {"b": i}]} for i in range(n)]},
    "required names": lambda n: {
        "required": [f"n{i}" for i in range(n)],
        "properties": {"n1": {"type": "string"}},
    },
    "patterns and names": patterns,
    "patterns that backtrack": backtracking,
    "patterns with counts": repetitions,
    "one long pattern": long_pattern,
    "huge numbers": huge_numbers,
    "deep properties": deep,
    "conditions": unevaluated,
    "paths": operations,
    "parameters": parameters,
    "payloads": payloads,
    "empty arrays": lambda n: [[]] * n,
    "allOf of one": lambda n: {"$defs": {"d": {"type": "string"}}, "allOf": [{"$ref": "#/$defs/d"}] * n},
    "dependent schemas": lambda n: {"dependentSchemas": {f"a{i}": {"required": [f"b{i}"]} for i in range(n)}},
    "one long text": lambda n: {"description": "a" * n, "const": "b" * 9},
}
