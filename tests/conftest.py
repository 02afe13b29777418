"""Settings that every test shares."""

from __future__ import annotations

import faulthandler
import gc
import os
import pkgutil
import signal
import sys
from collections.abc import Iterator
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

# A test that runs longer then says where it hangs. pytest's own option starts a thread for each test, which
# took a tenth of the processor time of short tests.
HANGS_AFTER_S = 180
CAN_SAY_WHERE = hasattr(faulthandler, "register") and sys.platform != "emscripten"


def pytest_configure(config: pytest.Config) -> None:
    """Import every module before its doctests are collected.

    In importlib mode pytest runs a module that it collects once more, when importing the package had run it
    already. There are then two classes of each name, and no object is an instance of the other one.
    """
    if CAN_SAY_WHERE:
        faulthandler.register(signal.SIGALRM, file=os.dup(2))  # the tests' own standard error is captured
    if config.option.doctestmodules:
        for module in pkgutil.walk_packages(hook_widgets.__path__, "hook_widgets."):
            if not module.name.endswith(".__main__"):  # runs the command line, and has no doctests for pytest
                import_module(module.name)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Iterator[None]:
    """Print where each thread is when a test takes too long."""
    if CAN_SAY_WHERE:
        signal.setitimer(signal.ITIMER_REAL, HANGS_AFTER_S)
    try:
        return (yield)
    finally:
        if CAN_SAY_WHERE:
            signal.setitimer(signal.ITIMER_REAL, 0)


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
