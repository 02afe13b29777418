"""Test that the package offers every public name, loads it on first access, and hides no module."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import subprocess
import sys
from typing import get_origin

import pytest

from hook_widgets import versioning
from hook_widgets.versioning import compat, planning

LIBRARIES = {"icalendar", "jsonschema", "matplotlib", "referencing", "yaml"}


def loaded_by(code: str) -> list[str]:
    """Return the modules that a program has loaded."""
    program = f"{code}\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_the_package_loads_no_module_before_a_name_is_used():
    modules = loaded_by("import hook_widgets.versioning")

    loaded = {m for m in modules if m.startswith("hook_widgets")}

    assert {"hook_widgets", "hook_widgets._version", "hook_widgets.versioning"} == loaded


def test_negotiation_loads_no_library_of_comparisons_files_or_pictures():
    code = """
from datetime import UTC, datetime
from hook_widgets.versioning import Api, Release, lifecycle
dates = lifecycle(datetime(2026, 3, 2, tzinfo=UTC))
api = Api(releases=(Release(1, lifecycle=dates), Release(2)))
assert api.negotiate("/api/v1/orders", at=datetime(2026, 11, 21, tzinfo=UTC)).route
"""

    assert set() == LIBRARIES & set(loaded_by(code))


@pytest.mark.parametrize("name", versioning.__all__)
def test_every_public_name_is_there(name):
    public = getattr(versioning, name)

    alias = get_origin(public) is not None  # Headers and LinkAttributes have the name of tuple
    assert alias or name == getattr(public, "__name__", name)


def test_type_checkers_and_programs_see_the_same_names():
    tree = ast.parse(inspect.getsource(versioning))
    imported = {
        (alias.asname, node.module)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname
    }

    assert imported == set(versioning._HOMES.items())
    assert sorted(versioning._HOMES) == sorted(versioning.__all__) == dir(versioning)


@pytest.mark.parametrize("package", [versioning, compat], ids=lambda package: package.__name__)
def test_no_public_name_hides_a_module(package):
    assert set() == {module.name for module in pkgutil.iter_modules(package.__path__)} & set(package.__all__)


def test_functions_named_like_a_module_are_still_found():
    """``planning.calendar`` and ``planning.timeline`` are modules, the names of the root are functions."""
    assert {"calendar", "timeline"} <= {module.name for module in pkgutil.iter_modules(planning.__path__)}
    assert callable(versioning.calendar)
    assert callable(versioning.timeline)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = versioning.nothing
