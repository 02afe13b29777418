"""The vectors that the front end's primitives are tested with, here with Python's."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from hook_widgets.errors import InvalidSecret
from hook_widgets.webhooks import KeyPair, PublicKey, Secret
from hook_widgets.webhooks.diagnosis.key_edits import KeyEdit, edited
from hook_widgets.webhooks.keys.secret import KeyForm, KeySpec
from hook_widgets.webhooks.keys.signing import Algorithm, LocalSigner, MatchJob, SigningJob

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "vectors" / "primitives.json").read_text(encoding="utf-8")
)
#: The front end's error codes, and the words with which Python says the same.
WORDS = {"empty": "holds no key|empty", "not_hex": "must be hex", "not_base64": "must be base64"}


def cases(name: str) -> list[Any]:
    return [pytest.param(v, id=f"{n} {v['source'][:40]}") for n, v in enumerate(VECTORS[name])]


@pytest.mark.parametrize("vector", cases("macs"))
def test_signatures_of_a_shared_secret(vector):
    message, signature = bytes.fromhex(vector["message"]), bytes.fromhex(vector["signature"])
    job = SigningJob("signature", Algorithm(vector["algorithm"]), KeySpec(KeyForm.HEX), (message,))
    other = bytes([signature[0] ^ 1]) + signature[1:]
    signer = LocalSigner(Secret(vector["key"]))

    assert [signature] == signer.sign([job])
    presented = (other, signature), (other, b"")
    assert [1, -1] == signer.match([MatchJob(job=job, candidates=texts, scheme="v1") for texts in presented])


@pytest.mark.parametrize("vector", cases("pairs"))
def test_key_pairs(vector):
    message, signature = bytes.fromhex(vector["message"]), bytes.fromhex(vector["signature"])
    algorithm = Algorithm(vector["algorithm"])
    job = SigningJob("signature", algorithm, KeySpec(), (message,))
    for text in (vector["public_text"]["base64-spki"], *_hex_form(vector)):
        signer = LocalSigner(PublicKey(text, str(algorithm.key_type)))

        presented = (signature,), (signature[:-1] + bytes([signature[-1] ^ 1]),)
        assert [0, -1] == signer.match(
            [MatchJob(job=job, candidates=texts, scheme="v1") for texts in presented]
        )


def _hex_form(vector: dict[str, Any]) -> list[str]:
    return [vector["public_text"]["hex"]] if vector["algorithm"] == "ed25519" else []


@pytest.mark.parametrize("vector", [v for v in cases("pairs") if v.values[0]["algorithm"].startswith("rsa")])
def test_rsa_signs_as_the_vector_does(vector):
    from cryptography.hazmat.primitives.asymmetric import rsa

    p, q = (int(vector["private"][name], 16) for name in "pq")
    d = pow(65537, -1, (p - 1) * (q - 1))
    parts = rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q)
    private = rsa.RSAPrivateNumbers(p, q, d, *parts, rsa.RSAPublicNumbers(65537, p * q)).private_key()
    pair = KeyPair(private, "rsa")

    assert vector["public_text"]["base64-spki"] == pair.public
    assert bytes.fromhex(vector["signature"]) == pair.sign(
        bytes.fromhex(vector["message"]), vector["algorithm"]
    )


@pytest.mark.parametrize("vector", [v for v in cases("pairs") if v.values[0]["algorithm"] == "ed25519"])
def test_ed25519_signs_as_the_vector_does(vector):
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    private = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(vector["private"]))
    pair = KeyPair(private, "ed25519")

    assert vector["public_text"]["hex"] == pair.public
    assert bytes.fromhex(vector["signature"]) == pair.sign(bytes.fromhex(vector["message"]))


@pytest.mark.parametrize("vector", cases("keys"))
def test_key_decoding(vector):
    spec = KeySpec(
        KeyForm(vector["form"]),
        vector["strip_prefix"],
        normalize=vector.get("normalize", ""),
        digest=vector.get("digest", ""),
    )
    if vector.get("edit"):
        spec = edited(spec, KeyEdit(vector["edit"]))
    if "hex" in vector:
        assert bytes.fromhex(vector["hex"]) == spec.decode(vector["text"])
        return
    with pytest.raises(InvalidSecret, match=WORDS[vector["error"]]) as caught:
        Secret(vector["text"]).key_bytes(spec)
    place = re.search(r"character (\d+) is not", str(caught.value))

    assert vector.get("at") == (int(place[1]) if place else None)
