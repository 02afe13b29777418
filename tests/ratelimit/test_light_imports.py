"""Test that importing and running the core loads no Jupyter, array or plotting library."""

from __future__ import annotations

import subprocess
import sys

HEAVY = {"IPython", "anywidget", "ipywidgets", "traitlets", "matplotlib", "numpy", "pandas", "numba", "scipy"}


def test_a_simulation_loads_nothing_heavy():
    code = (
        "import sys\n"
        "from hook_widgets.ratelimit import Arrivals, Layers, TokenBucket, Concurrency, simulate\n"
        "both = Layers(TokenBucket(5, '5/s'), Concurrency(3))\n"
        "run = simulate(both, Arrivals.poisson(10, 10), service_s=0.2)\n"
        "assert run.summary().rejected and run.tokens(1) is not None\n"
        "print(*{m.partition('.')[0] for m in sys.modules})"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert set() == HEAVY & set(done.stdout.split())
    assert "hook_widgets" in done.stdout


def test_a_small_sweep_loads_no_code_for_processes_and_logs():
    code = (
        "import sys\n"
        "from hook_widgets.ratelimit.planning.scenario import scenario\n"
        "from hook_widgets.ratelimit.reporting.limit_sweep import sweep_limit\n"
        "assert sweep_limit(scenario('5/s', steady='6/s', duration_s=10)).points\n"
        "print(*sys.modules)"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    unused = {
        "multiprocessing",
        "hook_widgets.ratelimit.traffic.access_log",
        "hook_widgets.ratelimit.http.observed",
    }
    assert set() == unused & set(done.stdout.split())
