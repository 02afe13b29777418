"""What a parameter or header carries: its schema or media type, and how it is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hook_widgets.versioning.changes.change import Change, Direction
from hook_widgets.versioning.changes.openapi.contents import contents
from hook_widgets.versioning.changes.openapi.place import Place
from hook_widgets.versioning.changes.openapi.rules import BY_ID
from hook_widgets.versioning.changes.openapi.sides import Sides, documented, shown, told
from hook_widgets.versioning.changes.openapi.sunset import deprecation
from hook_widgets.versioning.changes.openapi.texts import TYPE_RULES, is_scalar, listed, text_rule

_STYLES = {"query": "form", "cookie": "form", "path": "simple", "header": "simple", "querystring": "form"}
_SAME = frozenset({"form", "simple", "spaceDelimited", "pipeDelimited", "tabDelimited", "deepObject"})
_MISSING = object()


def values(
    sides: Sides, old: Place, new: Place, *, located: str, noun: str, direction: Direction, where: str
) -> Iterator[Change]:
    """The differences between two parameters or headers of the same name and place.

    Args:
        sides: both documents.
        old: the old parameter or header.
        new: the new one.
        located: its ``in``; ``"header"`` for headers.
        noun: the subject of the sentences.
        direction: who writes it.
        where: it in words.
    """
    yield from deprecation(old, new, noun, where)
    if old.at("content").exists and new.at("content").exists:
        yield from contents(sides, old.at("content"), new.at("content"), direction=direction, where=where)
    elif old.at("content").exists or new.at("content").exists:
        forms = ["by a media type" if side.at("content").exists else "by a style" for side in (old, new)]
        detail = f"{noun} was written {forms[0]} and is written {forms[1]} now."
        yield told("serialization-changed", new, where, detail, direction=direction)
    else:
        yield from _plain(sides, old, new, located, noun, direction, where)
    if located == "query" and old.flag("allowEmptyValue") != new.flag("allowEmptyValue"):
        now = "allowed" if new.flag("allowEmptyValue") else "refused"
        detail = f"{noun} without a value is {now} now."
        yield told(f"empty-value-{now}", new, where, detail, direction=direction)
    yield from documented(old, new, ("description", "example", "examples"), where)


def _plain(
    sides: Sides, old: Place, new: Place, located: str, noun: str, direction: Direction, where: str
) -> Iterator[Change]:
    before, after = old.at("schema"), new.at("schema")
    items = listed(before, new, located)
    if items is not None:
        detail = f"{noun} was one value and is a list now; one value is written as before."
        yield told("type-widened", new, where, detail, direction=direction)
        after = items
    was, is_ = _style(old, located), _style(new, located)
    if is_scalar(before) or is_scalar(after):
        # One value is written the same in most styles, and never taken apart.
        was, is_ = (
            ("simple" if name in _SAME else name, False, reserved) for name, _, reserved in (was, is_)
        )
    if was != is_:
        detail = f"{noun} was written as {_words(was)} and is written as {_words(is_)} now."
        yield told("serialization-changed", new, where, detail, direction=direction)
    asked = located == "path" or (old.flag("required") and new.flag("required"))
    default, now = _default(before), _default(new.at("schema"))
    if not asked and shown(default) != shown(now):
        words = ["nothing" if value is _MISSING else shown(value) for value in (default, now)]
        detail = f"The default of {noun[0].lower()}{noun[1:]} was {words[0]} and is {words[1]} now."
        yield told("parameter-default-changed", new, where, detail, direction=direction)
    for change in sides.schemas(before, after, direction=direction, where=where):
        # The default of a parameter decides what a request means; of a field it only says so.
        if change.rule == "default-changed" and change.where == where and not asked:
            continue
        rule = change.rule
        if change.where == where and rule in TYPE_RULES:
            rule = text_rule(rule, before, after)
        if rule:
            yield replace(change, rule=rule, breaking=BY_ID[rule].breaks_in(direction))


def _style(place: Place, located: str) -> tuple[str, bool, bool]:
    """How a value is written: style, one time for each item, reserved characters as they are."""
    style = place.text("style") or _STYLES.get(located, "form")
    return style, place.flag("explode", default=style in ("form", "cookie")), place.flag("allowReserved")


def _words(style: tuple[str, bool, bool]) -> str:
    name, explode, reserved = style
    return name + (" with explode" if explode else "") + (" with reserved characters" if reserved else "")


def _default(schema: Place) -> object:
    target = schema.followed()
    return target.value.get("default", _MISSING) if isinstance(target.value, Mapping) else _MISSING
