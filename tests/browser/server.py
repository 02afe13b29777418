"""A server for notebooks whose settings, workspaces, history and logs lie in one folder, to be searched."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import time
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Self

from scripts import notebooks
from tests.support import processes

# Where Jupyter and IPython keep files, each in a folder of ours.
_FOLDERS = {
    "JUPYTER_CONFIG_DIR": "config",
    "JUPYTER_DATA_DIR": "data",
    "JUPYTER_RUNTIME_DIR": "run",
    "JUPYTERLAB_SETTINGS_DIR": "settings",
    "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
    "IPYTHONDIR": "ipython",
    "TMPDIR": "tmp",
    "XDG_CONFIG_HOME": "xdg-config",
    "XDG_DATA_HOME": "xdg-data",
    "XDG_STATE_HOME": "xdg-state",
}

_SETTINGS: dict[str, dict[str, object]] = {
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none", "recordTiming": False},
    # The state of every widget goes into every notebook that is saved: the hardest case for a secret.
    "@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True},
}


#: the built files of ``light/page``, and anywidget's front end as it is installed: both lie below ``/static``
LIGHT_PAGE = Path(__file__).resolve().parents[2] / "build/page"
NBEXTENSIONS = Path(sys.prefix) / "share/jupyter/nbextensions"


class Server(ABC):
    """One server process.

    Args:
        folder: an empty folder; notebooks lie in ``notebooks``, everything else beside it.

    Attributes:
        notebooks: the folder that the server shows.
        base: its address.
        token: what a browser must know to use it.
    """

    #: what answers as soon as the server is ready
    ready = "/api/status"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notebooks = folder / "notebooks"
        self.token = secrets.token_hex(16)
        self.port = processes.free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *, timeout_s: float = 60.0) -> Self:
        """Start it and wait until it answers."""
        self.notebooks.mkdir(parents=True, exist_ok=True)
        for plugin, values in _SETTINGS.items():
            package, _, name = plugin.rpartition(":")
            path = self.folder / "settings" / package / f"{name}.jupyterlab-settings"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(values))
        self._process = processes.start(
            self._command(), cwd=self.notebooks, env=self.environment(), log=self.folder / "server.log"
        )
        self._wait(timeout_s)
        return self

    def stop(self) -> None:
        """End it and its kernels."""
        if self._process is not None:
            processes.stop(self._process)
            self._process = None

    def log(self) -> str:
        """Return the output so far."""
        return (self.folder / "server.log").read_text(errors="replace")

    def transport(self) -> str:
        """Return the option for a transport to kernels that no other process can come between."""
        return f"--KernelManager.transport={notebooks.transport(str(self.folder / 'run'))}"

    @abstractmethod
    def _command(self) -> list[str]:
        """The program and its arguments."""

    def environment(self) -> dict[str, str]:
        """The environment variables, with every folder of Jupyter's below ours."""
        folders = {name: self.folder / sub for name, sub in _FOLDERS.items()}
        for path in folders.values():
            path.mkdir(exist_ok=True)
        return {**os.environ, **{name: str(path) for name, path in folders.items()}, "PYTHONUNBUFFERED": "1"}

    def _wait(self, timeout_s: float) -> None:
        assert self._process is not None
        ask = urllib.request.Request(
            f"{self.base}{self.ready}", headers={"Authorization": f"token {self.token}"}
        )
        deadline = time.monotonic() + timeout_s
        while self._process.poll() is None and time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(ask, timeout=5):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        self.stop()
        raise RuntimeError(f"{type(self).__name__} did not start:\n{self.log()[-4000:]}")


class LabServer(Server):
    """JupyterLab."""

    #: the Python whose environment has the program
    python = sys.executable
    #: the module that is run, and the class that its options are of
    program = ("jupyterlab", "LabApp")

    def _command(self) -> list[str]:
        module, app = self.program
        return [
            self.python,
            "-m",
            module,
            "--no-browser",
            "--allow-root",
            "--ServerApp.ip=127.0.0.1",
            f"--ServerApp.port={self.port}",
            "--ServerApp.port_retries=0",
            f"--ServerApp.root_dir={self.notebooks}",
            f"--ServerApp.extra_static_paths=['{LIGHT_PAGE}', '{NBEXTENSIONS}']",
            f"--IdentityProvider.token={self.token}",
            f"--{app}.expose_app_in_browser=True",
            self.transport(),
            "--LabApp.news_url=",
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        ]
