"""The notebooks of the site: its own, and those of the project that run in a browser, but for some cells."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

SOCKET = "a socket, which a browser does not give"
FLASK = "Flask, of which a part has no wheel for WebAssembly"
MATPLOTLIB = "matplotlib, which this site does not have"

#: The notebooks of the project that the site has, and what their cells need that cannot run there.
NOT_HERE: Mapping[str, Mapping[str, str]] = {
    "02_signed_bodies.ipynb": {"widget": SOCKET},
    "07_why_does_it_not_match.ipynb": {"parsed": FLASK, "frameworks": FLASK},
    "11_choosing_a_limit.ipynb": {"sweep-picture": MATPLOTLIB},
}


def put(folder: Path, *, matplotlib: bool) -> None:
    """Put the notebooks of the site into a folder.

    Args:
        folder: a folder that is there.
        matplotlib: whether the kernel will have it.
    """
    for own in (ROOT / "docs/lite").glob("*.ipynb"):
        shutil.copy(own, folder)
    there = {path.name for path in folder.iterdir()} | NOT_HERE.keys()
    for name, left_out in NOT_HERE.items():
        notebook = json.loads((ROOT / "notebooks" / name).read_text(encoding="utf-8"))
        lacking = {
            cell: needed for cell, needed in left_out.items() if not (matplotlib and needed == MATPLOTLIB)
        }
        notebook["cells"] = [_fitting(cell, lacking, there) for cell in notebook["cells"]]
        notebook["metadata"]["kernelspec"] |= {"name": "python", "display_name": "Python (Pyodide)"}
        (folder / name).write_text(
            json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )


def _fitting(cell: dict[str, Any], left_out: Mapping[str, str], there: set[str]) -> dict[str, Any]:
    """Return a cell for the site: code that cannot run becomes text, and links lead to existing pages."""
    source = "".join(cell["source"])
    common = {"cell_type": "markdown", "id": cell["id"], "metadata": cell["metadata"]}
    if cell["id"] in left_out:
        needed = left_out[cell["id"]]
        return common | {"source": f"*Not run here, as it needs {needed}:*\n\n```python\n{source}\n```"}
    if cell["cell_type"] == "markdown":
        linked = re.sub(
            r"\[([^\]]+)\]\((\w+\.ipynb)\)", lambda link: link[0] if link[2] in there else link[1], source
        )
        return common | {"source": linked}
    return cell
