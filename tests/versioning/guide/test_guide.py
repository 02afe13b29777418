"""Test that every example of the guide prints what the page shows, with real servers and curl."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.pages import Reader, blocks
from tests.versioning.compat.agreement import summary

DOCS = Path(__file__).parents[3] / "docs"
PAGE = DOCS / "explanation" / "versioning.md"
PAGES = {"versioning": PAGE, "serve-versions": DOCS / "howto" / "serve-versions.md"}


@pytest.fixture
def reader(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    reading = Reader(tmp_path)
    yield reading
    reading.close()
    for name in [
        block.file.removesuffix(".py") for page in PAGES.values() for block in blocks(page) if block.file
    ]:
        sys.modules.pop(name, None)


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_every_example_prints_what_the_page_says(reader, page):
    outcomes = list(reader.read(page))

    assert {"text", "console"} & {block.kind for block in blocks(page)}
    assert outcomes
    assert [(o.line, o.said) for o in outcomes] == [(o.line, o.came) for o in outcomes]


def test_the_agreement_that_the_page_names_is_the_one_that_is_measured():
    assert f"> {summary().splitlines()[0]}\n" in PAGE.read_text(encoding="utf-8")
