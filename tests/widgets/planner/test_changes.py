"""The planner's change check, driven by a tab: verdict, who breaks, hostile documents, nothing saved."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hook_widgets.widgets.planner.widget import VersionPlanner
from tests.widgets.fake_tab import FakeTab
from tests.widgets.planner.planner_tab import PLAN, ROWS, inputs
from tests.widgets.static_html.cases import bundle

OLD = """\
openapi: 3.1.0
info: {title: Orders of the canary, version: "2"}
paths:
  /orders:
    get:
      parameters: [{name: limit, in: query, schema: {type: integer}}]
      responses:
        "200":
          description: A canary order.
          content:
            application/json:
              schema: {type: object, properties: {id: {type: string}, total: {type: integer}}}
"""
# By hand: a removed field breaks clients that read it, a newly required parameter those that send requests,
# and an additional operation none.
FIELD_REMOVED = OLD.replace(", total: {type: integer}", "")
PARAMETER_REQUIRED = OLD.replace("in: query,", "in: query, required: true,")
OPERATION_ADDED = OLD + '  /refunds: {get: {responses: {"200": {description: A list.}}}}\n'


# Each alias has nine of the one before it.
BILLION = "a0: &a0 [x]\n" + "".join(f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]\n" for k in range(1, 9))


@pytest.fixture
def tab():
    return FakeTab(VersionPlanner(ROWS, **PLAN))


def compare(tab: FakeTab, old: str | bytes, new: str | bytes, **changes: Any) -> dict[str, Any]:
    for name, document in (("old", old), ("new", new)):
        data = document.encode() if isinstance(document, str) else document
        assert tab.ask("part", data, name=name, at=0)["ok"]
    return tab.ask("changes", inputs=inputs(tab, **changes), old="old", new="new")


@pytest.mark.parametrize(
    ("new", "breaking", "who"),
    [
        (FIELD_REMOVED, True, "all clients"),
        (PARAMETER_REQUIRED, True, "clients that send it"),
        (OPERATION_ADDED, False, "no client"),
    ],
)
def test_it_says_who_breaks_and_the_version_it_needs(tab, new, breaking, who):
    value = compare(tab, OLD, new)["value"]
    (table,) = value["tables"]
    version = "Needs a new major version: v3, which is planned"

    assert (version if breaking else "Needs no new version: a minor change, which breaks no client") == value[
        "verdict"
    ]
    assert ("bad" if breaking else "ok") == value["level"]
    assert [who] == [row[2] for row in table["rows"]]
    assert table["caption"].startswith(
        "Breaking changes: 1" if breaking else "Changes that break no client: 1"
    )


def test_a_change_in_the_other_direction_is_not_explained_by_whom_it_would_break(tab):
    field = OLD.replace("properties: {id:", "required: [id, currency], properties: {currency: {}, id:")
    (row,) = compare(tab, OLD.replace("properties: {id:", "required: [id], properties: {id:"), field)[
        "value"
    ]["tables"][0]["rows"]

    # Of a response: clients that read it get one field more.
    assert ("no client", "Only clients that send it would break, and none does here.") == tuple(row[2:4])


def test_without_a_planned_version_it_is_the_next_number(tab):
    value = compare(
        tab, OLD, FIELD_REMOVED, versions=[["4", "", "", "", ""], ["7", "", "", "", ""]], version=""
    )["value"]

    assert "Needs a new major version: v8" == value["verdict"]
    assert {"version": "8", "released": "2026-12-01"} == value["next"]  # the first of the next month


@pytest.mark.parametrize("new", [OPERATION_ADDED, FIELD_REMOVED])
def test_a_minor_change_and_a_planned_version_need_no_further_row(tab, new):
    assert compare(tab, OLD, new)["value"]["next"] is None


def test_json_and_yaml_are_the_same_document(tab):
    import yaml

    value = compare(tab, OLD, json.dumps(yaml.safe_load(OLD)))["value"]

    assert ("Needs no new version: no difference", [], []) == (
        value["verdict"],
        value["tables"],
        value["not_compared"],
    )


@pytest.mark.parametrize(
    ("extensions", "rest"),
    [
        ("", "1 breaking and 0 other changes between the OpenAPI documents."),
        ("x-a: 1\n", "documents. 1 construct could not be compared; review it."),
        ("x-a: 1\nx-b: 1\n", "documents. 2 constructs could not be compared; review them."),
    ],
)
def test_the_summary_counts_what_was_not_compared(tab, extensions: str, rest: str):
    assert compare(tab, OLD, FIELD_REMOVED + extensions)["value"]["summary"].endswith(rest)


def test_what_is_not_compared_is_said(tab):
    multipart = OLD.replace("application/json:", "multipart/form-data:")
    new = multipart.replace(
        "schema: {type: object",
        "encoding: {id: {contentType: text/csv}}\n              schema: {type: object",
    )
    value = compare(tab, multipart, new)["value"]

    assert value["not_compared"] or value["tables"]
    assert "no difference" not in value["verdict"] or "in what was compared" in value["verdict"]


def test_neither_the_documents_nor_the_result_are_saved(tab):
    compare(tab, OLD, FIELD_REMOVED)

    for text in map(
        str, (tab.widget.get_state(), bundle(tab.widget), tab.widget._full_document().fragment())
    ):
        assert "canary" not in text
        assert "Breaking changes" not in text
    assert {} == tab.widget._uploads._parts


@pytest.mark.parametrize("missing", ["jsonschema", "yaml"])
def test_a_missing_package_is_named_with_the_command_that_installs_it(tab, monkeypatch, missing):
    for name in [name for name in sys.modules if name.partition(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    for name in [name for name in sys.modules if name.startswith("hook_widgets.versioning.compat")]:
        monkeypatch.delitem(sys.modules, name)
    error = compare(tab, OLD, FIELD_REMOVED)["error"]

    assert "pip install" in error["text"]
    assert "hook-widgets[openapi]" in error["text"] or "hook_widgets[openapi]" in error["text"]


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("", OLD, "the old document is empty"),
        (OLD, "", "the new document is empty"),
        (OLD, b"\xff\xfe", "the new document is not UTF-8"),
        (OLD, "{" * 20_000, "new"),
        ("[" * 20_000, OLD, "old"),
        (OLD, BILLION, "too large"),
        (OLD, "/etc/passwd", ""),
    ],
)  # fmt: skip
def test_a_document_that_cannot_be_used_is_said(tab, old, new, text):
    reply = compare(tab, old, new)

    assert not reply["ok"]
    assert text in reply["error"]["text"]
    assert "root:" not in reply["error"]["text"]


SHARED = VersionPlanner(ROWS, **PLAN)


@settings(deadline=None, max_examples=40)
@given(
    st.binary(max_size=80)
    | st.sampled_from([OLD, FIELD_REMOVED, "{}", "[]", "true", "openapi: 3.1.0"]).map(str.encode)
)
def test_no_document_breaks_the_kernel(data):
    tab = FakeTab(SHARED)
    reply = compare(tab, OLD, data)

    assert reply["ok"] or "internal" != reply["error"]["code"]
