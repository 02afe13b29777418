"""The pictures of the explanations: for every theme and width, with words, asking for nothing elsewhere."""

from __future__ import annotations

import base64
import importlib
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hook_widgets.ratelimit import TokenBucket, simulate

FOLDER = Path(__file__).parents[2] / "docs" / "explanation"
STEPS = [(0, 0, "thinks"), (0, 1, "asks <politely>"), (1, 0, "answers")]
SVG = "{http://www.w3.org/2000/svg}"


class Tags(HTMLParser):
    """The tags of a fragment with their attributes."""

    def __init__(self, fragment: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(fragment)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def of(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.found if tag == name]


@pytest.fixture
def pages(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    return importlib.import_module


@pytest.fixture
def drawn(pages):
    drawing = pages("sequences").sequence("Who asks whom", [("Ada", "a question"), ("Ben", "x & y")], STEPS)
    return str(drawing)


def test_a_figure_has_an_edition_for_each_theme_and_width_and_says_what_it_shows(pages):
    run = simulate(TokenBucket(2, "1/s"), [0, 0, 0, 1])
    tags = Tags(str(pages("pictures").figure(run, 'Two pass, "one" not.')))
    addresses = [one["srcset"] for one in tags.of("source")] + [one["src"] for one in tags.of("img")]
    files = [base64.b64decode(str(address).partition("base64,")[2]).decode() for address in addresses]

    assert ["only-light", "only-dark"] == [one["class"] for one in tags.of("picture")]
    assert ['Two pass, "one" not.'] * 2 == [one["alt"] for one in tags.of("img")]
    assert 4 == len(set(files))
    assert [f"{SVG}svg"] * 4 == [ET.fromstring(file).tag for file in files]


def test_a_sequence_is_drawn_wide_and_narrow_with_its_title_and_every_word(drawn):
    svgs = [ET.fromstring(one) for one in re.findall(r"<svg.*?</svg>", drawn)]
    said = [" ".join(text.text or "" for text in svg.iter("text")) for svg in svgs]

    assert ["680", "336"] == [svg.attrib["viewBox"].split()[2] for svg in svgs]
    assert ["Who asks whom"] * 2 == [svg.findtext("title") for svg in svgs]
    for words in said:
        assert "Ada holds a question Ben holds x & y 1. thinks 2. asks <politely> 3. answers" == words


def test_a_sequence_tells_the_same_as_a_list(drawn):
    assert (
        "<li>Ada: thinks</li><li>Ada to Ben: asks &lt;politely&gt;</li><li>Ben to Ada: answers</li>" in drawn
    )


def test_an_arrow_points_to_the_one_who_is_spoken_to(drawn):
    arrows = re.findall(r'd="M(\d+) \d+H(\d+)m(-?\d+) ', drawn)

    assert [("170", "510", "-7"), ("510", "170", "7"), ("84", "252", "-7"), ("252", "84", "7")] == arrows


def test_the_pictures_ask_for_nothing_elsewhere(pages, drawn):
    figure = str(pages("pictures").figure(simulate(TokenBucket(2, "1/s"), [0, 0]), "Two pass."))
    addresses = [
        value for _, attributes in Tags(drawn + figure).found for value in attributes.values() if value
    ]

    assert [] == [address for address in addresses if "//" in address and not address.startswith("data:")]
