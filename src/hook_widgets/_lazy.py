"""Load the public names of a package on first access, as its stub lists them (Scientific Python SPEC 1)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


def attach(package: str, *, figure_error: str = "") -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the ``__getattr__`` and ``__dir__`` of a package with a stub, ``__init__.pyi``.

    Each line of the stub is ``from module import name as name``. Type checkers read it. At run time it is
    parsed when the first name is used, not on import, and its names are also the package's ``__all__``.

    Args:
        package: name of the package.
        figure_error: name of the error that is raised if a name needs matplotlib and it is missing.
    """

    @cache
    def modules() -> dict[str, str]:
        import ast
        from pathlib import Path

        stub = Path(str(sys.modules[package].__file__)).with_suffix(".pyi").read_text(encoding="utf-8")
        imports = [node for node in ast.parse(stub).body if isinstance(node, ast.ImportFrom)]
        return {alias.name: str(node.module) for node in imports for alias in node.names if alias.asname}

    def load(name: str) -> Any:
        if name == "__all__":
            return public_names()
        dunder = name.startswith("__") and name != "__version__"
        if dunder or name not in modules():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = modules()[name]
        if ".plotting.mpl" in module:
            from hook_widgets import _optional, errors

            _optional.matplotlib_renderer(module, getattr(errors, figure_error))
        value = getattr(import_module(module), name)
        setattr(sys.modules[package], name, value)  # the next access is a plain one
        return value

    def public_names() -> list[str]:
        return sorted(modules())

    return load, public_names
