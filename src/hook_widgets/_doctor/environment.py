"""Detect the packages of the kernel, its host and the Jupyter server that started it."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from email.parser import HeaderParser
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Any

from hook_widgets._version import __version__

#: The files of the front end; the widgets load the last five on demand.
FRONT_END = (
    "generator.js", "generator.css", "calculator.js", "calculator.css", "planner.js", "planner.css",
    "editor.js", "panels.js", "vault.html", "vault.js", "curves.js",
)  # fmt: skip
#: Required packages: the oldest supported version, and the feature that needs it.
REQUIRED = {
    "anywidget": ("0.11", "the widgets"),
    "ipywidgets": ("8", "the widgets"),
    "matplotlib": ("3.10", "full pictures, instead of light ones"),
    "cryptography": ("44", "signatures with key pairs, such as Discord's"),
    "httpcore": ("1.0.9", "sending requests"),
    "jinja2": ("3.1", "static HTML and generated receivers"),
    "pydantic": ("2.10", "the catalog of providers"),
}
#: Required packages that a Python in the browser lacks; the widgets explain the alternative.
NOT_IN_A_BROWSER = frozenset({"matplotlib", "cryptography", "httpcore"})
#: Other packages that are listed if installed.
OTHERS = (
    "jupyterlab-widgets", "widgetsnbextension", "ipykernel", "jupyterlab", "notebook", "voila", "marimo",
    "nbconvert", "numba", "backports-zstd", "icalendar", "jsonschema", "mcp", "pyyaml",
)  # fmt: skip
#: The files by which JupyterLab and Notebook 7 find a loader, and the package that installs each.
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


@dataclass(frozen=True, kw_only=True)
class Environment:
    """The environment of this process.

    Attributes:
        versions: versions of the distributions that the kernel can import, by normalised name.
        built: the files of the front end that exist and are not empty.
        host: the host that displays the widgets, one of the constants above; empty outside a notebook.
        server: the interpreter of the Jupyter server that started the kernel, if the system reveals it.
        loaders: the packages whose loaders the server finds; None if its environment is unknown.
        version: version of this package.
        python: the kernel's interpreter.
        python_version: version of that interpreter.
        system: the operating system, in one line.
        frame_hashes: hashes of the scripts of the frame that protects secrets, as written in a page's policy.
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
    frame_hashes: tuple[str, ...] = ()


def detect_environment() -> Environment:
    """Detect the environment of this process."""
    ipython = sys.modules.get("IPython")  # not imported: if it is in use, it is loaded
    host = host_of(sys.modules, os.environ, ipython.get_ipython() if ipython else None)
    server = server_python(Path(f"/proc/{os.getppid()}/cmdline")) if host == JUPYTER else None
    static = Path(str(files("hook_widgets.widgets") / "static"))
    return Environment(
        versions=versions(),
        built=built(static),
        host=host,
        server=server,
        loaders=loaders(data_folders(server, os.environ)) if server else None,
        version=__version__,
        frame_hashes=frame_hashes(static / "vault.html"),
    )


def host_of(modules: Mapping[str, Any], variables: Mapping[str, str], shell: Any) -> str:
    """Return the host that displays the widgets, as far as a kernel can know."""
    conditions = {
        BROWSER: sys.platform == "emscripten",
        MARIMO: shell is None and "marimo" in modules,
        COLAB: "google.colab" in modules,
        VS_CODE: "__vsc_ipynb_file__" in getattr(shell, "user_ns", ()),  # the Jupyter extension sets it
        VOILA: variables.get("SERVER_SOFTWARE", "").startswith("voila/"),
        JUPYTER: shell is not None and "JPY_SESSION_NAME" in variables,
        TERMINAL: type(shell).__name__ == "TerminalInteractiveShell",
        KERNEL: shell is not None,
    }
    return next((host for host, holds in conditions.items() if holds), "")


def versions() -> dict[str, str]:
    """Return the version of each installed distribution, by normalised name.

    The first of several in `sys.path` counts, as for imports. Distributions whose metadata cannot be read are
    left out.
    """
    by_name: dict[str, str] = {}
    for distribution in metadata.distributions():
        head = HeaderParser().parsestr(_metadata(distribution))
        if head["Name"] and head["Version"]:
            by_name.setdefault(head["Name"].lower().replace("_", "-").replace(".", "-"), head["Version"])
    return by_name


def _metadata(distribution: metadata.Distribution) -> str:
    try:
        return distribution.read_text("METADATA") or distribution.read_text("PKG-INFO") or ""
    except UnicodeDecodeError:
        return ""


def built(folder: Path) -> frozenset[str]:
    """Return the files of the front end that exist in a folder and are not empty."""
    return frozenset(
        name for name in FRONT_END if (folder / name).is_file() and (folder / name).stat().st_size
    )


def frame_hashes(document: Path) -> tuple[str, ...]:
    """Return the script hashes in the policy of the secret's frame; none if it was not built."""
    if not document.is_file():
        return ()
    return tuple(re.findall(r"'sha256-[A-Za-z0-9+/=]+'", document.read_text(encoding="utf-8")[:2000]))


def server_python(cmdline: Path) -> Path | None:
    """Return the interpreter with which a process was started, if the system reveals it (Linux).

    Args:
        cmdline: the process's ``/proc/…/cmdline``. Only the program is read, because a token may follow.
    """
    try:
        program = Path(cmdline.read_bytes().split(b"\0")[0].decode(errors="replace"))
    except OSError:
        return None
    return program if program.is_absolute() and program.name.startswith("python") else None


def data_folders(server: Path, variables: Mapping[str, str]) -> list[Path]:
    """Return the data folders of a Jupyter server of this interpreter, as ``jupyter --paths`` lists them."""
    named = [*variables.get("JUPYTER_PATH", "").split(os.pathsep), variables.get("JUPYTER_DATA_DIR", "")]
    user = variables.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")  # noqa: PTH111 - never raises
    share = [server.parent.parent / "share", Path(user)]
    share += [Path("/usr/local/share"), Path("/usr/share")]
    return [*(Path(folder) for folder in named if folder), *(folder / "jupyter" for folder in share)]


def loaders(folders: Iterable[Path]) -> frozenset[str] | None:
    """Return the packages whose loaders are in one of these folders.

    Returns:
        The packages; None if one is missing and some folder is not readable, such as one of another user.
    """
    checks = {(package, _exists(folder / file)) for folder in folders for file, package in LOADERS.items()}
    installed = frozenset(package for package, exists in checks if exists)
    unknown = {package for package, exists in checks if exists is None} - installed
    return None if unknown else installed


def _exists(file: Path) -> bool | None:
    """Return whether a file exists; None if that cannot be determined."""
    try:
        file.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return None
    return True
