"""The notebooks of the project as tutorials: copied in beside their index, where Sphinx finds them.

A copy is written only when its text differs, so that Sphinx reads again only what changed. What no test
has run yet runs here, in the same way: no page shows a notebook that fails or prints a secret.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from docutils import nodes
from PIL import Image
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError

from scripts import executed
from scripts.notebooks import FOLDER, Run, run_all

# Ends the introduction of a page, because the notebook speaks to somebody who can press its buttons.
NOTE = """

:::{{note}}
This page shows the output at the time of the build; widgets appear as static HTML.
To run and change the cells and to use the widgets, open `notebooks/{name}`: with `make lab` in a clone,
or in [another host](../howto/hosts.md).
:::
"""


def as_tutorial(name: str, text: str) -> str:
    """A notebook's text as it stands in docs/tutorials: what it links to under docs is one step nearer."""
    notebook = json.loads(text.replace("](../docs/", "](../"))
    first = notebook["cells"][0]
    introduction, heading, rest = "".join(first["source"]).partition("\n## ")
    first["source"] = introduction + NOTE.format(name=name) + heading + rest
    return json.dumps(notebook, ensure_ascii=False, indent=1)


def _copy(app: Sphinx, _config: Config) -> None:
    folder = Path(app.srcdir) / "tutorials"
    wanted = {
        path.name: as_tutorial(path.name, path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.ipynb")
    }
    for copy in folder.glob("*.ipynb"):
        if copy.name not in wanted:
            copy.unlink()
    for name, text in wanted.items():
        copy = folder / name
        if not copy.exists() or copy.read_text(encoding="utf-8") != text:
            copy.write_text(text, encoding="utf-8")


def _run(_app: Sphinx, config: Config) -> None:
    kept = executed.current()
    config.nb_execution_cache_path = str(kept)

    def done(ran: Run) -> None:
        if not ran.ok:
            raise ExtensionError(str(ran))
        executed.keep(kept, ran)

    todo = executed.missing(kept, sorted(FOLDER.glob("*.ipynb")))
    asyncio.run(run_all(todo, jobs=2, timeout_s=config.nb_execution_timeout, known={}, done=done))


def _say(app: Sphinx, doctree: nodes.document) -> None:
    """Give the pictures that came out the words that they carry, in place of the name of a file.

    One that carries none was drawn by the notebook itself, beside a table or sentences that say the same.
    """
    for picture in doctree.findall(nodes.image):
        if "alt" not in picture:
            with Image.open(app.srcdir / picture["uri"]) as file:
                picture["alt"] = file.info.get("Description", "")


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("config-inited", _copy)
    app.connect("config-inited", _run)
    app.connect("doctree-read", _say)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
