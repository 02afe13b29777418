"""Match and compare security schemes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hook_widgets.versioning.compat.change import Change
from hook_widgets.versioning.compat.json_schema.normalization import canonical
from hook_widgets.versioning.compat.openapi.document.located import Place
from hook_widgets.versioning.compat.openapi.document.pair import (
    build_change,
    documentation_changes,
    join_place,
)

_FACTS = ("type", "name", "in", "scheme", "openIdConnectUrl", "oauth2MetadataUrl")
_URLS = ("authorizationUrl", "tokenUrl", "refreshUrl", "deviceAuthorizationUrl")


def security_schemes(root: Place) -> dict[str, Place]:
    """Return the security schemes of a document by name."""
    return root.at("components").at("securitySchemes").entries()


def match_schemes(old: Mapping[str, Place], new: Mapping[str, Place]) -> dict[str, str]:
    """Return the new name of each old scheme.

    Schemes match if they have the same content, preferably under the same name, or else the same name, which
    may have another case if no other scheme has it.

    A scheme's name is not part of HTTP messages, so a scheme that is only renamed is unchanged.
    """
    contents = {name: _content(place) for name, place in new.items()}
    first = {content: other for other, content in reversed(contents.items())}
    folded = {other.lower(): other for other in new if other not in old}
    pairs: dict[str, str] = {}
    for name, place in old.items():
        content = _content(place)
        pairs[name] = name if contents.get(name) == content else first.get(content, name)
        if pairs[name] not in new:
            pairs[name] = folded.get(name.lower(), name)
    return pairs


def compare_schemes(old: Place, new: Place, name: str) -> Iterator[Change]:
    """Compare two security schemes."""
    where = f"security scheme {name}"
    before, after = _facts(old), _facts(new)
    changed = [fact for fact in _FACTS if before.get(fact) != after.get(fact)]
    if "type" in changed:  # the other facts and the flows go with it
        yield from _changes(old, new, ["type"], where)
        return
    yield from _changes(old, new, changed, where)
    flows, others = old.member("flows").members(), new.member("flows").members()
    for flow, place in (flows | others).items():
        inside = join_place(where, f"flow {flow}")
        if flow in flows and flow in others:
            yield from _flow(flows[flow], place, inside)
        else:
            word = "removed" if flow in flows else "added"
            yield build_change(f"authentication-{word}", place, inside, f"The flow {flow} was {word}.")
    yield from documentation_changes(old, new, ("description", "bearerFormat"), where)


def _changes(old: Place, new: Place, names: list[str], where: str) -> Iterator[Change]:
    for name in names:
        was, is_ = (side.text(name) or "nothing" for side in (old, new))
        yield build_change("authentication-changed", new, where, f"{name} was {was} and is {is_} now.")


def _flow(old: Place, new: Place, where: str) -> Iterator[Change]:
    # A document that newly names the address for refreshing tokens need not have moved it.
    changed = [
        url for url in _URLS if old.text(url) != new.text(url) and (old.text(url) or url != "refreshUrl")
    ]
    yield from _changes(old, new, changed, where)
    before, after = old.at("scopes").members(follow=False), new.at("scopes").members(follow=False)
    for scope, place in (before | after).items():
        if (scope in before) != (scope in after):
            word = "removed" if scope in before else "added"
            yield build_change(f"scope-{word}", place, where, f"Scope {scope} was {word}.")


def _facts(place: Place) -> dict[str, str]:
    """Return the members that determine how credentials are sent.

    The names of HTTP schemes and headers are case-insensitive.
    """
    facts = {fact: text for fact in _FACTS if (text := place.text(fact))}
    if "scheme" in facts:
        facts["scheme"] = facts["scheme"].lower()
    if facts.get("in") == "header":
        facts["name"] = facts.get("name", "").lower()
    return facts


def _content(place: Place) -> str:
    flows = {
        name: [*(flow.text(url) for url in _URLS), *sorted(flow.at("scopes").members(follow=False))]
        for name, flow in place.member("flows").members().items()
    }
    return canonical([_facts(place), flows])
