"""Records of requests that were sent before, and of their responses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.requests.request import ReceivedRequest

MAX_BYTES: Final = 1_500_000
"""The longest text that is read, in bytes of UTF-8."""

MAX_EXCHANGES: Final = 1_000
"""The largest number of requests in one text."""

MAX_HEADERS: Final = 1_000
"""The largest number of header lines of one request."""


class RecordingFormat(StrEnum):
    """The format of a text that contains requests."""

    HAR = "HAR"
    HTTP = "raw HTTP request"
    CURL = "curl command"
    COMMAND = "command of HTTPie, wget or PowerShell"
    EVENT = "request in JSON"
    MAPPING = "mapping of headers"
    ENVIRON = "CGI or WSGI environment"
    LINES = "list of headers"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRequest:
    """A request as far as a recording tells it.

    Attributes:
        method: the HTTP method; empty if unknown.
        url: the URL; without scheme and host, or empty, if these are unknown.
        headers: the headers, in order.
        body: the body, byte for byte unless a note says otherwise; None if unknown.
        notes: sentences about everything that could not be recovered.
    """

    method: str = ""
    url: str = ""
    headers: Headers = Headers()  # noqa: RUF009  # immutable
    body: bytes | None = None
    notes: tuple[str, ...] = ()

    def received(self) -> ReceivedRequest:
        """Return it as a request that `verify` takes; an unknown method is POST, an unknown body is empty."""
        return ReceivedRequest(self.headers, self.body or b"", self.url, self.method or "POST")

    def __repr__(self) -> str:
        # As `ReceivedRequest`, because any value may hold a token.
        names = ", ".join(name for name, _ in self.headers.multi_items()) or "none"
        size = "unknown body" if self.body is None else f"{len(self.body):,} bytes"
        place = f"{self.method} {self.url.partition('?')[0]}".strip()
        return f"RecordedRequest({place}, headers {names}, {size})"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedResponse:
    """A response as far as a recording tells it.

    Attributes:
        status: the HTTP status.
        reason: the reason phrase; may be empty.
        headers: the headers, in order.
        body: the decoded body; None if unknown.
    """

    status: int
    reason: str = ""
    headers: Headers = Headers()  # noqa: RUF009  # immutable
    body: bytes | None = None

    def __repr__(self) -> str:
        size = "unknown body" if self.body is None else f"{len(self.body):,} bytes"
        return f"RecordedResponse({self.status} {self.reason}, {size})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A request, and the response to it if there was one.

    Attributes:
        request: the request.
        response: the response; None if there was none, or it is unknown.
        started: the time of the request; None if unknown.
        duration_s: the time from the start to the end of the response, in seconds; None if unknown.
        provider: the id of the provider that sent it; empty if unknown.
        event: the name of the event; empty if unknown.
        error: the reason why there was no response; empty otherwise.
    """

    request: RecordedRequest
    response: RecordedResponse | None = None
    started: datetime | None = None
    duration_s: float | None = None
    provider: str = ""
    event: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """The requests of one text.

    Attributes:
        format: the format of the text.
        exchanges: the requests in the order of the text, with their responses.
        notes: sentences about the text as a whole.
    """

    format: RecordingFormat
    exchanges: tuple[Exchange, ...]
    notes: tuple[str, ...] = ()


def length_note(body: bytes, length: int) -> str:
    """Return the note on a body whose length is not its Content-Length."""
    return f"the body has {len(body):,} bytes, but its Content-Length is {length:,}: it was changed or cut"
