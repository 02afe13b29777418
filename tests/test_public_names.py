"""Public names: listed once, in the stub of their package, and loaded on first access."""

from __future__ import annotations

import ast
import pkgutil
import re
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
ROOT = Path(__file__).parent.parent
PAGES = [
    path
    for pattern in ("README.md", "docs/**/*.md", "docs/**/*.ipynb", "notebooks/*.ipynb")
    for path in sorted(ROOT.glob(pattern))
    if not {"build", "tutorials"} & set(path.relative_to(ROOT).parts)  # both are generated
]
CORES = ("ratelimit", "versioning", "webhooks")
MODULE = re.compile(r"^\.\. currentmodule:: (\S+)$")
DIRECTIVE = re.compile(r"^\.\. (?:auto(?:class|function)|py:data):: ([\w.]+)(?:\(\))?$")
ROLE = re.compile(r"\{py:\w+\}`~?(hook_widgets(?:\.[a-z]\w*)*)\.(\w+)")
IMPORT = re.compile(r"from (hook_widgets\.[\w.]+) import (?:\(([^)]*)\)|([\w, ]+))")
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


def described(core: str) -> list[tuple[str, str]]:
    """Return the package and name of each description in the reference of a core."""
    names = []
    for path in sorted((ROOT / "docs/reference" / core).glob("*.md")):
        package = ""
        for line in path.read_text().splitlines():
            package = match[1] if (match := MODULE.match(line)) else package
            names += [(package, match[1])] if (match := DIRECTIVE.match(line)) else []
    errors_page = (ROOT / "docs/reference/errors.md").read_text().splitlines()
    entries = [match[1].rpartition(".") for line in errors_page if (match := DIRECTIVE.match(line))]
    return names + [(package, name) for package, _, name in entries if f".{core}" in package]


@pytest.mark.parametrize("core", CORES)
def test_the_reference_describes_every_public_name_once_and_no_other(core):
    """A name that two packages export, such as ``versioning.compare``, is described in the first."""
    packages = [package for package in PACKAGES if f"hook_widgets.{core}" in package.__name__]
    first = {
        (module, name): package.__name__
        for package in packages[::-1]
        for name, module in listed(package).items()
    }

    assert sorted((package, name) for (_, name), package in first.items()) == sorted(described(core))


def test_the_cores_have_at_most_150_public_names():
    assert sum(len(dir(import_module(f"hook_widgets.{core}"))) for core in CORES) <= 150


def test_a_name_has_one_meaning_in_the_three_cores():
    cores = [import_module(f"hook_widgets.{core}") for core in CORES]
    meanings = {(name, id(getattr(core, name))) for core in cores for name in dir(core)}

    assert sorted({name for name, _ in meanings}) == sorted(name for name, _ in meanings)


@pytest.mark.parametrize("path", PAGES, ids=[str(path.relative_to(ROOT)) for path in PAGES])
def test_pages_and_notebooks_use_public_names_only(path):
    public = {package.__name__: set(dir(package)) for package in PACKAGES}
    text = path.read_text().replace('\\n",', "")  # a line of a notebook
    imports = [
        (package, name)
        for package, block, line in IMPORT.findall(text)
        for name in re.findall(r"(?<!as )\b[A-Za-z]\w*\b(?<!\bas)", block or line)
        if package != "hook_widgets.errors"
    ]
    roles = [pair for pair in ROLE.findall(text) if pair[0] not in ("hook_widgets.errors", "hook_widgets")]

    assert [] == [pair for pair in imports + roles if pair[1] not in public.get(pair[0], set())]


INITS = sorted(Path(hook_widgets.__file__).parent.rglob("__init__.py"))


@pytest.mark.parametrize("path", INITS, ids=lambda path: path.parent.name)
def test_an_init_only_imports_names(path):
    docstring, *body = ast.parse(path.read_text()).body
    assigned = [
        ast.unparse(target) for node in body if isinstance(node, ast.Assign) for target in node.targets
    ]

    assert isinstance(docstring, ast.Expr)
    assert [] == [node for node in body if not isinstance(node, ast.Import | ast.ImportFrom | ast.Assign)]
    assert assigned in ([], ["(__getattr__, __dir__)"])
