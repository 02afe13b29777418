"""Reading a provider from its folder, and saying where its data is wrong.

A folder holds ``provider.toml`` (see `hook_widgets.webhooks.scheme` for its records) and the event bodies
below ``events/``, sent byte for byte.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from importlib.resources.abc import Traversable
from typing import Any

from pydantic import ValidationError

from hook_widgets.errors import CatalogError, UnknownName
from hook_widgets.webhooks.provider import Provider
from hook_widgets.webhooks.rules import faults

# What a provider takes over from the one that it inherits from.
_INHERITED = ("key", "schemes", "parts")
_OF_BODIES = ("params", "handshakes", "events")  # and these when it has no events of its own


def load(folder: Traversable, parent: Callable[[str], Traversable]) -> Provider:
    """The provider whose data stands in `folder`.

    Args:
        folder: holds ``provider.toml`` and ``events/``.
        parent: finds the folder of a provider that this one may inherit from; raises `UnknownName`.

    Raises:
        CatalogError: the data is wrong; names file and field.
    """
    where = f"{folder.name}/provider.toml"
    data, folders = _toml(folder), [folder]
    own, base = frozenset(data), data.get("inherits")
    while base is not None:
        try:
            folders.append(parent(str(base)))
        except UnknownName as error:
            raise CatalogError(f"{where}: inherits: {error}") from None
        if folders[-1] in folders[:-1]:
            raise CatalogError(f"{where}: inherits: {base!r} inherits from this provider itself")
        heir = _toml(folders[-1])
        for table in _INHERITED if "events" in own else _INHERITED + _OF_BODIES:
            if table in heir:
                data.setdefault(table, heir[table])
        base = heir.get("inherits")
    try:
        # By way of JSON, because there a strict record takes names for enums and lists for tuples.
        found = Provider.model_validate_json(json.dumps(data, default=str))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        fault = _FAULTS.get(first["type"], first["msg"])
        raise CatalogError(f"{where}: {_place(first['loc'])}: {fault}") from None
    if found.id != folder.name:
        raise CatalogError(f"{where}: id: it is {found.id!r}, but the folder is named {folder.name!r}")
    for fault in faults(found.schemes, found.events, found.parts, found.handshakes):
        raise CatalogError(f"{where}: {fault}")
    found._folders = tuple(folders)
    for number, event in enumerate(found.events):
        if not any((place / "events" / event.body_file).is_file() for place in folders):
            raise CatalogError(
                f"{where}: events[{number}]: the body of {event.name!r} is missing; "
                f"write it to events/{event.body_file}"
            )
    return found


_FAULTS = {
    "extra_forbidden": "there is no such field; correct its name or remove it",
    "missing": "it is missing; add it",
}
# What pydantic puts between the steps of a place to name the member of a union.
_MEMBERS = ("secret", "key-pair", "str", "HeaderValue")


def _place(location: tuple[int | str, ...]) -> str:
    """A field's place as the other messages write it: ``schemes[0].name``."""
    steps = (f"[{s}]" if isinstance(s, int) else f".{s}" for s in location if s not in _MEMBERS)
    return "".join(steps).removeprefix(".")


def _toml(folder: Traversable) -> dict[str, Any]:
    path = folder / "provider.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise CatalogError(f"{folder.name}/provider.toml: {error}") from None
