"""The published vectors: complete, current, of the format of their schema, and verified as they state."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime
from typing import Any

import jsonschema
import pytest

from hook_widgets.webhooks import PublicKey, Secret, provider, verify
from hook_widgets.webhooks.models import Algorithm
from scripts.vectors import FOLDER, file_text
from tests.support.shapes import ALL

SCHEMA = json.loads((FOLDER / "schema.json").read_text(encoding="utf-8"))


def vectors(name: str) -> dict[str, Any]:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def judge(name: str, group: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    request, key = group["request"] | case.get("request", {}), group["key"]
    text = request.get("body")
    verdict = verify(
        name,
        headers=[tuple(pair) for pair in request["headers"]],
        body=base64.b64decode(request["body_base64"]) if text is None else text.encode(),
        url=request["url"],
        method=request["method"],
        secret=Secret(key["secret"]) if "secret" in key else PublicKey(key["public_key"], key["type"]),
        now=datetime.fromtimestamp(case.get("now", group["now"]), UTC),
        parts=group.get("parts", {}),
    )
    return {"valid": verdict.ok, "reason": verdict.reason.value}


@pytest.mark.parametrize("name", ALL)
def test_each_case_gets_the_verdict_that_its_file_states(name: str) -> None:
    wrong = [
        (case["name"], said)
        for group in vectors(name)["groups"]
        for case in group["cases"]
        if (said := judge(name, group, case)) != case["expected"]
    ]

    assert wrong == []


@pytest.mark.parametrize("name", ALL)
def test_a_file_has_a_valid_case_of_each_scheme_and_several_that_must_be_rejected(name: str) -> None:
    groups = [group for group in vectors(name)["groups"] if "scheme" in group]

    assert [scheme.name for scheme in provider(name).schemes] == [group["scheme"] for group in groups]
    for group in groups:
        valid = {case["name"]: case["expected"]["valid"] for case in group["cases"]}

        assert valid == {name: name.startswith("valid") for name in valid}
        assert sorted(valid.values())[:2] == [False, False]


def test_the_files_have_the_format_of_their_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    validator = jsonschema.Draft202012Validator(SCHEMA)

    assert [] == [(name, error.message) for name in ALL for error in validator.iter_errors(vectors(name))]


def test_the_schema_knows_every_algorithm_and_no_file_is_of_a_provider_that_is_gone() -> None:
    named = SCHEMA["$defs"]["signed"]["properties"]["algorithm"]["enum"]

    assert sorted(named) == sorted(algorithm.value for algorithm in Algorithm)
    assert sorted([*ALL, "schema"]) == sorted(file.stem for file in FOLDER.iterdir())


@pytest.mark.parametrize("name", ALL)
def test_a_file_is_what_the_providers_data_give_today(name: str) -> None:
    current = (FOLDER / f"{name}.json").read_text(encoding="utf-8")

    assert file_text(provider(name)) == current, "run: python -m scripts.vectors"
