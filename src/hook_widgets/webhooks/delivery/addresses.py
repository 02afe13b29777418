"""IP addresses that a request is never sent to, in any spelling."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

Address = IPv4Address | IPv6Address

# Addresses at which clouds return credentials. Not all of them are link-local.
_METADATA: Final = frozenset(
    ip_address(text)
    for text in (
        "169.254.169.254",  # AWS, Azure, Google Cloud, Oracle Cloud, DigitalOcean, OpenStack
        "169.254.170.2",  # AWS ECS task credentials
        "169.254.170.23",  # AWS EKS pod identity
        "fd00:ec2::254",  # AWS instance metadata over IPv6
        "fd00:ec2::23",  # AWS EKS pod identity over IPv6
        "fd20:ce::254",  # Google Cloud over IPv6
        "fd00:42::42",  # Scaleway over IPv6
        "100.100.100.200",  # Alibaba Cloud
        "168.63.129.16",  # Azure platform endpoint
        "192.0.0.192",  # Oracle Cloud, classic machines
    )
)
_THIS_NETWORK: Final = ip_network("0.0.0.0/8")
_BROADCAST: Final = ip_address("255.255.255.255")
# IPv6 prefixes whose last 32 bits are an IPv4 address: compatible and mapped (RFC 4291 section 2.5.5),
# translated (RFC 2765), NAT64 (RFC 6052), NAT64 for local use (RFC 8215).
_EMBEDDING_NETWORKS: Final = tuple(
    IPv6Network(text)
    for text in ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48")
)
_ISATAP: Final = (0x00005EFE, 0x02005EFE)  # RFC 5214: the 32 bits before the IPv4 address

REASONS: Final = {
    "metadata": "where a cloud hands out credentials, and never a webhook receiver; correct the URL",
    "link_local": "link-local, where clouds serve metadata and credentials; "
    "use the receiver's name or its routable address",
    "multicast": "a multicast address, which belongs to no single receiver; use the receiver's own address",
    "unspecified": "an address to listen on, not to send to; for a receiver on this machine write 127.0.0.1",
    "broadcast": "the broadcast address; use the receiver's own address",
}


def blocked(address: Address) -> tuple[str, Address] | None:
    """Return why an address is blocked: a key of `REASONS` and the blocked address; None if it is allowed.

    The blocked address differs from `address` if an IPv6 address embeds a blocked IPv4 address.
    """
    for candidate in (address, *embedded(address)):
        if code := _code(candidate):
            return code, candidate
    return None


def is_loopback(address: Address) -> bool:
    """Return True for 127.0.0.0/8 and ``::1``, also if embedded in another address."""
    return address.is_loopback or any(inner.is_loopback for inner in embedded(address))


def literal(host: str) -> Address | None:
    """Return the address that a host is written as, None if the host is a name.

    Like the C library, accept ``127.1``, ``0x7f000001``, ``017700000001`` and ``2130706433`` as IPv4.
    """
    try:
        return ip_address(host.partition("%")[0])  # an IPv6 zone follows the percent sign
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host)) if re.fullmatch(r"[0-9A-Fa-fXx.]+", host) else None
    except OSError:
        return None


def embedded(address: Address) -> Iterator[IPv4Address]:
    """Yield the IPv4 addresses that a gateway, or this machine, would extract from an IPv6 address."""
    if isinstance(address, IPv4Address) or int(address) <= 1:  # :: and ::1 embed no address
        return
    bits = int(address)
    if any(address in network for network in _EMBEDDING_NETWORKS) or (bits >> 32) & 0xFFFFFFFF in _ISATAP:
        yield IPv4Address(bits & 0xFFFFFFFF)
    if address.sixtofour is not None:  # RFC 3056
        yield address.sixtofour
    if address.teredo is not None:  # RFC 4380: the server's address, and the client's with every bit inverted
        yield from address.teredo


def _code(address: Address) -> str | None:
    if address in _METADATA:
        return "metadata"
    if address.is_link_local:
        return "link_local"
    if address.is_multicast:
        return "multicast"
    if address == IPv6Address(0) or address in _THIS_NETWORK:
        return "unspecified"
    return "broadcast" if address == _BROADCAST else None
