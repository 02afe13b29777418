"""Light SVG pictures for frames, with a note on how to get the full ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hook_widgets._plotting import svg
from hook_widgets.errors import HookWidgetsError


def light(document: str, note: str) -> tuple[dict[str, Any], bytes]:
    """Return a light picture as part of a frame, and its bytes.

    Args:
        document: the picture.
        note: reason why it is not the full one; empty if light pictures were requested.
    """
    width, height = svg.size(document)
    shown = {"width": width, "height": height, "media_type": "image/svg+xml", "note": note}
    return shown, document.encode()


def missing(renderer: Callable[[], object]) -> str:
    """Return the note for a light picture if the full one cannot be drawn; empty if it can."""
    try:
        renderer()
    except HookWidgetsError as error:
        return f"This is a light picture: {error}."
    return ""
