"""Light pictures on the wire, with what to do for the full ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hook_widgets import svg
from hook_widgets.errors import HookWidgetsError


def light(document: str, note: str) -> tuple[dict[str, Any], bytes]:
    """A light picture as a frame has it, and its bytes.

    Args:
        document: the picture.
        note: why it is not the full one; empty where that was chosen.
    """
    width, height = svg.size(document)
    shown = {"width": width, "height": height, "media_type": "image/svg+xml", "note": note}
    return shown, document.encode()


def missing(figures: Callable[[], object]) -> str:
    """What to say beside a light picture, because the full one cannot be drawn; empty when it can.

    Args:
        figures: loads what draws the full one.
    """
    try:
        figures()
    except HookWidgetsError as error:
        return f"This is a light picture. {error}"
    return ""
