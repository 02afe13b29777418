"""One contract in two spellings is no change: 3.0 and 3.1, prefixes of addresses, ranges of statuses."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.versioning.compat.openapi.descriptions import changes_of

INFO = {"title": "t", "version": "1"}
OK = {"responses": {"200": {"description": "ok"}}}
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
OCTETS = "application/octet-stream"
BINARY = {"type": "string", "format": "binary"}


def request(version: str, media: str, schema: Any) -> dict[str, Any]:
    body = {"required": True, "content": {media: {"schema": schema}}}
    operation = {"requestBody": body, "responses": {"204": {"description": "ok"}}}
    return {"openapi": version, "info": INFO, "paths": {"/f": {"put": operation}}}


def response(version: str, media: str, schema: Any) -> dict[str, Any]:
    operation = {"responses": {"200": {"description": "ok", "content": {media: {"schema": schema}}}}}
    return {"openapi": version, "info": INFO, "paths": {"/f": {"get": operation}}}


def breaking(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    return sorted({change.rule for change in changes_of(old, new) if change.breaking})


@pytest.mark.parametrize("document", [request, response])
@pytest.mark.parametrize(
    ("media", "old", "new"),
    [
        (OCTETS, BINARY, {}),
        (OCTETS, BINARY, {"contentMediaType": OCTETS}),
        (OCTETS, BINARY, {"type": "string", "contentMediaType": OCTETS}),
        ("image/png", BINARY, {"contentMediaType": "image/png"}),
        ("application/x-tar", BINARY, {"contentMediaType": "application/x-tar"}),
        ("application/vnd.ms-excel", BINARY, {"contentMediaType": "application/vnd.ms-excel"}),
        (WORD, BINARY, {"contentMediaType": WORD}),
        (
            "multipart/form-data",
            {"type": "object", "properties": {"file": BINARY}},
            {"type": "object", "properties": {"file": {"contentMediaType": OCTETS}}},
        ),
        (
            "application/json",
            {"type": "string", "format": "byte"},
            {"type": "string", "contentEncoding": "base64"},
        ),
        (
            "application/json",
            {"type": "string", "nullable": True, "enum": ["a", "b"]},
            {"type": ["string", "null"], "enum": ["a", "b"]},
        ),
        (
            "application/json",
            {"type": "string", "nullable": True, "enum": ["a", "b", None]},
            {"type": ["string", "null"], "enum": ["a", "b"]},
        ),
    ],
)
def test_the_spellings_of_openapi_30_and_31_are_one_contract(
    document: Any, media: str, old: Any, new: Any
) -> None:
    assert [] == breaking(document("3.0.3", media, old), document("3.1.0", media, new))
    assert [] == breaking(document("3.1.0", media, new), document("3.0.3", media, old))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (BINARY, {"type": "integer"}),
        ({"type": "string", "format": "byte"}, {"type": "string", "contentEncoding": "base32"}),
        ({"type": "string", "nullable": True, "enum": ["a"]}, {"type": "string", "enum": ["a"]}),
    ],
)
def test_another_contract_is_still_a_change(old: Any, new: Any) -> None:
    media = "application/json"

    assert breaking(request("3.0.3", media, old), request("3.1.0", media, new))


def addressed(path: str, *servers: dict[str, Any], more: tuple[str, ...] = ()) -> dict[str, Any]:
    paths = {name: {"get": OK} for name in (path, *more)}
    return {"openapi": "3.0.3", "info": INFO, "paths": paths} | (
        {"servers": list(servers)} if servers else {}
    )


SITE = {"url": "https://example.com"}
V1 = {"url": "https://example.com/v1"}
BASE = {"url": "{base}", "variables": {"base": {"default": "/v1"}}}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (addressed("/pets/{id}", V1), addressed("/v1/pets/{petId}", SITE)),
        (addressed("/pets", {"url": "https://Example.com/v1/"}), addressed("/v1/pets", SITE)),
        (addressed("/pets", BASE), addressed("/v1/pets")),
        (addressed("/pets", {"url": "/v1"}), addressed("/v1/pets", {"url": "/"})),
        (addressed("/pets", V1), addressed("/v1/pets", SITE, {"url": "https://example.org"})),
    ],
)
def test_a_prefix_may_move_between_server_and_path(old: dict[str, Any], new: dict[str, Any]) -> None:
    assert [] == breaking(old, new)
    if len(new.get("servers", ())) < 2:
        assert [] == breaking(new, old)


@pytest.mark.parametrize(
    ("old", "new", "rules"),
    [
        (addressed("/pets", V1), addressed("/v2/pets", SITE), ["endpoint-removed", "server-removed"]),
        (addressed("/pets", V1), addressed("/pets", SITE), ["server-removed"]),
        (addressed("/pets", V1, more=("/cats",)), addressed("/v1/pets", SITE), ["endpoint-removed"]),
        (
            addressed("/pets", V1, {"url": "https://example.org/v1"}),
            addressed("/v1/pets", SITE),
            ["endpoint-removed", "server-removed"],
        ),
    ],
)
def test_an_address_that_is_gone_breaks(old: dict[str, Any], new: dict[str, Any], rules: list[str]) -> None:
    assert rules == breaking(old, new)


def answers(schema: Any, *statuses: str) -> dict[str, Any]:
    content = {"application/json": {"schema": schema}}
    responses = {status: {"description": "ok", "content": content} for status in statuses}
    return {"openapi": "3.0.3", "info": INFO, "paths": {"/x": {"get": {"responses": responses}}}}


@pytest.mark.parametrize("statuses", [("200",), ("200", "201"), ("201", "404")])
def test_a_range_contains_the_success_that_it_replaces(statuses: tuple[str, ...]) -> None:
    text = {"type": "string"}
    others = [status for status in statuses if status > "299"]

    assert [] == breaking(answers(text, *statuses), answers(text, "2XX", *others))
    assert ["type-changed"] == breaking(answers(text, "200"), answers({"type": "integer"}, "2XX"))
    assert ["success-status-removed"] == breaking(answers(text, "200"), answers(text, "201"))


@pytest.mark.parametrize("last", [False, True])
def test_a_change_is_reported_at_its_outermost_place(last: bool) -> None:
    def tree(kind: str) -> dict[str, Any]:
        kids = {
            "type": "array",
            "items": {
                "allOf": [{"$ref": "#/components/schemas/N"}, {"type": "object", "properties": {"w": {}}}]
            },
        }
        fields = {"kids": kids, "v": {"type": kind}} if last else {"v": {"type": kind}, "kids": kids}
        schema = {"type": "object", "properties": fields}
        document = response("3.0.3", "application/json", {"$ref": "#/components/schemas/N"})
        return document | {"components": {"schemas": {"N": schema}}}

    changes = changes_of(tree("string"), tree("integer"))

    assert "GET /f, response 200, v" == changes[0].location


BASE_OBJECT = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}


def kind(name: str, field: str) -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"enum": [name]}, field: {"type": "string"}},
    }


@pytest.mark.parametrize("document", [request, response])
@pytest.mark.parametrize("keyword", ["oneOf", "anyOf"])
def test_what_applies_to_all_alternatives_may_stand_in_each(document: Any, keyword: str) -> None:
    media, alternatives = "application/json", [kind("a", "x"), kind("b", "y")]
    outside = {"allOf": [BASE_OBJECT, {keyword: alternatives}]}
    inside = {keyword: [{"allOf": [BASE_OBJECT, each]} for each in reversed(alternatives)]}
    other = {keyword: [{"allOf": [BASE_OBJECT, alternatives[0]]}, alternatives[1]]}

    assert [] == breaking(document("3.0.3", media, outside), document("3.0.3", media, inside))
    assert [] == breaking(document("3.0.3", media, inside), document("3.0.3", media, outside))
    assert breaking(document("3.0.3", media, outside), document("3.0.3", media, other)) or breaking(
        document("3.0.3", media, other), document("3.0.3", media, outside)
    )


SPELLINGS = [
    (r"^\d+$", "^[0-9]{1,}$"),
    ("^(a|b)$", "^[ab]$"),
    ("^(?:a)$", "^a$"),
    ("^(?P<name>ab)c$", "^abc$"),
    ("^[A-Za-z]$", "^[a-zA-Z]$"),
    ("^[a-cd-f]$", "^[a-f]$"),
    ("^[a-z-]$", "^[-a-z]$"),
    (r"^\w$", "^[A-Za-z0-9_]$"),
    (r"^\.\/$", "^[.][/]$"),
    ("^(a|b|cd)$", "^(cd|b|a)$"),
    ("^a{2,2}$", "^a{2}$"),
    (r"^(?=a)\d$", "^(?=(a))[0-9]$"),
]


@pytest.mark.parametrize(("old", "new"), SPELLINGS)
def test_a_pattern_may_be_written_in_another_way(old: str, new: str) -> None:
    assert [] == breaking(*(answers({"type": "string", "pattern": text}, "200") for text in (old, new)))
    for text in ("", "a", "b", "ab", "abc", "cd", "aa", "7", "Z", "_", "-", "./", "é", "٣", "a7"):
        assert bool(re.search(old, text, re.ASCII)) == bool(re.search(new, text, re.ASCII)), text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("^a$", "^b$"),
        ("^a|b$", "^(a|b)$"),
        ("^[a-z]$", "^[^a-z]$"),
        (r"^\s$", "^s$"),
        (r"^\d$", r"^\D$"),
        ("^a+$", "^a*$"),
        ("^.$", r"^\.$"),
        ("^ab$", "^ba$"),
        ("^[a-]$", "^[a]$"),
        (r"^(a)\1$", "^aa$"),
    ],
)
def test_another_pattern_is_a_change(old: str, new: str) -> None:
    assert ["pattern-changed"] == breaking(
        *(answers({"type": "string", "pattern": text}, "200") for text in (old, new))
    )


@pytest.mark.parametrize("listed", [{"type": "boolean", "enum": [True, False]}, {"enum": [False, True]}])
def test_a_boolean_may_list_its_values(listed: dict[str, Any]) -> None:
    old, new = (answers(schema, "200") for schema in ({"type": "boolean"}, listed))

    assert [] == breaking(old, new) == breaking(new, old)
    assert [] != breaking(answers({"type": "boolean", "enum": [True]}, "200"), new)
