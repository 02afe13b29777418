"""Compare paths, webhooks and callbacks, and servers: the base addresses of the paths."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Iterator, Mapping

from hook_widgets.versioning.compat.budget import CHARACTERS_PER_STEP, spend
from hook_widgets.versioning.compat.change import Change, Direction
from hook_widgets.versioning.compat.openapi.document.located import Place
from hook_widgets.versioning.compat.openapi.document.pair import (
    DocumentPair,
    Section,
    build_change,
    documentation_changes,
    join_place,
)
from hook_widgets.versioning.compat.openapi.operations import Operation, compare_exchange, operations_of
from hook_widgets.versioning.compat.openapi.security import Security
from hook_widgets.versioning.compat.openapi.sunset import compare_lifecycle, has_ended, removal

_NAMES = re.compile(r"\{[^{}]*\}")

Key = tuple[str, str]
"""A path and a method."""

_MAX_ADDRESSES = 200
"""The maximum number of addresses of one template; beyond it, the template and its values are compared."""
_HOST = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.\-]*:)?//[^/]*")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_VARIABLE = re.compile(r"\{([^{}]*)\}")


def compare_endpoints(documents: DocumentPair, old: Place, new: Place) -> Iterator[Change]:
    """Compare the servers, all paths and webhooks of two documents."""
    security = Security(old, new)
    before, after = _all(old.at("paths")), _all(new.at("paths"))
    sides = (old.at("servers"), before), (new.at("servers"), after)
    pairs = _paired(*(_addressed(*side) for side in sides))
    if not pairs or any(
        before[key].servers is after[other].servers is None and _same_template(key, other)
        for key, other in pairs.items()
    ):
        yield from compare_servers(sides[0][0], sides[1][0], "")
    ids = {name: operation for operation in after.values() if (name := operation.place.text("operationId"))}
    for key, operation in before.items():
        if key not in pairs:
            yield _removed(documents, operation, ids)
            continue
        other = after[pairs[key]]
        where = f"{other.verb} {other.path}"
        yield from security.compare_endpoint(operation.place, other.place, where)
        if not (documents.same_parts and operation.source_text == other.source_text):
            yield from _endpoint(documents, operation, other, where)
    known = set(pairs.values())
    for key, operation in after.items():
        if key not in known:
            where = f"{operation.verb} {operation.path}"
            yield build_change("endpoint-added", operation.place, where, f"The endpoint {where} was added.")
    yield from security.compare_schemes()
    yield from _hooks(documents, old.at("webhooks"), new.at("webhooks"), "webhook", "")


def _endpoint(documents: DocumentPair, old: Operation, new: Operation, where: str) -> Iterator[Change]:
    before, after = old.place, new.place
    yield from compare_lifecycle(before, after, where)
    was, is_ = before.text("operationId"), after.text("operationId")
    if was != is_:
        detail = f"The operationId was {was or 'missing'} and is {is_ or 'missing'} now."
        yield build_change("operation-id-changed", after, where, detail)
    if (old.servers or new.servers) and _same_template((old.path, ""), (new.path, "")):
        roots = (Place(root.value, "", root).at("servers") for root in (documents.old, documents.new))
        before_list, after_list = (side.servers or root for side, root in zip((old, new), roots, strict=True))
        yield from compare_servers(before_list, after_list, where)
    yield from compare_exchange(Section(documents, where, Direction.REQUEST), old, new)
    items = [
        Place(
            {name: place.value for name, place in side.item.items()},
            side.place.pointer.rpartition("/")[0],
            side.place.root,
        )
        for side in (old, new)
    ]
    yield from documentation_changes(items[0], items[1], ("summary", "description"), new.path)
    yield from _callbacks(documents, before, after, where)


def _callbacks(documents: DocumentPair, old: Place, new: Place, where: str) -> Iterator[Change]:
    before, after = old.at("callbacks").members(), new.at("callbacks").members()
    for name in dict.fromkeys([*before, *after]):
        nothing = Place(None, f"{new.pointer}/callbacks", new.root)
        lists = before.get(name, nothing), after.get(name, nothing)
        yield from _hooks(documents, *lists, f"callback {name}", where)


def _hooks(documents: DocumentPair, old: Place, new: Place, noun: str, where: str) -> Iterator[Change]:
    """Compare requests that the service sends, with the directions reversed."""
    before, after = _all(old), _all(new)
    for key, operation in before.items():
        inside = join_place(where, f"{noun} {operation.path}, {operation.verb}")
        if key not in after:
            ended = has_ended(operation.place, documents.today)
            rule = "endpoint-removed-after-sunset" if ended else "callback-removed"
            yield build_change(rule, operation.place, inside, f"The {noun} {operation.path} was removed.")
            continue
        other = after[key]
        if documents.same_parts and operation.source_text == other.source_text:
            continue
        yield from compare_lifecycle(operation.place, other.place, inside)
        yield from compare_exchange(Section(documents, inside, Direction.RESPONSE), operation, other)
        pair = operation.place.pointer, other.place.pointer
        if pair not in documents.nested:  # references can nest callbacks endlessly
            documents.nested.add(pair)
            yield from _callbacks(documents, operation.place, other.place, inside)
    for key, operation in after.items():
        if key not in before:
            inside = join_place(where, f"{noun} {operation.path}, {operation.verb}")
            detail = f"The {noun} {operation.path} was added."
            yield build_change("callback-added", operation.place, inside, detail)


def _removed(documents: DocumentPair, operation: Operation, ids: Mapping[str, Operation]) -> Change:
    where = f"{operation.verb} {operation.path}"
    detail = f"The endpoint {where} was removed"
    rule, sentence = removal("endpoint-removed", operation.place, detail, documents.today)
    moved = ids.get(operation.place.text("operationId"))
    if moved is not None and rule == "endpoint-removed":
        sentence = f"{detail}; {moved.verb} {moved.path} has its operationId now."
    return build_change(rule, operation.place, where, sentence)


def _all(place: Place) -> dict[Key, Operation]:
    return {
        (path, method): operation
        for path, item in place.members(follow=False).items()
        for method, operation in operations_of(path, item).items()
    }


def _same_template(old: Key, new: Key) -> bool:
    return _NAMES.sub("{}", old[0]) == _NAMES.sub("{}", new[0])


def _addressed(servers: Place, operations: Mapping[Key, Operation]) -> dict[Key, list[str]]:
    """Return what precedes the path of each operation in the addresses that clients call."""
    shared = sorted(default_addresses(servers))
    return {
        key: shared if operation.servers is None else sorted(default_addresses(operation.servers))
        for key, operation in operations.items()
    }


def _paired(before: Mapping[Key, list[str]], after: Mapping[Key, list[str]]) -> dict[Key, Key]:
    """Match endpoints by address, then by path; first with the names of path parameters, then without.

    An address is divided between a server and a path, and the document may divide it elsewhere now.
    """
    pairs = dict[Key, Key]()
    for has_address, has_names in itertools.product((True, False), repeat=2):

        def texts(key: Key, servers: list[str]) -> list[Key]:
            path = key[0] if has_names else _NAMES.sub("{}", key[0])  # noqa: B023 - called in this turn only
            spend(len(servers))
            return [(server.rstrip("/") + path, key[1]) for server in (servers if has_address else [""])]  # noqa: B023

        free, taken = dict[Key, Key](), set(pairs.values())
        for key, servers in after.items():
            if key not in taken:
                free |= {text: key for text in texts(key, servers) if text not in free}
        for key, servers in before.items():
            twins = set() if key in pairs else {free.get(text) for text in texts(key, servers)}
            if len(twins) == 1 and (twin := twins.pop()) is not None and twin not in taken:
                pairs[key] = twin
                taken.add(twin)
    return pairs


def compare_servers(old: Place, new: Place, where: str) -> Iterator[Change]:
    """Compare two lists of servers; `where` is empty for those of the document.

    A document without servers does not specify addresses, so added servers change nothing for clients.

    >>> from hook_widgets.versioning.compat.openapi.document.located import Root
    >>> root = Root({}, "old", "3.1", {})
    >>> old, new = (Place([{"url": f"https://{area}.example"}], "/servers", root) for area in ("eu", "us"))
    >>> [change.rule for change in compare_servers(old, new, "")]
    ['server-removed', 'server-added']
    """
    before, after = _addresses(old), _addresses(new)
    before, after = _with_schemes(before, after), _with_schemes(after, before)
    for one, other in ((before, after), (after, before)):
        if not one:
            other.pop("/", None)  # the server of a document without servers
    for address, place in before.items():
        if address not in after:
            yield build_change("server-removed", place, where, f"The server {address[:60]} was removed.")
        else:
            yield from documentation_changes(place, after[address], ("name", "description"), where)
            others = after[address].member("variables").entries()
            for name, variable in place.member("variables").entries().items():
                if name in others and variable.text("default") != others[name].text("default"):
                    detail = f"The default of {name} in the server {address[:60]} has changed."
                    yield build_change("default-changed", others[name], where, detail)
    for address, place in after.items():
        if address not in before:
            yield build_change("server-added", place, where, f"The server {address[:60]} was added.")


def _addresses(place: Place) -> dict[str, Place]:
    """Return every address of the servers in normal form."""
    addresses: dict[str, Place] = {}
    for server in place.items():
        for address in _expanded(server):
            addresses.setdefault(_normal(address), server)
    return addresses


def _with_schemes(addresses: dict[str, Place], others: dict[str, Place]) -> dict[str, Place]:
    """Give an address without a scheme, such as ``//host/v1``, that of the same address elsewhere."""
    schemes = {other[other.find("//") :]: other for other in others if "//" in other}
    return {
        schemes.get(address, address) if address.startswith("//") else address: place
        for address, place in addresses.items()
    }


def default_addresses(place: Place) -> set[str]:
    """Return the addresses with the default of each variable; that of the document itself without servers."""
    addresses = set[str]()
    for server in place.items():
        variables = server.member("variables").entries()
        defaults = {name: variable.text("default") for name, variable in variables.items()}
        addresses.add(_normal(_VARIABLE.sub(lambda match: defaults.get(match[1], "{}"), server.text("url"))))  # noqa: B023
    return addresses or {"/"}


def _normal(address: str) -> str:
    host = _HOST.match(address)
    if host is None:
        return address.rstrip("/") or "/"
    origin = host[0].lower()
    port = _DEFAULT_PORTS.get(origin.partition(":")[0], 0)
    return (origin.removesuffix(f":{port}") + address[host.end() :]).rstrip("/")


def _expanded(server: Place) -> list[str]:
    url = server.text("url")
    variables = server.member("variables").entries()
    choices: dict[str, list[str]] = {}
    for name in dict.fromkeys(_VARIABLE.findall(url)):
        enum = variables[name].at("enum").items() if name in variables else []
        # The name of a variable without an enumeration does not matter.
        choices[name] = [str(value.value) for value in enum] or ["{}"]
    if (count := math.prod(len(values) for values in choices.values())) > _MAX_ADDRESSES:
        return [f"{url} {json.dumps(choices, sort_keys=True)}"]
    spend(count * (1 + len(url) // CHARACTERS_PER_STEP))
    pieces = _VARIABLE.split(url)  # alternates between text and names
    return [
        "".join(value_of[piece] if odd % 2 else piece for odd, piece in enumerate(pieces))
        for values in itertools.product(*choices.values())
        for value_of in [dict(zip(choices, values, strict=True))]
    ]
