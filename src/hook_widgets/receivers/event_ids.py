"""Samples of an event whose ids differ, and whose account does not.

A receiver that recognizes copies by an id would take a good request for a copy of an earlier one, if the
provider's parameters left the id as it is in the sample, or gave it few values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from random import Random
from typing import Any, Final
from urllib.parse import parse_qsl

from hook_widgets.errors import InvalidArgument, InvalidJson
from hook_widgets.webhooks.body import locators
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.samples.generators import ParamKind
from hook_widgets.webhooks.samples.variation import Param, Sample

_KEY: Final = re.compile(
    r"(?:\w*?(?:event|message|notification|delivery|call|update)_?)?_?(?:(?:uu|gu|[us])?id|mid)",
    re.IGNORECASE,
)
# Objects that are the event itself, or what it is about; not those of its account or sender.
_AROUND: Final = frozenset(
    {"event", "data", "object", "resource", "entity", "message", "notification", "payload", "action"}
    | {"detail", "meta", "status", "history_item"}
)
_PASSED: Final = frozenset(
    {"entry", "changes", "value", "messaging"}
)  # hold events, and the id of an account
_DEPTH: Final = 5
_ID: Final = re.compile(r"[\w:.|=/-]{1,200}", re.ASCII)
_NUMBER: Final = 9  # digits that fit into 32 bits
_DIGITS: Final = 8  # random digits of which no two are equal in a test database


class EventSamples:
    """Sample bodies of one event for good requests.

    Attributes:
        event_id: the parameter that is the event's own id, by which copies are recognized; "" if none is.
    """

    def __init__(self, provider: Provider, event: str) -> None:
        body = provider.template(event)
        content = _parsed(body)
        ids = {path: value for path, value in _ids(content) if path != provider.deliveries.account}
        own = "" if event in provider.deliveries.without_id else provider.deliveries.id_path
        if (value := _at(content, own)) is not None:
            ids[own] = value
        names = {variable.value: variable.name for variable in provider.variation(event).variables}
        params = {
            f"id at {path}": Param(kind=ParamKind.ID, paths=(path, *_paths(content, value)))
            for path, value in ids.items()
            if str(value) not in names
        }
        if not ids:
            fields = parse_qsl(body.decode("utf-8", "replace"))
            texts = {name: text for name, text in fields if name == own or _is_id(name, text)}
            params = {
                f"id at {name}": Param(kind=ParamKind.ID, sample=text)
                for name, text in texts.items()
                if text not in names
            }
            ids = {**texts}
        self._event = event
        self._provider = replace(provider, params={**provider.params, **params}) if params else provider
        self._account = _account(provider, event)
        variables = self._provider.variation(event).variables
        present = {variable.name for variable in variables}
        self._ids = {variable.name for variable in variables if variable.kind is ParamKind.ID}
        name = names.get(str(ids[own]), f"id at {own}") if own in ids else ""
        self.event_id: str = name if name in present else ""
        self._objects = {v.name for v in variables if v.name in self._ids and v.value != str(ids.get(own))}
        self._short = {
            name: (str(value), missing)
            for path, value in ids.items()
            if (name := names.get(str(value), f"id at {path}")) in present and (missing := _missing(value))
        }

    def draw(self, random: Random, at: datetime) -> Sample:
        """Return a sample of a time, with random values otherwise."""
        try:
            return self._drawn(random, self._times(at))
        except InvalidArgument:  # the clock is wrong by decades
            return self._drawn(random, {})

    def next_event(self, random: Random, previous: Sample, at: datetime) -> Sample:
        """Return a sample with other ids than those of a sample of this time, and equal values otherwise."""
        fixed = {name: value for name, value in previous.values.items() if name not in self._ids}
        following = self._drawn(random, fixed)
        return following if following.body != previous.body else self.draw(random, at)

    def of_same_object(self, random: Random, previous: Sample, at: datetime) -> Sample | None:
        """Return a sample of a time with the ids of another event, except its own; None if it has none."""
        names = (self._objects - self._account.keys()) & previous.values.keys()
        try:
            same = {name: previous.values[name] for name in names}
            return self._drawn(random, {**self._times(at), **same}) if names else None
        except InvalidArgument:  # the ids have another form
            return None

    def has_time(self, at: datetime) -> bool:
        """Return True if the body tells the time of the event."""
        return bool(self._times(at))

    def _times(self, at: datetime) -> dict[str, str]:
        return self._provider.variation(self._event).at(at)

    def _drawn(self, random: Random, fixed: Mapping[str, str]) -> Sample:
        values = {
            name: text + "".join(random.choices("0123456789", k=missing))
            for name, (text, missing) in self._short.items()
        }
        return self._provider.sample(
            self._event, seed=random.getrandbits(32), values={**values, **fixed, **self._account}
        )


def _account(provider: Provider, event: str) -> dict[str, str]:
    """Return the parameter that is the account of an event, with its value in the sample; {} if none is."""
    path = provider.deliveries.account
    if not path:
        return {}
    try:
        text = locators.written(provider.template(event), path)
    except InvalidJson:  # a form
        return {}
    variables = provider.variation(event).variables
    return {variable.name: variable.value for variable in variables if variable.value == text}


def _missing(value: str | int) -> int:
    """Return how many digits to add to an id, so that random ones differ."""
    text = str(value)
    if isinstance(value, int):
        return max(0, _NUMBER - len(text))
    return 0 if len(text) >= 2 * _DIGITS or sum(map(str.isdigit, text)) >= _DIGITS else _DIGITS


def _at(content: Any, path: str) -> Any:
    """Return the text or number at a path of JSON; None if there is none."""
    for step in path.split("."):
        if isinstance(content, list) and step.isdigit() and int(step) < len(content):
            content = content[int(step)]
        else:
            content = content.get(step) if isinstance(content, dict) else None
    return content if isinstance(content, str | int) else None


def _parsed(body: bytes) -> Any:
    """Return the content of a JSON body; None for another one."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):  # a form, say
        return None


def _ids(
    content: Any, prefix: str = "", depth: int = _DEPTH, *, own: bool = True
) -> Iterator[tuple[str, Any]]:
    """Yield the paths and values of the ids of the event and of what it is about.

    Args:
        content: the JSON.
        prefix: its path, with a dot at its end.
        depth: the number of objects to look into.
        own: False if the ids of this object are those of an account.
    """
    if isinstance(content, list):
        for index, element in enumerate(content):
            yield from _ids(element, f"{prefix}{index}.", depth, own=own)
    for key, value in content.items() if isinstance(content, dict) and depth else ():
        if own and _is_id(key, value):
            yield f"{prefix}{key}", value
        elif key in _PASSED or key in _AROUND or key.removesuffix("s") in _AROUND or key == "statuses":
            yield from _ids(value, f"{prefix}{key}.", depth - 1, own=key not in _PASSED)


def _paths(content: Any, id_: object, prefix: str = "") -> Iterator[str]:
    """Yield the paths of equal values; none for a short id, which others may equal by chance."""
    if len(str(id_)) < _DIGITS:
        return
    members = (
        content.items()
        if isinstance(content, dict)
        else enumerate(content)
        if isinstance(content, list)
        else ()
    )
    for key, value in members:
        if isinstance(value, dict | list):
            yield from _paths(value, id_, f"{prefix}{key}.")
        elif value == id_ and type(value) is type(id_):
            yield f"{prefix}{key}"


def _is_id(name: str, value: object) -> bool:
    is_text = isinstance(value, str | int) and not isinstance(value, bool)
    return is_text and value != 0 and bool(_KEY.fullmatch(name) and _ID.fullmatch(str(value)))
