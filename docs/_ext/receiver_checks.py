"""A page for each check of a receiver, and the directive `receiver-checks`: the table of all of them.

Both come from the catalogue alone. A page is written only when its text differs, so that Sphinx reads again
only what changed. The pages are in no table of contents, as those of the providers are.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective

from hook_widgets.receivers import Check, catalogue
from hook_widgets.receivers.check_catalogue import AREAS
from hook_widgets.receivers.checks.table import CHECKS
from hook_widgets.receivers.reporting.rendering import escape_markdown, link_to_source

FOLDER = Path("reference") / "checks"


def page(check: Check) -> str:
    """Return the page of a check as Markdown."""
    text = escape_markdown
    decided = (inspect.getdoc(CHECKS[check.id]) or "").partition(": ")[2]
    suite = "the standard suite" if check.suite == "standard" else "the full suite only"
    lines = [
        f"# {check.id}: {text(check.title)}",
        "",
        f"*{AREAS[check.id[0]].capitalize()}*. Severity: {check.severity}. It runs in {suite}.",
        "",
        "## What is expected",
        "",
        f"{_sentence(text(check.expected))}",
        "",
        "## Why",
        "",
        text(check.why),
        "",
        f"Where it is only a warning: {text(check.why_warned)}" if check.why_warned else "",
        "",
        "It went wrong here, or is demanded there:",
        "",
        *(f"- {link_to_source(source)}" for source in check.sources),
        "",
        "## How it is decided",
        "",
        f"The check passes if this holds: {decided}" if decided else "",
        "It needs an *oracle* that counts what the receiver did; without one, it is not decided."
        if check.oracle
        else "",
        "It looks like an attack: to another machine it is sent only with `allow_load=True`."
        if check.load
        else "",
        "[What all checks have in common](index.md#how-a-check-is-decided).",
        "",
        f"To run it alone: `hook-widgets check PROVIDER URL --secret-env NAME --only {check.id}`",
        "",
        "## How to fix it",
        "",
        text(check.fix.change),
        "",
        "| framework | change |",
        "|---|---|",
        *(f"| {text(framework)} | {_code(call)} |" for framework, call in check.fix.frameworks),
    ]
    return "\n".join(lines) + "\n"


def table() -> Iterator[str]:
    """Yield the lines of a Markdown table of all checks."""
    yield "| check | | severity | expected |"
    yield "|---|---|---|---|"
    for check in catalogue().values():
        marks = ["full"] if check.suite == "full" else []
        marks += [mark for mark in ("oracle", "load") if getattr(check, mark)]
        title = escape_markdown(check.title) + (f" (*{', '.join(marks)}*)" if marks else "")
        expected = escape_markdown(check.expected)
        yield f"| [{check.id}]({check.id}.md) | {title} | {check.severity} | {expected} |"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")


def _code(call: str) -> str:
    return escape_markdown(call) if "`" in call else f"`{call.replace('|', chr(92) + '|')}`"


class ReceiverChecks(SphinxDirective):
    """Put the table into the page."""

    def run(self) -> list[nodes.Node]:
        """Return the nodes of the directive."""
        return self.parse_text_to_nodes("\n".join(table()))


def _write(app: Sphinx, _config: Config) -> None:
    folder = Path(app.srcdir) / FOLDER
    pages = {f"{check.id}.md": f"---\norphan: true\n---\n\n{page(check)}" for check in catalogue().values()}
    for old in folder.glob("[A-Z][0-9]*.md"):
        if old.name not in pages:
            old.unlink()
    for name, text in pages.items():
        file = folder / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("config-inited", _write)
    app.add_directive("receiver-checks", ReceiverChecks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
