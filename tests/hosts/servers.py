"""The other hosts' servers, out of their own environment (``.venv-hosts``)."""

from __future__ import annotations

import os
from pathlib import Path

from tests.browser.server import LabServer, Server
from tests.browser.tab import ROOT


def hosts_python() -> str:
    """The Python that has Notebook 7, Voila, marimo and nbconvert."""
    python = os.environ.get("HOOK_HOSTS_PYTHON", str(ROOT / ".venv-hosts/bin/python"))
    if not Path(python).exists():
        raise RuntimeError(f"{python} is missing: run `make test-hosts` once, it makes the environment")
    return python


class NotebookServer(LabServer):
    """Notebook 7."""

    python = hosts_python()
    program = ("notebook", "JupyterNotebookApp")


class VoilaServer(Server):
    """Voila over a folder of notebooks."""

    ready = "/voila/static/voila.js"

    def _command(self) -> list[str]:
        return [
            hosts_python(),
            "-m",
            "voila",
            str(self.notebooks),
            "--no-browser",
            "--Voila.ip=127.0.0.1",
            f"--port={self.port}",
            "--Voila.port_retries=0",
            f"--token={self.token}",
            "--show_tracebacks=True",
        ]


class MarimoServer(Server):
    """marimo with one notebook.

    Args:
        mode: ``run``, where readers see the outputs, or ``edit``.
        theme: ``light`` or ``dark``.
    """

    ready = "/health"
    notebook = "widgets.py"

    def __init__(self, folder: Path, mode: str, theme: str) -> None:
        super().__init__(folder)
        self.mode = mode
        self.theme = theme

    def environment(self) -> dict[str, str]:
        """With settings: opening a notebook in the editor runs it, in this theme."""
        environment = super().environment()
        settings = Path(environment["XDG_CONFIG_HOME"], "marimo/marimo.toml")
        settings.parent.mkdir(exist_ok=True)
        settings.write_text(f'[runtime]\nauto_instantiate = true\n[display]\ntheme = "{self.theme}"\n')
        return environment

    def _command(self) -> list[str]:
        return [
            hosts_python(),
            "-m",
            "marimo",
            "--quiet",
            "--yes",
            self.mode,
            self.notebook,
            "--headless",
            "--host",
            "127.0.0.1",
            "--port",
            str(self.port),
            "--no-token",
            *(["--skip-update-check"] if self.mode == "edit" else []),
        ]
