"""Compare the authentication of endpoints.

``security`` is a list of alternatives; each names schemes that are required together, with scopes. A client
that uses one of the alternatives keeps working if a new alternative requires only what it already sends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hook_widgets.versioning.compat.budget import spend
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
Requirement = Mapping[str, frozenset[str]]
"""An alternative: scopes by scheme; empty: anonymous access."""


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


class Security:
    """Comparison of the authentication of two documents."""

    def __init__(self, old: Place, new: Place) -> None:
        self._roots = old, new
        self._schemes = security_schemes(old), security_schemes(new)
        self._names = match_schemes(*self._schemes)
        self._used: tuple[set[str], set[str]] = set(), set()

    def compare_endpoint(self, old: Place, new: Place, where: str) -> Iterator[Change]:
        """Compare the security requirements of two operations."""
        before_place, after_place = (
            operation.at("security") if operation.at("security").exists else root.at("security")
            for operation, root in zip((old, new), self._roots, strict=True)
        )
        before: list[Requirement] = [
            {self._names.get(name, name): scopes for name, scopes in requirement.items()}
            for requirement in _requirements(before_place)
        ]
        after = _requirements(after_place)
        self._used[0].update(name for requirement in _requirements(before_place) for name in requirement)
        self._used[1].update(name for requirement in after for name in requirement)
        spend(len(before) + len(after) + len(before) * len(after) // 2)
        rejected = [
            _report_rejected(requirement, after, after_place, before, where)
            for requirement in before
            if not any(_satisfies(requirement, other) for other in after)
        ]
        yield from rejected
        all_named = any(change.rule != "scope-required" for change in rejected)
        for other in after:
            if other in before:
                continue
            lowered = [
                requirement
                for requirement in before
                if requirement.keys() == other.keys() and _satisfies(requirement, other)
            ]
            if lowered:
                scopes = sorted({scope for name in other for scope in lowered[0][name] - other[name]})
                detail = f"{_describe(other)} no longer needs the scope {', '.join(scopes)}."
                yield build_change("scope-not-required", after_place, where, detail)
            elif not other:
                detail = "The endpoint can be called without credentials now."
                yield build_change("authentication-optional", after_place, where, detail)
            elif any(requirement and _satisfies(other, requirement) for requirement in before):
                continue  # it requires more than was sufficient, so it is no additional alternative
            elif not all_named and not any(requirement.keys() == other.keys() for requirement in before):
                detail = f"Clients can also authenticate with {_describe(other)} now."
                yield build_change("authentication-added", after_place, where, detail)

    def compare_schemes(self) -> Iterator[Change]:
        """Compare the security schemes; changes of unused schemes break no client."""
        before, after = self._schemes
        for name, place in before.items():
            new = self._names[name]
            used, place_now, word = name in self._used[0], after.get(new), ""
            if used and place_now is not None:
                yield from compare_schemes(place, place_now, new)
            elif place_now is None:
                word = "" if used and new not in self._used[1] else "was removed"  # else told with operations
            elif next(compare_schemes(place, place_now, new), None) is not None:
                word = "changed"
            if word:
                yield _report_unused(place_now or place, new, word)
        names = set(self._names.values()) | self._used[1]
        yield from (_report_unused(after[name], name, "was added") for name in after if name not in names)


def _report_unused(place: Place, name: str, word: str) -> Change:
    where = f"security scheme {name}"
    return build_change("component-changed", place, where, f"The {where} {word}.")


def _requirements(place: Place) -> list[Requirement]:
    requirements: list[Requirement] = [
        {
            name: frozenset(_text(scope) for scope in scopes.items())
            for name, scopes in requirement.entries().items()
        }
        for requirement in place.items()
    ]
    # Without alternatives, no credentials are required.
    return requirements or [{}]


def _text(place: Place) -> str:
    if not isinstance(place.value, str):
        raise place.wrong("the name of a scope")
    return place.value


def _satisfies(sent: Requirement, needed: Requirement) -> bool:
    """Return True if credentials that satisfy ``sent`` also satisfy ``needed``."""
    return all(name in sent and scopes <= sent[name] for name, scopes in needed.items())


def _report_rejected(
    requirement: Requirement, after: list[Requirement], place: Place, before: list[Requirement], where: str
) -> Change:
    alternatives = " or ".join(_describe(other) for other in after)
    same = next((other for other in after if other.keys() <= requirement.keys()), None)
    if not requirement:
        rule, detail = "authentication-required", f"The endpoint needs {alternatives} now."
    elif same is not None:
        scopes = sorted({scope for name in same for scope in same[name] - requirement[name]})
        rule, detail = "scope-required", f"{_describe(same)} needs the scope {', '.join(scopes)} now."
    elif all(any(_satisfies(known, other) for known in before) for other in after):
        rule = "authentication-removed"
        detail = f"Clients can no longer authenticate with {_describe(requirement)}."
    else:
        rule = "authentication-changed"
        detail = f"{_describe(requirement)} was enough; now {alternatives} is needed."
    return build_change(rule, place, where, detail)


def _describe(requirement: Requirement) -> str:
    return " and ".join(requirement) if requirement else "no credentials"
