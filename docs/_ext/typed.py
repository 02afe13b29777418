"""For autodoc: annotations whose names only type checkers import, and docstrings of attributes as plain text.

Modules of the package import under `if TYPE_CHECKING:` what would be a circle at run time. Signatures are
resolved at run time, so the same imports are made here, after everything is loaded.
"""

from __future__ import annotations

import ast
import inspect
import pkgutil
from importlib import import_module
from types import ModuleType

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.ext.napoleon.docstring import GoogleDocstring
from traitlets import HasTraits

import hook_widgets
from hook_widgets.webhooks.scheme.record import Record
from hook_widgets.webhooks.scheme.sender import Sender


def _import_for_types(_app: Sphinx, _config: Config) -> None:
    infos = pkgutil.walk_packages(hook_widgets.__path__, "hook_widgets.")
    modules = [import_module(info.name) for info in infos]
    blocks = [(module, block) for module in modules for block in _for_type_checkers(module)]
    for module, block in sorted(blocks, key=lambda pair: not _defines(pair[1])):  # what others import first
        exec(compile(ast.Module(block.body, []), module.__name__, "exec"), vars(module))


def _for_type_checkers(module: ModuleType) -> list[ast.If]:
    tree = ast.parse(inspect.getsource(module))
    return [
        node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ]


def _defines(block: ast.If) -> bool:
    return any(isinstance(node, ast.Assign) for node in block.body)


def _plain(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Add a comment line: Napoleon takes text before a colon in an attribute's docstring for its type."""
    if what in {"attribute", "data", "property"}:
        text = GoogleDocstring(lines, app.config, app, "method", name, thing, options).lines()
        lines[:] = ["..", "", *text]  # an empty comment, in which there is no colon


def _read_from_toml(
    _app: Sphinx, _what: str, _name: str, thing: object, *_more: object
) -> tuple[str, str] | None:
    """Hide the signature of a record or a provider: nobody calls its class."""
    return ("", "") if isinstance(thing, type) and issubclass(thing, Record | Sender) else None


def _as_called(_app: Sphinx, _what: str, _name: str, thing: object, *_more: object) -> tuple[str, str] | None:
    """Return the signature of a widget, where autodoc finds that of all with traits, `(*args, **kwargs)`.

    Its docstring says what each argument may be.
    """
    if not (isinstance(thing, type) and issubclass(thing, HasTraits)):
        return None
    taken = [each.replace(annotation=each.empty) for each in inspect.signature(thing).parameters.values()]
    return str(inspect.Signature([each for each in taken if each.name != "unknown"])), ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("config-inited", _import_for_types)
    app.connect("autodoc-process-signature", _read_from_toml)
    app.connect("autodoc-process-signature", _as_called)
    app.connect("autodoc-process-docstring", _plain, priority=400)  # before napoleon
    return {"parallel_read_safe": True, "parallel_write_safe": True}
