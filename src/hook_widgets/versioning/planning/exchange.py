"""What a client of one version sends and gets at a given time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.negotiation.answers import Answer, Headers
from hook_widgets.versioning.negotiation.places import HEADER, Place


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request that names a version, and what versioning has to do with its answer.

    Attributes:
        request: the request line without the protocol, such as ``"GET /api/v1/orders"``.
        sent: the request's headers that name the version; none when the path or the query does.
        status: 200 when the application answers, 400 or 410 when versioning does.
        headers: what versioning puts into the answer.
        body: of an answer that versioning gives itself; else empty.
    """

    request: str
    sent: Headers
    status: int
    headers: Headers
    body: str

    @property
    def reason(self) -> str:
        """The status in words.

        >>> Exchange("GET /", (), 410, (), "").reason
        'Gone'
        """
        return HTTPStatus(self.status).phrase

    @property
    def text(self) -> str:
        """The headers of the answer as they are sent, one in a line.

        >>> Exchange("GET /", (), 200, (("Api-Version", "1"),), "").text
        'Api-Version: 1'
        """
        return "\n".join(f"{name}: {value}" for name, value in self.headers)


def exchange(api: Api, major: int, at: datetime, *, resource: str = "/orders") -> Exchange:
    """Ask for a resource in one version, in the first way that the API knows.

    Args:
        api: the API.
        major: the version.
        at: the time of the request, with its zone.
        resource: path and query behind the version.

    Raises:
        InvalidApi: no such version, or the time has no zone.

    >>> from hook_widgets.versioning.release import Release
    >>> asked = exchange(Api(releases=(Release(1),)), 1, datetime.fromisoformat("2026-11-20T09:00Z"))
    >>> asked.request, asked.status, asked.headers
    ('GET /api/v1/orders', 200, (('Api-Version', '1'),))
    """
    target = api.path(major, resource)
    sent = _sent(api, major)
    found = api.negotiate(target, sent, at=at)
    request = f"GET {target}"
    if isinstance(found, Answer):
        return Exchange(request, sent, found.status, found.headers, found.body.decode("utf-8", "replace"))
    return Exchange(request, sent, 200, () if found is None else found.headers, "")


def _sent(api: Api, major: int) -> Headers:
    """The header that names the version, where neither path nor query can."""
    if Place.PATH in api.precedence or Place.QUERY in api.precedence:
        return ()
    if Place.HEADER in api.precedence:
        return ((HEADER, str(major)),)
    return (("Accept", f"application/vnd.{api.vendor}.v{major}+json"),)
