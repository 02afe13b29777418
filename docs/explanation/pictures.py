"""Figures of runs for the pages of this folder, made while these are built."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from html import escape
from io import BytesIO

from matplotlib import rc_context
from matplotlib.figure import Figure

from hook_widgets._plotting.mpl.compact import compact
from hook_widgets.ratelimit import Quantity, Run, plot_run

NARROW_PX = 600  # pages up to this width get the narrow picture


class Html(str):
    """HTML that a notebook shows as such."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)


def figure(
    runs: Run | Mapping[str, Run], alt: str, *, height_in: float = 2.8, until_s: Quantity | None = None
) -> Html:
    """Return the figure of one or several runs, in four editions of which a page shows one.

    Args:
        runs: as for `hook_widgets.ratelimit.plot_run`.
        alt: what is to be seen, in a sentence.
        height_in: height in inches.
        until_s: how far to draw.
    """
    return editions(lambda **size: plot_run(runs, height_in=height_in, until_s=until_s, **size), alt)


def editions(draw: Callable[..., Figure], alt: str) -> Html:
    """Return a figure in four editions of which a page shows one.

    Args:
        draw: draws it, for a `theme` and a `width_in` in inches.
        alt: what is to be seen, in a sentence.
    """

    def edition(theme: str, width_in: float) -> str:
        file = BytesIO()
        with rc_context({"svg.fonttype": "none", "svg.hashsalt": "hook_widgets"}):
            drawn = draw(theme=theme, width_in=width_in)
            drawn.savefig(file, format="svg", metadata={"Date": None})
        svg = compact(file.getvalue().decode())
        return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()

    return Html(
        "".join(
            f'<picture class="only-{theme}">'
            f'<source media="(max-width: {NARROW_PX}px)" srcset="{edition(theme, 3.8)}">'
            f'<img src="{edition(theme, 7.6)}" alt="{escape(alt)}"></picture>'
            for theme in ("light", "dark")
        )
    )
