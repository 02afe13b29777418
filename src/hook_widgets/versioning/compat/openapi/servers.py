"""Compare servers: the base addresses of the paths."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Iterator

from hook_widgets.versioning.compat.budget import CHARACTERS_PER_STEP, spend
from hook_widgets.versioning.compat.change import Change
from hook_widgets.versioning.compat.openapi.document.located import Place
from hook_widgets.versioning.compat.openapi.document.pair import build_change, documentation_changes

_MAX_ADDRESSES = 200
"""The maximum number of addresses of one template; beyond it, the template and its values are compared."""
_HOST = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.\-]*:)?//[^/]*")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_VARIABLE = re.compile(r"\{([^{}]*)\}")


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
        address = _VARIABLE.sub(lambda match: defaults.get(match[1], "{}"), server.text("url"))  # noqa: B023
        addresses.add(_normal(address))
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
