"""The README's own code runs as printed."""

from __future__ import annotations

import contextlib
import io
import json
import re
from pathlib import Path

import pytest

from scripts import picture_texts

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("code", BLOCKS, ids=[f"block {n}" for n in range(1, len(BLOCKS) + 1)])
def test_every_python_block_runs(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {})

    assert ("print(" in code) == bool(printed.getvalue())
    assert "whsec_" not in printed.getvalue()


def test_it_begins_with_how_to_install_and_a_widget():
    beginning = "\n".join(README.splitlines()[:15])
    install, code = re.findall(r"```(?:sh|python)\n(.*?)```", beginning, re.DOTALL)

    assert install.startswith("pip install hook-widgets")
    assert "WebhookGenerator(" in code


def test_a_tour_of_small_pictures_each_with_its_line():
    tour = README.partition("### A tour")[2].partition("\n## ")[0]
    pictures = re.findall(r"\]\((docs/images/[\w-]+\.png)\)", tour)

    assert len(pictures) == len(re.findall(r"\*\*\d\. ", tour)) == 4
    assert [] == [name for name in pictures if (ROOT / name).stat().st_size > 150_000]


def test_the_pictures_show_what_the_widgets_say_today():
    """If this fails, `make pictures` takes them again; look at them."""
    assert json.loads(picture_texts.FILE.read_text(encoding="utf-8")) == picture_texts.texts()


def test_every_make_target_it_names_exists():
    targets = re.findall(r"^make ([a-z-]+)", README, re.MULTILINE)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")

    assert targets
    assert [] == [t for t in targets if not re.search(rf"^{t}:", makefile, re.MULTILINE)]


def test_every_file_it_links_to_is_there():
    links = [
        link for link in re.findall(r"\]\(([^)]+)\)", README) if not link.startswith(("https://", "../../"))
    ]

    assert links
    assert [] == [link for link in links if not (ROOT / link).is_file()]
