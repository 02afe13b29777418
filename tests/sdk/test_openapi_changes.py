"""Our comparison of OpenAPI documents against openapi-diff (Node), over the documents of oasdiff's cases.

openapi-diff compares paths, methods, bodies, statuses and response headers, in OpenAPI 3.0. It passes over
parameters, authentication and most keywords of schemas; where it finds nothing, it is not asked.
"""

from __future__ import annotations

import copy
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.compat import compare
from tests.support.extent import extent
from tests.versioning.compat import cases as stored
from tests.versioning.compat.cases import WRITTEN, Case, Document

FOLDER = Path(__file__).parent / "node"

STRICTER: dict[str, tuple[str, ...]] = {
    "it knows no x-sunset: the endpoint was deprecated and its date has passed": (
        "TestBreaking_DeprecationPast",
        "TestBreaking_DeprecationPathPast",
    ),
    "it takes a field that is only read for a part of requests, and one only written for one of answers": (
        "TestBreaking_ReadOnlyNewRequiredProperty",
        "TestBreaking_ReadOnlyPropertyRequiredEnabled",
        "TestBreaking_WriteOnlyPropertyRequiredDisabled",
        "TestResponseOptionalWriteOnlyPropertyRemovedCheck",
        "TestResponseRequiredWriteOnlyPropertyRemoved",
    ),
    "it takes an error status that no longer comes for a loss": (
        "TestBreaking_ResponseErrorStatusRemoved",
        "TestBreaking_ResponseNonSuccessStatusUpdated",
        "TestResponseNonSuccessStatusRemoved",
    ),
    "it compares sets of values: a field that gets a type rejects what other fields could hold before": (
        "TestRequestPropertyAllOfAdded_WithSources_Inline",
        "TestRequiredOptionalPropertyAdded",
    ),
    "it compares sets of values: of two equal alternatives one is gone, and oneOf accepts what fitted both": (
        "TestResponsePropertyOneOfRemoved",
    ),
    "it compares JSON bodies only, and takes another media type for none": ("TestRequestBodyMediaTypeAdded",),
}
"""Reason -> cases where it finds something breaking and we do not."""

MILDER: dict[str, tuple[str, ...]] = {
    "it compares sets of values: without the field or the body, all that was accepted still is; we say that "
    "what clients send is no longer read": (
        "TestBreaking_ReqBodyDeleteRequiredProperty",
        "TestRequestBodyRemoved",
        "TestRequiredRequestPropertyRemoved",
    ),
    "it compares sets of values: a second equal alternative makes oneOf reject more than a new value in "
    "another alternative adds": ("TestResponsePropertyOneOfAdded",),
    "it takes a media type that is gone for a body that may be anything": (
        "TestBreaking_RequestBodyMediaTypeRemoved",
        "TestGeneralizeMediaTypeName",
        "TestRequestBodyDefaultValueChanged",
        "TestRequestBodyMediaTypeRemoved",
    ),
    "it takes a header that need not come for one that nobody reads": (
        "TestBreaking_OptionalResponseHeaderRemoved",
    ),
}
"""Reason -> cases where it finds only what does not break, and we find something that does."""


@cache
def cases() -> tuple[Case, ...]:
    """The cases of the two tables and every fourth other one; in a long run all of them."""
    listed = named(STRICTER) | named(MILDER)
    return tuple(
        case for i, case in enumerate(stored.cases()) if case.name in listed or i % extent(4, 1) == 0
    )


def filled(document: Document) -> Any:
    """The document with what openapi-diff insists on and the stored cases leave out."""
    result: Any = copy.deepcopy(document)
    operations = [
        operation
        for item in result.setdefault("paths", {}).values()
        for method, operation in item.items()
        if method != "parameters" and isinstance(operation, dict)
    ]
    for operation in operations:
        operation.setdefault("responses", {"default": {"description": ""}})
    for holder in (*operations, result.get("components", {})):
        for response in (holder.get("responses") or {}).values():
            if isinstance(response, dict) and "$ref" not in response:
                response.setdefault("description", "")
    return result


@cache
def reports() -> dict[str, dict[str, Any]]:
    """Return openapi-diff's reports by the name of the case."""
    node = os.environ.get("NODE") or shutil.which("node")
    if node is None or not (FOLDER / "node_modules").is_dir():
        raise RuntimeError("no Node, or its packages are missing: `make test-sdk` brings both")
    asked = {case.name: json.dumps({"old": filled(case.old), "new": filled(case.new)}) for case in cases()}
    lines = list(dict.fromkeys(asked.values()))  # many cases look at the same documents
    ran = subprocess.run(
        [node, "changes.mjs"],
        cwd=FOLDER,
        input="\n".join(lines) + "\n",
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    answers = dict(zip(lines, map(json.loads, ran.stdout.splitlines()), strict=True))
    return {name: answers[line] for name, line in asked.items()}


def verdicts() -> Iterator[tuple[Case, bool, bool]]:
    """The cases of which openapi-diff finds something: whether it breaks clients, for it and for us."""
    for case in cases():
        types = {change["type"] for change in reports()[case.name].get("found", ())}
        if types:
            try:
                ours = compare(case.old, case.new, as_of=WRITTEN).needs_major
            except InvalidDocument:
                continue
            yield case, "breaking" in types, ours


def named(table: dict[str, tuple[str, ...]]) -> set[str]:
    """The cases of a table."""
    return {name for names in table.values() for name in names}


def test_it_reads_most_documents_of_openapi_3_0() -> None:
    old = [case for case in cases() if str(case.old["openapi"]).startswith("3.0")]
    read = [case for case in old if "found" in reports()[case.name]]

    assert len(read) > 0.9 * len(old)


def test_what_breaks_clients_for_it_breaks_them_for_us_but_for_the_listed_cases() -> None:
    missed = {case.name for case, theirs, ours in verdicts() if theirs and not ours}

    assert named(STRICTER) == missed


def test_what_breaks_nobody_for_it_breaks_nobody_for_us_but_for_the_listed_cases() -> None:
    added = {case.name for case, theirs, ours in verdicts() if ours and not theirs}

    assert named(MILDER) == added


def test_most_verdicts_are_the_same() -> None:
    same = [theirs == ours for _, theirs, ours in verdicts()]

    assert len(same) > extent(30, 100)
    assert sum(same) / len(same) > extent(0.5, 0.75)  # all the listed exceptions are in the short run
