"""Reading light SVG documents back: their lines in absolute pixels, their texts, and their contrast."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
Line = list[tuple[float, float]]

_TOKENS = re.compile(r"[MmLlHhVvAaZz]|-?(?:\d+\.?\d*|\.\d+)")


@dataclass(frozen=True)
class Drawn:
    """A path.

    Attributes:
        lines: its lines in pixels from the upper left corner.
        stroke: the colour of the line, or nothing.
        fill: the colour inside, or nothing.
        dashed: whether the line has gaps.
    """

    lines: list[Line]
    stroke: str
    fill: str
    dashed: bool


def parsed(document: str) -> ElementTree.Element:
    """The root, by the XML parser of the standard library; a document that is not well-formed fails."""
    return ElementTree.fromstring(document)


def paths(document: str) -> Iterator[Drawn]:
    """All paths, with what they inherit from the groups they are in."""
    yield from _paths(parsed(document), {})


def texts(document: str) -> list[tuple[str, float, float]]:
    """All texts, and where they are anchored."""
    return [
        ("".join(text.itertext()), float(text.get("x", "")), float(text.get("y", "")))
        for text in parsed(document).iter(f"{SVG}text")
    ]


def points(data: str) -> list[Line]:
    """The lines of path data: moves, straight lines and arcs, relative or absolute (SVG 1.1, 8.3)."""
    tokens, at, step = _TOKENS.findall(data), [0.0, 0.0], ""
    lines: list[Line] = []
    position = 0
    while position < len(tokens):
        if tokens[position].isalpha():
            step, position = tokens[position], position + 1
            if step in "Zz":
                lines[-1].append(lines[-1][0])
                continue
        count = 1 if step in "HhVv" else 7 if step in "Aa" else 2
        numbers = [float(number) for number in tokens[position : position + count]][-2:]  # of an arc its end
        position += count
        from_x, from_y = at if step.islower() else (0.0, 0.0)
        if step in "Hh":
            at = [from_x + numbers[0], at[1]]
        elif step in "Vv":
            at = [at[0], from_y + numbers[0]]
        else:
            at = [from_x + numbers[0], from_y + numbers[1]]
        if step in "Mm":
            lines.append([])
            step = "L" if step == "M" else "l"
        lines[-1].append((at[0], at[1]))
    return lines


def contrast(one: str, other: str) -> float:
    """The contrast of two colours ``#rrggbb`` (WCAG 2.2, contrast ratio)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = (value / 255 for value in bytes.fromhex(colour[1:]))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _paths(element: ElementTree.Element, above: dict[str, str]) -> Iterator[Drawn]:
    style = above | dict(element.attrib)
    if element.tag == f"{SVG}path":
        yield Drawn(
            points(element.get("d", "")),
            style.get("stroke", ""),
            style.get("fill", ""),
            "stroke-dasharray" in element.attrib,
        )
    for child in element:
        yield from _paths(child, {name: style[name] for name in style if name in ("stroke", "fill")})
