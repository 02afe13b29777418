"""Redact credentials in the user's inputs: static HTML names them and leaves their values out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final
from urllib.parse import unquote

from hook_widgets.widgets.generator.inputs import Inputs

LEFT_OUT: Final = "LEFT-OUT"
_NAMES: Final = re.compile(
    r"auth|^code$|cookie|credential|jwt|key|pass|pwd|secret|session|sig|token", re.IGNORECASE
)
_VALUES: Final = re.compile(r"\s*(basic|bearer|digest|token)\s", re.IGNORECASE)  # RFC 9110, 11.4
# Prefixes of the keys and tokens of services, and a JSON Web Token (RFC 7519, 3.1), under any name.
_SHAPES: Final = re.compile(
    r"\b(whsec_|[prs]k_(live|test)_|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|xapp-|SG\.\w|AKIA|eyJ[\w-]+\.eyJ)"
)
_USER: Final = re.compile(r"(?<=//)[^/?#]*@")
_PARAMETER: Final = re.compile(r"(?<=[?&#])([^=&#]*)=([^&#]+)")
_SEGMENT: Final = re.compile(r"(?<=/)[^/?#]+")


def without(inputs: Inputs) -> tuple[Inputs, tuple[str, ...]]:
    """Return the inputs without the credentials in headers and URL, and the names of these.

    The body is payload and stays unchanged.
    """
    headers = tuple((name, LEFT_OUT if _credential(name, value) else value) for name, value in inputs.headers)
    named = [name for name, value in inputs.headers if _credential(name, value)]
    redacted = replace(inputs, url=url(inputs.url), headers=headers)
    return redacted, tuple(dict.fromkeys([*named, *_in_url(inputs.url)]))


def url(text: str) -> str:
    """Redact user name and password, path segments and parameter values of a URL that look like credentials.

    >>> url("https://ann:pw@example.com/hook?code=s3cr3t&page=2")
    'https://LEFT-OUT@example.com/hook?code=LEFT-OUT&page=2'
    """
    return _PARAMETER.sub(_parameter, _SEGMENT.sub(_segment, _USER.sub(f"{LEFT_OUT}@", text)))


def parts(fields: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Redact a provider's own fields that are credentials, such as Zoom's token; return also their names."""
    names = tuple(name for name in fields if _NAMES.search(name))
    return {**fields, **dict.fromkeys(names, LEFT_OUT)}, names


def note(names: Iterable[str]) -> str:
    """Return the sentence that names the omitted values."""
    return f"Not kept here: the value of {', '.join(names)}. Put it in for {LEFT_OUT}."


def _credential(name: str, value: str) -> bool:
    return bool(_NAMES.search(name) or _VALUES.match(value) or _SHAPES.search(value))


def _parameter(match: re.Match[str]) -> str:
    looks = _NAMES.search(unquote(match[1])) or _SHAPES.search(unquote(match[2]))
    return f"{match[1]}={LEFT_OUT}" if looks else match[0]


def _segment(match: re.Match[str]) -> str:
    return LEFT_OUT if _SHAPES.search(unquote(match[0])) else match[0]


def _in_url(text: str) -> Iterator[str]:
    if _USER.search(text):
        yield "name and password in the URL"
    if any(_segment(match) != match[0] for match in _SEGMENT.finditer(_USER.sub("", text))):
        yield "a part of the URL's path"
    yield from (
        f"{match[1]} in the URL" for match in _PARAMETER.finditer(text) if _parameter(match) != match[0]
    )
