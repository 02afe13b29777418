"""Which receivers a request may be sent to.

Whoever runs a notebook can be handed a URL, and inside a cloud a few addresses answer any request with
credentials. They are refused under every spelling: what is judged is the address a name resolves to, and
`hook_widgets.webhooks.network.sending` connects to exactly the address that was judged. Private networks are
allowed; that is where receivers under development live.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from hook_widgets.errors import DestinationRefused, InvalidRequest
from hook_widgets.webhooks.network import addresses

Resolve = Callable[..., Iterable[tuple[Any, ...]]]
"""Anything that is called and answers like `socket.getaddrinfo`."""

SocketAddress = tuple[int, tuple[Any, ...]]
"""An address family and what `socket.socket.connect` takes for it."""

_METADATA_NAMES: Final = frozenset(
    {
        "metadata",
        "metadata.goog",
        "metadata.google.internal",
        "instance-data",
        "instance-data.ec2.internal",
        "metadata.tencentyun.com",
        "metadata.platformequinix.com",
    }
)
_URL_TEXT: Final = re.compile(r"[!-~]+")
_HOST_NAME: Final = re.compile(r"(?=.{1,253}\Z)(?:[A-Za-z0-9_-]{1,63}\.)*[A-Za-z0-9_-]{1,63}\.?")
_ENTRY: Final = re.compile(r"(?P<host>(?:\*\.)?[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::(?P<port>\d{1,5}))?")
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Destination:
    """A receiver's URL, taken apart for sending.

    Attributes:
        scheme: ``"http"`` or ``"https"``.
        host: the host as written, without the brackets of an IPv6 address.
        port: the port, the scheme's own when the URL names none.
        target: path and query as they go into the request line.
    """

    scheme: str
    host: str
    port: int
    target: str

    @property
    def name(self) -> str:
        """The host for comparison: lower case, no dot at the end."""
        return self.host.lower().removesuffix(".")

    @property
    def authority(self) -> str:
        """The value of the Host header (RFC 9110 section 7.2): with the port only when it is unusual."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether the text of the host names this machine."""
        address = addresses.literal(self.name)
        return self._is_localhost if address is None else addresses.is_loopback(address)

    @property
    def _is_localhost(self) -> bool:
        return self.name == "localhost" or self.name.endswith(".localhost")  # RFC 6761 section 6.3


def check(url: str, *, allow_hosts: Iterable[str] | None = None) -> Destination:
    """Judge a URL by its text alone, before any name is looked up.

    Args:
        url: the receiver's URL.
        allow_hosts: when given, only these may be sent to: ``"hooks.example.com"`` (any port),
            ``"127.0.0.1:8000"``, or ``"*.example.com"`` for every host below it.

    Raises:
        DestinationRefused: the URL is not one to send to; nothing was sent.
        InvalidRequest: `allow_hosts` holds something that is not a host.

    >>> check("https://hooks.example.com/orders?shop=1").target
    '/orders?shop=1'
    """
    destination = _parse(url)
    if destination.name in _METADATA_NAMES:
        raise _refused(destination.host, "metadata", f"{destination.host} is {addresses.REASONS['metadata']}")
    if (address := addresses.literal(destination.name)) is not None:
        _judge(destination, address)
    if allow_hosts is not None and not any(_allows(entry, destination) for entry in _entries(allow_hosts)):
        raise _refused(
            destination.host,
            "not_allowed",
            f"{destination.authority} is not in allow_hosts. Add it if you mean it, or correct the URL",
        )
    return destination


def look_up(destination: Destination, resolve: Resolve = socket.getaddrinfo) -> list[SocketAddress]:
    """Look the host up once and judge every address it has.

    Returns:
        The addresses to connect to, in the resolver's order; connect to these and to nothing else.

    Raises:
        DestinationRefused: one of the addresses is refused; nothing was sent.
        OSError: the name cannot be resolved.
    """
    try:
        found = list(resolve(destination.host, destination.port, type=socket.SOCK_STREAM))
    except UnicodeError:  # the resolver could not write the name in its own encoding
        raise socket.gaierror(socket.EAI_NONAME, "this is not a host name") from None
    if not found:
        raise socket.gaierror(socket.EAI_NONAME, "the name has no address")
    for *_, socket_address in found:
        address = ip_address(str(socket_address[0]).partition("%")[0])
        _judge(destination, address)
        if destination.is_loopback and not addresses.is_loopback(address):
            raise _refused(
                destination.host,
                "localhost",
                f"{destination.host} resolves to {address}, which is another machine (RFC 6761 keeps this "
                "name for your own). Correct the hosts file, or write the address you mean",
            )
    return list(dict.fromkeys((int(family), tuple(socket_address)) for family, *_, socket_address in found))


def is_loopback(url: str) -> bool:
    """Whether the URL names this machine: ``localhost``, 127.0.0.0/8 or ``::1``, however spelled."""
    try:
        return _parse(url).is_loopback
    except DestinationRefused:
        return False


def needs_confirmation(url: str) -> bool:
    """Whether a person should confirm the host before the first request leaves this machine."""
    return not is_loopback(url)


def warnings(url: str) -> tuple[str, ...]:
    """Sentences about a URL that may be sent to but should not go unremarked."""
    if is_loopback(url) or not url.lower().startswith("http://"):
        return ()
    return ("http:// is not encrypted: body and signature can be read on the way. Use https:// if you can.",)


def _judge(destination: Destination, address: addresses.Address) -> None:
    if found := addresses.refusal(address):
        code, seen = found
        spelled_out = str(seen) == destination.name
        subject = seen if spelled_out else f"{destination.host} stands for {seen}, which"
        raise _refused(destination.host, code, f"{subject} is {addresses.REASONS[code]}")


def _parse(url: str) -> Destination:
    if not _URL_TEXT.fullmatch(url):
        raise _refused(
            "",
            "url",
            "the URL is empty, or has a space, a control character or one outside ASCII. Percent-encode it, "
            "and write an international host name in its xn-- form",
        )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _refused("", "url", "host or port of the URL cannot be read. A port is at most 65535") from None
    bracketed = parts.netloc.startswith("[")
    host = parts.netloc[1:].partition("]")[0] if bracketed else parts.netloc.partition(":")[0]
    if parts.scheme not in _DEFAULT_PORTS:
        raise _refused(
            host, "scheme", "only http and https can be sent. Begin the URL with http:// or https://"
        )
    if "@" in parts.netloc:
        raise _refused(
            parts.hostname or "",
            "credentials",
            "the URL has a name or password before the host, which is easily mistaken for the host. "
            "Remove it, and add an Authorization header if the receiver needs one",
        )
    if not (addresses.literal(host) if bracketed else _HOST_NAME.fullmatch(host)):
        raise _refused(host, "host", "the URL names no host that can be looked up, such as hooks.example.com")
    if port == 0:
        raise _refused(host, "port", "port 0 cannot be sent to. Write the port that the receiver listens on")
    query = f"?{parts.query}" if "?" in url.partition("#")[0] else ""
    return Destination(
        parts.scheme,
        host,
        _DEFAULT_PORTS[parts.scheme] if port is None else port,
        (parts.path or "/") + query,
    )


def _entries(allow_hosts: Iterable[str]) -> list[re.Match[str]]:
    found = []
    for entry in [allow_hosts] if isinstance(allow_hosts, str) else allow_hosts:
        match = _ENTRY.fullmatch(entry.lower())
        if match is None:
            raise InvalidRequest(
                f"allow_hosts holds {entry!r}, which is no host. Write hooks.example.com, 127.0.0.1:8000, "
                "[::1]:8000 or *.example.com"
            )
        found.append(match)
    return found


def _allows(entry: re.Match[str], destination: Destination) -> bool:
    host, port = entry["host"].strip("[]").removesuffix("."), entry["port"]
    if port is not None and int(port) != destination.port:
        return False
    if host.startswith("*."):
        return destination.name.endswith(host[1:])
    address = addresses.literal(host)
    return host == destination.name or (
        address is not None and address == addresses.literal(destination.name)
    )


def _refused(host: str, code: str, text: str) -> DestinationRefused:
    return DestinationRefused(f"Not sent: {text}.", host=host, code=code)
