"""The directive `live-calculator`: a RateLimitCalculator that works on a page without a kernel.

While the page is built, the kernel's side of the widget answers for every algorithm, alone and compared, and
for each value that the page lets a slider take. On the page the widget's own front end runs, and `live.js`
answers its requests out of this recording. Whatever was not recorded is locked. Without JavaScript the still
form of the widget stands there.

    ```{live-calculator}
    :vary: steady: 2/s, 4/s, 6/s

    limit: 10/s
    steady: 4/s
    ```

The content is YAML: the arguments of RateLimitCalculator.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import itertools
import json
from html import escape
from pathlib import Path
from typing import Any, ClassVar

import yaml
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from hook_widgets import RateLimitCalculator
from hook_widgets.ratelimit.limiters.algorithm import LimitAlgorithm
from hook_widgets.ratelimit.planning.inputs import ScenarioInputs
from hook_widgets.widgets._plot_widget import THEMES, View
from hook_widgets.widgets.calculator.frame import Frames
from hook_widgets.widgets.calculator.widget import _catalog
from scripts.executed import digest

RECORDINGS = Path(__file__).resolve().parents[2] / "build" / "live"
WIDTHS_PX = (320, 640)  # a picture for a phone, and one for a desk
_SCALES = "recorded"


class LiveCalculator(SphinxDirective):
    """Puts the calculator into the page, and its recording beside it."""

    has_content = True
    option_spec: ClassVar = {"vary": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """Return the nodes of the directive."""
        name, _, values = self.options["vary"].partition(":")
        steps = [value.strip() for value in values.split(",")]
        widget = RateLimitCalculator(**yaml.safe_load("\n".join(self.content)))
        if getattr(widget, name) not in steps:
            raise self.error(f"{name} is {getattr(widget, name)!r}, which is not among what is recorded")
        recording = _recorded(widget, name, steps)
        here = "../" * self.env.current_document.docname.count("/") + "_static/"
        still = widget._repr_mimebundle_()
        assert still is not None
        html = (
            f'<div class="live" data-recording="{recording.stem}">{still[0]["text/html"]}</div>'
            f'<script defer src="{here}live.js"></script>'
            f'<script defer src="{here}{escape(recording.name)}"></script>'
        )
        return [nodes.raw("", html, format="html")]


def _recorded(widget: RateLimitCalculator, name: str, steps: list[str]) -> Path:
    """Return the file of the recording, and record it unless one of the same inputs and package exists."""
    asked = json.dumps([Path(__file__).read_text(), widget._values(), name, steps])
    file = RECORDINGS / f"live-{digest()}-{hashlib.sha256(asked.encode()).hexdigest()[:16]}.js"
    if not file.exists():
        text = json.dumps(record(widget, name, steps), ensure_ascii=False)
        data = base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()
        file.write_text(f'hookWidgetsLive("{file.stem}", "{data}");\n', encoding="utf-8")
    return file


def record(widget: RateLimitCalculator, name: str, steps: list[str]) -> dict[str, Any]:
    """Return the kernel's reply to each request that the page may send."""
    values = widget._values()
    open_to_change = {name, "algorithm", "compare"}
    pictures: dict[str, int] = {}
    answers = {}
    for algorithm, compare, step in itertools.product(LimitAlgorithm, (False, True), steps):
        chosen = {"algorithm": algorithm.value, "compare": compare, name: step}
        answers[json.dumps([algorithm.value, compare, step], separators=(",", ":"))] = _answer(
            values | chosen, name, steps, pictures
        )
    return {
        "esm": widget._esm,
        "css": widget._css,
        "traits": values
        | {
            "input_labels": widget.input_labels,
            "locked": [each for each in widget.lockable if each not in open_to_change],
        },
        "catalog": _catalog(ScenarioInputs, own_traffic=False),
        "varied": ["algorithm", "compare", name],
        "steps": steps,
        "widths": WIDTHS_PX,
        "answers": answers,
        "pictures": list(pictures),
    }


def _answer(values: dict[str, Any], name: str, steps: list[str], pictures: dict[str, int]) -> dict[str, Any]:
    """Return a frame, with the numbers of its pictures by theme and width."""
    frames = Frames(None, light=True)
    frame: dict[str, Any] = {}
    numbers: dict[str, int] = {}
    for theme, width in itertools.product(THEMES, WIDTHS_PX):
        view = View.of({"width": width, "theme": theme, "quick": bool(frame)})
        drawn, (picture,) = frames.frame(values, view)
        frame = frame or drawn
        numbers[f"{theme} {width}"] = pictures.setdefault(picture.decode(), len(pictures))
        frame.setdefault("sizes", {})[str(width)] = [drawn["picture"]["width"], drawn["picture"]["height"]]
    frame["scales"] = {"id": _SCALES, "steps": {name: steps}}
    frame["fields"][name]["index"] = steps.index(values[name])
    return frame | {"numbers": numbers}


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    RECORDINGS.mkdir(parents=True, exist_ok=True)  # it is one of the folders of static files
    for old in set(RECORDINGS.glob("*.js")) - set(RECORDINGS.glob(f"live-{digest()}-*.js")):
        old.unlink()
    app.add_directive("live-calculator", LiveCalculator)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
