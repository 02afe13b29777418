"""Compare the contents of parameters and headers: schema or media type, and serialization."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hook_widgets.versioning.compat.change import Change
from hook_widgets.versioning.compat.json_schema.normalization import canonical
from hook_widgets.versioning.compat.json_schema.pair import format_value
from hook_widgets.versioning.compat.openapi.document.located import Place
from hook_widgets.versioning.compat.openapi.document.pair import Section
from hook_widgets.versioning.compat.openapi.fields.media_types import compare_contents
from hook_widgets.versioning.compat.openapi.fields.string_values import (
    TYPE_RULES,
    is_scalar,
    list_items,
    text_rule,
)
from hook_widgets.versioning.compat.openapi.sunset import compare_deprecation
from hook_widgets.versioning.compat.rules import RULES

_STYLES = {"query": "form", "cookie": "form", "path": "simple", "header": "simple", "querystring": "form"}
_SAME = frozenset({"form", "simple", "spaceDelimited", "pipeDelimited", "tabDelimited", "deepObject"})
_MISSING = object()


def compare_field_values(
    section: Section, old: Place, new: Place, *, location: str, noun: str
) -> Iterator[Change]:
    """Compare two parameters or headers with the same name and location."""
    yield from compare_deprecation(old, new, noun, section.where)
    if old.at("content").exists and new.at("content").exists:
        yield from compare_contents(section, old.at("content"), new.at("content"))
    elif old.at("content").exists or new.at("content").exists:
        forms = ["by a media type" if side.at("content").exists else "by a style" for side in (old, new)]
        detail = f"{noun} was written {forms[0]} and is written {forms[1]} now."
        yield section.change("serialization-changed", new, detail)
    else:
        yield from _plain(section, old, new, location, noun)
    if location == "query" and old.flag("allowEmptyValue") != new.flag("allowEmptyValue"):
        now = "allowed" if new.flag("allowEmptyValue") else "rejected"
        yield section.change(f"empty-value-{now}", new, f"{noun} without a value is {now} now.")
    yield from section.documentation(old, new, ("description", "example", "examples"))


def _plain(section: Section, old: Place, new: Place, location: str, noun: str) -> Iterator[Change]:
    before, after = old.at("schema"), new.at("schema")
    items = list_items(before, new, location)
    if items is not None:
        detail = f"{noun} was one value and is a list now; one value is written as before."
        yield section.change("type-widened", new, detail)
        after = items
    was, is_ = _style(old, location), _style(new, location)
    if is_scalar(before) or is_scalar(after):
        # Most styles write a single value alike and never split it.
        was, is_ = (
            ("simple" if name in _SAME else name, False, reserved) for name, _, reserved in (was, is_)
        )
    if was != is_:
        detail = f"{noun} was written as {_words(was)} and is written as {_words(is_)} now."
        yield section.change("serialization-changed", new, detail)
    is_required = location == "path" or (old.flag("required") and new.flag("required"))
    old_default, new_default = _default(before), _default(new.at("schema"))
    if not is_required and _text(old_default) != _text(new_default):
        words = [
            "nothing" if value is _MISSING else format_value(value) for value in (old_default, new_default)
        ]
        detail = f"The default of {noun[0].lower()}{noun[1:]} was {words[0]} and is {words[1]} now."
        yield section.change("parameter-default-changed", new, detail)
    for change in section.schemas(before, after):
        # The default of a parameter affects requests and is reported above; a default of a field does not.
        if change.rule == "default-changed" and change.location == section.where and not is_required:
            continue
        rule = change.rule
        if change.location == section.where and rule in TYPE_RULES:
            rule = text_rule(rule, before, after)
        if rule:
            yield replace(change, rule=rule, breaking=RULES[rule].breaks_in(section.direction))


def _style(place: Place, location: str) -> tuple[str, bool, bool]:
    """Return the style of a value, ``explode`` and ``allowReserved``."""
    style = place.text("style") or _STYLES.get(location, "form")
    explode = style == "deepObject" or place.flag("explode", default=style in ("form", "cookie"))
    return style, explode, place.flag("allowReserved")


def _words(style: tuple[str, bool, bool]) -> str:
    name, explode, reserved = style
    return name + (" with explode" if explode else "") + (" with reserved characters" if reserved else "")


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is _MISSING else canonical(value)


def _default(schema: Place) -> object:
    target = schema.followed()
    return target.value.get("default", _MISSING) if isinstance(target.value, Mapping) else _MISSING
