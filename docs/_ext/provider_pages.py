"""A page for each provider, the directives that list or show providers, and the test vectors.

A page is written only when its text differs, so that Sphinx reads again only what changed. The pages are in
no table of contents: two hundred entries would be repeated in the navigation of every page.
"""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from html import escape
from pathlib import Path

from docutils import nodes
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

from docs._ext.provider_text import page, parts, receivers, signature_words
from hook_widgets import WebhookGenerator
from hook_widgets.receivers.reporting.rendering import escape_markdown as text
from hook_widgets.webhooks import Provider, languages, provider
from scripts.readings import KINDS, NOT_RECORDED, by_age, counts, lacking, real

FOLDER = Path("reference") / "providers"
VECTORS = Path(__file__).resolve().parents[2] / "src" / "hook_widgets" / "webhooks" / "vectors"
SCRIPT = "providers.js"
_LEXERS = {
    language: get_lexer_by_name(language, **({"startinline": True} if language == "php" else {}))
    for language, _ in languages()
}


def table() -> Iterator[str]:
    """Yield the lines of a Markdown table of all providers."""
    yield "| provider | kind | signature | signature verified by | headers | bodies |"
    yield "|---|---|---|---|---|---|"
    for known in sorted(real(), key=lambda known: known.title.lower()):
        signature = text(signature_words(known.schemes[0]))
        yield f"| {_link(known)} | {known.kind} | {signature} | {' | '.join(parts(known).values())} |"


class ProviderIndex(SphinxDirective):
    """Put the table of all providers into the page, with the script that filters it."""

    def run(self) -> list[nodes.Node]:
        """Return the nodes of the directive."""
        here = "../" * self.env.current_document.docname.count("/") + "_static/"
        wrapped = nodes.container("", *self.parse_text_to_nodes("\n".join(table())), classes=["providers"])
        return [wrapped, nodes.raw("", f'<script defer src="{here}{SCRIPT}"></script>', format="html")]


def readings() -> Iterator[str]:
    """Yield the days of the last readings, and the facts about headers that are lacking."""
    yield from ("## Last readings", "", "| read | providers |", "|---|---|")
    for day, group in itertools.groupby(by_age(), key=lambda entry: entry[0]):
        links = ", ".join(_link(known) for _, known in group)
        yield f"| {day or NOT_RECORDED} | {links} |"
    for kind, meaning in KINDS.items():
        entries = lacking(kind)
        yield from (
            "",
            f"## {meaning[0].upper()}{meaning[1:]}",
            "",
            f"{len(entries)} providers: {counts(entries)}.",
            "",
        )
        yield from ("| reason | providers |", "|---|---|")
        for reason in sorted({gap.reason for _, gap in entries}, key=lambda reason: (len(reason), reason)):
            links = ", ".join(_link(known) for known, gap in entries if gap.reason == reason)
            yield f"| {text(reason)} | {links} |"


def _link(known: Provider) -> str:
    return f"[{text(known.title)}](providers/{known.id}.md)"


class ProviderReadings(SphinxDirective):
    """Put the tables of `readings` into the page."""

    def run(self) -> list[nodes.Node]:
        """Return the nodes of the directive."""
        return self.parse_text_to_nodes("\n".join(readings()), allow_section_headings=True)


class Unsearched(nodes.General, nodes.Element):  # type: ignore[misc]  # docutils has no types
    """HTML whose words are not in the index of the search: stemming them takes a third of the build.

    The search reads the HTML of docutils' own raw nodes.
    """


def _visit_unsearched(translator: HTML5Translator, node: nodes.Element) -> None:
    translator.body.append(node["html"])
    raise nodes.SkipNode


class ProviderReceivers(SphinxDirective):
    """Put the code that verifies a scheme into the page, for each language, of which one is open."""

    required_arguments = 2

    def run(self) -> list[nodes.Node]:
        """Return the nodes of the directive."""
        known = provider(self.arguments[0])
        scheme = known.scheme(self.arguments[1])
        html = ""
        for language, label, snippet, reason in receivers(known, scheme):
            opened = "" if html else " open"
            html += f'<details name="{escape(scheme.name)}"{opened}><summary>{label}</summary>'
            if snippet:
                highlighted = highlight(snippet, _LEXERS[language], HtmlFormatter())
                html += f'<div class="highlight-{language} notranslate">{highlighted}</div>'
            else:
                html += f"<p>{escape(reason)}</p>"
            html += "</details>"
        return [Unsearched(html=html)]


class ProviderWidget(SphinxDirective):
    """Put the static form of a `WebhookGenerator` into the page: a command that signs, and the call."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the nodes of the directive."""
        widget = WebhookGenerator(self.arguments[0])
        bundle = widget._repr_mimebundle_()
        widget.close()
        assert bundle is not None
        return [Unsearched(html=f'<div class="output text_html">{bundle[0]["text/html"]}</div>')]


def _write(app: Sphinx, _config: Config) -> None:
    folder = Path(app.srcdir) / FOLDER
    pages = {f"{known.id}.md": page(known) for known in real()}
    for old in folder.glob("*.md"):
        if old.name not in pages:
            old.unlink()
    for name, content in pages.items():
        file = folder / name
        if not file.exists() or file.read_text(encoding="utf-8") != content:
            file.write_text(content, encoding="utf-8")


def _copy_vectors(app: Sphinx, failure: Exception | None) -> None:
    if failure is None and app.builder.name == "html":
        shutil.copytree(VECTORS, Path(app.outdir) / "vectors", dirs_exist_ok=True)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("config-inited", _write)
    app.connect("build-finished", _copy_vectors)
    app.add_node(Unsearched, html=(_visit_unsearched, None))
    app.add_directive("provider-index", ProviderIndex)
    app.add_directive("provider-receivers", ProviderReceivers)
    app.add_directive("provider-readings", ProviderReadings)
    app.add_directive("provider-widget", ProviderWidget)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
