"""Security schemes: which old one is which new one, and what changed in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hook_widgets.versioning.changes.change import Change
from hook_widgets.versioning.changes.openapi.place import Place
from hook_widgets.versioning.changes.openapi.sides import documented, joined, told

_FACTS = ("type", "name", "in", "scheme", "openIdConnectUrl", "oauth2MetadataUrl")
_URLS = ("authorizationUrl", "tokenUrl", "deviceAuthorizationUrl")


def schemes_of(root: Place) -> dict[str, Place]:
    """The security schemes of a document by name.

    Raises:
        InvalidDocument: they are no objects.
    """
    return root.at("components").at("securitySchemes").members()


def paired(old: Mapping[str, Place], new: Mapping[str, Place]) -> dict[str, str]:
    """The new name of each old scheme: of the same content, best under the same name; else of the same name.

    A scheme's name never travels in HTTP, so a scheme that is only renamed is the same.
    """
    contents = {name: _content(place) for name, place in new.items()}
    pairs: dict[str, str] = {}
    for name, place in old.items():
        content = _content(place)
        twins = [other for other, its in contents.items() if its == content]
        if name in twins or not twins:
            pairs[name] = name
        else:
            pairs[name] = twins[0]
    return pairs


def schemes(old: Place, new: Place, name: str) -> Iterator[Change]:
    """The differences between two schemes.

    Args:
        old: the old scheme.
        new: the new one.
        name: its new name.
    """
    where = f"security scheme {name}"
    before, after = _facts(old), _facts(new)
    for fact in _FACTS:
        if before.get(fact) != after.get(fact):
            was, is_ = (side.text(fact) or "nothing" for side in (old, new))
            detail = f"{fact} was {was} and is {is_} now."
            yield told("authentication-changed", new, where, detail)
    flows, others = old.member("flows").members(), new.member("flows").members()
    for flow, place in flows.items():
        inside = joined(where, f"flow {flow}")
        if flow in others:
            yield from _flow(place, others[flow], inside)
        else:
            yield told("authentication-removed", place, inside, f"The flow {flow} was removed.")
    for flow, place in others.items():
        if flow not in flows:
            inside = joined(where, f"flow {flow}")
            yield told("authentication-added", place, inside, f"The flow {flow} was added.")
    yield from documented(old, new, ("description", "bearerFormat"), where)


def _flow(old: Place, new: Place, where: str) -> Iterator[Change]:
    for url in _URLS:
        if old.text(url) != new.text(url):
            was, is_ = (side.text(url) or "nothing" for side in (old, new))
            detail = f"{url} was {was} and is {is_} now."
            yield told("authentication-changed", new, where, detail)
    before, after = old.at("scopes").members(follow=False), new.at("scopes").members(follow=False)
    for scope, place in before.items():
        if scope not in after:
            yield told("scope-removed", place, where, f"Scope {scope} was removed.")
    for scope, place in after.items():
        if scope not in before:
            yield told("scope-added", place, where, f"Scope {scope} was added.")


def _facts(place: Place) -> dict[str, str]:
    """What decides how credentials are sent; the names of HTTP schemes and headers are case-insensitive."""
    facts = {fact: text for fact in _FACTS if (text := place.text(fact))}
    if "scheme" in facts:
        facts["scheme"] = facts["scheme"].lower()
    if facts.get("in") == "header":
        facts["name"] = facts.get("name", "").lower()
    return facts


def _content(place: Place) -> object:
    return _facts(place), place.member("flows").value
