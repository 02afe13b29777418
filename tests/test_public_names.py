"""Public names: listed once, in the stub of their package, and loaded on first access."""

from __future__ import annotations

import ast
import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import get_origin

import pytest

import hook_widgets

STUBS = sorted(Path(hook_widgets.__file__).parent.rglob("__init__.pyi"))
PACKAGES = [
    import_module(".".join(stub.parent.relative_to(Path(hook_widgets.__file__).parents[1]).parts))
    for stub in STUBS
]
of_each_package = pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)


def listed(package: ModuleType) -> dict[str, str]:
    """Return the module of each name that a type checker finds in a package."""
    tree = ast.parse(Path(str(package.__file__)).with_suffix(".pyi").read_text())
    return {
        alias.name: str(node.module)
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name == alias.asname  # a re-export
    }


def loaded_by(code: str) -> list[str]:
    program = f"{code}\nimport sys; print(*(m for m in sys.modules if m.startswith('hook_widgets')))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.split()


@of_each_package
def test_type_checkers_and_programs_find_the_same_names(package):
    names = listed(package)

    assert sorted(names) == dir(package) == package.__all__
    for name, module in names.items():
        assert getattr(package, name) is getattr(import_module(module), name)


@of_each_package
def test_every_public_name_is_the_name_of_its_definition(package):
    for name in dir(package):
        public = getattr(package, name)
        alias = get_origin(public) is not None
        assert alias or name == getattr(public, "__name__", name)


@of_each_package
def test_no_public_name_hides_a_module(package):
    assert set() == {module.name for module in pkgutil.iter_modules(package.__path__)} & set(dir(package))


@of_each_package
def test_an_unknown_name_is_an_attribute_error(package):
    with pytest.raises(AttributeError, match=f"^module '{package.__name__}' has no attribute 'nothing'$"):
        package.nothing  # noqa: B018


@of_each_package
def test_a_package_loads_none_of_its_modules_before_a_name_is_used(package):
    names = package.__name__.split(".")
    parents = {".".join(names[: count + 1]) for count in range(len(names))}

    assert {"hook_widgets", "hook_widgets._lazy"} | parents == set(loaded_by(f"import {package.__name__}"))


def test_a_star_import_imports_every_public_name():
    names: dict[str, object] = {}

    exec("from hook_widgets.endpoints import *", names)

    assert set(listed(import_module("hook_widgets.endpoints"))) == set(names) - {"__builtins__"}


INITS = sorted(Path(hook_widgets.__file__).parent.rglob("__init__.py"))


@pytest.mark.parametrize("path", INITS, ids=lambda path: path.parent.name)
def test_an_init_only_imports_names(path):
    docstring, *body = ast.parse(path.read_text()).body
    assigned = [
        ast.unparse(target) for node in body if isinstance(node, ast.Assign) for target in node.targets
    ]

    assert isinstance(docstring, ast.Expr)
    assert [] == [node for node in body if not isinstance(node, ast.Import | ast.ImportFrom | ast.Assign)]
    assert assigned in ([], ["__all__"], ["(__getattr__, __dir__)"])
