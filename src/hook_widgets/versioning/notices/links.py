"""The ``Link`` field (RFC 8288): where the notice is explained, and what replaces the resource.

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

from hook_widgets.errors import InvalidNotice
from hook_widgets.versioning.notices.fieldlines import (
    QUOTED,
    TOKEN,
    excerpt,
    invalid,
    lines_of,
    quote,
    unquote,
)

NAME: Final = "Link"

Attributes: TypeAlias = tuple[tuple[str, str], ...]
"""Names in lower case with their values, in the order of the field."""

ONCE: Final = frozenset({"anchor", "media", "rel", "title", "title*", "type"})
"""Parameters of which all but the first are ignored (RFC 8288 sections 3.3, 3.4.1 and B.2)."""

_URI: Final = r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})"
_REFERENCE: Final = re.compile(rf"(?>{_URI}*)")
_RELATION: Final = re.compile(rf"[A-Za-z][A-Za-z0-9.\-]*+|[A-Za-z][A-Za-z0-9+.\-]*+:(?>{_URI}+)")
_TOKEN: Final = re.compile(TOKEN)
_CONTROL: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_EXTENDED: Final = re.compile(
    r"([A-Za-z0-9!#$%&+\-^_`{}~]++)'[A-Za-z0-9\-]*+'((?>(?:[!#$&+\-.^_`|~0-9A-Za-z]|%[0-9A-Fa-f]{2})*))"
)

_BETWEEN: Final = re.compile(r"(?>(?:[ \t]*+,)*)[ \t]*+")
_TARGET: Final = re.compile(r"<([^<>]*+)>")
_SEMICOLON: Final = re.compile(r"[ \t]*+;[ \t]*+")
_EQUALS: Final = re.compile(r"[ \t]*+=[ \t]*+")
_COMMA: Final = re.compile(r"[ \t]*+(?:,|$)")
_QUOTED: Final = re.compile(QUOTED)
# Wider than a token: RFC 5988 section 5 allowed type=text/html and rel=http://… without quotation marks.
_BARE: Final = re.compile(r"[!#$%&'()*+\-./0-9:=?@A-Z\[\]^_`a-z{|}~]++")
_NEXT: Final = re.compile(r",[ \t]*+(?=<)")


@dataclass(frozen=True, slots=True)
class Link:
    """One link.

    Attributes:
        target: a URI or a path, as written between the angle brackets.
        rel: its relation types, separated by spaces.
        attributes: the other parameters; values of names that end in ``*`` as written, the rest decoded.

    Raises:
        InvalidNotice: a target or anchor that is no URI, relation types or attributes that are malformed.

    >>> Link("https://api.example.com/v2/orders", "successor-version").has("Successor-Version")
    True
    """

    target: str
    rel: str
    attributes: Attributes = ()

    def __post_init__(self) -> None:
        _check_reference("target", self.target)
        _check_relations(self.rel)
        _check_attributes(self.attributes)

    @property
    def relations(self) -> tuple[str, ...]:
        """The relation types in lower case, as they are compared (RFC 8288 sections 2.1.1 and 2.1.2)."""
        return tuple(self.rel.lower().split())

    def has(self, relation: str) -> bool:
        """Whether this is one of the relation types."""
        return relation.lower() in self.relations

    def get(self, name: str) -> str | None:
        """The first value of an attribute, or None.

        Args:
            name: of the attribute, in small letters.
        """
        return next((value for key, value in self.attributes if key == name), None)

    @property
    def title(self) -> str:
        """The label: ``title*`` decoded, else ``title`` (RFC 8288 section 3.4.1); else empty."""
        extended = self.get("title*")
        return (self.get("title") or "") if extended is None else _decoded("title*", extended)


def build_links(links: Iterable[Link]) -> str:
    """The field's value. A title that is not ASCII is written as ``title*`` (RFC 8187).

    Args:
        links: one or more.

    Raises:
        InvalidNotice: there are none, or an attribute cannot be written.

    >>> build_links([Link("https://example.com/deprecation", "deprecation", (("type", "text/html"),))])
    '<https://example.com/deprecation>; rel="deprecation"; type="text/html"'
    """
    written = []
    for link in links:
        if not isinstance(link, Link):
            raise invalid(NAME, f"is built from Link records, not from {type(link).__name__}")
        parameters = "".join(f"; {_parameter(link, *pair)}" for pair in link.attributes)
        written.append(f'<{link.target}>; rel="{link.rel}"{parameters}')
    if not written:
        raise invalid(NAME, "has no links; leave the field out")
    return ", ".join(written)


def parse_links(value: str | Iterable[str]) -> tuple[Link, ...]:
    """The links of the field. An empty value has none.

    Args:
        value: the field's value, or one text for each time the field occurs.

    Raises:
        InvalidNotice: one of the links is malformed; says which character, or what is wrong with it.

    >>> parse_links('</v2>; rel="successor-version latest-version", </docs>; rel=deprecation')[0].relations
    ('successor-version', 'latest-version')
    """
    found = []
    for link in read_links(value):
        if isinstance(link, InvalidNotice):
            raise link
        found.append(link)
    return tuple(found)


def read_links(value: str | Iterable[str]) -> Iterator[Link | InvalidNotice]:
    """Each link, or what is wrong with it: a malformed link does not hide those after it.

    Args:
        value: the field's value, or one text for each time the field occurs.

    Raises:
        InvalidNotice: not text, or with control characters.

    >>> [type(link).__name__ for link in read_links("</a b>; rel=next, </c>; rel=next")]
    ['InvalidNotice', 'Link']
    """
    for line in lines_of(NAME, value):
        at = _end(_BETWEEN, line, 0)
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
            at = _end(_BETWEEN, line, at)


class _Malformed(Exception):
    """The syntax breaks; `at` is where reading may go on."""

    def __init__(self, line: str, at: int, expected: str, *, resume: int | None = None) -> None:
        found = excerpt(line[at : at + 12]) if at < len(line) else "the end"
        super().__init__(f"is malformed at character {at + 1}: expected {expected}, found {found}")
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
            continue  # nothing between two semicolons, which is allowed; anything else fails below
        at = name.end()
        parameter = ""
        equals = _EQUALS.match(line, at)
        if equals:
            parameter, at = _value(line, equals.end())
        parameters.append((name.group().lower(), parameter))
    if _COMMA.match(line, at) is None:
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
    kept: dict[str, str] = {}
    attributes = []
    for name, value in parameters:
        if name in ONCE and name in kept:
            continue
        kept.setdefault(name, value)
        if name != "rel":
            attributes.append((name, value))
    if "rel" not in kept:
        also = "; 'rev' alone is not enough" if "rev" in kept else ""
        raise invalid(NAME, f"to {excerpt(target)} has no rel; say how the target is related{also}")
    return Link(target, " ".join(kept["rel"].split()), tuple(attributes))


def _check_reference(what: str, reference: object) -> None:
    if not isinstance(reference, str):
        raise invalid(NAME, f"needs its {what} as text, not {type(reference).__name__}")
    end = _end(_REFERENCE, reference, 0)
    if end < len(reference):
        character = reference[end]
        if character == "%":
            hint = "write a percent sign as %25"
        else:
            hint = f"write it percent-encoded as {percent_encoded(character, safe='', errors='replace')}"
        raise invalid(NAME, f"has {character!r} at character {end + 1} of its {what}; {hint}")


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
    seen = {"rel"}
    for pair in attributes:
        if not isinstance(pair, tuple) or len(pair) != 2 or not all(isinstance(part, str) for part in pair):
            raise invalid(NAME, "needs its attributes as pairs of texts: (('type', 'text/html'),)")
        name, value = pair
        if not _TOKEN.fullmatch(name) or name != name.lower():
            raise invalid(NAME, f"cannot have an attribute {excerpt(name)}; use a token in lower case")
        if name in seen:
            raise invalid(NAME, f"has {name} twice, and readers ignore the second; leave one out")
        if name in ONCE:
            seen.add(name)
        if _CONTROL.search(value):
            raise invalid(NAME, f"has a control character in {name}; leave it out")
        if name == "anchor":
            _check_reference(name, value)
        if name.endswith("*"):
            _decoded(name, value)


def _decoded(name: str, value: str) -> str:
    """What an extended value such as ``UTF-8'de'n%C3%A4chstes`` means (RFC 8187 section 3.2)."""
    found = _EXTENDED.fullmatch(value)
    if found is None or found[1].upper() != "UTF-8":
        raise invalid(
            NAME, f"has {excerpt(value)} as its {name}; write UTF-8'' and the text percent-encoded (RFC 8187)"
        )
    try:
        return unquote_to_bytes(found[2]).decode()
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


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
