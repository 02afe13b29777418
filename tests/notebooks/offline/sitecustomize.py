"""A Python that imports this when it starts reaches its own machine and nothing else.

Kernels and what they start get it by ``PYTHONPATH``. Who asks for another machine is told that there is no
network, and it stands on the error stream, too, for notebooks that handle the exception.
"""

from __future__ import annotations

import errno
import ipaddress
import os
import sys
from typing import Any

_ASKING = {
    "socket.connect": 1, "socket.sendto": 1,  # the arguments are a socket and an address
    "socket.getaddrinfo": 0, "socket.gethostbyname": 0,
}  # fmt: skip


def _is_here(address: Any) -> bool:
    host = address[0] if isinstance(address, tuple) else address
    if not isinstance(host, (str, bytes)) or host in ("", "localhost", b"localhost"):
        return True  # any address of this machine
    text = os.fsdecode(host)
    try:
        return ipaddress.ip_address(text).is_loopback or ipaddress.ip_address(text).is_unspecified
    except ValueError:
        return text.startswith(("/", "\0"))  # a Unix socket, no name to look up


def _block(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _ASKING and not _is_here(arguments[_ASKING[event]]):
        print(f"{event} asked for {arguments[_ASKING[event]]!r}", file=sys.stderr)
        raise OSError(errno.ENETUNREACH, os.strerror(errno.ENETUNREACH))


sys.addaudithook(_block)
