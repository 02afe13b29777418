"""Every exception this package raises on purpose.

HookWidgetsError
├── CannotWrite             a file that was asked for cannot be written
├── WebhookError
│   ├── UnknownName         no such provider, event, scheme or template field
│   ├── UnknownKeyword      a keyword the call does not take
│   ├── CatalogError        a provider's data files are wrong
│   ├── InvalidSecret       a key is malformed, of the wrong kind, or missing
│   ├── InvalidRequest      a URL, header, time or body that cannot be sent or read
│   │   └── InvalidJson     the body is not JSON where JSON is needed
│   └── DestinationRefused  the policy refused the receiver before anything was sent
├── RateLimitError
│   ├── InvalidLimit        a limit, rate or window that cannot be
│   ├── InvalidArrivals     arrival times, costs or service times that cannot be
│   └── InvalidHeader       a rate limit header or rejection body that cannot be written or read
└── VersioningError
    ├── InvalidApi          versions, dates or conventions that cannot be
    ├── InvalidNotice       a Deprecation, Sunset, Link or Warning header that cannot be written or read
    └── InvalidDocument     a schema, OpenAPI document or example that cannot be read or compared

Messages say what is wrong and what to do. None ever holds a secret or an expected signature.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any


class HookWidgetsError(Exception):
    """The root: catch this to catch everything the package raises on purpose."""


class CannotWrite(HookWidgetsError, OSError):
    """A file that was asked for cannot be written; the text says why, and what to do."""


class WebhookError(HookWidgetsError):
    """Something about a webhook request, its provider data or its key."""


class UnknownName(WebhookError, LookupError):
    """No such provider, event, scheme or field; the text names the nearest one."""


class UnknownKeyword(WebhookError, TypeError):
    """A keyword argument that the call does not take; the text names the nearest one."""


class CatalogError(WebhookError):
    """A provider's data is wrong; the text names file and field."""


class InvalidSecret(WebhookError, ValueError):
    """A secret or key pair is malformed, of the wrong kind for the provider, or not set."""


class InvalidRequest(WebhookError, ValueError):
    """A URL, header, time or body that cannot be sent or read.

    Attributes:
        field: the input at fault (``"url"``, ``"headers"``, ``"body"``, ``"clock"``, ``"params.<name>"``), or
            empty.
    """

    def __init__(self, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class InvalidJson(InvalidRequest):
    """The body is not JSON where JSON is needed.

    Attributes:
        problems: what is wrong, in reading order (`hook_widgets.webhooks.text.jsontext.Problem`).
    """

    def __init__(self, message: str, problems: Sequence[Any] = ()) -> None:
        super().__init__(message, field="body")
        self.problems = tuple(problems)


class DestinationRefused(WebhookError):
    """The receiver is not one we send to; nothing was sent.

    Attributes:
        host: the refused host.
        code: a short stable word for the reason.
    """

    def __init__(self, message: str, *, host: str, code: str) -> None:
        super().__init__(message)
        self.host = host
        self.code = code


class RateLimitError(HookWidgetsError):
    """Something about a rate limit, the traffic that meets it, or how it is told to a client.

    Attributes:
        field: the input of a scenario that is at fault (such as ``"steady"``), or empty.
    """

    def __init__(self, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class InvalidHeader(RateLimitError, ValueError):
    """A rate limit header or rejection body that cannot be written or read; the text names it."""


class InvalidLimit(RateLimitError, ValueError):
    """A limit, rate, window or other number of a limiter that cannot be."""


class InvalidArrivals(RateLimitError, ValueError):
    """Arrival times, costs or service times that cannot be, or a log they cannot be read from."""


class VersioningError(HookWidgetsError):
    """Something about an API's versions, how they are told to clients, or how two of them differ.

    Attributes:
        field: the input at fault (such as ``"versions.0.deprecated"``), or empty.
    """

    def __init__(self, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class InvalidApi(VersioningError, ValueError):
    """Versions, dates or conventions of an API that cannot be."""


class InvalidNotice(VersioningError, ValueError):
    """A Deprecation, Sunset, Link or Warning header that cannot be written or read; the text names it."""


class InvalidDocument(VersioningError, ValueError):
    """A schema, OpenAPI document or example payload that cannot be read or compared."""


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint such as ``Did you mean 'stripe'?``, or the list of choices when nothing is near.

    Args:
        name: what was asked for.
        known: what there is.
    """
    choices = sorted(known)
    close = difflib.get_close_matches(name.lower(), choices, n=1, cutoff=0.6)
    if close:
        return f"Did you mean {close[0]!r}?"
    shown = ", ".join(choices[:12])
    more = f" and {len(choices) - 12} more" if len(choices) > 12 else ""
    return f"Choose from: {shown}{more}." if choices else "There are none."
