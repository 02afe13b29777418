"""Throw-away certificates for a local receiver and for a signing key. Requires `cryptography`."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.types import (
        CertificateIssuerPrivateKeyTypes,
        CertificatePublicKeyTypes,
    )


def create_key_certificate(private: CertificateIssuerPrivateKeyTypes) -> str:
    """Return a self-signed certificate of this key in PEM, valid for ten years."""
    title = "hook_widgets test key, not the provider's"
    builder = _builder(title, private.public_key(), timedelta(days=1), timedelta(days=3652))
    digest = None if isinstance(private, Ed25519PrivateKey) else SHA256()
    return builder.sign(private, digest).public_bytes(Encoding.PEM).decode()


def create_localhost_certificate(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """Create a certificate for localhost, 127.0.0.1 and ::1, valid for one day.

    The private key is removed from `folder` as soon as the TLS library has read it.

    Returns:
        The path of the certificate in PEM, which the sender must trust, and a TLS context for the server.
    """
    key = generate_private_key(SECP256R1())
    usage = x509.KeyUsage(
        digital_signature=True,
        key_cert_sign=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
    names = [x509.DNSName("localhost"), *(x509.IPAddress(ip_address(a)) for a in ("127.0.0.1", "::1"))]
    certificate = (
        _builder("hook_widgets local receiver", key.public_key(), timedelta(minutes=5), timedelta(days=1))
        # The certificate is its own authority, with the extensions that strict verification requires
        # (RFC 5280 section 4.2.1).
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(key, SHA256())
    )
    public, private = folder / "receiver.pem", folder / "receiver-key.pem"
    public.write_bytes(certificate.public_bytes(Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    private.touch(mode=0o600)
    try:
        private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        context.load_cert_chain(public, private)
    finally:
        private.unlink()
    return public, context


def _builder(
    title: str, key: CertificatePublicKeyTypes, before: timedelta, after: timedelta
) -> x509.CertificateBuilder:
    """Return the beginning of a self-signed certificate, valid from and until these times around now."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, title)])
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - before)
        .not_valid_after(now + after)
    )
