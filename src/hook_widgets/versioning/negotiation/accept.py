"""Parse ``Accept`` with quality values (RFC 9110 sections 12.4.2 and 12.5.1), and the versions that it names.

A version is named by the media range ``application/vnd.<vendor>.v<major>+json``. RFC 9110 lets a server
disregard the field, and does not define the handling of malformed ones. So members that do not name the
vendor are ignored, well formed or not, because clients that do not know of versions send arbitrary values.
Members that name the vendor are parsed strictly.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from hook_widgets._arguments import shown
from hook_widgets.errors import InvalidApi
from hook_widgets.versioning.negotiation.version_location import is_attempt, major_of

MAX_WEIGHT: Final = 1000
"""The quality value 1, in thousandths."""

# Possessive groups are written (?>...*), because (?:...)*+ is buggy in CPython before 3.11.5.
_TOKEN: Final = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]++"
_QUOTED: Final = r'"(?>(?:[\t !#-\[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*)"'
# An empty parameter is well formed (section 5.6.6). Possessive, so that spaces cannot cause backtracking.
_PARAMETER: Final = re.compile(rf"[ \t]*+;[ \t]*+(?>(?:({_TOKEN})=({_TOKEN}|{_QUOTED}))?)")
_RANGE: Final = re.compile(rf"({_TOKEN})/({_TOKEN})((?>(?:{_PARAMETER.pattern})*))")
# An unclosed quote extends to the end.
_MEMBER: Final = re.compile(r'[^",]*+(?>(?:"(?>(?:[^"\\]|\\.)*)(?:"|\\?\Z)[^",]*+)*)', re.DOTALL)
_WEIGHT: Final = re.compile(r"0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?")
_PAIR: Final = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class MediaRange:
    """One media range of ``Accept``.

    Attributes:
        type: the type in lower case, such as ``"application"`` or ``"*"``.
        subtype: the subtype in lower case.
        parameters: names in lower case and values without quotes, in order, without the weight.
        weight: the quality value in thousandths, from 0 to `MAX_WEIGHT`.
    """

    type: str
    subtype: str
    parameters: tuple[tuple[str, str], ...] = ()
    weight: int = MAX_WEIGHT


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedVersions:
    """The versions of a vendor that ``Accept`` names.

    Attributes:
        majors: versions of well-formed ranges, in order of preference.
        ranges: the range of each, without parameters.
        excluded: versions that have the quality value 0 in all their ranges.
        other_format: a well-formed range of the vendor in another format than JSON, or empty.
        malformed: the malformed range, or empty.
    """

    majors: tuple[int, ...] = ()
    ranges: tuple[str, ...] = ()
    excluded: tuple[int, ...] = ()
    other_format: str = ""
    malformed: str = ""


_NOTHING: Final = AcceptedVersions()


def parse_accept(value: str) -> tuple[MediaRange | str, ...]:
    """Parse the members of the field in order: each a media range, or the text of a malformed one.

    The parameter ``q`` is the weight at any position (section 12.5.1); a weight above 1, with more than three
    decimals, in quotes or repeated makes the member malformed.

    Args:
        value: the field's value; several lines joined by commas.

    Raises:
        InvalidApi: the value is no text.

    >>> parse_accept("text/*;q=0.3, Text/HTML;Level=1, text/plain;q=2")
    (MediaRange(type='text', subtype='*', parameters=(), weight=300), \
MediaRange(type='text', subtype='html', parameters=(('level', '1'),), weight=1000), 'text/plain;q=2')
    """
    _check_text(value, "value")
    members: list[MediaRange | str] = []
    at = 0
    while at < len(value):
        match = _MEMBER.match(value, at)
        end = match.end() if match else len(value)
        text = value[at:end].strip(" \t")
        at = end + 1
        if text:  # empty members are ignored (section 5.6.1.2)
            members.append(_range(text) or text)
    return tuple(members)


def _check_text(value: object, name: str) -> None:
    if not isinstance(value, str):
        raise InvalidApi(f"{name} is {shown(value)}; give the text of the field, joined by commas")


@lru_cache(maxsize=128)  # clients send the same value with each request
def accepted_versions(value: str, vendor: str, parameter: str = "") -> AcceptedVersions:
    """Return the versions of a vendor that the field names, in order of preference.

    With equal quality values the more recent version is first. If several ranges name the same version, the
    highest quality value counts. Parameters are ignored except ``version``, used by other conventions, which
    must repeat the number.

    Args:
        value: the field's value; several lines joined by commas.
        vendor: as in ``application/vnd.<vendor>.v2+json``, in lower case.
        parameter: a parameter of ``application/json`` and of the vendor's own type that names a version, in
            lower case; empty for none.

    Raises:
        InvalidApi: an argument is no text.

    >>> value = "application/vnd.acme.v1+json;q=0.5, application/vnd.acme.v2+json, */*"
    >>> accepted_versions(value, "acme").majors
    (2, 1)
    >>> accepted_versions("application/json, text/html;q=7", "acme").majors
    ()
    >>> accepted_versions("application/json;v=1.0", "acme", "v").majors
    (1,)
    """
    _check_text(value, "value")
    _check_text(vendor, "vendor")
    mark = f"vnd.{vendor}"
    if mark not in value.lower() and not (parameter and parameter in value.lower()):
        return _NOTHING
    weights: dict[int, int] = {}
    ranges: dict[int, str] = {}
    other_format = ""
    for member in parse_accept(value):
        if isinstance(member, str):
            if _names(member, vendor):
                return AcceptedVersions(malformed=member)
            continue
        named = _named(member, vendor, parameter)
        major = named or _major(member, vendor)
        if major is None:
            continue
        if isinstance(major, str):
            return AcceptedVersions(malformed=major)
        text = f"{member.type}/{member.subtype}{f';{parameter}={named}' if named else ''}"
        if major == 0:
            other_format = other_format or (text if member.weight else "")
            continue
        ranges[major] = text
        weights[major] = max(weights.get(major, 0), member.weight)
    majors = sorted((major for major, weight in weights.items() if weight), reverse=True)
    majors.sort(key=lambda major: -weights[major])
    excluded = tuple(major for major, weight in weights.items() if not weight)
    return AcceptedVersions(
        majors=tuple(majors),
        ranges=tuple(ranges[major] for major in majors),
        excluded=excluded,
        other_format=other_format,
    )


def _range(text: str) -> MediaRange | None:
    match = _RANGE.fullmatch(text)
    if match is None:
        return None
    weight: int | None = None
    parameters = []
    for written, value in _PARAMETER.findall(match[3]) if match[3] else ():
        name = written.lower()
        if not name:
            continue
        if name != "q":
            parameters.append((name, _PAIR.sub(r"\1", value[1:-1]) if value[0] == '"' else value))
        elif weight is None and _WEIGHT.fullmatch(value):
            units, _, decimals = value.partition(".")
            weight = int(units) * MAX_WEIGHT + int(decimals.ljust(3, "0"))
        else:
            return None
    weight = MAX_WEIGHT if weight is None else weight
    return MediaRange(match[1].lower(), match[2].lower(), tuple(parameters), weight)


def _names(member: str, vendor: str) -> bool:
    """Return True if a malformed member names this vendor; ``vnd.acmecorp`` is not ``vnd.acme``."""
    return re.search(rf"vnd\.{re.escape(vendor)}(?![a-z0-9!#$&^_\-])", member.lower()) is not None


def _named(member: MediaRange, vendor: str, parameter: str) -> int | str | None:
    """Return the version that a parameter names; the text if malformed; None if it names none."""
    if not parameter or f"{member.type}/{member.subtype}" not in (
        "application/json",
        f"application/vnd.{vendor}+json",
    ):
        return None
    texts = [value for name, value in member.parameters if name == parameter]
    if not texts:
        return None
    return major_of(texts[0].removesuffix(".0")) or f"{member.type}/{member.subtype};{parameter}={texts[0]}"


def _major(member: MediaRange, vendor: str) -> int | str | None:
    """Return the version; 0 for another format than JSON; the text if malformed; None if it names none."""
    shown = f"{member.type}/{member.subtype}"
    parameters = [value for name, value in member.parameters if name == "version"]
    rest = member.subtype.removeprefix(f"vnd.{vendor}")
    if member.type != "application" or rest == member.subtype:
        return None
    if rest == "" or rest[0] == "+":
        return f"{shown};version={parameters[0]}" if parameters else None
    token, plus, suffix = rest.rpartition("+")
    token = token if plus else rest
    if not is_attempt(token.removeprefix(".")) or token[0] != ".":
        return None
    major = major_of(token[2:]) if token[1] == "v" else None
    if major is None:
        return shown
    for parameter in parameters:
        if parameter != token[2:]:
            return f"{shown};version={parameter}"
    return major if suffix == "json" else 0
