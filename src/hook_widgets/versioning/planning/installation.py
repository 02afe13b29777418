"""Code that responds for the versions of an API as its plan says: in Python, for nginx, and for Envoy."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from datetime import datetime
from enum import Enum
from typing import Final

from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.api import Api
from hook_widgets.versioning.negotiation.version_location import VersionLocation
from hook_widgets.versioning.planning.milestones import around
from hook_widgets.versioning.planning.sample_exchange import Exchange, exchange
from hook_widgets.versioning.release import Release, Status

_RESOURCE: Final = "/resource-of-the-request-7f3c"  # stands for path and query in headers and bodies
_OK: Final = 200
_TYPE: Final = "Content-Type"
_WIDTH: Final = 100  # of a line of Python
# Of other targets, such as those with dot segments, nginx tells the address of the version alone.
_SAFE: Final = r"(?!\.|.*/\.)[A-Za-z0-9._~!$&()*+,;=:@%/?-]*"

_NAMES: Final = (
    "Api",
    "Brownout",
    "BrownoutResponse",
    "HeadersBegin",
    "Release",
    "VersionLocation",
    "lifecycle",
)


def python_code(api: Api) -> str:
    """Return Python code that puts the API, with the dates of its versions, in front of an ASGI application.

    >>> from hook_widgets.versioning.release import Release
    >>> print(python_code(Api(releases=(Release(1), Release(2)))))
    from hook_widgets.versioning import Api, Release
    from hook_widgets.versioning.negotiation import VersionedAsgi
    <BLANKLINE>
    api = Api(
        releases=(
            Release(1),
            Release(2),
        ),
    )
    app = VersionedAsgi(app, api)  # VersionedWsgi for Flask and Django
    <BLANKLINE>
    """
    body = ["api = Api("]
    for field in fields(Api):
        value = getattr(api, field.name)
        if field.name == "releases":
            releases = (f"        {_release(each)}," for each in api.releases)
            body += ["    releases=(", *releases, "    ),"]
        elif field.init and value != field.default:
            body.append(f"    {field.name}={_literal(value)},")
    body += [")", "app = VersionedAsgi(app, api)  # VersionedWsgi for Flask and Django", ""]
    text = "\n".join(body)
    names = [name for name in _NAMES if re.search(rf"\b{name}\b[(.]", text)]
    imports = ["from datetime import datetime", ""] if "datetime." in text else []
    line = f"from hook_widgets.versioning import {', '.join(names)}"
    imports.append(
        line if len(line) <= _WIDTH else _call("from hook_widgets.versioning import ", names, indent=0)
    )
    imports.append("from hook_widgets.versioning.negotiation import VersionedAsgi")
    return "\n".join([*imports, "", text])


def _release(release: Release) -> str:
    parts = [str(release.major)]
    if release.released is not None:
        parts.append(f"released={_moment(release.released)}")
    if not release.stable:
        parts.append("stable=False")
    if (dates := release.lifecycle) is not None:
        arguments = [_moment(dates.deprecated), f"sunset={_moment(dates.sunset)}"]
        if dates.brownouts:
            times = ([_moment(each.starts), _moment(each.ends)] for each in dates.brownouts)
            outages = [_call("Brownout", each, indent=20) for each in times]
            arguments.append(_call("brownouts=", outages, "[", "]", indent=16))
        parts.append(_call("lifecycle=lifecycle", arguments, indent=12))
    return _call("Release", parts, indent=8)


def _call(name: str, arguments: list[str], begin: str = "(", end: str = ")", *, indent: int) -> str:
    """Return a call on one line, or with a line for each argument if that would be long."""
    line = f"{name}{begin}{', '.join(arguments)}{end}"
    if indent + len(line) <= _WIDTH and "\n" not in line:
        return line
    separator = "\n" + " " * (indent + 4)
    lines = "".join(f"{separator}{argument}," for argument in arguments)
    return f"{name}{begin}{lines}\n{' ' * indent}{end}"


def _moment(moment: datetime) -> str:
    return f'datetime.fromisoformat("{moment.isoformat()}")'


def _literal(value: object) -> str:
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_literal, value))},)"
    return repr(value)


def nginx_config(api: Api, at: datetime) -> str:
    """Return directives for nginx that send the headers of each version, and its 410 or 503.

    They decide by the path alone, and hold until the next milestone, because nginx knows no dates.

    Args:
        api: the API, which reads the version in the path.
        at: the time for which they are written, with its zone.

    Raises:
        InvalidApi: the API does not read the version in the path, or the time has no zone.

    >>> from hook_widgets.versioning.release import Release
    >>> config = nginx_config(Api(releases=(Release(1),)), datetime.fromisoformat("2026-11-20T09:00Z"))
    >>> [line.strip() for line in config.splitlines() if "add_header" in line]
    ["add_header Api-Version '1' always;"]
    """
    served = _responses(api, at, _RESOURCE, "nginx")
    lines = [
        _remark(api, at),
        "# in http",
        "geo $dollar { default '$'; }",
    ]
    for major in served:
        lines += [
            f"map $request_uri $v{major}_resource {{",
            "  default '/';",
            f"  '~^{_pattern(api, major)}/(?<v{major}_path>{_SAFE})$' /$v{major}_path;",
            f"  '~^{_pattern(api, major)}(?<v{major}_query>[?]{_SAFE})$' /$v{major}_query;",
            "}",
        ]
    lines += ["", "# in server"]
    for major, response in served.items():
        lines += [f"location ~ '^{_pattern(api, major)}(?:/|$)' {{", *_location(response, major), "}"]
    return "\n".join([*lines, ""])


def envoy_config(api: Api, at: datetime) -> str:
    """Return routes for Envoy that send the headers of each version, and its 410 or 503.

    As those for nginx, but links lead to a version, not to the resource of the request: Envoy cannot put a
    part of the path into a header.

    Args:
        api: the API, which reads the version in the path.
        at: the time for which they are written, with its zone.

    Raises:
        InvalidApi: the API does not read the version in the path, or the time has no zone.

    >>> from hook_widgets.versioning.release import Release
    >>> config = envoy_config(Api(releases=(Release(1),)), datetime.fromisoformat("2026-11-20T09:00Z"))
    >>> [line.strip() for line in config.splitlines() if "key" in line]
    ['- header: {key: "Api-Version", value: "1"}']
    """
    lines = [_remark(api, at), "# in the routes of a virtual host, before those of the application"]
    for major, response in _responses(api, at, "/", "Envoy").items():
        lines += [f"- match: {{path_separated_prefix: {_json(api.base_path(major))}}}"]
        lines += ["  response_headers_to_add:"]
        for name, value in response.headers:
            lines += [f"  - header: {{key: {_json(name)}, value: {_json(value.replace('%', '%%'))}}}"]
            lines += ["    append_action: OVERWRITE_IF_EXISTS_OR_ADD"] * (name == _TYPE)
        if response.status == _OK:
            lines += ["  route: {cluster: backend}  # the application"]
        else:
            body = f"{{inline_string: {_json(response.body)}}}"
            lines += [f"  direct_response: {{status: {response.status}, body: {body}}}"]
    return "\n".join([*lines, ""])


def _json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _responses(api: Api, at: datetime, resource: str, server: str) -> dict[int, Exchange]:
    """Return the response of each version that is or was served.

    Raises:
        InvalidApi: the API does not read the version in the path.
    """
    if VersionLocation.PATH not in api.precedence:
        problem = f"does not read the version in the path, by which {server} decides"
        raise InvalidApi(problem, field="precedence")
    return {
        major: exchange(api, major, at, resource=resource)
        for major in api.majors
        if api.status(major, at) is not Status.PLANNED
    }


def _remark(api: Api, at: datetime) -> str:
    _, after = around(api, at)
    until = f" until {after.at.isoformat()}; then write it again" if after else ""
    return f"# From {at.isoformat()}{until}. A version in a header or in the query is not read."


def _location(response: Exchange, major: int) -> Iterator[str]:
    for name, value in response.headers:
        if name != _TYPE:
            yield f"  add_header {name} {_quoted(value, major)} always;"
    if response.status == _OK:
        yield "  proxy_pass http://backend;  # the application"
        return
    yield f"  default_type {dict(response.headers)[_TYPE]};"
    yield f"  return {response.status} {_quoted(response.body, major)};"


def _pattern(api: Api, major: int) -> str:
    return re.escape(api.base_path(major))


def _quoted(text: str, major: int) -> str:
    """Return a string of nginx in quotes, with the resource of the request in its place."""
    for plain, written in (("\\", "\\\\"), ("'", "\\'"), ("$", "${dollar}")):
        text = text.replace(plain, written)
    return f"'{text.replace(_RESOURCE, f'${{v{major}_resource}}')}'"
