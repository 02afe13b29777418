"""The payload as a file, for commands in static HTML that read it from there."""

from __future__ import annotations

from hook_widgets.widgets.generator.inputs import Inputs
from hook_widgets.widgets.static_html.document import Code, Note, Part


def file_name(body: bytes) -> str:
    """Return the name for a file with this payload."""
    return "payload.json" if body.lstrip()[:1] in (b"{", b"[") else "payload.txt"


def to_be_saved(inputs: Inputs) -> Part:
    """Explain how to get the file of a payload that is not included."""
    name = file_name(inputs.body)
    if not inputs.is_sample:
        return Note(
            f"The payload is too long for a notebook. The command reads it from {name}; "
            "export_html(path) writes a page to save that from."
        )
    return Code(
        f"Save the payload first, as {name}, in Python",
        "from pathlib import Path\n"
        "from hook_widgets.webhooks import provider\n"
        f"Path({name!r}).write_bytes(provider({inputs.provider!r}).template({inputs.event!r}))",
    )
