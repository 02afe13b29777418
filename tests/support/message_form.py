"""The form of error messages: lower case, no full stop, the cause first, then the remedy."""

from __future__ import annotations

import re

PROPER = {
    "HTTP", "JSON", "PHP", "Python", "U+", "URL", "UTF-8",
    "Retry-After", "X-RateLimit-Reset",
    "RateLimitCalculator", "VersionPlanner", "WebhookGenerator",
    "False", "Infinity", "NaN", "None", "True",
}  # fmt: skip
"""Names and code that keep their capital letter at the beginning of a message."""
VALUE = "\N{REPLACEMENT CHARACTER}"  # in place of a value that is not known before the message is built
_QUOTED = re.compile(r"(?<!\w)'[^']*'|\"[^\"]*\"|`[^`]*`")


def faults(text: str) -> list[str]:
    """Return the rules that a message breaks."""
    bare = _QUOTED.sub(VALUE, text)
    first = re.match(r"[\w+.-]*", bare)
    word = first.group() if first else ""
    breaches = []
    if word[:1].isupper() and not any(word.startswith(name) for name in PROPER):
        breaches.append("begins with a capital letter")
    if re.search(r"[^.…]\.$", bare):
        breaches.append("ends with a full stop")
    if re.search(r"[.?!] [A-Z]", bare):
        breaches.append("is more than one sentence")
    return breaches
