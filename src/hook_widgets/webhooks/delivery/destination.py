"""Check the destination of a request, as protection against server-side request forgery.

A URL in a notebook may come from someone else, and inside a cloud a few addresses return credentials to every
request. These are blocked in every notation: the check applies to the addresses a host name resolves to, and
`hook_widgets.webhooks.delivery.client` connects to exactly the addresses that were checked. Private networks
are allowed, because receivers under development are there.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from hook_widgets.errors import DestinationBlocked, InvalidArgument
from hook_widgets.webhooks.delivery import addresses

if TYPE_CHECKING:
    import ssl

Resolver = Callable[..., Iterable[tuple[Any, ...]]]
"""A function with the arguments and results of `socket.getaddrinfo`."""

SocketAddress = tuple[int, tuple[Any, ...]]
"""An address family and the argument of `socket.socket.connect`."""

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
    """The parts of a receiver's URL.

    Attributes:
        scheme: ``"http"`` or ``"https"``.
        host: the host as written, without the brackets of an IPv6 address.
        port: the port; the default of the scheme if the URL has none.
        target: path and query as in the request line.
    """

    scheme: str
    host: str
    port: int
    target: str

    @property
    def name(self) -> str:
        """The host for comparison: in lower case, without a trailing dot."""
        return self.host.lower().removesuffix(".")

    @property
    def authority(self) -> str:
        """The value of the Host header (RFC 9110 section 7.2), which omits the default port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """True if the text of the host denotes this machine."""
        address = addresses.literal(self.name)
        if address is not None:
            return addresses.is_loopback(address)
        return self.name == "localhost" or self.name.endswith(".localhost")  # RFC 6761 section 6.3


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedRequest:
    """A checked request, ready to be written to a connection.

    Attributes:
        destination: where to connect.
        method: the HTTP method.
        headers: all header fields, with Host and Content-Length.
        body: the body bytes.
        tls: the TLS settings; None for ``http``.
    """

    destination: Destination
    method: str
    headers: Sequence[tuple[str, str]]
    body: bytes
    tls: ssl.SSLContext | None


def check(url: str, *, allow_hosts: Iterable[str] | None = None) -> Destination:
    """Check the text of a URL, without resolving its host, and return its parts.

    Args:
        url: the receiver's URL.
        allow_hosts: the only hosts to allow, if set: ``"hooks.example.com"`` (any port),
            ``"127.0.0.1:8000"``, or ``"*.example.com"`` for every host below it.

    Raises:
        DestinationBlocked: the URL must not be sent to; nothing was sent.
        InvalidArgument: an entry of `allow_hosts` is not a host.

    >>> check("https://hooks.example.com/orders?shop=1").target
    '/orders?shop=1'
    """
    destination = _parse(url)
    if destination.name in _METADATA_NAMES:
        raise _blocked(destination.host, "metadata", f"{destination.host} is {addresses.REASONS['metadata']}")
    if (address := addresses.literal(destination.name)) is not None:
        _check_address(destination, address)
    if allow_hosts is not None and not any(_allows(entry, destination) for entry in _entries(allow_hosts)):
        raise _blocked(
            destination.host,
            "not_allowed",
            f"{destination.authority} is not in allow_hosts; add it if you mean it, or correct the URL",
        )
    return destination


def resolve_addresses(
    destination: Destination, resolve: Resolver = socket.getaddrinfo
) -> list[SocketAddress]:
    """Resolve the host once and check every address of it.

    Returns:
        The addresses in the resolver's order. Connect only to these.

    Raises:
        DestinationBlocked: one of the addresses is blocked; nothing was sent.
        OSError: the host cannot be resolved.
    """
    try:
        results = list(resolve(destination.host, destination.port, type=socket.SOCK_STREAM))
    except UnicodeError:  # the resolver cannot encode the name
        raise socket.gaierror(socket.EAI_NONAME, "this is not a host name") from None
    if not results:
        raise socket.gaierror(socket.EAI_NONAME, "the name has no address")
    for *_, socket_address in results:
        address = ip_address(str(socket_address[0]).partition("%")[0])
        _check_address(destination, address)
        if destination.is_loopback and not addresses.is_loopback(address):
            raise _blocked(
                destination.host,
                "localhost",
                f"{destination.host} resolves to {address}, which is another machine (RFC 6761 keeps this "
                "name for your own); correct the hosts file, or write the address you mean",
            )
    return list(dict.fromkeys((int(family), tuple(socket_address)) for family, *_, socket_address in results))


def is_loopback(url: str) -> bool:
    """Return True if the URL denotes this machine: ``localhost``, 127.0.0.0/8 or ``::1`` in any spelling."""
    try:
        return _parse(url).is_loopback
    except DestinationBlocked:
        return False


def warnings(url: str) -> tuple[str, ...]:
    """Return warnings about a URL that is allowed but not advisable."""
    if is_loopback(url) or not url.lower().startswith("http://"):
        return ()
    return ("http:// is not encrypted: body and signature can be read on the way. Use https:// if you can.",)


def _check_address(destination: Destination, address: addresses.Address) -> None:
    if reason := addresses.blocked(address):
        code, blocked = reason
        is_literal = str(blocked) == destination.name
        subject = blocked if is_literal else f"{destination.host} stands for {blocked}, which"
        raise _blocked(destination.host, code, f"{subject} is {addresses.REASONS[code]}")


def _parse(url: str) -> Destination:
    if not _URL_TEXT.fullmatch(url):
        raise _blocked(
            "",
            "url",
            "the URL is empty, or has a space, a control character or one outside ASCII; percent-encode it, "
            "and write an international host name in its xn-- form",
        )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _blocked(
            "", "url", "host or port of the URL cannot be read; a port must be at most 65535"
        ) from None
    bracketed = parts.netloc.startswith("[")
    host, _, rest = parts.netloc[1:].partition("]") if bracketed else parts.netloc.partition(":")
    if parts.scheme not in _DEFAULT_PORTS:
        raise _blocked(
            host, "scheme", "only http and https URLs can be sent to; begin the URL with http:// or https://"
        )
    if "@" in parts.netloc:
        raise _blocked(
            parts.hostname or "",
            "credentials",
            "the URL has a name or password before the host, which is easily mistaken for the host; "
            "remove it, and add an Authorization header if the receiver needs one",
        )
    if not (addresses.literal(host) and rest[:1] in ("", ":") if bracketed else _HOST_NAME.fullmatch(host)):
        raise _blocked(
            host, "host", "the URL names no host that can be looked up; write one such as hooks.example.com"
        )
    if port == 0:
        raise _blocked(host, "port", "port 0 cannot be sent to; write the port that the receiver listens on")
    query = f"?{parts.query}" if "?" in url.partition("#")[0] else ""
    return Destination(
        parts.scheme,
        host,
        _DEFAULT_PORTS[parts.scheme] if port is None else port,
        (parts.path or "/") + query,
    )


def _entries(allow_hosts: Iterable[str]) -> list[re.Match[str]]:
    entries = []
    for entry in [allow_hosts] if isinstance(allow_hosts, str) else allow_hosts:
        match = _ENTRY.fullmatch(entry.lower())
        if match is None:
            raise InvalidArgument(
                f"allow_hosts contains {entry!r}, which is no host; write hooks.example.com, 127.0.0.1:8000, "
                "[::1]:8000 or *.example.com"
            )
        entries.append(match)
    return entries


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


def _blocked(host: str, code: str, text: str) -> DestinationBlocked:
    return DestinationBlocked(text, host=host, code=code)
