"""The role of `single backticks` in docstrings: code, and a link where it is a documented name."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole

_NAME = re.compile(r"[A-Za-z_][\w.]*(\(\))?")


class Quoted(SphinxRole):
    """Code; a reference to a Python object if the whole of it is a name."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the nodes of the role."""
        code = nodes.literal(self.rawtext, self.text, classes=["code"])
        if not _NAME.fullmatch(self.text):
            return [code], []
        context = self.env.ref_context
        reference = pending_xref(
            self.rawtext,
            code,
            refdoc=self.env.current_document.docname,
            refdomain="py",
            reftype="obj",
            reftarget=self.text.removesuffix("()"),
            refexplicit=False,
            quoted=True,
        )
        reference["py:module"] = context.get("py:module")
        reference["py:class"] = context.get("py:class")
        self.set_source_info(reference)
        return [reference], []


def _is_only_code(_app: Sphinx, _domain: object, node: pending_xref) -> bool | None:
    return True if node.get("quoted") else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("warn-missing-reference", _is_only_code)
    app.add_role("quoted", Quoted())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
