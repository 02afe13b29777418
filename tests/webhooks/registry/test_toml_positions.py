"""The lines of a TOML text: every value that tomllib finds is found, on the line where it stands."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hook_widgets import webhooks
from hook_widgets.webhooks.registry.toml_positions import TomlLines

PROVIDERS = sorted((Path(webhooks.__file__).parent / "data").glob("*/provider.toml"))

TEXT = '''\
# a comment with = and [brackets]
title = "a # no comment"   # one
"quoted \\u00e9 key".'and this' = 1.5
[key]
type = "secret"
example = { prefix = "a}b", "in ner".deep = [1, 2] }

[[schemes]]
name = """
several "lines"
# here""""
tags = [
  "one",  # a comment, with a comma
  { name = "two" },

  [3, 4],
]
[schemes.headers]
"X-A.b" = 'literal \\'
[[schemes]]
when = 2026-09-01 12:00:00Z
[[schemes.signatures]]
[[schemes.signatures]]
name = 'last'
'''


def leaves(value, path=()):
    """The path of every value that tomllib reads."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        yield (*path, step)
        yield from leaves(inner, (*path, step))


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 2),
        (("quoted é key", "and this"), 3),
        (("key",), 4),
        (("key", "example", "prefix"), 6),
        (("key", "example", "in ner", "deep", 1), 6),
        (("schemes", 0), 8),
        (("schemes", 0, "name"), 9),
        (("schemes", 0, "tags"), 12),
        (("schemes", 0, "tags", 1, "name"), 14),
        (("schemes", 0, "tags", 2, 1), 16),
        (("schemes", 0, "headers", "X-A.b"), 19),
        (("schemes", 1), 20),
        (("schemes", 1, "when"), 21),
        (("schemes", 1, "signatures", 0), 22),
        (("schemes", 1, "signatures", 1, "name"), 24),
    ],
)
def test_a_value_stands_on_its_line(path, line):
    assert line == TomlLines(TEXT).of(path)


def test_of_what_is_missing_the_table_around_it_is_named_and_at_the_top_nothing():
    lines = TomlLines(TEXT)

    assert 4 == lines.of(("key", "title"))
    assert 22 == lines.of(("schemes", 1, "signatures", 0, "algorithm"))
    assert None is lines.of(("kind",))


@pytest.mark.parametrize("file", PROVIDERS)
def test_it_finds_the_same_values_as_tomllib_in_every_provider(file):
    text = file.read_text(encoding="utf-8")

    assert set(leaves(tomllib.loads(text))) == TomlLines(text).paths


KEYS = st.text(min_size=1, max_size=6).filter(lambda key: key.isprintable())
VALUES = st.recursive(
    st.booleans() | st.integers(-9, 99) | st.text(alphabet=st.characters(codec="ascii"), max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=9,
)


def basic(text: str) -> str:
    return '"' + "".join(c if c.isalnum() else f"\\U{ord(c):08x}" for c in text) + '"'


def written(value) -> str:
    """A value as TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{basic(k)} = {written(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[\n# [\n" + ",\n".join(written(v) for v in value) + "]"
    return basic(value) if isinstance(value, str) else str(value).lower()


@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_it_finds_the_same_values_as_tomllib_in_any_text(data):
    text = "\n".join(f"{basic(key)} = {written(value)}" for key, value in data.items())

    positions = TomlLines(text)

    assert set(leaves(tomllib.loads(text))) == positions.paths
    for number, line in enumerate(text.splitlines(), 1):
        for key in data:
            if line.startswith(f"{basic(key)} ="):
                assert number == positions.of((key,))
