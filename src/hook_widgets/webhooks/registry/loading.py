"""Load a provider from its data, and report the faults of the data.

The data is a ``provider.toml`` (see `hook_widgets.webhooks.scheme` for its records) with the event bodies in
``events/`` next to it, or a single TOML file that contains the bodies. Bodies are sent byte for byte.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from importlib.resources.abc import Traversable
from typing import Any

from pydantic import TypeAdapter, ValidationError

from hook_widgets.errors import CatalogError, UnknownName
from hook_widgets.webhooks.registry.body_checks import body_faults
from hook_widgets.webhooks.registry.checks import faults
from hook_widgets.webhooks.registry.provider_file import ProviderSpec
from hook_widgets.webhooks.registry.sources import Source
from hook_widgets.webhooks.registry.toml_positions import TomlLines
from hook_widgets.webhooks.registry.validation_errors import Fault, faults_of, report
from hook_widgets.webhooks.requests.handshake import NO_BODY
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.scheme import Confidence

# The tables that a provider inherits.
_INHERITED = ("key", "schemes", "parts")
_INHERITED_WITH_EVENTS = (
    "params",
    "handshakes",
    "serializer",
    "events",
)  # inherited if it has no events of its own
_OWN = ("inherits", "replaces")  # the fields of a file that its provider does not have
_FILE = TypeAdapter(ProviderSpec)
_AT_LINE = re.compile(r" \(at line (\d+), column (\d+)\)$")


def load(source: Source, parent: Callable[[str], Source], *, bodies: bool = False) -> Provider:
    """Load a provider.

    Args:
        source: its source.
        parent: returns the source of a provider from which this one may inherit; raises `UnknownName`.
        bodies: True to check the bodies, too.

    Raises:
        CatalogError: the data is wrong; the message names file, lines and fields.
    """
    text = source.text()
    data = _toml(source, text)

    def check(results: Iterator[Fault] | list[Fault]) -> None:
        all_faults = list(results)
        if all_faults:
            raise CatalogError(report(source.label, all_faults, TomlLines(text)))

    chain = _inherit(data, source, parent, check)
    try:
        # Through JSON, because strict records accept names for enums and lists for tuples only there.
        spec = _FILE.validate_json(json.dumps(data, default=str))
    except ValidationError as error:
        check(faults_of(error, ProviderSpec, data))
        raise CatalogError(f"{source.label}: {error}") from None  # an unknown kind of error
    folders = tuple(ancestor.folder for ancestor in chain if ancestor.folder is not None)
    check([*_name_faults(spec, source), *faults(spec), *_missing_bodies(spec, folders, source)])
    shared = {
        name: getattr(spec, name) for name in (field.name for field in fields(spec)) if name not in _OWN
    }
    provider = Provider(**shared | {"confidence": _confidence(spec), "_folders": folders})
    if bodies:
        check(body_faults(provider))
    return provider


def _confidence(spec: ProviderSpec) -> Confidence:
    headers = {name.lower(): spec.schemes[0].header_template(name).text for name in spec.schemes[0].headers}
    gaps = spec.header_gaps
    return spec.evidence.confidence(
        spec.confidence,
        documented=bool(spec.docs),
        headers_known="user-agent" in headers
        or "charset" in headers.get("content-type", "").lower()
        or bool(gaps.user_agent.sources or gaps.order.sources or gaps.charset.sources),
        events=len(spec.events),
    )


def _inherit(
    data: dict[str, Any],
    source: Source,
    parent: Callable[[str], Source],
    check: Callable[[list[Fault]], None],
) -> list[Source]:
    """Fill in the inherited tables, and return the sources of all data, its own first."""
    chain, own, base = [source], frozenset(data), data.get("inherits")
    while isinstance(base, str):
        below = chain[-1].below if base == chain[-1].name else None
        try:
            chain.append(below or parent(base))
        except UnknownName as error:
            check([Fault(("inherits",), str(error))])
        if chain[-1] in chain[:-1]:
            check([Fault(("inherits",), f"{base!r} inherits from this provider itself")])
        try:
            inherited = _toml(chain[-1], chain[-1].text())
        except CatalogError as error:
            check([Fault(("inherits",), str(error))])
        for table in _INHERITED if "events" in own else _INHERITED + _INHERITED_WITH_EVENTS:
            if table in inherited:
                data.setdefault(table, inherited[table])
        base = inherited.get("inherits")
    return chain


def _toml(source: Source, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason, at = str(error), _AT_LINE.search(str(error))
        line = at[1] if at else len(text.rstrip().splitlines())
        reason = f"{reason[: at.start()]}, at column {at[2]}" if at else reason
        raise CatalogError(f"{source.label}, line {line}: it is not TOML: {reason}") from None


def _name_faults(spec: ProviderSpec, source: Source) -> Iterator[Fault]:
    if spec.id != source.name:
        kind = "folder" if source.folder is not None else "file"
        yield Fault(("id",), f"it is {spec.id!r}, but the {kind} is named for {source.name!r}")
    if source.below is not None and not spec.replaces:
        yield Fault(
            ("id",),
            f"there is a provider {spec.id!r} already; write replaces = true among the first fields",
        )


def _missing_bodies(spec: ProviderSpec, folders: Sequence[Traversable], source: Source) -> Iterator[Fault]:
    places = (folder / "events" for folder in folders)
    files = {path.name for place in places if place.is_dir() for path in place.iterdir()}
    for number, event in enumerate(spec.events):
        if event.body is None and event.body_file not in files | {NO_BODY}:
            inside = "write it here as body = '''…'''"
            text = f"{inside}, or to events/{event.body_file}" if source.folder is not None else inside
            yield Fault(("events", number), f"the body of {event.name!r} is missing; {text}")
