"""A secret that was mistyped, mis-stored or read in another way is recognised by what happened to it."""

from __future__ import annotations

import base64
import hashlib

import pytest

from hook_widgets.errors import InvalidArgument
from hook_widgets.webhooks import KeyPair, PublicKey, Secret, provider
from hook_widgets.webhooks.diagnosis import diagnose
from hook_widgets.webhooks.diagnosis.key_edits import KeyEdit, edited
from hook_widgets.webhooks.keys.secret import KeySpec
from hook_widgets.webhooks.keys.signing import LocalSigner
from tests.support.diagnosing import (
    AT,
    asked,
    causes,
    draft_of,
    key_of,
    mac,
    names,
    received,
    replaced,
    signature_text,
    signed,
)
from tests.support.extent import in_turn

RAW = "An4lytical+Engine/Note-G"
B64 = base64.b64encode(b"\xfb\xefAda Lovelace wrote it\xff").decode()
HEX = "00c0ffee" * 8

#: cause, the secret that the receiver has, the key that the sender used
TEXT_KEYS = [
    ("secret-space", RAW + "\n", RAW.encode()),
    ("secret-space", "  " + RAW, RAW.encode()),
    ("secret-newline", RAW, RAW.encode() + b"\n"),
    ("secret-crlf", RAW, RAW.encode() + b"\r\n"),
    ("secret-quotes", f'"{RAW}"', RAW.encode()),
    ("secret-quotes", f"'{RAW}'", RAW.encode()),
    ("secret-assignment", f"WEBHOOK_SECRET={RAW}", RAW.encode()),
    ("secret-assignment", f"export WEBHOOK_SECRET={RAW}", RAW.encode()),
    ("secret-wrapped", f"Bearer {RAW}", RAW.encode()),
    ("secret-wrapped", f"{RAW};", RAW.encode()),
    ("secret-wrapped", f"{RAW}, ", RAW.encode()),
    ("secret-wrapped", f"b'{RAW}'", RAW.encode()),
    ("secret-wrapped", f'export WEBHOOK_SECRET="{RAW}"\n', RAW.encode()),
    ("secret-wrapped", f'"secret": "{RAW}",', RAW.encode()),
    ("secret-wrapped", f'\\"{RAW}\\"', RAW.encode()),
    ("secret-wrapped", f"\u201c{RAW}\u201d", RAW.encode()),
    ("secret-wrapped", f"\u200b{RAW}", RAW.encode()),
    ("secret-wrapped", f"{RAW}\\n", RAW.encode()),
    ("secret-escapes", RAW + "\\n", RAW.encode() + b"\n"),
    ("secret-percent", RAW.replace("+", "%2B").replace("/", "%2F"), RAW.encode()),
    ("secret-lower", RAW.upper(), RAW.lower().encode()),
    ("secret-upper", RAW.lower(), RAW.upper().encode()),
    ("secret-prefix", "whsec_" + RAW, RAW.encode()),
    ("secret-base64", B64, base64.b64decode(B64)),
    ("secret-prefix-base64", "whsec_" + B64, base64.b64decode(B64)),
    ("secret-prefix-base64", "v1,whsec_" + B64, base64.b64decode(B64)),
    ("secret-hex", HEX, bytes.fromhex(HEX)),
    ("secret-encoded", RAW, base64.b64encode(RAW.encode())),
    ("secret-hex-encoded", RAW, RAW.encode().hex().encode()),
    ("secret-hashed", RAW, hashlib.sha256(RAW.encode()).hexdigest().encode()),
    ("secret-digest", RAW, hashlib.sha256(RAW.encode()).digest()),
    ("secret-base64-url", B64.replace("+", "-").replace("/", "_"), base64.b64decode(B64)),
    ("secret-padding", "QWRhIExvdmVsYWNl" + "ZQ==", b"QWRhIExvdmVsYWNlZQ"),
    ("secret-unicode", "\uff21\uff24\uff21", b"ADA"),
    # echo secret | base64, as in serverless-k8s-examples#39; base64 twice, renku-graph#1768
    ("secret-base64-text", base64.b64encode(RAW.encode() + b"\n").decode(), RAW.encode()),
    ("secret-base64-text", base64.b64encode(base64.b64encode(RAW.encode())).decode(), RAW.encode()),
    ("secret-html-escaped", "x7Q&k<9Z", b"x7Q&amp;k&lt;9Z"),  # woocommerce#21693
    ("secret-plus", "x7Q k 9Z", b"x7Q+k+9Z"),  # decoded as a form (WHATWG URL, section 5.1)
    ("secret-space-sent", RAW, RAW.encode() + b" "),  # azure-functions-host#702
    ("secret-space-sent", RAW, b" " + RAW.encode()),
    ("secret-empty", RAW, b""),  # textbee#316, corsair#827
]
#: the same for providers whose secret is base64 behind a prefix
BASE64_KEYS = [
    ("secret-space", f"whsec_{B64}\n", base64.b64decode(B64)),
    ("secret-quotes", f'"whsec_{B64}"', base64.b64decode(B64)),
    ("secret-assignment", f"SIGNING_SECRET=whsec_{B64}", base64.b64decode(B64)),
    ("secret-wrapped", f'Bearer "whsec_{B64}";', base64.b64decode(B64)),
    ("secret-prefix-base64", f"v1,whsec_{B64}", base64.b64decode(B64)),
    ("secret-prefix-base64", f"whsk_{B64}", base64.b64decode(B64)),
    ("secret-text", f"whsec_{B64}", f"whsec_{B64}".encode()),
    ("secret-prefix-text", f"whsec_{B64}", B64.encode()),
    ("secret-plus", f"whsec_{B64}".replace("+", " "), base64.b64decode(B64)),
    ("secret-hex", f"whsec_{HEX}", bytes.fromhex(HEX)),
    ("secret-base64-url", B64.replace("+", "-").replace("/", "_").rstrip("="), base64.b64decode(B64)),
]  # fmt: skip


def _by(name, key, *, secret=None):
    """A request signed with these key bytes, by the standard library."""
    request = signed(name, b'{"event":"ping"}', key=secret or key_of(name))
    job = draft_of(request).jobs()[0]
    right = draft_of(request).scheme.signatures[0].encoding.write(mac(key, job.message, job.algorithm.digest))
    return received(request, headers=replaced(request.headers, signature_text(request), right))


@pytest.mark.parametrize(
    ("name", "cause", "held", "key"),
    in_turn(["github", "slack", "shopify", "zoom"], TEXT_KEYS),
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_a_secret_used_as_text_is_distinguished_from_what_became_of_it(name, cause, held, key):
    assert (cause,) == causes(name, _by(name, key), Secret(held))


@pytest.mark.parametrize("name", ["svix", "standard-webhooks", "clerk"])
@pytest.mark.parametrize(("cause", "held", "key"), BASE64_KEYS, ids=lambda v: v if isinstance(v, str) else "")
def test_an_encoded_secret_is_distinguished_from_what_became_of_it(name, cause, held, key):
    assert (cause,) == causes(name, _by(name, key), Secret(held))


def test_the_prefix_that_a_provider_counts_as_key_may_be_missing():
    request = _by("stripe", b"whsec_" + RAW.encode())

    diagnosed = diagnose("stripe", request, Secret(RAW), now=AT)

    assert ("secret-prefix-lost",) == names(diagnosed)
    assert "whsec_" in diagnosed.findings[0].change


@pytest.mark.parametrize(
    ("name", "held", "key", "cause"),
    [
        # docusign-esign-csharp-client#277: the key is the text; planningcenter/developers#1085: not decoded
        ("docusign", B64, base64.b64decode(B64), "secret-base64"),
        ("intercom", HEX, bytes.fromhex(HEX), "secret-hex"),
        # serverless-k8s-examples#39 again, for a secret that is decoded
        ("standard-webhooks", f"whsec_{B64}\n", base64.b64decode(B64), "secret-space"),
    ],
)
def test_a_secret_that_was_decoded_or_not_is_named_for_a_provider_of_the_reports(name, held, key, cause):
    assert (cause,) == causes(name, _by(name, key), Secret(held))


@pytest.mark.parametrize(
    ("in_use", "signing"),
    [
        ("the webhook's", "the first subscriber's"),  # italia/developers-italia-api#380
        ("version 1 of the function", "version 2 of the function"),  # probot/probot#1974
    ],
)
def test_the_secret_of_another_subscriber_or_version_is_named(in_use, signing):
    diagnosed = diagnose("github", _by("github", b"b"), {in_use: Secret("a"), signing: Secret("b")}, now=AT)

    assert ("secret-other",) == names(diagnosed)
    assert signing in diagnosed.findings[0].title


def test_a_provider_that_hashes_the_secret_may_have_been_used_without_the_hash():
    request = signed("braintree", key=Secret(RAW))
    job = draft_of(request).jobs()[0]
    hashed = mac(hashlib.sha1(RAW.encode()).digest(), job.message, "sha1").hex().encode()
    plain = mac(RAW.encode(), job.message, "sha1").hex().encode()
    assert hashed in request.body

    changed = received(request, body=request.body.replace(hashed, plain))

    assert ("secret-no-digest",) == causes("braintree", changed, Secret(RAW))


@pytest.mark.parametrize("name", ["stripe", "github", "discord", "sendgrid"])
def test_the_stored_secret_that_signed_is_named_among_several(name):
    live, test = provider(name).example_secret(), provider(name).example_secret()
    request = received(signed(name, b'{"a":1}', key=test))

    diagnosed = diagnose(name, request, {"live": live, "test": test}, now=AT)

    assert ("secret-other",) == names(diagnosed)
    assert "test" in diagnosed.findings[0].title
    assert () == causes(name, request, {"test": test, "live": live})


def test_another_secret_and_a_changed_body_are_both_named():
    live, test = Secret("whsec_live1"), Secret("whsec_test2")
    request = received(signed("stripe", b'{"a":1}', key=test), body=b'{"a": 1}')

    assert ("secret-other", "body-compact") == causes("stripe", request, {"live": live, "test": test})


@pytest.mark.parametrize("name", ["github", "slack", "shopify"])
def test_a_mistyped_secret_and_a_changed_body_are_both_named(name):
    key = Secret("right")
    request = received(signed(name, b'{"a":1}', key=key), body=b'{"a": 1}')

    assert {"secret-space", "body-compact"} == set(causes(name, request, Secret("right\n")))


def test_a_key_pair_is_never_asked_about_readings_of_a_secret():
    request = received(signed("discord", b"{}", key=KeyPair.generate("ed25519")))

    diagnosed = diagnose("discord", request, KeyPair.generate("ed25519"), now=AT)

    assert () == names(diagnosed)
    assert not any("secret" in line for line in diagnosed.excluded)


def test_a_diagnosis_without_a_secret_says_what_to_give():
    with pytest.raises(InvalidArgument, match="there is no secret; write"):
        diagnose("github", headers={}, body=b"")


def test_neither_the_secret_nor_an_expected_signature_is_in_a_diagnosis():
    held = "canary-7f3a"
    request = signed("stripe", b'{"a":1}', key=Secret("another"))
    signature = LocalSigner(Secret(held)).sign(draft_of(request).jobs())[0].hex()

    diagnosed = diagnose("stripe", received(request, body=b'{"a": 1}'), Secret(held), now=AT)

    assert held not in repr(diagnosed)
    assert held not in str(diagnosed)
    assert signature not in repr(diagnosed)


def test_an_investigation_is_made_and_concluded_without_the_secret():
    held = "canary-7f3a"
    request = received(signed("github", b'{"a":1}', key=Secret(held)), body=b'{"a": 1}')

    investigation = asked("github", request)
    matches = LocalSigner(Secret(held)).match(investigation.jobs)

    assert held not in repr(investigation)
    assert ("body-compact",) == names(investigation.finish(matches))


def test_an_investigation_wants_an_answer_to_each_of_its_questions():
    investigation = asked("github", received(signed("github", key=Secret("x"))))

    with pytest.raises(InvalidArgument, match="results are needed"):
        investigation.finish([-1])


@pytest.mark.parametrize(
    ("name", "typed", "words"),
    [
        ("svix", "whsec_not base64!", "must be base64"),
        ("discord", "zz", "hex"),
        ("github", None, "give a Secret"),
    ],
)
def test_a_key_that_cannot_be_used_is_said_to_be_so_when_nothing_verifies(name, typed, words):
    request = received(signed(name, b"{}", key=key_of(name)))
    key = (
        KeyPair.generate("ed25519")
        if typed is None
        else PublicKey(typed, "ed25519")
        if name == "discord"
        else Secret(typed)
    )

    diagnosed = diagnose(name, request, key, now=AT)

    assert () == diagnosed.findings
    assert words in diagnosed.not_excluded[0]
    assert "not base64!" not in str(diagnosed)


def test_the_look_of_the_secret_is_said_when_nothing_verifies():
    diagnosed = diagnose("stripe", received(signed("stripe", b"{}", key=Secret("a"))), Secret("sk_b"), now=AT)

    assert "start with whsec_" in diagnosed.not_excluded[0]


@pytest.mark.parametrize("piece", [",", " ", "\\n", "\\r", ";\\n", "\\", '"', "-  "])
def test_what_is_around_a_long_secret_is_removed_in_one_pass(piece):
    """A search that begins again at each character of a run would not end."""
    text = "x" + piece * 200_000 + "x"

    assert edited(KeySpec(), KeyEdit.UNWRAP).decode(f"{text};") == text.encode()
