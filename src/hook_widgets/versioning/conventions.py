"""Validate the attributes of an `Api`. Each check raises `InvalidApi` and names the field."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from itertools import pairwise
from typing import Final, TypeVar

from hook_widgets._arguments import shown as shown_value
from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.dates.instants import instant, shown
from hook_widgets.versioning.negotiation.version_location import (
    HEADER,
    PARAMETER,
    VersionLocation,
    is_attempt,
)
from hook_widgets.versioning.release import Release

_SEGMENT: Final = re.compile(r"[A-Za-z0-9\-._~]+")
_FACET: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9!#$&\-^_]*")
_TOKEN: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}")
_TAKEN: Final = frozenset(
    {"accept", "allow", "api-brownout", "cache-control", "connection", "content-length", "content-type"}
    | {"date", "deprecation", "link", "location", "retry-after", "sunset", "transfer-encoding", "vary"}
    | {"warning"}
)
_URL: Final = re.compile(
    r"https?://(?:[A-Za-z0-9\-._~]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{1,5}))?(?:[/?#].*)?", re.IGNORECASE
)
_URL_TEXT: Final = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?#\[\]]|%[0-9A-Fa-f]{2})+")
_CREDENTIALS: Final = re.compile(r"[^/?#]*//[^/?#]*@")
_MAX_VENDOR_LENGTH: Final = 64
_LOCATIONS: Final = (
    f"path (/api/v2), header ({HEADER}: 2), accept (application/vnd.example.v2+json), query (?{PARAMETER}=2)"
)
_Kind = TypeVar("_Kind", bound=StrEnum)


def check_name(name: object) -> None:
    """Check that the name is printable text on one line."""
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise _invalid("name", "must be text on one line, such as 'Orders API'")


def check_releases(releases: object) -> tuple[Release, ...]:
    """Return the versions sorted by number: unique, released in order, and at least one stable."""
    if not isinstance(releases, Iterable):
        raise InvalidApi(
            "releases must be a sequence of Release; write it like (Release(1),)", field="versions"
        )
    items: list[Release] = []
    for i, release in enumerate(releases):
        if not isinstance(release, Release):
            raise InvalidApi(
                f"releases must hold Release, not {type(release).__name__}", field=f"versions.{i}"
            )
        items.append(release)
    if not items:
        raise InvalidApi("there are no versions; give one at least, such as Release(1)", field="versions")
    order = sorted(range(len(items)), key=lambda i: items[i].major)
    for before, after in pairwise(order):
        if items[before].major == items[after].major:
            raise InvalidApi(
                "is there twice; leave one out",
                field=f"versions.{after}.major",
                subject=f"version {items[after].major}",
            )
    _check_dates(items, order)
    if not any(release.stable for release in items):
        raise InvalidApi(
            "every version is a preview; make one stable, to serve requests that name no version",
            field="versions",
        )
    return tuple(items[i] for i in order)


def _check_dates(items: list[Release], order: list[int]) -> None:
    dated = [(i, moment) for i in order if (moment := items[i].released) is not None]
    for (before, earlier), (after, later) in pairwise(dated):
        if instant(later, "the release") < instant(earlier, "the release"):
            raise InvalidApi(
                f"is released at {shown(later)}, before version {items[before].major} at {shown(earlier)}; "
                "number versions in the order of their release",
                field=f"versions.{after}.released",
                subject=f"version {items[after].major}",
            )


def check_prefix(prefix: object) -> None:
    """Check that the prefix is empty, or has only unreserved characters and no version-like segment."""
    advice = "write it like '/api' or '/shop/api', or leave it empty"
    if not isinstance(prefix, str):
        raise _invalid("prefix", f"must be text; {advice}")
    if not prefix:
        return
    if not prefix.startswith("/") or prefix.endswith("/"):
        raise _invalid(
            "prefix", f"is {prefix[:40]!r}, but it has to begin with a slash and end without one; {advice}"
        )
    for segment in prefix[1:].split("/"):
        if segment in (".", "..") or not _SEGMENT.fullmatch(segment):
            raise _invalid(
                "prefix",
                f"has the part {segment[:40]!r}; use letters, digits and -._~ between single slashes",
            )
        if is_attempt(segment):
            raise _invalid(
                "prefix",
                f"has the part {segment[:40]!r}, which looks like a version; leave it out, the "
                "version follows the prefix",
            )


def check_vendor(vendor: object) -> None:
    """Check that the vendor is a facet of a media type name (RFC 6838 section 4.2), or several with dots."""
    if not isinstance(vendor, str) or not vendor:
        raise _invalid("vendor", "must be text, such as 'example'")
    if len(vendor) > _MAX_VENDOR_LENGTH:
        raise _invalid("vendor", f"is longer than {_MAX_VENDOR_LENGTH} characters; shorten it")
    for facet in vendor.split("."):
        if not _FACET.fullmatch(facet) or is_attempt(facet):
            raise _invalid(
                "vendor",
                f"is {vendor!r}, which cannot stand in application/vnd.<vendor>.v2+json; use letters, "
                "digits, '-' and '_', such as 'example'",
            )


def check_names(header: object, parameter: object, media_parameter: object) -> None:
    """Check that header and parameters are names (RFC 9110 section 5.1) that no other purpose has."""
    if not isinstance(header, str) or not _TOKEN.fullmatch(header):
        raise _invalid("header", f"is {shown_value(header)}; write the name of a header, such as '{HEADER}'")
    if header.lower() in _TAKEN:
        raise _invalid("header", f"is {header!r}, which responses need; take another, such as '{HEADER}'")
    if not isinstance(parameter, str) or not _SEGMENT.fullmatch(parameter):
        raise _invalid(
            "parameter",
            f"is {shown_value(parameter)}; use letters, digits and -._~, such as '{PARAMETER}'",
        )
    if not isinstance(media_parameter, str) or (media_parameter and not _TOKEN.fullmatch(media_parameter)):
        raise _invalid("media_parameter", f"is {shown_value(media_parameter)}; write a name such as 'v'")
    if media_parameter.lower() == "q":
        raise _invalid("media_parameter", "is 'q', the quality value of Accept; take another, such as 'v'")


def check_base_url(url: object) -> None:
    """Check that the URL is empty, or only scheme and host: ``Location`` would omit a path."""
    if url == "":
        return
    _check_url(url, "base_url")
    rest = str(url).partition("//")[2].partition("/")[2].strip("/")
    if "?" in str(url) or "#" in str(url):
        raise _invalid("base_url", "has a query or a fragment; end it with the host")
    if rest:
        raise _invalid(
            "base_url",
            f"has the path '/{rest[:40]}'; end it with the host, and begin the prefix with the path",
        )


def check_guide(guide: object) -> None:
    """Check that the guide is empty, or a URL that may contain ``{old}`` and ``{new}``."""
    if guide == "":
        return
    plain = guide.replace("{old}", "1").replace("{new}", "2") if isinstance(guide, str) else guide
    if isinstance(plain, str) and ("{" in plain or "}" in plain):
        raise _invalid(
            "migration_guide", "has braces other than {old} and {new}; correct or percent-encode them"
        )
    _check_url(plain, "migration_guide")


def check_choice(kinds: type[_Kind], value: str, field: str) -> _Kind:
    """Return a value as a member of an enumeration."""
    try:
        return kinds(value)
    except ValueError:
        raise _invalid(field, f"is {shown_value(value)}; choose from {', '.join(kinds)}") from None


def check_precedence(precedence: object) -> tuple[VersionLocation, ...]:
    """Return the locations as a tuple. They must be unique, and at least one."""
    if isinstance(precedence, str) or not isinstance(precedence, Iterable):
        raise _invalid(
            "precedence", "must be a sequence of VersionLocation; write it like (VersionLocation.PATH,)"
        )
    locations: list[VersionLocation] = []
    for item in precedence:
        try:
            location = VersionLocation(item)
        except ValueError:
            raise InvalidApi(
                f"{shown_value(item)} is not a location of a version; choose from {_LOCATIONS}",
                field="precedence",
            ) from None
        if location in locations:
            raise _invalid("precedence", f"names {location.value!r} twice; leave one out")
        locations.append(location)
    if not locations:
        raise _invalid("precedence", "is empty; name one location at least")
    return tuple(locations)


def _check_url(url: object, field: str) -> None:
    if not isinstance(url, str):
        raise _invalid(field, "must be text")
    if _CREDENTIALS.match(url):  # not repeated in the message
        raise _invalid(field, "holds a user name or password; leave them out")
    if url.lower().startswith(("http://", "https://")) and not _URL_TEXT.fullmatch(url):
        raise _invalid(field, "has a character that no URL holds; percent-encode it, as in 'caf%C3%A9'")
    match = _URL.fullmatch(url)
    if match is None or not 0 < int(match["port"] or 80) < 65536:
        raise _invalid(
            field, f"is {url[:60]!r}; write an http or https URL, such as 'https://api.example.com'"
        )


def _invalid(field: str, problem: str) -> InvalidApi:
    """Return the error for an attribute, whose name begins the message."""
    return InvalidApi(problem, field=field, subject=field)
