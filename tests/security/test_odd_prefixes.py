"""A provider's prefix never ends the string or the line of a receiver that it stands in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hook_widgets.webhooks import receiver_snippet
from hook_widgets.webhooks.codegen import Language
from hook_widgets.webhooks.registry import read_provider

PECULIAR = Path(__file__).parents[1] / "receivers" / "peculiar.provider.toml"


def receiver(prefix: str, language: str, folder: Path) -> str:
    """A receiver of a provider whose secrets have this prefix."""
    text = PECULIAR.read_text(encoding="utf-8")
    (line,) = (line for line in text.splitlines() if line.startswith("strip_prefix"))
    (folder / PECULIAR.name).write_text(
        text.replace(line.partition(" = ")[2], json.dumps(prefix)), encoding="utf-8"
    )
    return receiver_snippet(read_provider(folder / PECULIAR.name), language, scheme="naive")


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("prefix", ["a\nb_", "a\r\nb_", "a\r"])
def test_a_line_end_in_a_prefix_ends_no_line_of_a_receiver(prefix, language, tmp_path):
    code, plain = receiver(prefix, language, tmp_path), receiver("ab_", language, tmp_path)

    assert "\r" not in code
    assert plain.count("\n") == code.count("\n")


@pytest.mark.parametrize("language", [Language.JAVASCRIPT, Language.CSHARP])
@pytest.mark.parametrize("mark", ["\u2028", "\u2029"])
def test_no_separator_of_lines_stands_in_a_language_whose_lines_it_ends(mark, language, tmp_path):
    assert mark not in receiver(f"{mark}a_", language, tmp_path)


def test_no_next_line_stands_in_c_sharp(tmp_path):
    assert "\x85" not in receiver("\x85a_", "csharp", tmp_path)


@pytest.mark.parametrize("language", sorted(set(Language) - {Language.JAVASCRIPT, Language.CSHARP}))
def test_the_lines_of_a_receiver_are_indented_and_not_its_texts(language, tmp_path):
    assert "a\u2028b_" in receiver("a\u2028b_", language, tmp_path)


def test_a_quote_in_a_prefix_ends_no_string_of_php(tmp_path):
    code = receiver("', '', $secret); evil('", "php", tmp_path)

    assert r"\', \'\', \\$secret\\); evil\\(\'" in code
