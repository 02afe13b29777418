"""The snippets against requests that providers published, signed with secrets that they published too."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from hook_widgets.webhooks import provider
from hook_widgets.webhooks.codegen import Language, ir
from hook_widgets.webhooks.requests.request import ReceivedRequest
from hook_widgets.webhooks.verification.parsing.scheme_selection import choose_scheme
from tests.receivers.cases import Subject
from tests.receivers.runtimes import Argument, Receivers

_FILE = Path(__file__).parents[1] / "vectors" / "published.json"
VECTORS: list[dict[str, Any]] = json.loads(_FILE.read_text(encoding="utf-8"))["vectors"]


def received(vector: dict[str, Any], body: bytes) -> ReceivedRequest:
    return ReceivedRequest(
        method=vector.get("method", "POST"), url=vector.get("url", ""), headers=vector["headers"], body=body
    )


def subject_of(vector: dict[str, Any]) -> Subject:
    known = provider(vector["provider"])
    return Subject(known, choose_scheme(known, received(vector, vector["body"].encode())))


def arguments(subject: Subject, vector: dict[str, Any], body: bytes) -> list[Argument]:
    key = vector.get("secret") or vector["public_key"]
    return subject.arguments(received(vector, body), vector.get("parts", {}), key)


VERIFIED = [v for v in VECTORS if v.get("only") != "sign"]


@pytest.mark.parametrize("vector", VERIFIED, ids=lambda v: f"{v['provider']}-{VECTORS.index(v)}")
def test_a_published_request_is_accepted_unless_it_is_too_old_and_rejected_with_another_key(
    receivers: Receivers, vector: dict[str, Any]
) -> None:
    subject = subject_of(vector)
    values = arguments(subject, vector, vector["body"].encode())
    if receivers.language is Language.GO and subject.program.key.normalize:
        normal = unicodedata.normalize(subject.program.key.normalize, vector["secret"])
        values[-1] = ("t", normal.encode())  # as the comment in the receiver asks for
    timed = any(isinstance(step, ir.CheckTime) for step in subject.program.steps)

    assert receivers.ask(subject.name, values) == ("false" if timed else "true")
    if "secret" in vector:
        other = [*values[:-1], ("t", vector["secret"][::-1].swapcase().encode())]
        assert receivers.ask(subject.name, other) != "true"
