"""A notebook as one HTML page: executed and exported by nbconvert, with the state of its widgets in it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.browser.lab import write_notebook
from tests.browser.server import Server
from tests.browser.tab import ROOT
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
