"""The pages of source code lead back to the reference, also where a name is exported under another module's.

viewcode knows one such module for each source file, and so points to places that are not there.
"""

from __future__ import annotations

import posixpath
import re
from importlib import import_module
from typing import Any
from weakref import WeakKeyDictionary

from sphinx.application import Sphinx
from sphinx.domains.python import PythonDomain

_BACK = re.compile(r'(<a class="viewcode-back" href="([^"#]+)\.html#)([^"]+)(">)')

_NAVIGATION: WeakKeyDictionary[Sphinx, dict[tuple[object, ...], str]] = WeakKeyDictionary()


def _lead_back(app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: object) -> None:
    if not page.startswith("_modules/") or "body" not in context:
        return
    domain = app.env.domains["py"]
    assert isinstance(domain, PythonDomain)
    module = page.removeprefix("_modules/").replace("/", ".")

    def corrected(link: re.Match[str]) -> str:
        document = posixpath.normpath(posixpath.join(posixpath.dirname(page), link[2]))
        places = {entry.node_id for entry in domain.objects.values() if entry.docname == document}
        parts = link[3].split(".")
        ends = [".".join(parts[start:]) for start in range(len(parts))]  # the longest first
        fitting = [places & {f"{module}.{end}" for end in ends}]
        fitting += [{place for place in places if f".{place}".endswith(f".{end}")} for end in ends]
        return link[1] + next((only.pop() for only in fitting if len(only) == 1), link[3]) + link[4]

    context["body"] = _BACK.sub(corrected, context["body"])


def _share_navigation(app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: object) -> None:
    """Render the navigation once for the pages of one folder and depth that are not in it."""
    folders = ("_modules/", "reference/providers/", "reference/checks/")
    folder = next((folder for folder in folders if page.startswith(folder)), "")
    if folder and not page.endswith("/index"):
        render = context["toctree"]
        rendered = _NAVIGATION.setdefault(app, {})

        def toctree(**options: object) -> str:
            key = (folder, page.count("/"), *sorted(options.items()))
            if key not in rendered:
                rendered[key] = render(**options)
            return rendered[key]

        context["toctree"] = toctree


def _own_module(_app: Sphinx, module: str | None, name: str) -> str | None:
    """Return the module itself for an alias such as ``tuple[str, ...]``, which says that it is a builtin."""
    value = getattr(import_module(module), name.partition(".")[0], None) if module else None
    return module if getattr(value, "__module__", None) == "builtins" else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("html-page-context", _lead_back)
    app.connect("html-page-context", _share_navigation, priority=400)  # before the theme asks for it
    app.connect("viewcode-follow-imported", _own_module)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
