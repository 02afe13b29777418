"""The compiled file of the providers against their ``provider.toml`` files, which stay the source."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from hook_widgets.webhooks.registry import built_in, compile_catalog, compiled_catalog
from hook_widgets.webhooks.registry.compiled_catalog import RECORDS, compiled_provider, is_current
from hook_widgets.webhooks.registry.loading import load
from hook_widgets.webhooks.registry.provider_file import ProviderSpec
from hook_widgets.webhooks.registry.sources import Source, source_at
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.scheme import Confidence
from tests.support.provider_records import provider_records

TOML = """
id = "acme"
kind = "payment"
title = "Acme"
confidence = "docs"
docs = ["https://docs.acme.test/webhooks"]
key = { type = "secret", title = "Secret", example = { alphabet = "hex", length = 32 } }
[[schemes]]
name = "v1"
headers = { "Acme-Signature" = "{signature}" }
[[schemes.signatures]]
algorithm = "hmac-sha256"
message = "{body}"
encoding = "hex"
[[events]]
name = "order.created"
category = "order"
"""
HEIR = """
id = "acme-eu"
kind = "payment"
title = "Acme EU"
confidence = "docs"
inherits = "acme"
"""


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Source]]:
    """A provider with an inheriting one, compiled to a file of their own."""
    for name, text in (("acme", TOML), ("acme-eu", HEIR)):
        (tmp_path / name / "events").mkdir(parents=True)
        (tmp_path / name / "provider.toml").write_text(text)
    (tmp_path / "acme/events/order.created.json").write_text("{}")
    monkeypatch.setattr(compiled_catalog, "FILE", tmp_path / "catalog.jsonl")
    compiled_catalog._lines.cache_clear()
    sources = {name: source for name in ("acme", "acme-eu") if (source := source_at(tmp_path / name))}
    compiled_catalog.FILE.write_text(compile_catalog.catalog(sources))
    yield sources
    compiled_catalog._lines.cache_clear()


def test_every_provider_is_the_one_of_its_toml_file():
    sources = built_in()

    assert is_current(sources)
    for name, source in sources.items():
        assert load(source, sources.__getitem__) == compiled_provider(name, sources.__getitem__)


def test_a_compiled_provider_is_used_while_its_files_are_the_same(acme):
    compiled = [compiled_provider(name, acme.__getitem__) for name in acme]

    assert [("Acme", "v1"), ("Acme EU", "v1")] == [(p.title, p.schemes[0].name) for p in compiled if p]
    assert is_current(acme)


@pytest.mark.parametrize(("edited", "stale"), [("acme", {"acme", "acme-eu"}), ("acme-eu", {"acme-eu"})])
def test_an_edited_file_makes_its_provider_and_those_that_inherit_stale(acme, edited, stale):
    file = Path(str(acme[edited].file))
    file.write_text(file.read_text() + "# edited\n")

    assert stale == {name for name in acme if compiled_provider(name, acme.__getitem__) is None}
    assert not is_current(acme)


def test_a_file_of_records_with_other_fields_is_not_read(acme, monkeypatch):
    monkeypatch.setattr(compiled_catalog, "layout", lambda: "another layout")

    assert None is compiled_provider("acme", acme.__getitem__)


def test_without_the_file_no_provider_is_compiled(acme):
    compiled_catalog.FILE.unlink()

    assert None is compiled_provider("acme", acme.__getitem__)


def test_a_provider_that_came_or_went_makes_the_file_stale(acme):
    assert not is_current({"acme": acme["acme"]})
    assert not is_current({**acme, "new": acme["acme"]})


def test_the_file_can_hold_every_record_of_a_provider_file():
    assert provider_records() - {ProviderSpec} | {Provider, Confidence} == set(RECORDS)


def test_the_layout_is_the_same_in_every_process():
    code = "from hook_widgets.webhooks.registry.compiled_catalog import layout; print(layout())"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert compiled_catalog.layout() == printed.strip()
    assert all(fields(record) for record in RECORDS)
