"""The configuration files of a built site."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from scripts.lite.__main__ import SETTINGS


def read(path: Path) -> dict[str, Any]:
    """A file of JSON."""
    return json.loads(path.read_text())


def packages(site: Path) -> dict[str, dict[str, Any]]:
    """The packages that Pyodide knows there, by name."""
    return read(site / "static/pyodide/pyodide-lock.json")["packages"]


def settings(site: Path) -> dict[str, Any]:
    """The settings of the kernel."""
    return read(site / "jupyter-lite.json")["jupyter-config-data"]["litePluginSettings"][SETTINGS]
