"""The payload as a file: where its bytes are, when a command in a still form reads them from there."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from hook_widgets.errors import WebhookError
from hook_widgets.widgets._inputs import Inputs
from hook_widgets.widgets._still import Code, Note, Part, text_of


@dataclass(frozen=True, slots=True)
class Download:
    """A file to save, for a page of its own: it survives what a clipboard changes."""

    name: str
    data: bytes

    def html(self) -> str:
        """A link that carries the file."""
        address = f"data:application/octet-stream;base64,{base64.b64encode(self.data).decode()}"
        words = text_of(f"Save the payload, {len(self.data):,} bytes, as {self.name}")
        return f'<p><a download="{self.name}" href="{address}">{words}</a></p>'


def file_name(body: bytes) -> str:
    """What a file with this payload is called."""
    return "payload.json" if body.lstrip()[:1] in (b"{", b"[") else "payload.txt"


def is_sample(inputs: Inputs) -> bool:
    """Whether the payload is the event's own."""
    try:
        return inputs.body == inputs.source().template(inputs.event)
    except WebhookError:  # no such provider or event
        return False


def to_be_saved(inputs: Inputs) -> Part:
    """How to get the file for a payload that does not stand here."""
    name = file_name(inputs.body)
    if not is_sample(inputs):
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
