"""What a kernel can know of its packages, its host and the server behind it."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from email.parser import HeaderParser
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Any

#: Everything that the front end is made of; the widgets ask for the last three when they need them.
FRONT_END = (
    "generator.js", "generator.css", "calculator.js", "calculator.css", "planner.js", "planner.css",
    "editor.js", "curves.js", "panels.js",
)  # fmt: skip
#: What is needed beside the kernel: the oldest version, and what cannot be had without it.
REQUIRED = {
    "anywidget": ("0.11", "the widgets"),
    "ipywidgets": ("8", "the widgets"),
    "matplotlib": ("3.10", "full pictures, instead of light ones"),
    "cryptography": ("44", "signatures with key pairs, such as Discord's"),
    "httpcore": ("1.0.9", "sending requests"),
    "pydantic": ("2.10", "the catalog of providers"),
    "icalendar": ("6", "the calendar file of a version's dates"),
    "jsonschema": ("4.23", "comparing API documents"),
    "pyyaml": ("6", "API documents in YAML"),
}
#: Of these, what a Python in the browser does without: the widgets say what they do instead.
NOT_IN_A_BROWSER = frozenset({"matplotlib", "cryptography", "httpcore", "icalendar", "jsonschema", "pyyaml"})
#: What else is worth knowing where it is installed.
OTHERS = (
    "jupyterlab-widgets", "widgetsnbextension", "ipykernel", "jupyterlab", "notebook", "voila", "marimo",
    "nbconvert", "numba",
)  # fmt: skip
#: The files by which JupyterLab and Notebook 7 find a loader, and the package that brings each.
LOADERS = {
    "labextensions/anywidget/package.json": "anywidget",
    "labextensions/@jupyter-widgets/jupyterlab-manager/package.json": "jupyterlab_widgets",
}

JUPYTER = "a Jupyter server, such as JupyterLab or Notebook"
VOILA = "Voila"
VS_CODE = "VS Code"
COLAB = "Colab"
MARIMO = "marimo"
BROWSER = "JupyterLite or another Python in the browser"
KERNEL = "a kernel, of which the host is not known"
TERMINAL = "IPython in a terminal, which shows no widgets"


@dataclass(frozen=True)
class Surroundings:
    """What is known of the place where this runs.

    Attributes:
        versions: of the distributions that the kernel can import, by normal name.
        built: those files of the front end that are there and not empty.
        host: what shows the widgets, one of the constants above; empty when this is no notebook.
        server: the interpreter of the Jupyter server that started the kernel, where the system tells.
        loaders: the packages whose loaders the server finds; None when its environment is not known.
        version: of this package.
        python: the kernel's interpreter.
        python_version: of the same.
        system: the operating system, in a line.
    """

    versions: Mapping[str, str]
    built: frozenset[str]
    host: str = ""
    server: Path | None = None
    loaders: frozenset[str] | None = None
    version: str = ""
    python: str = sys.executable
    python_version: str = field(default_factory=platform.python_version)
    system: str = field(default_factory=platform.platform)


def look_around() -> Surroundings:
    """The surroundings of this process."""
    from hook_widgets import __version__

    ipython = sys.modules.get("IPython")  # never imported for this: it is there when it is in use
    host = host_of(sys.modules, os.environ, ipython.get_ipython() if ipython else None)
    server = server_python(Path(f"/proc/{os.getppid()}/cmdline")) if host == JUPYTER else None
    return Surroundings(
        versions=versions(),
        built=built(Path(str(files("hook_widgets.widgets") / "static"))),
        host=host,
        server=server,
        loaders=loaders(data_folders(server, os.environ)) if server else None,
        version=__version__,
    )


def host_of(modules: Mapping[str, Any], environment: Mapping[str, str], shell: Any) -> str:
    """What shows the widgets, as far as a kernel can know.

    Args:
        modules: the imported ones.
        environment: the variables of the process.
        shell: IPython's, or None.
    """
    known = {
        BROWSER: sys.platform == "emscripten",
        MARIMO: shell is None and "marimo" in modules,
        COLAB: "google.colab" in modules,
        VS_CODE: "__vsc_ipynb_file__" in getattr(shell, "user_ns", ()),  # the Jupyter extension sets it
        VOILA: environment.get("SERVER_SOFTWARE", "").startswith("voila/"),
        JUPYTER: shell is not None and "JPY_SESSION_NAME" in environment,
        TERMINAL: type(shell).__name__ == "TerminalInteractiveShell",
        KERNEL: shell is not None,
    }
    return next((host for host, true in known.items() if true), "")


def versions(path: Sequence[str] | None = None) -> dict[str, str]:
    """The version of each installed distribution, by normal name.

    Args:
        path: where to look; `sys.path` unless told. The first of two counts, as it does for imports. One
            whose metadata cannot be read is left out.
    """
    found: dict[str, str] = {}
    for one in metadata.distributions() if path is None else metadata.distributions(path=list(path)):
        head = HeaderParser().parsestr(_metadata(one))
        if head["Name"] and head["Version"]:
            found.setdefault(head["Name"].lower().replace("_", "-").replace(".", "-"), head["Version"])
    return found


def _metadata(one: metadata.Distribution) -> str:
    try:
        return one.read_text("METADATA") or one.read_text("PKG-INFO") or ""
    except UnicodeDecodeError:
        return ""


def built(folder: Path) -> frozenset[str]:
    """The front end's files that are in a folder and not empty."""
    return frozenset(
        name for name in FRONT_END if (folder / name).is_file() and (folder / name).stat().st_size
    )


def server_python(cmdline: Path) -> Path | None:
    """The interpreter that a process was started with, where the system tells (Linux).

    Args:
        cmdline: the process's ``/proc/…/cmdline``. Only the program is looked at: a token may follow.
    """
    try:
        program = Path(cmdline.read_bytes().split(b"\0")[0].decode(errors="replace"))
    except OSError:
        return None
    return program if program.is_absolute() and program.name.startswith("python") else None


def data_folders(server: Path, environment: Mapping[str, str]) -> list[Path]:
    """Where a Jupyter server of this interpreter finds its extensions, as ``jupyter --paths`` lists it."""
    named = [*environment.get("JUPYTER_PATH", "").split(os.pathsep), environment.get("JUPYTER_DATA_DIR", "")]
    user = environment.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")  # noqa: PTH111 - never raises
    share = [server.parent.parent / "share", Path(user)]
    share += [Path("/usr/local/share"), Path("/usr/share")]
    return [*(Path(folder) for folder in named if folder), *(folder / "jupyter" for folder in share)]


def loaders(folders: Iterable[Path]) -> frozenset[str] | None:
    """The packages whose loaders are in one of these folders.

    Returns:
        None when one was not found and some folder may not be looked into, as that of another user.
    """
    seen = {(package, _is_there(place / file)) for place in folders for file, package in LOADERS.items()}
    found = frozenset(package for package, there in seen if there)
    unknown = {package for package, there in seen if there is None} - found
    return None if unknown else found


def _is_there(file: Path) -> bool | None:
    """Whether a file is there; None when that cannot be seen."""
    try:
        file.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return None
    return True
