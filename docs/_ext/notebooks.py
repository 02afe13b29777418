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
    """Return a notebook's text for docs/tutorials, with links into docs shortened by one step."""
    notebook = json.loads(text.replace("](../docs/", "](../"))
    first = notebook["cells"][0]
    introduction, heading, rest = "".join(first["source"]).partition("\n## ")
    first["source"] = introduction + NOTE.format(name=name) + heading + rest
    return json.dumps(notebook, ensure_ascii=False, indent=1)


def _copy(app: Sphinx, _config: Config) -> None:
    folder = Path(app.srcdir) / "tutorials"
    tutorials = {
        path.name: as_tutorial(path.name, path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.ipynb")
    }
    for copy in folder.glob("*.ipynb"):
        if copy.name not in tutorials:
            copy.unlink()
    for name, text in tutorials.items():
        copy = folder / name
        if not copy.exists() or copy.read_text(encoding="utf-8") != text:
            copy.write_text(text, encoding="utf-8")


def _run(_app: Sphinx, config: Config) -> None:
    cache = executed.current()
    config.nb_execution_cache_path = str(cache)

    def done(ran: Run) -> None:
        if not ran.ok:
            raise ExtensionError(str(ran))
        executed.keep(cache, ran)

    todo = executed.missing(cache, sorted(FOLDER.glob("*.ipynb")))
    asyncio.run(run_all(todo, jobs=2, timeout_s=config.nb_execution_timeout, known={}, done=done))


def _say(app: Sphinx, doctree: nodes.document) -> None:
    """Give pictures in outputs their embedded descriptions as alternative texts, not a file name.

    One that carries none was drawn by the notebook itself, beside a table or sentences that say the same.
    """
    for picture in doctree.findall(nodes.image):
        if "alt" not in picture:
            with Image.open(app.srcdir / picture["uri"]) as file:
                picture["alt"] = file.info.get("Description", "")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("config-inited", _copy)
    app.connect("config-inited", _run)
    app.connect("doctree-read", _say)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
