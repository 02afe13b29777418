"""Test that importing and running the core loads no Jupyter, array or plotting library."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys

import pytest

from hook_widgets import ratelimit

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


def test_the_package_loads_no_module_before_a_name_is_used():
    code = (
        "import sys, hook_widgets.ratelimit; print(*(m for m in sys.modules if m.startswith('hook_widgets')))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert {"hook_widgets", "hook_widgets._version", "hook_widgets.ratelimit"} == set(done.stdout.split())


@pytest.mark.parametrize("name", ratelimit.__all__)
def test_every_public_name_is_there(name):
    public = getattr(ratelimit, name)

    assert name == getattr(public, "__name__", name)


def test_type_checkers_and_programs_see_the_same_names():
    tree = ast.parse(inspect.getsource(ratelimit))
    checked = {
        (alias.asname, node.module)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname
    }

    assert checked == set(ratelimit._HOMES.items())
    assert sorted(ratelimit._HOMES) == sorted(ratelimit.__all__) == sorted(dir(ratelimit))


def test_no_public_name_hides_a_module():
    assert set() == {module.partition(".")[0] for module in ratelimit._MODULES} & set(ratelimit.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = ratelimit.nothing
