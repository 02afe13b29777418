"""What stops the reading of a received request."""

from __future__ import annotations


class Misread(Exception):
    """The request cannot be read by its scheme; becomes a verdict, never escapes.

    Attributes:
        reason: the value of a `hook_widgets.webhooks.verifying.Reason`.
        label: what was looked at.
    """

    def __init__(self, reason: str, label: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason
        self.label = label
