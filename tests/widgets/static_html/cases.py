"""Reading what a notebook and an export keep of a widget."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

from hook_widgets.widgets._base import HookWidget


class Page(HTMLParser):
    """The elements of an HTML text with their attributes, and its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the element."""
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Keep the words."""
        self.words += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of all elements of a name."""
        return [attributes for name, attributes in self.elements if name == tag]


def bundle(widget: HookWidget) -> dict[str, Any]:
    """Return the representations that a notebook keeps."""
    mime = widget._repr_mimebundle_()
    assert mime is not None
    return mime[0]


def everywhere(widget: HookWidget) -> str:
    """All that a notebook and an export keep of a widget."""
    return f"{json.dumps(bundle(widget))} {widget._full_document().fragment()}"
