from __future__ import annotations

import copy
import pickle

import pytest

from hook_widgets.errors import InvalidSecret
from hook_widgets.webhooks.keypair import KeyPair, PublicKey

ALGORITHMS = ["ed25519", "ecdsa-p256"]


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


def test_a_public_key_of_another_algorithm_is_refused():
    ed, ec = KeyPair.generate("ed25519"), KeyPair.generate("ecdsa-p256")

    with pytest.raises(InvalidSecret):
        PublicKey(ec.public, "ed25519").verifies(b"", b"")
    with pytest.raises(InvalidSecret):
        PublicKey(ed.public, "ecdsa-p256").verifies(b"", b"")


@pytest.mark.parametrize("pem", ["", "x", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
def test_text_that_is_no_private_key_is_refused(pem):
    with pytest.raises(InvalidSecret, match="PKCS #8"):
        KeyPair.from_pem(pem)
