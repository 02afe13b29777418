"""Kernel CPU of the first widget that is shown, in a process of its own.

Run it with `make bench`. A kernel's own modules are loaded before. Measured is: importing the widget,
creating it, its static HTML, and its first frame. The best of a few processes counts, user and system time
together. The widgets with a chart are measured twice: after ``import matplotlib``, which alone does not load
matplotlib's figures, so that loading these counts; and after ``import matplotlib.pyplot``, as in a notebook
that has drawn a figure before. The generator must not load matplotlib at all.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from tests.benchmarks.report import Gap, Parts, Row, emit

LIMIT_S: Final = 0.3
PROCESSES: Final = 7

SHOW: Final = """
import resource, sys
import ipykernel.ipkernel, IPython
{before}
def cpu_s():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
begin = cpu_s()
from hook_widgets import {widget}
shown = {widget}()
shown._repr_mimebundle_()
{frame}
print(cpu_s() - begin, "matplotlib" in sys.modules)
"""
FRAME: Final = (
    "reply, buffers = shown._on_frame("
    "{'width': 872, 'dpr': 1, 'theme': 'light', 'quick': False, 'scales': ''}, [])\n"
    "assert buffers and reply['picture']['media_type'] == 'image/png', reply['error']"
)
FIRST_LISTS: Final = "shown._on_catalog({}, [])\nshown._on_preview({}, [])"


def cpu_seconds(widget: str, before: str, frame: str) -> float:
    """Return the CPU time until a widget is shown in a new process."""
    code = SHOW.format(widget=widget, before=before, frame=frame)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    ran = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    seconds, loaded = ran.stdout.split()
    assert loaded == str(bool(before)), f"matplotlib loaded by {widget}: {loaded}"
    return float(seconds)


def rows(modules: Sequence[str], *, processes: int) -> Iterator[Row]:
    """Yield a row for each widget, in turn so that a slow moment meets all."""
    cases = [
        ("WebhookGenerator, without matplotlib", "WebhookGenerator", "", FIRST_LISTS),
        *(
            (f"{widget}, after import {module}", widget, f"import {module}", FRAME)
            for widget in ("RateLimitCalculator", "VersionPlanner")
            for module in modules
        ),
    ]
    best = dict.fromkeys((name for name, *_ in cases), float("inf"))
    for _ in range(processes):
        for name, *case in cases:
            best[name] = min(best[name], cpu_seconds(*case))
    for name, seconds in best.items():
        yield Row(
            what=f"First widget shown, kernel CPU: {name}",
            ours=seconds * 1000,
            anchor=LIMIT_S * 1000,
            anchor_name="limit",
            unit="ms",
            runs=processes,
        )


def parts(*, smallest: bool = False) -> Parts:
    """Return the one part, of the usual or of the smallest size."""
    modules = ["matplotlib", "matplotlib.pyplot"]
    usual = partial(rows, modules, processes=PROCESSES)
    return {"First widget shown": partial(rows, modules[:1], processes=1) if smallest else usual}


def main() -> Sequence[Gap]:
    """Measure, and return what is missing."""
    return emit(parts(), "matplotlib", "numpy", "ipywidgets", "anywidget")
