"""What a provider signs and where it puts the signature: the language of a ``provider.toml``, as records.

The records are in `hook_widgets.webhooks.scheme.records`; beside them stands what their values mean: template
fields, those that are worked out, and how a time is written.
"""

from hook_widgets.webhooks.scheme.records import (
    BodyValue,
    Encoding,
    Event,
    Example,
    HeaderValue,
    OlderHeader,
    PairKey,
    Part,
    Scheme,
    SecretKey,
    Signature,
)

__all__ = [
    "BodyValue",
    "Encoding",
    "Event",
    "Example",
    "HeaderValue",
    "OlderHeader",
    "PairKey",
    "Part",
    "Scheme",
    "SecretKey",
    "Signature",
]
