"""The page on adding a provider: every block of it works as printed, and it names every field and value."""

from __future__ import annotations

import re
import tomllib
from enum import StrEnum
from pathlib import Path
from typing import Literal, get_args, get_origin

import pytest

from hook_widgets.webhooks import registry
from hook_widgets.webhooks.registry import sources
from hook_widgets.webhooks.registry.provider_file import ProviderSpec
from hook_widgets.webhooks.registry.validation_errors import field_types, records_in
from hook_widgets.webhooks.scheme.fields import BUILT_IN
from hook_widgets.webhooks.scheme.record import Record
from tests.support.pages import Reader, blocks

PAGE = Path(__file__).parents[3] / "docs" / "howto" / "own-provider.md"
BLOCKS = blocks(PAGE)
REFERENCE = PAGE.read_text(encoding="utf-8").partition("## All fields")[2]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("hook_widgets.webhooks.registry.api._added", [])
    return tmp_path


def test_every_block_of_the_page_does_what_the_page_says(here):
    outcomes = list(Reader(here).read(PAGE))

    assert outcomes
    assert [(o.line, o.said) for o in outcomes] == [(o.line, o.came) for o in outcomes]
    assert ["toml", "python", "text"] == [block.kind for block in BLOCKS[:3]]
    assert {"acme", "acme-eu"} <= {reachable.id for reachable in registry.providers()}


def test_the_package_of_the_page_brings_the_provider_of_the_page(here, monkeypatch):
    files = {block.file: block.text for block in BLOCKS if block.kind == "toml"}
    project = tomllib.loads(files["acme-hooks/pyproject.toml"])["project"]
    site = here / "site"
    folder = site.joinpath(*project["entry-points"][sources.GROUP]["acme"].split("."))
    folder.mkdir(parents=True)
    (folder / "acme.provider.toml").write_text(files["acme.provider.toml"], encoding="utf-8")
    info = site / f"{project['name']}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    points = "\n".join(f"{name} = {value}" for name, value in project["entry-points"][sources.GROUP].items())
    (info / "entry_points.txt").write_text(f"[{sources.GROUP}]\n{points}\n")
    monkeypatch.syspath_prepend(site)
    monkeypatch.setattr("hook_widgets.webhooks.registry.api._registries", [])
    sources.installed.cache_clear()

    assert "Acme Pay" == registry.provider("acme").title
    sources.installed.cache_clear()


def records() -> set[type[Record]]:
    reachable: set[type[Record]] = set()
    waiting: list[type[Record]] = [ProviderSpec]
    while waiting:
        record = waiting.pop()
        if record not in reachable:
            reachable.add(record)
            waiting += [inner for kind in field_types(record).values() for inner in records_in(kind)]
    return reachable


def values(annotation: object) -> set[str]:
    """The words that a field of this type may be."""
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return set(annotation)
    if get_origin(annotation) is Literal:
        return {value for value in get_args(annotation) if value}
    return {word for inner in get_args(annotation) for word in values(inner)}


@pytest.mark.parametrize("record", sorted(records(), key=str))
def test_the_page_names_every_field_and_every_value_that_it_may_have(record):
    words = set(re.findall(r"[\w-]+", " ".join(re.findall(r"`([^`]+)`", REFERENCE))))
    fields = field_types(record)

    assert fields
    assert set() == fields.keys() - words
    assert set() == {word for annotation in fields.values() for word in values(annotation)} - words


def test_the_page_names_every_field_of_a_template():
    assert [] == [name for name in BUILT_IN if f"`{name}`" not in REFERENCE]
