"""Compare the media types of bodies, and their contents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from hook_widgets.versioning.compat.budget import spend
from hook_widgets.versioning.compat.change import Change
from hook_widgets.versioning.compat.openapi.document.located import Place
from hook_widgets.versioning.compat.openapi.document.pair import Section

_PART = ["contentType", "style", "explode", "allowReserved", "headers"]
_MAX_ITEMS = 8
"""The maximum nesting of arrays in a part, which references can make endless."""
_SCHEMAS = ("schema", "itemSchema")
_PARAMETER = re.compile(r"""([^\s;="]{1,100}+)\s*+=\s*+(?:"((?:[^"\\]|\\.){0,500}+)"|([^\s;"]{0,500}+))""")
_ESCAPED = re.compile(r"\\(.)")


def compare_contents(
    section: Section, old: Place, new: Place, *, is_response: bool = False
) -> Iterator[Change]:
    """Compare two maps of media types; those of a response are negotiated."""
    before, after = old.entries(), new.entries()
    pairs, removed, added = _matched(before, after)
    kind = "response" if is_response else "request"
    for name in removed:
        detail = f"Media type {name} was removed."
        yield section.change(f"{kind}-media-type-removed", before[name], detail)
    for was, is_, rule in pairs:
        if rule:
            yield section.change(rule, after[is_], f"Media type {was} became {is_}.")
        named = replace(section, where=f"{section.where} ({is_})") if len(after) > 1 else section
        is_xml = _essence(is_).endswith(("/xml", "+xml"))
        for change in _media(named, before[was], after[is_]):
            written = is_xml and change.rule == "documentation-changed" and change.path.endswith("/xml")
            yield replace(change, rule="serialization-changed", breaking=True) if written else change
    for name in added:
        yield section.change(f"{kind}-media-type-added", after[name], f"Media type {name} was added.")


def _matched(
    before: Mapping[str, Place], after: Mapping[str, Place]
) -> tuple[list[tuple[str, str, str]], list[str], list[str]]:
    """Match media types; return the pairs with their rules, the removed and the added ones."""
    pairs: list[tuple[str, str, str]] = []
    left, right = list(before), list(after)
    for key, rule in ((_exact, ""), (_essence, "media-type-parameters-changed")):
        twins: dict[str, list[str]] = {}
        for other in right:
            twins.setdefault(key(other), []).append(other)
        matches: dict[str, str] = {}
        for name in left:
            same = twins.get(key(name), [])
            spend(len(same))
            twin = next((other for other in same if not _contradict(name, other)), None)
            if twin is not None:
                matches[name] = twin
                same.remove(twin)
        pairs += [(name, other, rule) for name, other in matches.items()]
        taken = set(matches.values())
        left = [name for name in left if name not in matches]
        right = [other for other in right if other not in taken]
    used = set[str]()
    ranges = [other for other in after if _essence(other).endswith("/*")]
    removed: list[str] = []
    for name in left:
        spend(len(ranges) + 1)
        wider = next((other for other in ranges if _covers(other, name)), None)
        narrower: list[str] = []
        if _essence(name).endswith("/*"):
            spend(len(right))
            narrower = [other for other in right if _covers(name, other)]
        if wider is not None:
            pairs.append((name, wider, "media-type-widened"))
            used.add(wider)
        elif narrower:
            pairs += [(name, other, "media-type-narrowed") for other in narrower]
            used |= set(narrower)
        else:
            removed.append(name)
    return pairs, removed, [name for name in right if name not in used]


def _media(section: Section, old: Place, new: Place) -> Iterator[Change]:
    for name in _SCHEMAS:
        before, after = old.at(name), new.at(name)
        if before.exists or after.exists:
            yield from section.schemas(before, after)
    before, after = old.member("encoding"), new.member("encoding")
    if before.exists or after.exists:
        parts, others = before.entries(), after.entries()
        for name in dict.fromkeys([*parts, *others]):
            was, is_ = _part(old, parts.get(name), name), _part(new, others.get(name), name)
            changed = [word for word in _PART if was.get(word) != is_.get(word)]
            if changed and was["declared"] == is_["declared"]:
                place = others.get(name, after if after.exists else new)
                types = was["contentType"], is_["contentType"]
                rule = _types_rule(*types) if changed == _PART[:1] else "serialization-changed"
                detail = f"Part {name} is written otherwise: {', '.join(changed)} changed."
                yield section.inside(name).change(rule, place, detail)
    yield from section.documentation(old, new, ("example", "examples"))


def _part(media: Place, place: Place | None, name: str) -> dict[str, Any]:
    """Return how a part is written, with the defaults of the specification (Encoding Object)."""
    members = {} if place is None else place.members(follow=False)
    part = {word: member.value for word, member in members.items()}
    style = part.setdefault("style", "form")
    part.setdefault("explode", style == "form")
    part.setdefault("allowReserved", False)
    field = media.member("schema").at("properties").at(name)
    types = part.setdefault("contentType", _default_type(field.followed()))
    return {**part, "contentType": set(map(_exact, str(types).split(","))), "declared": field.exists}


def _types_rule(old: set[str], new: set[str]) -> str:
    spend(len(old) * len(new))
    for rule, fewer, more in (("media-type-widened", old, new), ("media-type-narrowed", new, old)):
        if all(name in more or any(_covers(other, name) for other in more) for name in fewer):
            return rule
    return "serialization-changed"


def _default_type(schema: Place) -> str | None:
    for _ in range(_MAX_ITEMS):
        value = schema.value if isinstance(schema.value, Mapping) else {}
        kind = value.get("type")
        if kind != "array":
            break
        schema = schema.at("items").followed()
    if kind == "object":
        return "application/json"
    is_text = kind in ("string", "number", "integer", "boolean") and value.get("format") != "binary"
    return "text/plain" if is_text else "application/octet-stream" if kind == "string" else None


def _exact(name: str) -> str:
    """Return type and parameters in normal form; names are case-insensitive (RFC 9110 section 8.3.1)."""
    return ";".join([_essence(name), *sorted(f"{key}={value}" for key, value in _parameters(name).items())])


def _parameters(name: str) -> dict[str, str]:
    """Return the parameters by name; quotes around a value mean nothing (RFC 9110 section 5.6.6)."""
    parameters: dict[str, str] = {}
    for key, quoted, plain in _PARAMETER.findall(name.partition(";")[2]):
        value = _ESCAPED.sub(r"\1", quoted) or plain
        parameters[key.lower()] = value.lower() if key.lower() == "charset" else value
    return parameters


def _contradict(old: str, new: str) -> bool:
    """Return True if a parameter, such as that of a version, has another value; a charset is negotiable."""
    before, after = _parameters(old), _parameters(new)
    return any(before[name] != after[name] for name in before.keys() & after.keys() - {"charset"})


def _essence(name: str) -> str:
    return name.partition(";")[0].strip().lower()


def _covers(range_: str, name: str) -> bool:
    """Return True if a media range such as ``text/*`` includes a type or a narrower range."""
    wide, narrow = _essence(range_), _essence(name)
    return wide != narrow and wide.endswith("/*") and (wide == "*/*" or narrow.startswith(wide[:-1]))
