"""Parse YAML text with the scanner of PyYAML and the core schema of YAML 1.2.2 (section 10.3)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hook_widgets._optional import install
from hook_widgets.errors import InvalidDocument
from hook_widgets.versioning.compat.budget import spend

if TYPE_CHECKING:
    from yaml.error import Mark
    from yaml.events import Event, ScalarEvent

_WORDS = dict.fromkeys(("", "~", "null", "Null", "NULL")) | {
    **dict.fromkeys(("true", "True", "TRUE"), True), **dict.fromkeys(("false", "False", "FALSE"), False),
}  # fmt: skip
_INTEGER = re.compile(r"[-+]?[0-9]+")
_PREFIXED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_TAG = "tag:yaml.org,2002:"
_MAX_NUMBER_LENGTH = 400


@dataclass(slots=True)
class _Mapping:
    """A mapping under construction, which waits for its next key or value."""

    value: dict[str, object] = field(default_factory=dict)
    key: str | None = None
    merged: list[object] = field(default_factory=list)


def parse_yaml(text: str, *, name: str, max_values: int, max_depth: int) -> object:
    """Parse a YAML text of one document; aliases share their value.

    >>> parse_yaml("{a: &x [1, 0o17], b: *x, 200: no}", name="given", max_values=99, max_depth=9)
    {'a': [1, 15], 'b': [1, 15], '200': 'no'}
    """
    try:
        import yaml
    except ImportError:
        raise InvalidDocument(
            f"reading YAML needs PyYAML, which is not installed; {install('pyyaml')}", field=name
        ) from None
    try:
        return _Builder(name, max_values, max_depth).build(
            yaml.parse(text, Loader=getattr(yaml, "CLoader", yaml.Loader))
        )
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        problem = (error.problem or error.context or "it cannot be read") + _advice(text, mark)
        raise InvalidDocument(f"the {name} document is not YAML: {at}{problem}", field=name) from None
    except yaml.reader.ReaderError as error:
        raise InvalidDocument(
            f"the {name} document is not YAML: character {error.position} is not allowed ({error.reason})",
            field=name,
        ) from None
    except UnicodeEncodeError as error:
        raise InvalidDocument(
            f"the {name} document is not YAML: character {error.start + 1} is half of a surrogate pair; "
            "write the whole character",
            field=name,
        ) from None
    except RecursionError:
        raise InvalidDocument(f"the {name} document is nested too deeply; flatten it", field=name) from None


def _advice(text: str, mark: Mark | None) -> str:
    """Return what to do about the usual damage of a line; empty if it has none."""
    lines = text.splitlines()
    line = lines[mark.line] if mark and mark.line < len(lines) else ""
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return "; indent with spaces, not tabs"
    return "; leave out the lines with ```" if line.startswith("```") else ""


class _Builder:
    """Builder of values from parser events, without recursion."""

    def __init__(self, name: str, max_values: int, max_depth: int) -> None:
        self.name = name
        self.max_values = max_values
        self.max_depth = max_depth
        self.containers: list[list[object] | _Mapping] = []
        self.anchors: dict[str, object] = {}
        self.root: object = None
        self.documents = 0
        self.merged = 0

    def build(self, events: Iterator[Event]) -> object:
        from yaml import events as kinds

        for count, event in enumerate(events):
            spend(3)
            if count > 3 * self.max_values:
                raise self._too_many(event)
            if isinstance(event, kinds.DocumentStartEvent):
                self.documents += 1
                if self.documents > 1:
                    raise self._wrong(event, "a second document begins; pass them one by one")
            elif isinstance(event, kinds.ScalarEvent):
                self._scalar(event)
            elif isinstance(event, kinds.AliasEvent):
                if event.anchor not in self.anchors:
                    raise self._wrong(event, f"the alias *{event.anchor} has no anchor before it")
                self._put(event, self.anchors[event.anchor])
            elif isinstance(event, kinds.SequenceStartEvent):
                self._start(event, [], "seq")
            elif isinstance(event, kinds.MappingStartEvent):
                self._start(event, _Mapping(), "map")
            elif isinstance(event, kinds.SequenceEndEvent | kinds.MappingEndEvent):
                self._end(event)
        return self.root

    def _start(self, event: Event, value: list[object] | _Mapping, kind: str) -> None:
        if len(self.containers) >= self.max_depth:
            raise self._wrong(event, f"it is nested more than {self.max_depth} levels deep; flatten it")
        if getattr(event, "tag", None) not in (None, "!", _TAG + kind):
            raise self._wrong(event, f"the tag {event.tag} is not supported")  # type: ignore[attr-defined]
        if self.containers and isinstance(self.containers[-1], _Mapping) and self.containers[-1].key is None:
            raise self._wrong(event, "a key must be plain text")
        anchor = getattr(event, "anchor", None)
        if anchor is not None:
            self.anchors[anchor] = value if isinstance(value, list) else value.value
        self.containers.append(value)

    def _end(self, event: Event) -> None:
        value = self.containers.pop()
        if isinstance(value, list):
            self._put(event, value)
            return
        for source in value.merged:
            for mapping in source if isinstance(source, list) else [source]:
                if not isinstance(mapping, dict):
                    raise self._wrong(event, "<< must name a mapping or a list of mappings")
                for key, below in list(mapping.items()):
                    value.value.setdefault(key, below)
                self.merged += len(mapping)
                if self.merged > self.max_values:
                    raise self._too_many(event)
        self._put(event, value.value)

    def _put(self, event: Event, value: object) -> None:
        if not self.containers:
            self.root = value
            return
        place = self.containers[-1]
        if isinstance(place, list):
            place.append(value)
        elif place.key is None:
            raise self._wrong(event, "a key must be plain text")
        else:
            if place.key == "<<":
                place.merged.append(value)
            else:
                place.value[place.key] = value
            place.key = None

    def _scalar(self, event: ScalarEvent) -> None:
        if self.containers and isinstance(self.containers[-1], _Mapping) and self.containers[-1].key is None:
            key = str(event.value)
            if key in self.containers[-1].value:
                raise self._wrong(event, f"the key {key[:60]!r} occurs twice; remove one of them")
            self.containers[-1].key = key
            return
        value = self._value(event)
        if event.anchor is not None:
            self.anchors[event.anchor] = value
        self._put(event, value)

    def _value(self, event: ScalarEvent) -> object:
        text, tag = str(event.value), event.tag
        if tag in ("!", _TAG + "str") or (tag is None and not event.implicit[0]):
            return text
        if tag not in (None, _TAG + "null", _TAG + "bool", _TAG + "int", _TAG + "float"):
            raise self._wrong(event, f"the tag {tag} is not supported")
        if text in _WORDS:
            return _WORDS[text]
        return self._number(event, text) if len(text) <= _MAX_NUMBER_LENGTH else text

    def _number(self, event: ScalarEvent, text: str) -> object:
        if _INTEGER.fullmatch(text):
            return int(text)
        if _PREFIXED.fullmatch(text):
            return int(text, base=0)
        if _FLOAT.fullmatch(text):
            value = float(text)
            if math.isinf(value):
                raise self._wrong(event, f"the number {text[:40]} is too large")
            return value
        return text

    def _too_many(self, event: Event) -> InvalidDocument:
        problem = f"it has more than {self.max_values:,} values; compare its parts one by one"
        return self._wrong(event, problem)

    def _wrong(self, event: Event, problem: str) -> InvalidDocument:
        mark = event.start_mark
        at = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        return InvalidDocument(f"the {self.name} document cannot be read: {at}{problem}", field=self.name)
