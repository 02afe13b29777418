"""Sample request and response of a client of one version at a given time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus

from hook_widgets.versioning.api import Api
from hook_widgets.versioning.negotiation.responses import HeaderPairs
from hook_widgets.versioning.negotiation.version_location import VersionLocation
from hook_widgets.versioning.release import MAX_MAJOR

_RESOURCE = "/orders"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A request that names a version, and the part of the response that versioning decides.

    Attributes:
        request: request line without the protocol, such as ``"GET /api/v1/orders"``.
        sent: request headers that name the version; empty when the path or the query does.
        status: 200 when the application responds, 308, 400, 410 or 503 when versioning does.
        headers: response headers that versioning adds.
        body: body of a response by versioning itself; else empty.
    """

    request: str
    sent: HeaderPairs
    status: int
    headers: HeaderPairs
    body: str

    @property
    def reason(self) -> str:
        """Reason phrase of the status.

        >>> Exchange(request="GET /", sent=(), status=410, headers=(), body="").reason
        'Gone'
        """
        return HTTPStatus(self.status).phrase

    @property
    def text(self) -> str:
        """Response headers as sent, one on each line.

        >>> headers = (("Api-Version", "1"),)
        >>> Exchange(request="GET /", sent=(), status=200, headers=headers, body="").text
        'Api-Version: 1'
        """
        return "\n".join(f"{name}: {value}" for name, value in self.headers)


def exchange(api: Api, major: int, at: datetime, *, resource: str = _RESOURCE) -> Exchange:
    """Request a resource of one version, in the path, query or header that the API reads.

    Raises:
        InvalidApi: no such version, or the time has no zone.

    >>> from hook_widgets.versioning.release import Release
    >>> sample = exchange(Api(releases=(Release(1),)), 1, datetime.fromisoformat("2026-11-20T09:00Z"))
    >>> sample.request, sample.status, sample.headers
    ('GET /api/v1/orders', 200, (('Api-Version', '1'),))
    """
    return _exchange(api, api.path(major, resource), _sent(api, major), at)


def unversioned_exchange(api: Api, at: datetime) -> Exchange:
    """Request a resource without a version: a 308, the latest stable version or a 400.

    Raises:
        InvalidApi: the time has no zone.

    >>> from hook_widgets.versioning.release import Release
    >>> api = Api(releases=(Release(1),))
    >>> sample = unversioned_exchange(api, datetime.fromisoformat("2026-11-20T09:00Z"))
    >>> sample.request, sample.status, sample.headers[0]
    ('GET /api/orders', 308, ('Location', '/api/v1/orders'))
    """
    return _exchange(api, api.prefix + _RESOURCE, (), at)


def unknown_exchange(api: Api, at: datetime) -> Exchange:
    """Request a version that does not exist: a 400 that lists the supported versions.

    Raises:
        InvalidApi: the time has no zone.

    >>> from hook_widgets.versioning.release import Release
    >>> sample = unknown_exchange(Api(releases=(Release(1),)), datetime.fromisoformat("2026-11-20T09:00Z"))
    >>> sample.request, sample.status
    ('GET /api/v2/orders', 400)
    """
    major = api.majors[-1] % MAX_MAJOR + 1
    while major in api.majors:
        major += 1
    target = api.prefix + _RESOURCE
    if VersionLocation.PATH in api.precedence:
        target = f"{api.prefix}/v{major}{_RESOURCE}"
    elif VersionLocation.QUERY in api.precedence:
        target = f"{target}?{api.parameter}={major}"
    return _exchange(api, target, _sent(api, major), at)


def _exchange(api: Api, target: str, sent: HeaderPairs, at: datetime) -> Exchange:
    decision = api.negotiate(target, sent, at=at)
    request = f"GET {target}"
    if (response := decision.response) is not None:
        body = response.body.decode("utf-8", "replace")
        return Exchange(
            request=request, sent=sent, status=response.status, headers=response.headers, body=body
        )
    headers = () if decision.route is None else decision.route.headers
    return Exchange(request=request, sent=sent, status=200, headers=headers, body="")


def _sent(api: Api, major: int) -> HeaderPairs:
    """Return the header that names the version; empty if the path or the query can name it."""
    if VersionLocation.PATH in api.precedence or VersionLocation.QUERY in api.precedence:
        return ()
    if VersionLocation.HEADER in api.precedence:
        return ((api.header, str(major)),)
    return (("Accept", f"application/vnd.{api.vendor}.v{major}+json"),)
