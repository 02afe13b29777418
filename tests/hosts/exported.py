"""A notebook as one HTML page: executed and exported by nbconvert, with the state of its widgets in it."""

from __future__ import annotations

import functools
import http.server
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.browser.lab import ROOT, write_notebook
from tests.browser.server import Server
from tests.hosts.servers import hosts_python

#: Everything that nbconvert's page would load from a CDN: beside the page, or not at all.
_SELF_HOSTED = {
    "require_js_url": "require.js",
    "widget_renderer_url": "embed-amd.js",
    "jquery_url": "",
    "mathjax_url": "",
    "mermaid_js_url": "",
}


class Export(Server):
    """Not a server: what Jupyter writes while it exports goes into one folder too."""

    def _command(self) -> list[str]:
        options = [f"--HTMLExporter.{name}={value}" for name, value in _SELF_HOSTED.items()]
        return [hosts_python(), "-m", "nbconvert", "--to", "html", "--execute", *options]

    def export(self, name: str, *cells: str) -> Path:
        """Run these cells; gives the folder with the page and all that it loads."""
        site = self.folder / "site"
        shutil.copytree(ROOT / "build/static-pages", site)
        notebook = self.notebooks / f"{name}.ipynb"
        write_notebook(notebook, *cells)
        command = [*self._command(), "--output-dir", str(site), str(notebook)]
        done = subprocess.run(command, env=self.environment(), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-4000:]
        return site


class _Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing: the test's own report is enough."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder, as plain files."""
    handler = functools.partial(_Files, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
