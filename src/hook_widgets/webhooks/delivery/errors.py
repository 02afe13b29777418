"""Explain delivery failures: what went wrong on the way to a receiver, and what to do."""

from __future__ import annotations

import errno
import socket
import ssl
from dataclasses import dataclass

from hook_widgets.webhooks.delivery.destination import Destination
from hook_widgets.webhooks.delivery.http1 import Attempt, ConnectionClosed, NotHttp, Phase

# Verification results of OpenSSL (openssl/x509_vfy.h) that have their own explanation.
_NOT_YET_VALID, _EXPIRED, _SELF_SIGNED, _SELF_SIGNED_ROOT = 9, 10, 18, 19
_NO_ISSUER, _NO_CHAIN, _OTHER_HOST, _OTHER_ADDRESS = 20, 21, 62, 64
_TRUST = "give its certificate or its authority's with ca=, or switch the check off with verify_tls=False"
_NO_HELP = "A ca= does not help here; verify_tls=False switches the check off."
_CHECK_LOG = (
    "The receiver, or a proxy before it, crashed, rejects this request, or expects the other of http:// and "
    "https:// on this port: look into its log."
)
_TLS_RECORD = b"\x15\x03"  # an alert, which a TLS server sends on plain HTTP (RFC 8446 section 5.1)


@dataclass(frozen=True, slots=True)
class DeliveryError:
    """The reason why there is no response, or no complete one.

    Attributes:
        code: ``dns``, ``refused``, ``unreachable``, ``timeout``, ``reset``, ``closed``, ``tls``,
            ``protocol`` or ``network``; in a widget also ``stopped``.
        cause: an explanation in English: what is wrong and what to do. It quotes nothing of the response.
        excerpt: the beginning of the response as a Python literal, or empty. It may repeat a secret.
    """

    code: str
    cause: str
    excerpt: str = ""

    @property
    def text(self) -> str:
        """The explanation, with the excerpt of the response."""
        return f"{self.cause} The response begins with {self.excerpt}." if self.excerpt else self.cause


def explain(error: Exception, destination: Destination, attempt: Attempt, timeout_s: float) -> DeliveryError:
    """Explain the failure of one delivery."""
    server = f"{destination.host}:{destination.port}"
    match error:
        case TimeoutError():
            return DeliveryError("timeout", _timeout(attempt, server, timeout_s))
        case socket.gaierror():
            return DeliveryError(
                "dns",
                f"The host name {destination.host} cannot be resolved ({error.strerror or error}). "
                "Check its spelling, and that this machine's name server knows it.",
            )
        case ssl.SSLCertVerificationError():
            return DeliveryError("tls", _certificate(error, destination.host))
        case ssl.SSLError():
            return DeliveryError("tls", _tls(error, server))
        case ConnectionRefusedError():
            return DeliveryError(
                "refused", f"Nothing listens on {server}. Start the receiver, or correct the URL."
            )
        case ConnectionClosed() if not attempt.first_bytes:
            return DeliveryError("closed", f"{server} closed the connection without a response. {_CHECK_LOG}")
        case ConnectionClosed():
            return DeliveryError(
                "closed",
                f"{server} closed the connection in the middle of its response. Check its Content-Length, "
                "and its log for a crash.",
                _excerpt(attempt.first_bytes),
            )
        case ConnectionError():
            return DeliveryError(
                "reset", f"{server} broke the connection while {attempt.phase}. {_CHECK_LOG}"
            )
        case NotHttp() if attempt.first_bytes.startswith(_TLS_RECORD):
            return DeliveryError("protocol", f"{server} speaks TLS on this port. Use https://.")
        case NotHttp():
            cause = f"{server} does not respond with proper HTTP/1.1. Is this the right port?"
            return DeliveryError("protocol", cause, _excerpt(attempt.first_bytes))
        case OSError(errno=errno.EHOSTUNREACH | errno.ENETUNREACH | errno.EADDRNOTAVAIL | errno.EAFNOSUPPORT):
            return DeliveryError(
                "unreachable",
                f"No route to {server}. Check the address, the network or VPN, and that this machine has "
                "IPv6 if the address is one.",
            )
        case _:
            detail = getattr(error, "strerror", None) or type(error).__name__
            return DeliveryError("network", f"The network failed while {attempt.phase}: {detail}. Try again.")


def _timeout(attempt: Attempt, server: str, timeout_s: float) -> str:
    limit = f"{timeout_s:g} s"
    match attempt.phase:
        case Phase.LOOKUP:
            return f"The host name was not resolved within {limit}. Check this machine's name server."
        case Phase.CONNECT:
            return (
                f"No connection to {server} within {limit}. A firewall may drop the packets, or the host is "
                "down: check address and port."
            )
        case Phase.TLS:
            return (
                f"{server} accepted the connection but did not agree on encryption within {limit}. "
                "Does it speak TLS on this port? If not, use http://."
            )
        case Phase.SEND:
            return (
                f"{server} stopped reading after {attempt.bytes_sent} bytes of the request, and the {limit} "
                "are over. "
                "Check whether the receiver limits or blocks large bodies."
            )
        case Phase.WAIT if not attempt.first_bytes:
            return (
                f"No response within {limit}: {server} took the request and sent nothing. Providers expect a "
                "response in a few seconds: respond first, then do the work."
            )
        case _:
            return (
                f"The response was not complete within {limit}: it comes too slowly. "
                "Respond to providers with a short body at once."
            )


def _certificate(error: ssl.SSLCertVerificationError, host: str) -> str:
    code, trust = error.verify_code, f"If you trust it, {_TRUST}."
    if code in (_OTHER_HOST, _OTHER_ADDRESS):
        return (
            f"The certificate is made for another host name than {host}. Use the name that is in it, or "
            f"issue one for this name. {_NO_HELP}"
        )
    if code == _EXPIRED:
        return (
            f"The certificate of {host} has expired. Renew it, or set this machine's clock right. {_NO_HELP}"
        )
    if code == _NOT_YET_VALID:
        return f"The certificate of {host} is not valid yet. Check the clocks of both machines. {_NO_HELP}"
    if code in (_SELF_SIGNED, _SELF_SIGNED_ROOT):
        return f"The certificate of {host} is self-signed. {trust}"
    if code in (_NO_ISSUER, _NO_CHAIN):
        return (
            f"The certificate of {host} comes from an authority that is not trusted here, or the receiver "
            f"does not send its intermediate certificates. {trust}"
        )
    return f"The certificate of {host} is not accepted: {error.verify_message}. {trust}"


def _tls(error: ssl.SSLError, server: str) -> str:
    reason = (getattr(error, "reason", None) or "").upper()
    if reason in ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "PACKET_LENGTH_TOO_LONG", "RECORD_LAYER_FAILURE"):
        return f"{server} does not speak TLS on this port. Use http://, or the receiver's https port."
    if "CERTIFICATE_REQUIRED" in reason:
        return f"{server} asks for a client certificate, which providers do not send. Switch that off there."
    if isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError):
        return f"{server} hung up while agreeing on encryption. Check that it serves TLS for this host name."
    return f"{server} does not agree on encryption ({reason or error}). Check the TLS versions it offers."


def _excerpt(data: bytes) -> str:
    return ascii(data[:40].decode("latin-1")) if data else ""
