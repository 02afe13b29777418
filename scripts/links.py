"""Check links without a network: those of the built pages, and those of the project's Markdown and notebooks.

    python scripts/links.py [folder of pages] [--list FILE]

Every address in a page leads to a file of the folder and to a place that is there, and a page loads nothing
from elsewhere. Every relative link of Markdown leads to a file and to a heading of it. Links to elsewhere are
listed in build/links-to-elsewhere.txt, not fetched; each has to be https and to name a host, or to be on this
machine.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / "build" / "docs"
LISTED = ROOT / "build" / "links-to-elsewhere.txt"
_LOADED = {"href": {"link"}, "src": None, "poster": None, "data": {"object"}}  # None: of every element
_STYLE = re.compile(r"url\(\s*['\"]?([^'\")\s]+)|@import\s+['\"]([^'\"]+)")
_HOST = re.compile(r"(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?", re.IGNORECASE)
_THIS_MACHINE = re.compile(r"(127\.0\.0\.1|localhost)(:\d+)?")
_TEXTS = {".md", ".ipynb"}
_INLINE = ("data:", "blob:", "about:", "javascript:")


@dataclass(frozen=True, slots=True)
class Link:
    """A link as it stands in a file.

    Attributes:
        file: where it stands.
        line: the line of the file, counted from 1; of a notebook, that of the cell's text.
        address: where it leads.
        loaded: whether a browser fetches it with the page.
    """

    file: Path
    line: int
    address: str
    loaded: bool = False

    @property
    def elsewhere(self) -> bool:
        """True if the link leaves the project."""
        return bool(urlsplit(self.address).scheme) or self.address.startswith("//")

    def fault(self, why: str) -> str:
        """Return the fault as text."""
        path = self.file.relative_to(ROOT) if self.file.is_relative_to(ROOT) else self.file
        return f"{path}:{self.line}: {self.address}: {why}"


@dataclass
class Page(HTMLParser):
    """The links of an HTML file, and the places in it that links may lead to."""

    file: Path
    links: list[Link] = field(default_factory=list)
    places: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what the element links to and what it is called."""
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (name == "name" and tag == "a"):
                self.places.add(value)
            elif name == "href" and tag in {"a", "area"}:
                self._note(value, loaded=False)
            elif name in _LOADED and tag in (_LOADED[name] or {tag}):
                self._note(value, loaded=True)
            elif name == "srcset":
                for candidate in re.split(r",\s+", value.strip()):
                    self._note(candidate.split()[0], loaded=True)
            elif name == "style":
                self._styles(value)

    def handle_data(self, data: str) -> None:
        """Note what a style sheet in the page loads."""
        if self.cdata_elem == "style":
            self._styles(data)

    def _styles(self, text: str) -> None:
        for match in _STYLE.finditer(text):
            self._note(match[1] or match[2], loaded=True)

    def _note(self, address: str, *, loaded: bool) -> None:
        if not address.startswith(_INLINE):
            self.links.append(Link(self.file, self.getpos()[0], address, loaded))


def pages_of(folder: Path) -> dict[Path, Page]:
    """Read the HTML files of a folder."""
    return {path: Page(path) for path in sorted(folder.resolve().rglob("*.html"))}


def faults_of_pages(folder: Path, pages: Mapping[Path, Page]) -> Iterator[str]:
    """Check the links of a folder's pages and style sheets."""
    folder = folder.resolve()
    for link in [link for page in pages.values() for link in page.links] + _of_styles(folder):
        if link.elsewhere:
            yield from _elsewhere(link)
            continue
        parts = urlsplit(link.address)
        target = (link.file.parent / unquote(parts.path)).resolve() if parts.path else link.file
        if not target.is_relative_to(folder) or not target.is_file():
            yield link.fault("there is no such file")
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
            yield link.fault("the page has no such place")


def _of_styles(folder: Path) -> list[Link]:
    return [
        Link(path, text.count("\n", 0, match.start()) + 1, match[1] or match[2], loaded=True)
        for path in sorted(folder.rglob("*.css"))
        for text in [path.read_text(encoding="utf-8")]
        for match in _STYLE.finditer(text)
        if not (match[1] or match[2]).startswith((*_INLINE, "#"))
    ]


def _elsewhere(link: Link) -> Iterator[str]:
    parts = urlsplit(link.address)
    if link.loaded:
        yield link.fault("a page may load nothing from elsewhere")
    elif parts.scheme == "http" and _THIS_MACHINE.fullmatch(parts.netloc):
        return
    elif parts.scheme != "mailto" and (parts.scheme != "https" or not _HOST.fullmatch(parts.netloc)):
        yield link.fault("a link to elsewhere is https and names a host")


# -- Markdown ------------------------------------------------------------------------------------------


def texts() -> list[Path]:
    """Return the Markdown files and notebooks of the project."""
    return sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("notebooks/*.ipynb")})


def faults_of_texts(files: list[Path]) -> Iterator[str]:
    """Check the links of Markdown files and notebooks."""
    for link in [link for file in files for link in _links(file)]:
        if link.elsewhere:
            yield from _elsewhere(link)
            continue
        if link.file == ROOT / "README.md" and link.address.startswith("../../actions/"):
            continue  # a page of the code host, which shows this file two levels below
        parts = urlsplit(link.address)
        target = _source((link.file.parent / unquote(parts.path)).resolve() if parts.path else link.file)
        if not target.exists():
            yield link.fault("there is no such file")
        elif (
            parts.fragment and target.suffix in {".md", ".ipynb"} and parts.fragment not in _headings(target)
        ):
            yield link.fault("the file has no such heading")


def _source(target: Path) -> Path:
    """Return the notebook of a tutorial: docs/tutorials holds copies, and only once the pages were built."""
    if target.suffix == ".ipynb" and target.parent == ROOT / "docs" / "tutorials":
        return ROOT / "notebooks" / target.name
    return target


def _tokens(file: Path) -> Iterator[Token]:
    text = file.read_text(encoding="utf-8")
    cells = [text]
    if file.suffix == ".ipynb":
        notebook_cells = json.loads(text)["cells"]
        cells = ["".join(cell["source"]) for cell in notebook_cells if cell["cell_type"] == "markdown"]
    markdown = MarkdownIt("commonmark").enable("table")
    for cell in cells:
        yield from markdown.parse(cell)


def _links(file: Path) -> Iterator[Link]:
    for token in _tokens(file):
        for part in token.children or ():
            address = part.attrGet("href" if part.type == "link_open" else "src")
            if part.type in {"link_open", "image"} and address is not None:
                yield Link(file, (token.map or [0])[0] + 1, str(address))


@cache
def _headings(file: Path) -> frozenset[str]:
    """Return the names that code hosts and MyST give to headings."""
    pairs = pairwise(_tokens(file))
    titles = [
        "".join(part.content for part in after.children or () if part.type in {"text", "code_inline"})
        for token, after in pairs
        if token.type == "heading_open"
    ]
    seen: Counter[str] = Counter()
    names = set()
    for title in titles:
        name = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        names.add(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return frozenset(names)


def main(arguments: list[str] | None = None) -> int:
    """Run the command: print each fault, and return 1 if there is any."""
    parser = argparse.ArgumentParser(
        prog="links.py",
        description="Check the links of built pages, and those of Markdown and notebooks, without a network.",
    )
    parser.add_argument(
        "folder", nargs="?", type=Path, default=BUILT, help="the pages; build/docs when not given"
    )
    parser.add_argument(
        "--list", type=Path, default=LISTED, metavar="FILE",
        help="where to list what leads elsewhere; build/links-to-elsewhere.txt when not given",
    )  # fmt: skip
    asked = parser.parse_args(arguments)
    pages = pages_of(asked.folder)
    if not pages:
        parser.error(f"there are no pages in {asked.folder}; make them with `make docs`")
    faults = [*faults_of_pages(asked.folder, pages), *faults_of_texts(texts())]
    for fault in faults:
        print(fault, file=sys.stderr)
    links = [link for page in pages.values() for link in page.links]
    outside = sorted({link.address for link in links if link.elsewhere})
    asked.list.parent.mkdir(parents=True, exist_ok=True)
    asked.list.write_text("".join(f"{address}\n" for address in outside), encoding="utf-8")
    print(
        f"{len(links)} links in {asked.folder}; {len(outside)} addresses elsewhere, not fetched: {asked.list}"
    )
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
