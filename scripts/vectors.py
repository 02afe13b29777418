"""Write the test vectors of all providers into src/hook_widgets/webhooks/vectors, one JSON file for each.

    python -m scripts.vectors

For each scheme: a valid request, and requests that a receiver must reject, each with one fault. Keys, ids and
time are fixed, so that the same data give the same bytes. Requests that a provider published itself, with its
own secret, come from tests/vectors/published.json. The JSON Schema next to the files describes the format.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from hook_widgets.cli.requests import as_json, text_or_base64
from hook_widgets.webhooks import Draft, Headers, KeyPair, Provider, Secret, provider, providers, verify
from hook_widgets.webhooks.keys.key_pair import PublicForm
from hook_widgets.webhooks.keys.secret import KeySpec
from hook_widgets.webhooks.keys.signing import LocalSigner
from hook_widgets.webhooks.requests.generated_parts import ALPHABETS, generate_part
from hook_widgets.webhooks.requests.request import Receivable, ReceivedRequest, WebhookRequest
from hook_widgets.webhooks.scheme import AsymmetricKeySpec, Scheme, SecretExample
from hook_widgets.webhooks.verification.faults import Fault

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "src" / "hook_widgets" / "webhooks" / "vectors"
VERSION: Final = 1
URL: Final = "https://hooks.example.com/in/box?tenant=a%20b&plan=pro"
AT: Final = 1_790_000_000
VALID: Final = {"valid": True, "reason": "valid"}
_PUBLISHED: Final = ROOT / "tests" / "vectors" / "published.json"
_PRIMITIVES: Final = ROOT / "tests" / "vectors" / "primitives.json"

Json = dict[str, Any]
Key = Secret | KeyPair


class _FixedPair(KeyPair):
    """A key pair whose ECDSA signatures are the same each time (RFC 6979)."""

    __slots__ = ()

    def sign(self, message: bytes, scheme: str = "") -> bytes:
        """Return the raw signature of a message."""
        if not isinstance(self._private, ec.EllipticCurvePrivateKey):
            return super().sign(message, scheme)
        signature = self._private.sign(message, ec.ECDSA(SHA256(), deterministic_signing=True))
        r, s = decode_dss_signature(signature)
        return r.to_bytes(32) + s.to_bytes(32) if scheme == "ecdsa-p256-raw" else signature


@dataclass(frozen=True)
class _Receiver:
    """The receiver of a vector: its key, and signed fields that no request carries."""

    provider: Provider
    key: Key
    parts: Mapping[str, str]

    def judge(self, request: Receivable, *, now: float = AT) -> Json:
        """Return the expected verdict."""
        moment = datetime.fromtimestamp(now, UTC)
        verdict = verify(self.provider, request, self.key, now=moment, parts=self.parts)
        return {"valid": verdict.ok, "reason": verdict.reason.value}


def file_text(sender: Provider) -> str:
    """Return the text of a provider's file: one line for each request."""
    head = {
        "$schema": "schema.json",
        "version": VERSION,
        "provider": sender.id,
        "title": sender.title,
        "confidence": sender.confidence.scheme,
    }
    groups = [
        _line(group)[:-1] + ',"cases":[\n' + ",\n".join(map(_line, cases)) + "\n]}"
        for group, cases in groups_of(sender)
    ]
    return _line(head)[:-1] + ',"groups":[\n' + ",\n".join(groups) + "\n]}\n"


def _line(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def groups_of(sender: Provider) -> Iterator[tuple[Json, list[Json]]]:
    """Yield for each scheme what its cases share, and the cases; then those that the provider published."""
    for scheme in sender.schemes:
        yield _of_scheme(sender, scheme)
    for vector in _read(_PUBLISHED)["vectors"]:
        if vector["provider"] == sender.id and vector.get("only") != "sign":
            yield _published(vector), [{"name": "valid", "expected": VALID}]


def _of_scheme(sender: Provider, scheme: Scheme) -> tuple[Json, list[Json]]:
    random = Random(f"{sender.id} {scheme.name}")
    key, other = _credential(sender, "one"), _credential(sender, "another")
    moment = datetime.fromtimestamp(AT, UTC)
    parts = {name: generate_part(part, moment, random) for name, part in sender.parts.items()}
    event = _smallest_event(sender, scheme)

    def draft(at: float = AT) -> Draft:
        return sender.draft(event=event, url=URL, at=at, scheme=scheme.name, parts=parts)

    right = draft()
    request = right.sign(key)
    receiver = _Receiver(sender, key, {})
    if not receiver.judge(request)["valid"]:  # a part that the request does not carry is signed
        receiver = replace(receiver, parts=parts)
    jobs = right.jobs()
    signatures = LocalSigner(key).sign(jobs)
    written = as_json(request)
    group = {
        "scheme": scheme.name,
        "event": event,
        "key": _written_key(sender, key),
        **({"parts": dict(receiver.parts)} if receiver.parts else {}),
        "now": AT,
        "request": written,
        "signed": [
            {"algorithm": job.algorithm.value, **text_or_base64("message", job.message), "hex": raw.hex()}
            for job, raw in zip(jobs, signatures, strict=True)
        ],
    }

    def case(name: str, changed: WebhookRequest, now: float = AT) -> Json:
        differing = {k: v for k, v in as_json(changed).items() if v != written.get(k)}
        return {
            "name": name,
            **({"now": now} if now != AT else {}),
            **({"request": differing} if differing else {}),
            "expected": receiver.judge(changed, now=now),
        }

    def cases() -> Iterator[Json]:
        yield case("valid", request)
        if scheme.rotation is not None:
            yield case("valid, signed with the next secret too", right.sign(other, key))
        yield case("signed with another secret", right.sign(other))
        yield case("signature cut off", right.complete([raw[:-1] for raw in signatures]))
        if not Fault.NO_SIGNATURE.inapplicable(scheme, sender.deliveries):
            bare = [(n, v) for n, v in request.headers.multi_items() if not right.signs_header(n)]
            yield case("no signature", replace(request, headers=Headers(bare)))
        bodies = (replace(request, body=body) for body in _changed_bodies(request.body))
        rejected = (changed for changed in bodies if not receiver.judge(changed)["valid"])
        yield from (case("body changed", changed) for changed in islice(rejected, 1))
        elsewhere = replace(request, url=request.url.replace("/in/box", "/in/bag"))
        if not receiver.judge(elsewhere)["valid"]:
            yield case("sent to another URL", elsewhere)
        if "timestamp" in scheme.signed:
            yield case("time changed", draft(AT + 60).complete(signatures), AT + 60)
        if (
            not Fault.EXPIRED_TIMESTAMP.inapplicable(scheme, sender.deliveries)
            and scheme.tolerance_s is not None
        ):
            yield case("too old", request, AT + scheme.tolerance_s + 1)

    return group, [*cases()]


def _smallest_event(sender: Provider, scheme: Scheme) -> str:
    """Return the event with the smallest body of those that are sent with the scheme."""
    default = sender.schemes[0].name
    own = [event for event in sender.events if (event.scheme or default) == scheme.name]
    return min(own or sender.events[:1], key=lambda event: len(sender.template(event.name))).name


def _credential(sender: Provider, which: str) -> Key:
    """Return a fixed secret or key pair in the provider's form."""
    if isinstance(sender.key, AsymmetricKeySpec):
        return _pair(sender.key.algorithm, which)
    return Secret(_secret_text(sender.key.example, Random(f"{sender.id} {which}")))


def _secret_text(example: SecretExample, random: Random) -> str:
    if example.alphabet == "base64":
        return example.prefix + base64.b64encode(random.randbytes(example.length)).decode()
    return example.prefix + "".join(random.choices(ALPHABETS[example.alphabet], k=example.length))


@cache
def _pair(algorithm: str, which: str) -> KeyPair:
    seed = sha256(f"hook_widgets {which}".encode()).digest()
    if algorithm == "ed25519":
        return _FixedPair(ed25519.Ed25519PrivateKey.from_private_bytes(seed), algorithm)
    if algorithm == "ecdsa-p256":
        return _FixedPair(ec.derive_private_key(int.from_bytes(seed), ec.SECP256R1()), algorithm)
    numbers = [pair for pair in _read(_PRIMITIVES)["pairs"] if pair["algorithm"].startswith("rsa")]
    p, q = (int(numbers[0]["private"][name], 16) for name in "pq")
    if which == "another":
        p, q = _next_prime(p), _next_prime(q)
    d = pow(65537, -1, (p - 1) * (q - 1))
    parts = rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q)
    private = rsa.RSAPrivateNumbers(p, q, d, *parts, rsa.RSAPublicNumbers(65537, p * q))
    return _FixedPair(private.private_key(), algorithm)


def _next_prime(number: int) -> int:
    """Return the next prime, by Fermat's test: enough for a number that nobody chose to deceive it."""
    number += 2
    while pow(2, number - 1, number) != 1 or (number - 1) % 65537 == 0:
        number += 2
    return number


def _changed_bodies(body: bytes) -> Iterator[bytes]:
    """Yield the body with one letter or digit changed, from the end; a body that is empty with one space."""
    if not body:
        yield b" "
    for match in reversed([*re.finditer(rb"[1-8a-ye-xA-Y]", body)]):
        at = match.start()
        yield body[:at] + bytes([body[at] + 1]) + body[at + 1 :]


def _written_key(sender: Provider, key: Key) -> Json:
    if isinstance(key, Secret):
        return {"secret": key.reveal(), **_decoding(sender.key.spec)}
    form = PublicForm.HEX if key.algorithm == "ed25519" else PublicForm.BASE64_SPKI
    written = {"public_key": key.public_as(form), "type": key.algorithm.value}
    private = key._private
    if isinstance(private, ec.EllipticCurvePrivateKey):
        written["private_key"] = f"{private.private_numbers().private_value:064x}"
    elif isinstance(private, ed25519.Ed25519PrivateKey):
        written["private_key"] = private.private_bytes_raw().hex()
    return written


def _decoding(spec: KeySpec) -> Json:
    """Return how the text of a secret becomes the key."""
    steps = {"strip_prefix": spec.strip_prefix, "normalize": spec.normalize, "digest": spec.digest}
    return {"form": spec.form.value} | {name: value for name, value in steps.items() if value}


def _published(vector: Json) -> Json:
    """Return a request that a provider published, in the format of a group."""
    request = ReceivedRequest(
        headers=Headers(vector["headers"]),
        body=vector["body"].encode(),
        url=vector.get("url", URL),
        method=vector.get("method", "POST"),
    )
    if "secret" in vector:
        key = {"secret": vector["secret"], **_decoding(provider(vector["provider"]).key.spec)}
    else:
        key = {"public_key": vector["public_key"], "type": "ecdsa-p256"}
    return {
        "source": vector["source"],
        "key": key,
        **({"parts": vector["parts"]} if vector.get("parts") else {}),
        "now": vector.get("timestamp", AT),
        "request": as_json(request),
    }


@cache
def _read(file: Path) -> Json:
    data: Json = json.loads(file.read_text(encoding="utf-8"))
    return data


def main() -> None:
    """Write all files, and remove those of providers that are gone."""
    texts = {f"{sender.id}.json": file_text(sender) for sender in providers()}
    for old in FOLDER.glob("*.json"):
        if old.name not in {*texts, "schema.json"}:
            old.unlink()
    for name, text in texts.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    print(f"{len(texts)} files, {sum(map(len, texts.values())) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
