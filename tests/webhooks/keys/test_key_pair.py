from __future__ import annotations

import base64
import copy
import pickle
import subprocess

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

from hook_widgets.errors import InvalidSecret
from hook_widgets.webhooks.keys.key_pair import KeyPair, PublicForm, PublicKey

ALGORITHMS = ["ed25519", "ecdsa-p256", "rsa"]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_public_half_verifies_what_the_private_half_signed(algorithm):
    pair = KeyPair.generate(algorithm)
    signature = pair.sign(b"message")

    assert PublicKey(pair.public, algorithm).verifies(b"message", signature)
    assert not PublicKey(pair.public, algorithm).verifies(b"messagE", signature)
    assert not PublicKey(pair.public, algorithm).verifies(b"message", signature[:-1])
    assert not PublicKey(pair.public, algorithm).verifies(b"message", b"")
    assert not PublicKey(KeyPair.generate(algorithm).public, algorithm).verifies(b"message", signature)


def test_the_public_half_is_printed_as_the_providers_do():
    assert 64 == len(bytes.fromhex(KeyPair.generate("ed25519").public)) * 2
    assert KeyPair.generate("ecdsa-p256").public.startswith("MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_pair_survives_pem(algorithm):
    pair = KeyPair.generate(algorithm)

    assert pair.public == KeyPair.from_pem(pair.private_pem()).public


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_pair_shows_no_private_key_and_is_never_pickled(algorithm):
    pair = KeyPair.generate(algorithm)

    assert pair.private_pem().splitlines()[1] not in repr(pair)
    for carry in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            carry(pair)


def test_an_unknown_algorithm_names_the_nearest():
    with pytest.raises(InvalidSecret, match="'ed25519'"):
        KeyPair.generate("ed2551")


@pytest.mark.parametrize(
    "text", ["", "zz", "00" * 31, "MFkw", "-----BEGIN PUBLIC KEY-----\nAA\n-----END PUBLIC KEY-----"]
)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_malformed_public_key_says_what_is_wanted(algorithm, text):
    with pytest.raises(InvalidSecret, match=f"not {algorithm} public key"):
        PublicKey(text, algorithm).verifies(b"", b"")


def test_a_public_key_of_another_algorithm_is_rejected():
    ed, ec = KeyPair.generate("ed25519"), KeyPair.generate("ecdsa-p256")

    with pytest.raises(InvalidSecret):
        PublicKey(ec.public, "ed25519").verifies(b"", b"")
    with pytest.raises(InvalidSecret):
        PublicKey(ed.public, "ecdsa-p256").verifies(b"", b"")


@pytest.mark.parametrize("pem", ["", "x", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
def test_text_that_is_no_private_key_is_rejected(pem):
    with pytest.raises(InvalidSecret, match="PKCS #8"):
        KeyPair.from_pem(pem)


def openssl(*arguments: str, stdin: bytes = b"") -> bytes:
    return subprocess.run(["openssl", *arguments], input=stdin, capture_output=True, check=True).stdout


@pytest.mark.parametrize(("scheme", "digest"), [("rsa-sha256", "-sha256"), ("rsa-sha1", "-sha1")])
def test_openssl_accepts_an_rsa_signature_by_the_certificate_that_we_issue(scheme, digest, tmp_path):
    pair = KeyPair.generate("rsa")
    (tmp_path / "certificate.pem").write_text(pair.certificate())
    (tmp_path / "signature").write_bytes(pair.sign(b"message", scheme))
    public = tmp_path / "public.pem"
    public.write_bytes(openssl("x509", "-in", str(tmp_path / "certificate.pem"), "-pubkey", "-noout"))
    said = openssl(
        *("dgst", digest, "-verify", str(public), "-signature", str(tmp_path / "signature")), stdin=b"message"
    )

    assert b"Verified OK\n" == said
    assert pair.certificate() == pair.public_as(PublicForm.CERTIFICATE)
    assert PublicKey(pair.certificate(), "rsa").verifies(b"message", pair.sign(b"message", scheme), scheme)
    other = "rsa-sha1" if scheme == "rsa-sha256" else "rsa-sha256"
    assert not PublicKey(pair.certificate(), "rsa").verifies(b"message", pair.sign(b"message", scheme), other)


def test_a_raw_ecdsa_signature_is_r_and_s_of_the_der_one():
    pair = KeyPair.generate("ecdsa-p256")
    raw = pair.sign(b"message", "ecdsa-p256-raw")
    key = load_der_public_key(base64.b64decode(pair.public))
    assert isinstance(key, EllipticCurvePublicKey)
    key.verify(
        encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:])), b"message", ECDSA(SHA256())
    )

    assert 64 == len(raw)
    assert pair.public_key.verifies(b"message", raw, "ecdsa-p256-raw")
    assert not pair.public_key.verifies(b"message", raw[:-1], "ecdsa-p256-raw")
    assert not pair.public_key.verifies(b"message", raw)


def test_an_ed25519_key_is_printed_raw_in_hex_or_base64():
    pair = KeyPair.generate("ed25519")

    assert bytes.fromhex(pair.public) == base64.b64decode(pair.public_as(PublicForm.BASE64))
    assert PublicKey(pair.public_as(PublicForm.BASE64), "ed25519").verifies(b"m", pair.sign(b"m"))


def test_a_key_without_a_raw_form_says_so():
    with pytest.raises(InvalidSecret, match="take base64-spki"):
        KeyPair.generate("rsa").public_as(PublicForm.HEX)


def test_a_raw_ecdsa_signature_has_64_bytes_and_no_other_spelling():
    pair = KeyPair.generate("ecdsa-p256")

    assert pair.public_key.verifies(b"m", pair.sign(b"m", "ecdsa-p256-raw"), "ecdsa-p256-raw")
    assert not pair.public_key.verifies(b"m", pair.sign(b"m"), "ecdsa-p256-raw")
