"""Compare parameters, matched by location and name; path parameters by position in the template."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from hook_widgets.versioning.compat.change import Change
from hook_widgets.versioning.compat.openapi.document.located import Place, same_content
from hook_widgets.versioning.compat.openapi.document.pair import Section
from hook_widgets.versioning.compat.openapi.fields.values import compare_field_values
from hook_widgets.versioning.compat.openapi.sunset import removal
from hook_widgets.versioning.compat.renames import match_renamed

Parameters = Mapping[tuple[str, str], Place]
"""Parameters by ``in`` and name; names of headers in lower case."""

_NAMES = re.compile(r"\{([^{}]*)\}")
_PLACES = ("path", "query", "header", "cookie", "querystring")
_NOT_PARAMETERS = frozenset({"accept", "content-type", "authorization"})
"""Headers described elsewhere and ignored as parameters (OpenAPI 3.1 section 4.8.12.2.1)."""


def parameters_of(path_item: Mapping[str, Place], operation: Place) -> dict[tuple[str, str], Place]:
    """Return all parameters of an operation; its own override those of its path."""
    parameters: dict[tuple[str, str], Place] = {}
    shared = path_item.get("parameters")
    own = operation.at("parameters")
    for parameter in [*(shared.items() if shared else []), *own.items()]:
        if not parameter.known:
            continue
        location, name = parameter.text("in"), parameter.text("name")
        if location not in _PLACES:
            raise parameter.at("in").wrong(f"one of {', '.join(_PLACES[:4])}")
        if not name:
            raise parameter.at("name").wrong("the parameter's name")
        if location == "header":
            name = name.lower()
            if name in _NOT_PARAMETERS:
                continue
        parameters[location, name] = parameter
    return parameters


def compare_parameters(
    section: Section, old: Parameters, new: Parameters, *, paths: tuple[str, str]
) -> Iterator[Change]:
    """Compare the parameters of two operations."""
    twins = _path_names(old, new, paths)
    removed = [key for key in old if key not in new and key not in twins]
    path_names = set(twins.values())
    added = [key for key in new if key not in old and key not in path_names]
    named: dict[str, list[tuple[str, str]]] = {}
    for key in added:
        named.setdefault(key[1].lower(), []).append(key)
    moved = {key: other for key in removed for other in named.get(key[1].lower(), ()) if key[0] != other[0]}
    moved_to = set(moved.values())
    rest = [key for key in removed if key not in moved], [key for key in added if key not in moved_to]
    renames = _renamed(old, new, rest)
    for key, place in old.items():
        name = place.text("name")
        noun = f"Parameter {name}"
        if key in moved:
            twin = new[moved[key]]
            detail = f"{noun} moved from {key[0]} to {moved[key][0]}."
            yield section.inside(twin.text("name")).change("parameter-moved", twin, detail)
        elif key in renames:
            twin = new[renames[key]]
            detail = f"{noun} in {key[0]} was renamed to {twin.text('name')}."
            yield section.inside(name).change("parameter-renamed", twin, detail)
        elif key not in new and key not in twins:
            yield _removed(section.inside(name), place, key[0])
        else:
            twin = new[twins.get(key, key)]
            yield from _compare_one(section.inside(twin.text("name")), place, twin)
    renamed_to = set(renames.values())
    for key in rest[1]:
        if key not in renamed_to:
            yield _added(section.inside(new[key].text("name")), new[key], key[0])


def _compare_one(section: Section, old: Place, new: Place) -> Iterator[Change]:
    name, location = new.text("name"), new.text("in")
    noun = f"Parameter {name}"
    if location == "path" and old.text("name") != name:
        detail = f"Path parameter {old.text('name')} is named {name} now."
        yield section.change("path-parameter-renamed", new, detail)
    was, is_ = _required(old), _required(new)
    if was != is_:
        word = "required" if is_ else "optional"
        yield section.change(f"parameter-{word}", new, f"{noun} is {word} now.")
    yield from compare_field_values(section, old, new, location=location, noun=noun)


def _removed(section: Section, place: Place, location: str) -> Change:
    detail = f"Parameter {place.text('name')} in {location} was removed"
    rule, sentence = removal("parameter-removed", place, detail, section.documents.today)
    return section.change(rule, place, sentence)


def _added(section: Section, place: Place, location: str) -> Change:
    word = "required" if _required(place) else "optional"
    detail = f"The {word} parameter {place.text('name')} in {location} was added."
    return section.change(f"{word}-parameter-added", place, detail)


def _required(place: Place) -> bool:
    return place.text("in") == "path" or place.flag("required")


def _path_names(
    old: Parameters, new: Parameters, paths: tuple[str, str]
) -> dict[tuple[str, str], tuple[str, str]]:
    """Map old to new keys of the path parameters at the same position of the template."""
    before, after = (_NAMES.findall(path) for path in paths)
    pairs = {("path", was): ("path", is_) for was, is_ in zip(before, after, strict=False)}
    return {was: is_ for was, is_ in pairs.items() if was in old and is_ in new}


def _renamed(
    old: Parameters, new: Parameters, rest: tuple[list[tuple[str, str]], list[tuple[str, str]]]
) -> dict[tuple[str, str], tuple[str, str]]:
    pairs: dict[tuple[str, str], tuple[str, str]] = {}
    for at in dict.fromkeys(key[0] for key in rest[0] if key[0] != "path"):
        removed, added = ([name for place, name in keys if place == at] for keys in rest)
        names = match_renamed(removed, added, lambda was, is_: same_content(old[at, was], new[at, is_]))  # noqa: B023
        pairs |= {(at, was): (at, is_) for was, is_ in names.items()}
    return pairs
