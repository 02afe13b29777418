"""Servers: the addresses that paths are appended to."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator

from hook_widgets.versioning.changes.change import Change
from hook_widgets.versioning.changes.openapi.place import Place
from hook_widgets.versioning.changes.openapi.sides import documented, shown, told

_MOST = 200
"""So many addresses of one template are told apart; beyond, the template and its values are compared."""
_HOST = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*://[^/]*")
_VARIABLE = re.compile(r"\{([^{}]*)\}")


def servers(old: Place, new: Place, where: str) -> Iterator[Change]:
    """The differences between two lists of servers.

    A document that names none says nothing about addresses: naming some is no change for anybody.

    Args:
        old: the old list.
        new: the new list.
        where: whose they are, in words; empty for the whole document.

    >>> from hook_widgets.versioning.changes.openapi.place import Root
    >>> root = Root({}, "old", "3.1", {})
    >>> old, new = (Place([{"url": f"https://{area}.example"}], "/servers", root) for area in ("eu", "us"))
    >>> [change.rule for change in servers(old, new, "")]
    ['server-removed', 'server-added']
    """
    before, after = _addresses(old), _addresses(new)
    for address, place in before.items():
        if address not in after:
            yield told("server-removed", place, where, f"The server {shown(address)} was removed.")
        else:
            yield from documented(place, after[address], ("description",), where)
    for address, place in after.items():
        if address not in before:
            yield told("server-added", place, where, f"The server {shown(address)} was added.")


def _addresses(place: Place) -> dict[str, Place]:
    """Every address that the servers stand for, in one way of writing."""
    found: dict[str, Place] = {}
    for server in place.items():
        for address in _expanded(server):
            host = _HOST.match(address)
            plain = address[: host.end()].lower() + address[host.end() :] if host else address
            found.setdefault(plain.rstrip("/") or "/", server)
    return found


def _expanded(server: Place) -> list[str]:
    url = server.text("url")
    variables = server.member("variables").members()
    choices: dict[str, list[str]] = {}
    for name in dict.fromkeys(_VARIABLE.findall(url)):
        enum = variables[name].at("enum").items() if name in variables else []
        # A variable that can be anything is the same whatever its name.
        choices[name] = [str(value.value) for value in enum] or ["{}"]
    count = 1
    for values in choices.values():
        count *= len(values)
    if count > _MOST:
        return [f"{url} {json.dumps(choices, sort_keys=True)}"]
    pieces = _VARIABLE.split(url)  # text and names by turns
    addresses = []
    for chosen in itertools.product(*choices.values()):
        values_of = dict(zip(choices, chosen, strict=True))
        addresses.append("".join(values_of[piece] if odd % 2 else piece for odd, piece in enumerate(pieces)))
    return addresses
