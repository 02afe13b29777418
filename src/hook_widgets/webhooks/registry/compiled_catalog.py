"""Providers of this package, read from one compiled file instead of their ``provider.toml`` files.

Loading a ``provider.toml`` needs pydantic and all checks of its rules, which takes longer than to verify a
request. So the build writes the validated records to ``catalog.jsonl``, one line for each provider (see
`hook_widgets.webhooks.registry.compile_catalog`). A line is used only while it is current: while the TOML
files that it comes from have the same digest, and the records have the same fields. Otherwise the TOML is
loaded.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields, replace
from enum import Enum
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from hook_widgets.webhooks.body.json_style import JsonStyle
from hook_widgets.webhooks.keys.key_pair import KeyType, PublicForm
from hook_widgets.webhooks.keys.secret import KeyForm
from hook_widgets.webhooks.keys.signing import Algorithm
from hook_widgets.webhooks.registry.sources import Source
from hook_widgets.webhooks.requests.kind import Kind
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.samples.generators import ParamKind
from hook_widgets.webhooks.scheme import Encoding
from hook_widgets.webhooks.scheme.computed_fields import HashEncoding
from hook_widgets.webhooks.scheme.record import Record
from hook_widgets.webhooks.scheme.timestamps import TimestampUnit

#: The compiled file; an installed wheel has it, a source tree after a build.
FILE = Path(__file__).with_name("catalog.jsonl")
#: The key of the type's name in the JSON object of a record or an enumeration's member.
TYPE = ""

# All records except that of a whole file, which loads pydantic; by name, as modules are loaded in any order.
_PARTS = (record for record in Record.__subclasses__() if record.__name__ != "ProviderSpec")
RECORDS: tuple[type[Any], ...] = (*sorted(_PARTS, key=lambda record: record.__name__), Provider)
ENUMERATIONS: tuple[type[Enum], ...] = (
    Algorithm,
    HashEncoding,
    JsonStyle,
    KeyForm,
    KeyType,
    Kind,
    Encoding,
    ParamKind,
    PublicForm,
    TimestampUnit,
)
_TYPES: dict[str, type[Any]] = {type_.__name__: type_ for type_ in (*RECORDS, *ENUMERATIONS)}


def compiled_provider(name: str, source: Callable[[str], Source]) -> Provider | None:
    """Return a provider from the compiled file; None if the file has no current line for it."""
    line = _lines().get(name)
    if line is None:
        return None
    digest, ancestors, record = line.split("\t", 2)
    chain = [source(ancestor) for ancestor in ancestors.split()]
    if digest != digest_of(chain):
        return None
    provider: Provider = json.loads(record, object_hook=_revived)
    folders = tuple(place.folder for place in chain if place.folder is not None)
    return replace(provider, _folders=folders)


def is_current(sources: Mapping[str, Source]) -> bool:
    """Return True if the compiled file has a current line for each of these sources, and no other line."""
    lines = {name: line.split("\t", 2) for name, line in _lines().items()}
    return lines.keys() == sources.keys() and all(
        digest == digest_of(sources[ancestor] for ancestor in ancestors.split())
        for digest, ancestors, _ in lines.values()
    )


def digest_of(chain: Iterable[Source]) -> str:
    """Return the digest of the TOML files of a provider and those that it inherits from."""
    return sha256(b"\0".join(source.file.read_bytes() for source in chain)).hexdigest()


def layout() -> str:
    """Return a digest of the fields of all records, with their types and defaults."""
    described = [
        (record.__name__, field.name, str(field.type), field.default is not MISSING and repr(field.default))
        for record in RECORDS
        for field in fields(record)
    ]
    return sha256(repr(described).encode()).hexdigest()


@cache
def _lines() -> dict[str, str]:
    """Return the lines of the compiled file by id; none if it is missing, or for records of other fields."""
    try:
        first, *lines = FILE.read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return {}
    return dict(line.split("\t", 1) for line in lines) if first == layout() else {}


def _revived(data: dict[str, Any]) -> Any:
    """Return the record or member that a JSON object describes; other objects are mappings."""
    if TYPE not in data:
        return data
    make = _TYPES[data.pop(TYPE)]
    if make in ENUMERATIONS:
        return make(data["value"])
    return make(**{name: tuple(v) if isinstance(v, list) else v for name, v in data.items()})
