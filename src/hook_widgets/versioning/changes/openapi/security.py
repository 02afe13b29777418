"""Authentication: the ways into an endpoint, of which a client needs one.

``security`` is a list of alternatives; each names schemes that are needed together, with scopes. A client
that uses one of them goes on working when some new alternative asks for nothing that it does not send yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hook_widgets.versioning.changes.change import Change
from hook_widgets.versioning.changes.openapi.place import Place
from hook_widgets.versioning.changes.openapi.schemes import paired, schemes, schemes_of
from hook_widgets.versioning.changes.openapi.sides import told

Way = Mapping[str, frozenset[str]]
"""One alternative: scopes by scheme; empty: anonymous access."""


class Security:
    """The authentication of both documents.

    Args:
        old: the root of the old document.
        new: the root of the new document.
    """

    def __init__(self, old: Place, new: Place) -> None:
        self._roots = old, new
        self._schemes = schemes_of(old), schemes_of(new)
        self._names = paired(*self._schemes)
        self._used: tuple[set[str], set[str]] = set(), set()

    def endpoint(self, old: Place, new: Place, where: str) -> Iterator[Change]:
        """The differences between the ways into an operation.

        Raises:
            InvalidDocument: ``security`` is no list of objects of lists.
        """
        before_place, after_place = (
            operation.at("security") if operation.at("security").exists else root.at("security")
            for operation, root in zip((old, new), self._roots, strict=True)
        )
        before: list[Way] = [
            {self._names.get(name, name): scopes for name, scopes in way.items()}
            for way in _ways(before_place)
        ]
        after = _ways(after_place)
        self._used[0].update(name for way in _ways(before_place) for name in way)
        self._used[1].update(name for way in after for name in way)
        for way in before:
            if not any(_opens(way, other) for other in after):
                yield _closed(way, after, after_place, before, where)
        for other in after:
            if other in before:
                continue
            lowered = [way for way in before if way.keys() == other.keys() and _opens(way, other)]
            if lowered:
                scopes = sorted({scope for name in other for scope in lowered[0][name] - other[name]})
                detail = f"{_say(other)} no longer needs the scope {', '.join(scopes)}."
                yield told("scope-not-required", after_place, where, detail)
            elif not other:
                detail = "The endpoint can be called without credentials now."
                yield told("authentication-optional", after_place, where, detail)
            elif any(way and _opens(other, way) for way in before):
                continue  # it asks for more than was enough: no further way in
            elif not any(way.keys() == other.keys() for way in before) and ({} in after or {} not in before):
                detail = f"Clients can also authenticate with {_say(other)} now."
                yield told("authentication-added", after_place, where, detail)

    def schemes(self) -> Iterator[Change]:
        """The differences in the schemes; those that no operation uses break nobody."""
        before, after = self._schemes
        for name, place in before.items():
            new = self._names[name]
            where = f"security scheme {new}"
            if name in self._used[0] and new in after:
                yield from schemes(place, after[new], new)
            elif name in self._used[0]:
                continue  # the operations tell it
            elif new not in after:
                yield told("component-changed", place, where, f"The security scheme {name} was removed.")
            elif next(schemes(place, after[new], new), None) is not None:
                yield told("component-changed", after[new], where, f"The security scheme {new} changed.")
        for name, place in after.items():
            if name not in self._names.values() and name not in self._used[1]:
                where = f"security scheme {name}"
                yield told("component-changed", place, where, f"The security scheme {name} was added.")


def _ways(place: Place) -> list[Way]:
    ways: list[Way] = [
        {name: frozenset(_text(scope) for scope in scopes.items()) for name, scopes in way.members().items()}
        for way in place.items()
    ]
    # No alternatives at all: nothing is asked for.
    return ways or [{}]


def _text(place: Place) -> str:
    if not isinstance(place.value, str):
        raise place.wrong("the name of a scope")
    return place.value


def _opens(held: Way, asked: Way) -> bool:
    """Whether somebody who sends ``held`` satisfies ``asked``."""
    return all(name in held and scopes <= held[name] for name, scopes in asked.items())


def _closed(way: Way, after: list[Way], place: Place, before: list[Way], where: str) -> Change:
    if not way:
        ways = " or ".join(_say(other) for other in after)
        return told("authentication-required", place, where, f"The endpoint needs {ways} now.")
    same = next((other for other in after if other.keys() <= way.keys()), None)
    if same is not None:
        scopes = sorted({scope for name in same for scope in same[name] - way[name]})
        detail = f"{_say(same)} needs the scope {', '.join(scopes)} now."
        return told("scope-required", place, where, detail)
    if all(any(_opens(known, other) for known in before) for other in after):
        return told(
            "authentication-removed", place, where, f"Clients can no longer authenticate with {_say(way)}."
        )
    ways = " or ".join(_say(other) for other in after)
    return told("authentication-changed", place, where, f"{_say(way)} was enough; now {ways} is needed.")


def _say(way: Way) -> str:
    return " and ".join(way) if way else "no credentials"
