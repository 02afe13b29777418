"""Settings that every test shares."""

from __future__ import annotations

import gc
import os
import pkgutil
import sys
from importlib import import_module

import pytest
from hypothesis import settings

import hook_widgets
from tests.support.extent import LONG

# It compiles 38 grammars when jsonschema is imported, in two seconds, for formats that nothing here checks.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

# A slow machine is no reason to fail; in CI the examples are the same ones every time, in a long run others.
settings.register_profile("local", deadline=None, max_examples=25)
settings.register_profile("ci", deadline=None, max_examples=25, derandomize=True, print_blob=True)
settings.register_profile("long", deadline=None, max_examples=200, print_blob=True)
settings.load_profile("long" if LONG else "ci" if os.environ.get("CI") else "local")


def pytest_configure(config: pytest.Config) -> None:
    """Import every module before its doctests are collected.

    In importlib mode pytest runs a module that it collects once more, when importing the package had run it
    already. There are then two classes of each name, and no object is an instance of the other one.
    """
    if config.option.doctestmodules:
        for module in pkgutil.walk_packages(hook_widgets.__path__, "hook_widgets."):
            if not module.name.endswith(".__main__"):  # runs the command line, and has no doctests for pytest
                import_module(module.name)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave what is marked as long to `make test-long`."""
    long = [] if LONG else [item for item in items if item.get_closest_marker("long")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


def pytest_collection_finish() -> None:
    """Keep the garbage collector from walking the collected tests and the imported modules again and again.

    It took a fifth of the processor time. In Pyodide, Hypothesis misses what is frozen and warns.
    """
    gc.collect()
    if sys.platform != "emscripten":
        gc.freeze()
    gc.set_threshold(20_000, 20, 50)
