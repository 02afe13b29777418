"""Build and parse the ``Link`` field (RFC 8288): links to explanations of a notice and to replacements.

Relation types of deprecations: ``deprecation`` (RFC 9745 section 3), ``sunset`` (RFC 8594 section 6),
``successor-version`` and ``latest-version`` (RFC 5829 section 3).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias
from urllib.parse import quote as percent_encoded
from urllib.parse import unquote_to_bytes

from hook_widgets._arguments import several
from hook_widgets.errors import InvalidNotice, excerpt
from hook_widgets.versioning.notices.header_fields import (
    BETWEEN,
    CONTROL,
    MEMBER_END,
    QUOTED,
    TOKEN,
    end_of,
    invalid,
    lines_of,
    quote,
    strictly,
    unquote,
)

NAME: Final = "Link"

LinkAttributes: TypeAlias = tuple[tuple[str, str], ...]
"""Pairs of lower-case names and values, in the order of the field."""

ONCE: Final = frozenset({"anchor", "media", "rel", "title", "title*", "type"})
"""Parameters of which only the first occurrence counts (RFC 8288 sections 3.3, 3.4.1 and B.2)."""

_URI: Final = r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})"
_REFERENCE: Final = re.compile(rf"(?>{_URI}*)")
_RELATION: Final = re.compile(rf"[A-Za-z][A-Za-z0-9.\-]*+|[A-Za-z][A-Za-z0-9+.\-]*+:(?>{_URI}+)")
_TOKEN: Final = re.compile(TOKEN)
_EXTENDED: Final = re.compile(
    r"([A-Za-z0-9!#$%&+\-^_`{}~]++)'[A-Za-z0-9\-]*+'((?>(?:[!#$&+\-.^_`|~0-9A-Za-z]|%[0-9A-Fa-f]{2})*))"
)

_TARGET: Final = re.compile(r"<([^<>]*+)>")
_SEMICOLON: Final = re.compile(r"[ \t]*+;[ \t]*+")
_EQUALS: Final = re.compile(r"[ \t]*+=[ \t]*+")
_QUOTED: Final = re.compile(QUOTED)
# More than a token: RFC 5988 section 5 allowed type=text/html and rel=http://… without quotation marks.
_BARE: Final = re.compile(r"[!#$%&'()*+\-./0-9:=?@A-Z\[\]^_`a-z{|}~]++")
_NEXT: Final = re.compile(r",[ \t]*+(?=<)")


@dataclass(frozen=True, slots=True)
class Link:
    """One link.

    Attributes:
        target: a URI or a path, as written between the angle brackets.
        rel: the relation types, separated by spaces.
        attributes: the other parameters; values of names that end in ``*`` are raw, others decoded.

    Raises:
        InvalidNotice: the target or anchor is not a URI, or relation types or attributes are malformed.

    >>> Link("https://api.example.com/v2/orders", "successor-version").has("Successor-Version")
    True
    """

    target: str
    rel: str
    attributes: LinkAttributes = ()

    def __post_init__(self) -> None:
        _check_reference("target", self.target)
        _check_relations(self.rel)
        _check_attributes(self.attributes)

    @property
    def relations(self) -> tuple[str, ...]:
        """Relation types in lower case, for comparison (RFC 8288 sections 2.1.1 and 2.1.2)."""
        return tuple(self.rel.lower().split())

    def has(self, relation: str) -> bool:
        """Return True if the link has this relation type, in any letter case."""
        return relation.lower() in self.relations

    def get(self, name: str) -> str | None:
        """Return the first value of an attribute, or None.

        Args:
            name: name of the attribute, in lower case.
        """
        return next((value for key, value in self.attributes if key == name), None)

    @property
    def title(self) -> str:
        """Label of the link: ``title*`` decoded, otherwise ``title`` (RFC 8288 section 3.4.1), or empty."""
        extended = self.get("title*")
        return (self.get("title") or "") if extended is None else _decoded("title*", extended)


def build_links(links: Iterable[Link]) -> str:
    """Return the field's value. A non-ASCII title is written as ``title*`` (RFC 8187).

    Args:
        links: one or more links.

    Raises:
        InvalidNotice: there are no links, or an attribute cannot be written.

    >>> build_links([Link("https://example.com/deprecation", "deprecation", (("type", "text/html"),))])
    '<https://example.com/deprecation>; rel="deprecation"; type="text/html"'
    """
    written = []
    for link in several(links, "links", InvalidNotice):
        if not isinstance(link, Link):
            raise invalid(NAME, f"is built from Link records, not from {type(link).__name__}")
        parameters = "".join(f"; {_parameter(link, *pair)}" for pair in link.attributes)
        written.append(f'<{link.target}>; rel="{link.rel}"{parameters}')
    if not written:
        raise invalid(NAME, "has no links; leave the field out")
    return ", ".join(written)


def parse_links(value: str | Iterable[str]) -> tuple[Link, ...]:
    """Parse the links of the field. An empty value has none.

    Args:
        value: the field's value, or one string for each field line.

    Raises:
        InvalidNotice: a link is malformed; the message names the position or the problem.

    >>> parse_links('</v2>; rel="successor-version latest-version", </docs>; rel=deprecation')[0].relations
    ('successor-version', 'latest-version')
    """
    return strictly(read_links(value))


def read_links(value: str | Iterable[str]) -> Iterator[Link | InvalidNotice]:
    """Yield each link, or an error in its place: a malformed link does not hide those after it.

    Args:
        value: the field's value, or one string for each field line.

    Raises:
        InvalidNotice: not a string, or control characters.

    >>> [type(link).__name__ for link in read_links("</a b>; rel=next, </c>; rel=next")]
    ['InvalidNotice', 'Link']
    """
    for line in lines_of(NAME, value):
        at = end_of(BETWEEN, line, 0)
        while at < len(line):
            try:
                target, parameters, at = _syntax(line, at)
            except _Malformed as problem:
                yield invalid(NAME, str(problem))
                following = _NEXT.search(line, problem.at)
                at = following.end() if following else len(line)
                continue
            try:
                yield _link(target, parameters)
            except InvalidNotice as problem:
                yield problem
            at = end_of(BETWEEN, line, at)


class _Malformed(Exception):
    """A syntax error; `at` is the position at which parsing can resume."""

    def __init__(self, line: str, at: int, expected: str, *, resume: int | None = None) -> None:
        actual = excerpt(line[at : at + 12]) if at < len(line) else "the end"
        super().__init__(f"is malformed at character {at + 1}: expected {expected}, found {actual}")
        self.at = at if resume is None else resume


def _syntax(line: str, at: int) -> tuple[str, list[tuple[str, str]], int]:
    target = _TARGET.match(line, at)
    if target is None:
        raise _Malformed(line, at, "a target in angle brackets such as '<https://example.com/>'")
    at = target.end()
    parameters: list[tuple[str, str]] = []
    while semicolon := _SEMICOLON.match(line, at):
        at = semicolon.end()
        name = _TOKEN.match(line, at)
        if name is None:
            continue  # an empty parameter is allowed; anything else fails below
        at = name.end()
        parameter = ""
        equals = _EQUALS.match(line, at)
        if equals:
            parameter, at = _value(line, equals.end())
        parameters.append((name.group().lower(), parameter))
    if MEMBER_END.match(line, at) is None:
        raise _Malformed(line, at, "a semicolon, a comma or the end")
    return target[1], parameters, at


def _value(line: str, at: int) -> tuple[str, int]:
    if line.startswith('"', at):
        quoted = _QUOTED.match(line, at)
        if quoted is None:
            raise _Malformed(line, at, "the second quotation mark of this text", resume=len(line))
        return unquote(quoted.group()), quoted.end()
    bare = _BARE.match(line, at)
    if bare is None:
        raise _Malformed(line, at, "a value; write it in quotation marks")
    return bare.group(), bare.end()


def _link(target: str, parameters: list[tuple[str, str]]) -> Link:
    first: dict[str, str] = {}
    attributes = []
    for name, value in parameters:
        if name in ONCE and name in first:
            continue
        first.setdefault(name, value)
        if name != "rel":
            attributes.append((name, value))
    if "rel" not in first:
        also = "; 'rev' alone is not enough" if "rev" in first else ""
        raise invalid(NAME, f"to {excerpt(target)} has no rel; say how the target is related{also}")
    return Link(target, " ".join(first["rel"].split()), tuple(attributes))


def _check_reference(part: str, reference: object) -> None:
    if not isinstance(reference, str):
        raise invalid(NAME, f"needs its {part} as text, not {type(reference).__name__}")
    end = end_of(_REFERENCE, reference, 0)
    if end < len(reference):
        character = reference[end]
        if character == "%":
            hint = "write a percent sign as %25"
        else:
            hint = f"write it percent-encoded as {percent_encoded(character, safe='', errors='replace')}"
        raise invalid(NAME, f"has {character!r} at character {end + 1} of its {part}; {hint}")


def _check_relations(rel: object) -> None:
    if not isinstance(rel, str):
        raise invalid(NAME, f"needs rel as text, not {type(rel).__name__}; separate several by a space")
    if "" in rel.split(" "):
        raise invalid(NAME, "needs one relation type or more, with one space between two of them")
    for relation in rel.split(" "):
        if not _RELATION.fullmatch(relation):
            raise invalid(
                NAME,
                f"has the relation type {excerpt(relation)}; use a registered one such as 'deprecation' or "
                "a URI",
            )


def _check_attributes(attributes: object) -> None:
    if not isinstance(attributes, tuple):
        raise invalid(NAME, "needs its attributes as a tuple of pairs: (('type', 'text/html'),)")
    names = {"rel"}
    for pair in attributes:
        if not isinstance(pair, tuple) or len(pair) != 2 or not all(isinstance(part, str) for part in pair):
            raise invalid(NAME, "needs its attributes as pairs of texts: (('type', 'text/html'),)")
        name, value = pair
        if not _TOKEN.fullmatch(name) or name != name.lower():
            raise invalid(NAME, f"cannot have an attribute {excerpt(name)}; use a token in lower case")
        if name in names:
            raise invalid(NAME, f"has {name} twice, and readers ignore the second; leave one out")
        if name in ONCE:
            names.add(name)
        if CONTROL.search(value):
            raise invalid(NAME, f"has a control character in {name}; leave it out")
        if name == "anchor":
            _check_reference(name, value)
        if name.endswith("*"):
            _decoded(name, value)


def _decoded(name: str, value: str) -> str:
    """Decode an extended value such as ``UTF-8'de'n%C3%A4chstes`` (RFC 8187 section 3.2)."""
    match = _EXTENDED.fullmatch(value)
    if match is None or match[1].upper() != "UTF-8":
        raise invalid(
            NAME, f"has {excerpt(value)} as its {name}; write UTF-8'' and the text percent-encoded (RFC 8187)"
        )
    try:
        return unquote_to_bytes(match[2]).decode()
    except UnicodeDecodeError:
        raise invalid(
            NAME, f"has {excerpt(value)} as its {name}, which is not UTF-8; encode it anew"
        ) from None


def _parameter(link: Link, name: str, value: str) -> str:
    if name.endswith("*"):
        return f"{name}={value}"
    if name == "title" and not value.isascii() and link.get("title*") is None:
        try:
            return f"title*=UTF-8''{percent_encoded(value, safe='!#$&+-.^_`|~')}"
        except UnicodeEncodeError:
            raise invalid(NAME, "has half a surrogate pair in title; use whole characters") from None
    return f"{name}={quote(NAME, name, value)}"
