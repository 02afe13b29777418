"""Strategies for pairs of slightly different schemas, and for values near both of them."""

from __future__ import annotations

import copy

from hypothesis import strategies as st

NAMES = st.sampled_from(["a", "b", "ab", "c"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 6),
    st.sampled_from([0.5, 1.5, 2.0]),
    st.sampled_from(["", "a", "ab", "abc", "b"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=8,
)
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]
PATTERNS = st.sampled_from(["^a", "b$", "^.$"])


def keywords(inner):
    """Draw one keyword with a value, of any group."""
    small = st.integers(0, 3)
    named = st.dictionaries(NAMES, inner, max_size=3)
    several = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        st.tuples(
            st.just("type"),
            st.sampled_from(TYPES) | st.lists(st.sampled_from(TYPES), min_size=1, unique=True),
        ),
        st.tuples(st.just("enum"), st.lists(SCALARS, min_size=1, max_size=4)),
        st.tuples(st.just("const"), SCALARS),
        st.tuples(
            st.sampled_from(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]),
            st.integers(-2, 4),
        ),
        st.tuples(st.just("multipleOf"), st.sampled_from([0.5, 1, 2, 3, 4])),
        st.tuples(
            st.sampled_from(
                ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"]
            ),
            small,
        ),
        st.tuples(st.just("pattern"), PATTERNS),
        st.tuples(st.just("uniqueItems"), st.booleans()),
        st.tuples(st.just("required"), st.lists(NAMES, max_size=2, unique=True)),
        st.tuples(st.sampled_from(["properties", "dependentSchemas"]), named),
        st.tuples(st.just("patternProperties"), st.dictionaries(PATTERNS, inner, max_size=2)),
        st.tuples(
            st.just("dependentRequired"),
            st.dictionaries(NAMES, st.lists(NAMES, max_size=2, unique=True), max_size=2),
        ),
        st.tuples(
            st.sampled_from(
                [
                    "additionalProperties",
                    "propertyNames",
                    "items",
                    "contains",
                    "not",
                    "if",
                    "then",
                    "else",
                    "unevaluatedProperties",
                    "unevaluatedItems",
                ]
            ),
            inner,
        ),
        st.tuples(st.sampled_from(["minContains", "maxContains"]), small),
        st.tuples(st.sampled_from(["prefixItems", "allOf", "anyOf", "oneOf"]), several),
        st.tuples(st.just("$ref"), st.just("#/$defs/x")),
    )


def _schemas(inner):
    return st.lists(keywords(inner), max_size=4).map(dict)


SCHEMAS = st.recursive(st.booleans() | _schemas(st.booleans()), _schemas, max_leaves=6)


SIMPLE = st.sampled_from(
    [True, {"type": "string"}, {"minimum": 1}, {"properties": {"a": {"type": "integer"}}}]
)


@st.composite
def pairs(draw):
    """Draw an old and a new schema, mostly one slightly changed into the other."""
    old = draw(_schemas(SCHEMAS))
    new = copy.deepcopy(old)
    for _ in range(draw(st.integers(1, 3))):
        target = draw(st.sampled_from(list(_objects(new))))
        word, value = draw(keywords(SCHEMAS))
        how = draw(st.sampled_from(["set", "drop", "wrap"]))
        if how == "set":
            target[word] = value
        elif how == "drop" and target:
            del target[draw(st.sampled_from(sorted(target)))]
        elif how == "wrap":
            inside = dict(target)
            target.clear()
            target[draw(st.sampled_from(["allOf", "anyOf", "oneOf"]))] = [inside, draw(SCHEMAS)][
                : draw(st.integers(1, 2))
            ]
    defs, recursive = draw(SIMPLE), draw(st.booleans())
    for schema in (old, new):
        schema["$defs"] = {"x": defs}
        if recursive:
            schema.setdefault("properties", {})["c"] = {"$ref": "#"}
    if draw(st.booleans()):
        old, new = new, old
    return old, new


def _objects(schema):
    """Yield the schema and its subschemas; other objects among them do no harm."""
    yield schema
    for word, value in schema.items():
        if word in ("properties", "patternProperties", "dependentSchemas"):
            for below in value.values():
                if isinstance(below, dict):
                    yield from _objects(below)
        elif isinstance(value, dict) and word != "dependentRequired":
            yield from _objects(value)
        elif isinstance(value, list):
            for below in value:
                if isinstance(below, dict):
                    yield from _objects(below)


@st.composite
def instances(draw, old, new):
    """Draw values to validate."""
    return draw(st.lists(VALUES, min_size=5, max_size=15))
