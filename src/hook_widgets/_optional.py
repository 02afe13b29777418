"""Import libraries that may be missing, with errors that explain how to install them.

Some are extras of the package. The others are missing only if Python runs in a browser, or the package was
installed without its dependencies. Everything that does not need them still works.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

from hook_widgets.errors import HookWidgetsError

_EXTRAS = {
    "backports.zstd": "log",
    "icalendar": "calendar",
    "jsonschema": "openapi",
    "mcp": "mcp",
    "pyyaml": "openapi",
}
_IN_BROWSER = "in the browser this needs a site that can reach Pyodide's own packages"


def install(library: str, pip: str = "%pip") -> str:
    """Return instructions to install a library or the extra that it belongs to, as the end of a message.

    Args:
        library: name of the library, as installed with pip.
        pip: the command: that of a notebook, or ``"pip"`` for a shell.

    >>> install("matplotlib"), install("pyyaml")
    ('install it: %pip install matplotlib', 'install it: %pip install "hook-widgets[openapi]"')
    """
    if in_browser():
        return f"install it: {pip} install {library}; {_IN_BROWSER}"
    extra = _EXTRAS.get(library)
    return (
        f'install it: {pip} install "hook-widgets[{extra}]"'
        if extra
        else f"install it: {pip} install {library}"
    )


def in_browser() -> bool:
    """Return True if Python runs in a browser (WebAssembly): without sockets, processes or threads."""
    return sys.platform == "emscripten"


def require(
    module: str, library: str, purpose: str, error: type[HookWidgetsError], *, pip: str = "%pip"
) -> ModuleType:
    """Import a module that needs a library.

    Args:
        module: name of the module.
        library: name of the library, as installed with pip.
        purpose: the purpose, as the beginning of the message, such as ``"a figure"``.
        error: the class to raise.
        pip: the command that installs, as for `install`.

    Raises:
        HookWidgetsError: (`error`) the library, or one of its dependencies, is missing.
    """
    try:
        return import_module(module)
    except ImportError as missing:
        lacks = not f"{library}.".startswith(f"{missing.name or library}.")
        why = f"cannot be loaded without {missing.name}" if lacks else "is not installed"
        raise error(f"{purpose} needs {library}, which {why}; {install(library, pip)}") from None


def matplotlib_renderer(package: str, error: type[HookWidgetsError]) -> ModuleType:
    """Import a ``plotting.mpl`` package, with ``plot`` and ``save``.

    Raises:
        HookWidgetsError: (`error`) matplotlib is not installed; ``plotting.svg`` beside it draws without it.
    """
    return require(package, "matplotlib", "the full picture", error)
