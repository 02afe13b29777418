"""The middleware of the notebook on versions is the one that the documentation explains and tests."""

from __future__ import annotations

import ast
import re

import nbformat

from scripts import notebooks as runner

PAGE = runner.FOLDER.parent / "docs/explanation/versioning.md"


def call_of_versioned(source: str) -> str:
    """Return the source of `Versioned.__call__` without the layout of the lines."""
    (versioned,) = (node for node in ast.parse(source).body if isinstance(node, ast.ClassDef))
    assert "Versioned" == versioned.name
    (call,) = (
        node for node in versioned.body if isinstance(node, ast.FunctionDef) and node.name == "__call__"
    )
    return ast.unparse(call)


def test_the_middleware_of_the_notebook_is_the_one_of_the_documentation():
    stored = nbformat.read(runner.FOLDER / "12_versioning.ipynb", as_version=4)
    (cell,) = (cell for cell in stored.cells if cell.id == "middleware")
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    (page,) = (block for block in blocks if block.startswith("# versioned_wsgi.py\n"))

    assert call_of_versioned(page) == call_of_versioned(cell.source)
