"""Libraries that may not be there: what is said then, and how to get them.

All are installed with the package. Only where Python runs in a browser, or somebody has installed it without
its dependencies, may one be missing; then all that does not need it still works.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

from hook_widgets.errors import HookWidgetsError

_IN_BROWSER = "in the browser this needs a site that can reach Pyodide's own packages"


def install(library: str) -> str:
    """How to get a library, as the end of a message.

    >>> install("matplotlib")
    'Install it: %pip install matplotlib'
    """
    how = f"Install it: %pip install {library}"
    return f"{how}; {_IN_BROWSER}" if in_browser() else how


def in_browser() -> bool:
    """Whether Python runs in a browser, as WebAssembly: without sockets, processes or threads."""
    return sys.platform == "emscripten"


def needed(module: str, library: str, what: str, error: type[HookWidgetsError]) -> ModuleType:
    """A module that needs a library.

    Args:
        module: its name.
        library: what it needs, as it is installed.
        what: what is to be done with it, for the message, such as ``"A figure"``.
        error: what to raise.

    Raises:
        HookWidgetsError: (`error`) the library, or something that it needs itself, is not there.
    """
    try:
        return import_module(module)
    except ImportError as missing:
        lacks = missing.name not in (None, library)
        why = f"cannot be loaded without {missing.name}" if lacks else "is not installed"
        raise error(f"{what} needs {library}, which {why}. {install(library)}") from None
