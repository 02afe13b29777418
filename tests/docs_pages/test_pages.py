"""The how-tos and explanations: what they print, type and link is so."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from hook_widgets.webhooks import catalog
from tests.support.pages import Reader, blocks

DOCS = Path(__file__).parents[2] / "docs"
NOTEBOOKS = DOCS.parent / "notebooks"  # the build copies them into docs/tutorials
# These two have tests of their own.
ELSEWHERE = {"own-provider.md", "versioning.md"}
PAGES = sorted(page for room in ("howto", "explanation") for page in (DOCS / room).glob("*.md"))
RUN = [page for page in PAGES if page.name not in ELSEWHERE and blocks(page)]
# What a page asks to be exported before its first command.
SET_BEFORE = {"WEBHOOK_SECRET": "whsec_ZGVtb19ub3RfYV9zZWNyZXQ="}

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


@pytest.fixture
def reader(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(catalog, "_added", [])
    for name, value in SET_BEFORE.items():
        monkeypatch.setenv(name, value)
    reading = Reader(tmp_path, variables=SET_BEFORE)
    yield reading
    reading.close()


def forget(folder: Path) -> None:
    """Take the modules out that a page made: the next page may have its own of that name."""
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(str(folder)):
            del sys.modules[name]


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
def test_every_block_does_what_the_page_says(page, reader, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(page.parent)  # as in the documentation's build, whose cells run there
    outcomes = list(reader.read(page))
    forget(tmp_path)

    assert bool(outcomes) == any(block.kind in ("text", "console") for block in blocks(page))
    assert [(o.line, o.said) for o in outcomes] == [(o.line, o.came) for o in outcomes]


@every_page
def test_every_file_that_a_page_links_to_is_there(page):
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", prose)
    files = [link for link in links if "://" not in link]

    there = [
        link for link in files if (page.parent / link).exists() or (NOTEBOOKS / Path(link).name).exists()
    ]
    assert files == there
