"""A path leads to one value of a JSON body and to the bytes that it is written with."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from hook_widgets.webhooks.body.json_edit import span
from tests.support.json_bodies import BOM, bodies

SIGNED = rb"""{
  "signature": {"timestamp": "1790000000", "token" : "TEST-token", "list": [10, {"a": [ ]}, "x\u00e9"]},
  "signature.token": 1, "\u00e9": {"": null}, "twice": {"one": 1}, "twice": {"two": -2.50}
}
"""


def value_at(body: bytes, path: str) -> object:
    """The value whose bytes are at a path, as the standard library reads it."""
    place = span(body, path)
    assert place is not None
    return json.loads(body[slice(*place)])


@pytest.mark.parametrize(
    ("path", "text", "value"),
    [
        ("signature.timestamp", b'"1790000000"', "1790000000"),
        ("signature.token", b'"TEST-token"', "TEST-token"),
        ("signature.list.0", b"10", 10),
        ("signature.list.1", b'{"a": [ ]}', {"a": []}),
        ("signature.list.1.a", b"[ ]", []),
        ("signature.list.2", rb'"x\u00e9"', "xé"),
        ("é.", b"null", None),
        ("twice.two", b"-2.50", -2.5),
        ("", SIGNED.strip(), json.loads(SIGNED)),
    ],
)
def test_a_path_leads_to_the_bytes_of_its_value(path: str, text: bytes, value: object) -> None:
    place = span(SIGNED, path)

    assert place is not None
    assert (text, value) == (SIGNED[slice(*place)], value_at(SIGNED, path))


@pytest.mark.parametrize(
    "path",
    [
        *("token", "signature.tok", "signature.token.x", "twice.one", "."),
        *("signature.list.3", "signature.list.00", "signature.list.-1", "signature.list.length"),
        *("signature.list.1.a.0", "signature.list." + "9" * 5000),
    ],
)
def test_a_path_to_nothing_gives_none(path: str) -> None:
    assert None is span(SIGNED, path)


def test_a_byte_order_mark_counts_in_a_span() -> None:
    assert (4, 5) == span(BOM + b"[7]", "0")


def paths(value: object, prefix: str = "") -> list[tuple[str, object]]:
    """Every path without dots or empty names in its keys, and the value there."""
    named = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    result = [(prefix, value)]
    for name, child in named:
        if name != "" and "." not in str(name):
            result += paths(child, f"{prefix}.{name}" if prefix else str(name))
    return result


@given(bodies())
def test_every_value_is_found_by_its_path(body: bytes) -> None:
    for path, value in paths(json.loads(body)):
        assert value == value_at(body, path)
