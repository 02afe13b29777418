"""What of a user's own inputs looks like a credential: a still form names it and leaves its value out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final
from urllib.parse import unquote

from hook_widgets.widgets._inputs import Inputs

LEFT_OUT: Final = "LEFT-OUT"
_NAMES: Final = re.compile(
    r"auth|^code$|cookie|credential|jwt|key|pass|pwd|secret|session|sig|token", re.IGNORECASE
)
_VALUES: Final = re.compile(r"\s*(basic|bearer|digest|token)\s", re.IGNORECASE)  # RFC 9110, 11.4
# How services begin their keys and tokens, and a JSON Web Token (RFC 7519, 3.1), whatever it is called.
_SHAPES: Final = re.compile(
    r"\b(whsec_|[prs]k_(live|test)_|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|xapp-|SG\.\w|AKIA|eyJ[\w-]+\.eyJ)"
)
_USER: Final = re.compile(r"(?<=//)[^/?#]*@")
_PARAMETER: Final = re.compile(r"(?<=[?&#])([^=&#]*)=([^&#]+)")
_SEGMENT: Final = re.compile(r"(?<=/)[^/?#]+")


def without(inputs: Inputs) -> tuple[Inputs, tuple[str, ...]]:
    """The inputs without the credentials in headers and URL, and the names of these.

    The body is payload, and stays as it is.
    """
    headers = tuple((name, LEFT_OUT if _credential(name, value) else value) for name, value in inputs.headers)
    named = [name for name, value in inputs.headers if _credential(name, value)]
    kept = replace(inputs, url=url(inputs.url), headers=headers)
    return kept, tuple(dict.fromkeys([*named, *_in_url(inputs.url)]))


def url(text: str) -> str:
    """A URL without name and password, and without parts and values of parameters that look like credentials.

    >>> url("https://ann:pw@example.com/hook?code=s3cr3t&page=2")
    'https://LEFT-OUT@example.com/hook?code=LEFT-OUT&page=2'
    """
    return _PARAMETER.sub(_parameter, _SEGMENT.sub(_segment, _USER.sub(f"{LEFT_OUT}@", text)))


def parts(given: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """A provider's own fields without those that are credentials, such as Zoom's token; and their names."""
    names = tuple(name for name in given if _NAMES.search(name))
    return {**given, **dict.fromkeys(names, LEFT_OUT)}, names


def told(names: Iterable[str]) -> str:
    """The sentence that says what was left out."""
    return f"Not kept here: the value of {', '.join(names)}. Put it in for {LEFT_OUT}."


def _credential(name: str, value: str) -> bool:
    return bool(_NAMES.search(name) or _VALUES.match(value) or _SHAPES.search(value))


def _parameter(found: re.Match[str]) -> str:
    looks = _NAMES.search(unquote(found[1])) or _SHAPES.search(unquote(found[2]))
    return f"{found[1]}={LEFT_OUT}" if looks else found[0]


def _segment(found: re.Match[str]) -> str:
    return LEFT_OUT if _SHAPES.search(unquote(found[0])) else found[0]


def _in_url(text: str) -> Iterator[str]:
    if _USER.search(text):
        yield "name and password in the URL"
    if any(_segment(found) != found[0] for found in _SEGMENT.finditer(_USER.sub("", text))):
        yield "a part of the URL's path"
    yield from (
        f"{found[1]} in the URL" for found in _PARAMETER.finditer(text) if _parameter(found) != found[0]
    )
