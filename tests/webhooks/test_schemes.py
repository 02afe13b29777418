"""What a scheme can say: rotation, tokens, signatures inside forms, several schemes of one provider."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs

import pytest

from hook_widgets.errors import CatalogError, InvalidRequest
from hook_widgets.webhooks import Headers, Reason, ReceivedRequest, Secret, WebhookRequest, verify
from hook_widgets.webhooks.catalog import read_provider
from hook_widgets.webhooks.choosing import choose_scheme

NOW = datetime(2026, 9, 30, 12, 0, tzinfo=UTC)
KEY, OLD = Secret("a secret of a test"), Secret("the secret before it")
URL = "https://hooks.example.test/in"

HEAD = """
id = "acme"
kind = "payment"
title = "Acme"
confidence = "docs"
docs = ["https://acme.example/webhooks"]
events = [ { name = "paid", category = "order"%s } ]

[key]
type = "secret"
title = "Key"
example = { alphabet = "hex", length = 32 }
%s
"""


@pytest.fixture
def acme(tmp_path):
    """A provider with these schemes and this body."""

    def read(schemes: str, body: bytes = b'{"n": 1}', *, key: str = "", event: str = "") -> Any:
        folder = tmp_path / "acme"
        (folder / "events").mkdir(parents=True, exist_ok=True)
        (folder / "events" / "paid.json").write_bytes(body)
        (folder / "provider.toml").write_text(HEAD % (event, key) + schemes, encoding="utf-8")
        return read_provider(folder)

    return read


def mac(key: Secret, message: bytes, algorithm: str = "sha256") -> bytes:
    return hmac.new(key.reveal().encode(), message, algorithm).digest()


def seen(request: WebhookRequest, **other: Any) -> ReceivedRequest:
    parts = {"headers": request.headers, "body": request.body, "url": request.url, "method": request.method}
    return ReceivedRequest(**parts | other)


LISTED = """
[[schemes]]
name = "v1"
sources = ["x"]
timestamp = "s"
tolerance_s = 300
rotation = "list"
headers = { "Acme-Signature" = { value = "t={timestamp},v1={signature}", list = "," } }
signatures = [ { algorithm = "hmac-sha256", message = "{timestamp}.{body}", encoding = "hex" } ]
"""
OWN_HEADER = """
[[schemes]]
name = "v1"
sources = ["x"]
rotation = { header = "Acme-Signature-{n}" }
headers = { "Acme-Signature-1" = "{signature}" }
signatures = [ { algorithm = "hmac-sha256", message = "{body}", encoding = "base64" } ]
"""


@pytest.mark.parametrize("scheme", [LISTED, OWN_HEADER])
def test_while_a_secret_is_rolled_either_one_verifies(acme, scheme):
    known = acme(scheme)
    request = known.draft(at=NOW, url=URL).sign(KEY, OLD)

    assert verify(known, request, KEY, now=NOW).ok
    assert verify(known, request, OLD, now=NOW).ok
    assert Reason.SIGNATURE_DIFFERS == verify(known, request, Secret("neither"), now=NOW).reason


def test_the_second_signature_stands_where_the_rotation_says(acme):
    at = int(NOW.timestamp())
    message = f'{at}.{{"n": 1}}'.encode()
    listed = acme(LISTED).draft(at=NOW).sign(KEY, OLD)

    assert (
        f"t={at},v1={mac(KEY, message).hex()},v1={mac(OLD, message).hex()}"
        == listed.headers["Acme-Signature"]
    )

    own = acme(OWN_HEADER).draft(at=NOW).sign(KEY, OLD, Secret("third"))

    assert ["Acme-Signature-1", "Acme-Signature-2", "Acme-Signature-3"] == list(own.headers)
    assert base64.b64encode(mac(OLD, b'{"n": 1}')).decode() == own.headers["Acme-Signature-2"]


def test_a_provider_without_rotation_takes_one_secret(acme):
    with pytest.raises(InvalidRequest, match="one signature only"):
        acme(OWN_HEADER.replace("rotation =", "# ")).draft().sign(KEY, OLD)


POSITIONS = """
[[schemes]]
name = "v1"
sources = ["x"]
timestamp = "ms"
rotation = "list"
headers = { "Sig" = { value = "{timestamp},{signature}", list = "," } }
signatures = [ { algorithm = "hmac-sha256", message = "{timestamp}.{body}", encoding = "hex" } ]
"""


def test_a_list_of_nothing_but_values_is_read_by_position(acme):
    known = acme(POSITIONS)
    request = known.draft(at=NOW).sign(KEY, OLD)
    at, *signatures = request.headers["Sig"].split(",")

    assert [mac(key, f'{at}.{{"n": 1}}'.encode()).hex() for key in (KEY, OLD)] == signatures
    assert verify(known, request, KEY).ok
    assert verify(known, request, OLD).ok


TOKEN = """
[[schemes]]
name = "jwt"
sources = ["x"]
timestamp = "s"
tolerance_s = 60
headers = { "Authorization" = "Bearer {token}.{signature}" }
signatures = [ { algorithm = "hmac-sha256", message = "{token}", encoding = "base64url" } ]

[schemes.fields.token.jwt]
header = { alg = "HS256", typ = "JWT" }
claims = { iss = "acme", iat = { number = "{timestamp}" }, exp = { number = "{timestamp}", plus_s = 60 }, body = "{body_sha256}", url = "{url}" }
"""  # noqa: E501 - an inline table is one line


def token(**changes: object) -> Headers:
    """A token of our own making, with other claims."""
    body = hashlib.sha256(b'{"n": 1}').hexdigest()
    at = int(NOW.timestamp())
    claims = {"iss": "acme", "iat": at, "exp": at + 60, "body": body, "url": URL} | changes
    claims = {name: value for name, value in claims.items() if value is not None}

    def segment(raw: bytes) -> str:
        return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()

    head = b'{"alg":"HS256"}'
    signing_input = f"{segment(head)}.{segment(json.dumps(claims).encode())}"
    signature = segment(mac(KEY, signing_input.encode()))
    return Headers({"Authorization": f"Bearer {signing_input}.{signature}"})


def test_a_token_made_elsewhere_with_other_spelling_verifies(acme):
    known = acme(TOKEN)

    assert verify(known, ReceivedRequest(token(), b'{"n": 1}', URL), KEY, now=NOW).ok
    assert verify(known, known.draft(at=NOW, url=URL).sign(KEY), KEY, now=NOW).ok


@pytest.mark.parametrize(
    ("changes", "reason", "words"),
    [
        ({"iss": "acne"}, Reason.MALFORMED_HEADER, "the claim 'iss' is not 'acme'"),
        ({"body": "00"}, Reason.BODY_HASH_DIFFERS, "the body was changed"),
        ({"url": "https://other.example/"}, Reason.MALFORMED_HEADER, "of another URL"),
        ({"exp": None}, Reason.MALFORMED_HEADER, "no claim 'exp'"),
        ({"iat": "soon"}, Reason.MALFORMED_HEADER, "'iat' is no number"),
        ({"iat": True}, Reason.MALFORMED_HEADER, "'iat' is no number"),
        ({"iat": int(NOW.timestamp()) - 61}, Reason.TIMESTAMP_OUTSIDE_TOLERANCE, "1 min 1 s old"),
    ],
)
def test_each_claim_of_a_token_is_held_against_the_request(acme, changes, reason, words):
    verdict = verify(acme(TOKEN), ReceivedRequest(token(**changes), b'{"n": 1}', URL), KEY, now=NOW)

    assert reason == verdict.reason
    assert words in verdict.detail


@pytest.mark.parametrize(
    "value", ["Bearer a.b", "Bearer ..", "Bearer x.!!.AA", "Bearer e30.W10.AAAA", "token"]
)
def test_what_is_no_token_is_a_malformed_header(acme, value):
    verdict = verify(acme(TOKEN), ReceivedRequest(Headers({"Authorization": value}), b"", URL), KEY, now=NOW)

    assert Reason.MALFORMED_HEADER == verdict.reason


def test_a_signature_inside_a_form_stands_percent_encoded(acme):
    known = acme(
        """
[[schemes]]
name = "form"
sources = ["x"]
headers = { "Content-Type" = "application/x-www-form-urlencoded" }
form = { sig = "key|{signature}" }
fields = { payload = { form = "payload" } }
signatures = [ { algorithm = "hmac-sha1", message = "{payload}", encoding = "base64" } ]
""",
        b"sig=&payload=a%2Bb+c",
    )
    request = known.draft().sign(KEY)

    assert [f"key|{base64.b64encode(mac(KEY, b'a+b c', 'sha1')).decode()}"] == parse_qs(
        request.body.decode()
    )["sig"]
    assert request.body.endswith(b"&payload=a%2Bb+c")
    assert verify(known, request, KEY).ok
    changed = replace(request, body=request.body.replace(b"a%2Bb", b"a%2Bd"))
    assert Reason.SIGNATURE_DIFFERS == verify(known, changed, KEY).reason


def test_a_time_inside_a_signed_body_is_trusted_before_one_in_a_header(acme):
    known = acme(
        """
[[schemes]]
name = "v1"
sources = ["x"]
timestamp = "ms"
tolerance_s = 60
headers = { "Acme-Time" = "{timestamp}", "Acme-Signature" = "{signature}" }
body = { sent = { value = "{timestamp}", type = "number" } }
signatures = [ { algorithm = "hmac-sha256", message = "{body}", encoding = "hex" } ]
""",
        b'{"sent": 0, "n": 1}',
    )
    request = known.draft(at=NOW).sign(KEY)
    late = NOW + timedelta(seconds=61)
    fresh = Headers({**request.headers, "Acme-Time": str(int(late.timestamp() * 1000))})

    assert int(NOW.timestamp() * 1000) == json.loads(request.body)["sent"]
    assert verify(known, request, KEY, now=NOW).ok
    verdict = verify(known, seen(request, headers=fresh), KEY, now=late)
    assert Reason.TIMESTAMP_OUTSIDE_TOLERANCE == verdict.reason


@pytest.mark.parametrize(
    ("algorithm", "expected"),
    [
        ("sha256-prefix", hashlib.sha256(b"a secret of a test" + b'{"n": 1}').digest()),
        ("sha256-suffix", hashlib.sha256(b'{"n": 1}' + b"a secret of a test").digest()),
        ("sha1-suffix", hashlib.sha1(b'{"n": 1}' + b"a secret of a test").digest()),
        ("hmac-sha384", hmac.new(b"a secret of a test", b'{"n": 1}', "sha384").digest()),
        ("token", b"a secret of a test"),
    ],
)
def test_the_algorithms_that_are_not_the_usual_hmac(acme, algorithm, expected):
    known = acme(OWN_HEADER.replace("hmac-sha256", algorithm))
    request = known.draft().sign(KEY)

    assert base64.b64encode(expected).decode() == request.headers["Acme-Signature-1"]
    assert verify(known, request, KEY).ok
    assert request.draft
    assert (algorithm == "token") == request.draft.reveals_secret


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ('digest = "sha1"', hashlib.sha1("se\u0301cret".encode()).digest()),
        ('normalize = "NFKD"', "se\u0301cret".encode()),
        ('normalize = "NFKC"', "s\u00e9cret".encode()),
    ],
)
def test_a_key_may_be_normalised_or_hashed_before_use(acme, key, expected):
    secret = Secret("s\u00e9cret" if "NFKD" in key else "se\u0301cret")
    request = acme(OWN_HEADER, key=key).draft().sign(secret)

    right = hmac.new(expected, b'{"n": 1}', "sha256").digest()
    assert base64.b64encode(right).decode() == request.headers["Acme-Signature-1"]


def test_an_event_may_go_without_a_header_of_the_scheme(acme):
    scheme = OWN_HEADER.replace("headers = {", 'headers = { "Acme-Topic" = "t",')
    assert "Acme-Topic" in acme(scheme).draft().sign(KEY).headers

    known = acme(scheme, event=', headers = { "acme-topic" = "" }')
    assert ["Acme-Signature-1"] == list(known.draft().sign(KEY).headers)


SEVERAL = """
[[schemes]]
name = "sha1"
sources = ["x"]
headers = { "Sig" = "{signature}" }
body = { version = "1" }
signatures = [ { algorithm = "hmac-sha1", message = "{body}", encoding = "hex" } ]
[[schemes]]
name = "sha256"
sources = ["x"]
headers = { "Sig" = "{signature}" }
body = { version = "1" }
signatures = [ { algorithm = "hmac-sha256", message = "{body}", encoding = "hex" } ]
[[schemes]]
name = "second"
sources = ["x"]
headers = { "Sig" = "{signature}" }
body = { version = "2" }
signatures = [ { algorithm = "hmac-sha256", message = "{body}{body}", encoding = "hex" } ]
[[schemes]]
name = "get"
method = "GET"
sources = ["x"]
headers = { "Sig" = "{signature}" }
signatures = [ { algorithm = "hmac-sha256", message = "{url}", encoding = "hex" } ]
"""


@pytest.mark.parametrize("name", ["sha1", "sha256", "second", "get"])
def test_of_several_schemes_under_one_header_the_fitting_one_is_read(acme, name):
    known = acme(SEVERAL, b'{"version": "0"}')
    request = known.draft(scheme=name, url=URL).sign(KEY)

    assert name == choose_scheme(known, request).name
    assert verify(known, request, KEY).ok


@pytest.mark.parametrize(
    ("scheme", "words"),
    [
        (TOKEN.replace("{body_sha256}", "{body_sha26}"), "there is no field {body_sha26}"),
        (TOKEN.replace("[schemes.fields.token.jwt]", "[schemes.fields.token.jvt]"), "jvt"),
        (OWN_HEADER.replace('"Acme-Signature-{n}"', "3"), "rotation"),
        (LISTED.replace('timestamp = "s"', 'timestamp = "sec"'), "timestamp"),
    ],
)
def test_a_slip_in_the_newer_parts_of_the_language_is_named(acme, scheme, words):
    with pytest.raises(CatalogError, match=words):
        acme(scheme)
