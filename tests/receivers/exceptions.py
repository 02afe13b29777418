"""Schemes that a language cannot express, each with the reason.

None of the catalogue's schemes is among them.
"""

from __future__ import annotations

from typing import Final

from hook_widgets.webhooks.codegen import Language

EXCEPTIONS: Final = {
    (Language.PHP, "peculiar__canonical"): "PHP has no numbers of this size",
}
