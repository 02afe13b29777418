"""Diagrams of who holds what and who sends what to whom, for the pages of this folder."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from pictures import NARROW_PX, Html

Lane = tuple[str, str]
"""Somebody who takes part, and what they hold."""
Step = tuple[int, int, str]
"""From which lane to which, and what is sent; from a lane to itself for what is done there."""

_GAP = 14
_STYLE = f"""<style>
.hw-narrow {{ display: none }}
@media (max-width: {NARROW_PX}px) {{ .hw-wide {{ display: none }} .hw-narrow {{ display: block }} }}
</style>"""


def sequence(title: str, lanes: Sequence[Lane], steps: Sequence[Step]) -> Html:
    """Return a sequence diagram in the colours of the page, with the same steps as a list below.

    Args:
        title: what it shows.
        lanes: those who take part.
        steps: what happens, in order.
    """
    items = "".join(
        f"<li>{escape(lanes[a][0] if a == b else f'{lanes[a][0]} to {lanes[b][0]}')}: {escape(text)}</li>"
        for a, b, text in steps
    )
    return Html(
        f'{_STYLE}<div class="hw-wide">{_drawn(title, lanes, steps, width=680, size=14)}</div>'
        f'<div class="hw-narrow">{_drawn(title, lanes, steps, width=336, size=11)}</div>'
        f"<details><summary>{escape(title)}, as a list</summary><ol>{items}</ol></details>"
    )


@dataclass
class _Sheet:
    """A drawing that grows downwards.

    Attributes:
        size: of the letters, in pixels.
        lane: width of a lane, in pixels.
        y: how far it is drawn.
    """

    size: int
    lane: float
    y: float = 1.0
    parts: list[str] = field(default_factory=list)

    @property
    def line(self) -> float:
        return self.size * 1.35

    def wrapped(self, text: str, room: float) -> list[str]:
        return textwrap.wrap(text, max(int(room / (self.size * 0.55)), 6))

    def write(self, lines: Sequence[str], x: float, y: float, *, weight: int = 400) -> None:
        """Lines around `x`, from `y` down, with the ground of the page behind them."""
        for n, text in enumerate(lines):
            self.parts.append(
                f'<text x="{x:.0f}" y="{y + self.size + n * self.line:.0f}" font-weight="{weight}" '
                'fill="currentColor" stroke="var(--color-background-primary)" stroke-width="4" '
                f'paint-order="stroke">{escape(text)}</text>'
            )

    def box(self, x: float, y: float, height: float, colour: str) -> None:
        self.parts.append(
            f'<rect x="{x - self.lane / 2 + 4:.0f}" y="{y:.0f}" width="{self.lane - 8:.0f}" '
            f'height="{height:.0f}" rx="6" fill="var(--color-background-primary)" stroke="{colour}"/>'
        )

    def heads(self, lanes: Sequence[Lane], middle: Sequence[float]) -> None:
        """Add the heads of the lanes: who takes part, and what they hold."""
        held = [self.wrapped(f"holds {what}", self.lane - 20) for _, what in lanes]
        height = (1 + max(map(len, held))) * self.line + 12
        for x, (name, _), lines in zip(middle, lanes, held, strict=True):
            self.box(x, self.y, height, "currentColor")
            self.write([name], x, self.y + 3, weight=700)
            self.write(lines, x, self.y + 3 + self.line)
        self.y += height + _GAP

    def note(self, x: float, text: str) -> None:
        """Add an action of one lane."""
        lines = self.wrapped(text, self.lane - 20)
        height = len(lines) * self.line + 10
        self.box(x, self.y, height, "var(--color-brand-content)")
        self.write(lines, x, self.y + 3)
        self.y += height + _GAP

    def arrow(self, start: float, end: float, text: str) -> None:
        """Add a message from one lane to another."""
        lines = self.wrapped(text, abs(end - start) - 16)
        self.write(lines, (start + end) / 2, self.y - 4)
        self.y += len(lines) * self.line + 3
        back = -7 if start < end else 7
        head = f"m{back} -4l{-back} 4l{back} 4"
        self.parts.append(
            f'<path d="M{start:.0f} {self.y:.0f}H{end:.0f}{head}" fill="none" stroke-width="1.6"/>'
        )
        self.y += _GAP + 4


def _drawn(title: str, lanes: Sequence[Lane], steps: Sequence[Step], *, width: int, size: int) -> str:
    sheet = _Sheet(size, width / len(lanes))
    middle = [sheet.lane * (n + 0.5) for n in range(len(lanes))]
    sheet.heads(lanes, middle)
    top = sheet.y - _GAP
    for number, (a, b, text) in enumerate(steps, 1):
        if a == b:
            sheet.note(middle[a], f"{number}. {text}")
        else:
            sheet.arrow(middle[a], middle[b], f"{number}. {text}")
    rails = "".join(f'<path d="M{x:.0f} {top:.0f}V{sheet.y:.0f}" stroke-dasharray="3 4"/>' for x in middle)
    return (
        f'<svg viewBox="0 0 {width} {sheet.y:.0f}" width="100%" style="max-width: {width}px" role="img" '
        f'font-family="inherit" font-size="{size}" text-anchor="middle" stroke="currentColor">'
        f"<title>{escape(title)}</title>{rails}{''.join(sheet.parts)}</svg>"
    )
