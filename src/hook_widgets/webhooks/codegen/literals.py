"""Names, string literals and regular expressions that several languages have in common."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hook_widgets.webhooks.codegen.ir_values import Text, Variable

Shape = Sequence[Text | Variable | None]
"""The shape of a `MatchPattern`."""


def camel(name: str) -> str:
    """Convert ``webhook_id`` to ``webhookId``."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def quoted(text: str) -> str:
    r"""Return a string literal in double quotes, with the escapes of C#, Go, Java and Ruby."""
    text = re.sub(r'(["\\])', r"\\\1", text)
    return '"' + text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t") + '"'


def regex(shape: Shape, escaped: str) -> str:
    """Return the regular expression of a shape, with a group for each variable."""
    return "".join(
        ".*" if part is None else literal_in_regex(part.text, escaped) if isinstance(part, Text) else "(.*)"
        for part in shape
    )


def literal_in_regex(text: str, escaped: str) -> str:
    """Escape a text for a regular expression; `escaped` lists further special characters."""
    text = "".join(f"\\{c}" if c in rf"\.^$*+?()[]{{}}|{escaped}" else c for c in text)
    return text.replace("\n", "\\n").replace("\r", "\\r")


def without_strings(code: str) -> str:
    """Return code with empty string literals, to search it for names."""
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', code)
