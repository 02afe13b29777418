"""The exceptions raised by this package.

HookWidgetsError
├── CannotWrite             a requested file cannot be written
├── WebhookError
│   ├── UnknownName         no such provider, event, scheme or template field
│   ├── UnknownKeyword      an unknown keyword argument
│   ├── CatalogError        a provider's data files are invalid
│   ├── InvalidSecret       a key is malformed, of the wrong kind, or missing
│   ├── InvalidArgument     an invalid URL, header, time, body or other argument
│   ├── UnsupportedScheme   no shell command or receiver can be written for a scheme
│   ├── UnreadableMessage   a message lacks a value that is needed
│   │   └── InvalidJson     the body is not JSON where JSON is needed
│   ├── VerificationError   a received request must be rejected (`Verdict.raise_for_failure`)
│   │   ├── SignatureMismatch
│   │   ├── TimestampOutsideTolerance
│   │   ├── MissingHeader
│   │   └── MalformedRequest
│   └── DestinationBlocked  sending to this receiver is not allowed
├── LimitModelError
│   ├── InvalidLimit        an invalid limit, rate or window
│   ├── InvalidArrivals     invalid arrival times, costs or service times
│   └── InvalidHeader       a rate limit header or rejection body that cannot be written or read
└── VersioningError
    ├── InvalidApi          invalid versions, dates or conventions
    ├── InvalidNotice       a Deprecation, Sunset, Link or Warning header that cannot be written or read
    └── InvalidDocument     a schema, OpenAPI document or example that cannot be read or compared

Messages name the cause and then, after a semicolon, the remedy: in lower case, without a full stop at the
end. They never contain a secret or an expected signature.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any

_COMPARED = 200  # characters of a name; no known one is as long


class HookWidgetsError(Exception):
    """Base class of all exceptions raised by this package."""


class CannotWrite(HookWidgetsError, OSError):
    """A requested file cannot be written; the message names the cause and the solution."""


class WebhookError(HookWidgetsError):
    """Base class of errors about webhook requests, provider data and keys."""


class UnknownName(WebhookError, LookupError):
    """Unknown provider, event, scheme or field; the message names the closest match."""


class UnknownKeyword(WebhookError, TypeError):
    """Unknown keyword argument; the message names the closest match."""


class CatalogError(WebhookError):
    """Invalid provider data; the message names file and field."""


class InvalidSecret(WebhookError, ValueError):
    """A secret or key pair that is malformed, of the wrong kind for the provider, or missing."""


class InvalidArgument(WebhookError, ValueError):
    """An invalid argument, such as a URL, a header, a time or a body.

    Attributes:
        field: the invalid input (``"url"``, ``"headers"``, ``"body"``, ``"clock"``, ``"params.<name>"``), or
            empty.
    """

    def __init__(self, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class UnsupportedScheme(WebhookError):
    """A scheme that a shell command, or a receiver in the chosen language, cannot implement."""


class UnreadableMessage(WebhookError, ValueError):
    """A message from which a needed value cannot be read.

    Drafting and signing raise it for the body of a draft. `hook_widgets.webhooks.verify` and `diagnose` never
    do: a received message that cannot be read is a `hook_widgets.webhooks.Verdict`.

    Attributes:
        field: the unreadable part (``"headers"``, ``"body"``, ``"url"``), or empty.
    """

    def __init__(self, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class InvalidJson(UnreadableMessage):
    """A body that is not JSON where JSON is required.

    Attributes:
        problems: the problems, in reading order (`hook_widgets.webhooks.JsonProblem`).
    """

    def __init__(self, message: str, problems: Sequence[Any] = ()) -> None:
        super().__init__(message, field="body")
        self.problems: tuple[Any, ...] = tuple(problems)


class VerificationError(WebhookError):
    """A received request that must be rejected.

    Attributes:
        verdict: the `hook_widgets.webhooks.Verdict` that rejects it.
    """

    def __init__(self, verdict: Any) -> None:
        super().__init__(verdict.detail)
        self.verdict = verdict

    def __reduce__(self) -> tuple[type[VerificationError], tuple[Any]]:
        return type(self), (self.verdict,)


class SignatureMismatch(VerificationError):
    """The signature or a signed hash does not match the request."""


class TimestampOutsideTolerance(VerificationError):
    """The signature matches, but the request is too old or from the future."""


class MissingHeader(VerificationError):
    """The request lacks a header that carries the signature or a signed value."""


class MalformedRequest(VerificationError):
    """A header or the body of the request does not have the form that its provider sends."""


class DestinationBlocked(WebhookError):
    """Sending to this receiver is not allowed; nothing was sent.

    Attributes:
        host: the rejected host.
        code: a short stable code for the reason.
    """

    def __init__(self, message: str, *, host: str, code: str) -> None:
        super().__init__(message)
        self.host = host
        self.code = code


class LimitModelError(HookWidgetsError):
    """Base class of errors about rate limits, their traffic, and the headers that describe them.

    Args:
        problem: the message without its subject.
        field: the invalid input of a scenario (such as ``"steady"``), or empty.
        subject: what the message is about (such as ``"steady"`` or ``"the limit 'hourly'"``), or empty.

    Attributes:
        field: the invalid input of a scenario, or empty.
        subject: what the message is about. A form replaces the name of an input by its label.
        problem: the rest of the message.
    """

    def __init__(self, problem: str, *, field: str = "", subject: str = "") -> None:
        super().__init__(f"{subject} {problem}" if subject else problem)
        self.field = field
        self.subject = subject
        self.problem = problem


class InvalidHeader(LimitModelError, ValueError):
    """A rate limit header or rejection body that cannot be written or read; the message names it."""


class InvalidLimit(LimitModelError, ValueError):
    """Invalid limiter parameter (rate, window, capacity ...)."""


class InvalidArrivals(LimitModelError, ValueError):
    """Invalid arrival times, costs or service times, or a log from which they cannot be read."""


class VersioningError(HookWidgetsError):
    """Base class of errors about API versions, their headers, and comparisons of API documents.

    Args:
        problem: the message without its subject.
        field: the invalid input (such as ``"versions.0.deprecated"``), or empty.
        subject: what the message is about (such as ``"prefix"`` or ``"version 2"``), or empty.

    Attributes:
        field: the invalid input, or empty.
        subject: what the message is about. A form replaces the name of an argument by its label.
        problem: the rest of the message.
    """

    def __init__(self, problem: str, *, field: str = "", subject: str = "") -> None:
        super().__init__(f"{subject} {problem}" if subject else problem)
        self.field = field
        self.subject = subject
        self.problem = problem


class InvalidApi(VersioningError, ValueError):
    """Invalid versions, dates or conventions of an API."""


class InvalidNotice(VersioningError, ValueError):
    """A Deprecation, Sunset, Link or Warning header that cannot be written or read; the message names it."""


class InvalidDocument(VersioningError, ValueError):
    """A schema, OpenAPI document or example payload that cannot be read or compared."""


def excerpt(text: str, length: int = 40) -> str:
    """Quote an untrusted text for a message, with at most so many characters (`length`).

    >>> excerpt("x" * 100, 5)
    "'xxxxx…'"
    """
    return repr(text if len(text) <= length else f"{text[:length]}…")


def closest(name: object, known: Iterable[str]) -> str | None:
    """Return the known name that is most similar to an unknown one; None if none is similar."""
    begin = name[:_COMPARED].lower() if isinstance(name, str) else ""
    return next(iter(difflib.get_close_matches(begin, sorted(known), n=1, cutoff=0.6)), None)


def nearest(name: object, known: Iterable[str]) -> str:
    """Return a hint such as ``did you mean 'stripe'?``, or a list of `known` if none is like `name`."""
    choices = sorted(known)
    if match := closest(name, choices):
        return f"did you mean {match!r}?"
    shown = ", ".join(choices[:12])
    more = f" and {len(choices) - 12} more" if len(choices) > 12 else ""
    return f"choose from: {shown}{more}" if choices else "there are none"
