"""What a scheme can say: rotation, tokens, signatures inside forms, several schemes of one provider."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs

import pytest

from hook_widgets.errors import CatalogError, InvalidRequest, InvalidSecret
from hook_widgets.webhooks import (
    Headers,
    KeyPair,
    Reason,
    ReceivedRequest,
    Secret,
    WebhookRequest,
    provider,
    verify,
)
from hook_widgets.webhooks.catalog import read_provider
from hook_widgets.webhooks.reading.choosing import choose_scheme

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
        ({"iat": "soon"}, Reason.MALFORMED_HEADER, "'iat' is no time"),
        ({"iat": True}, Reason.MALFORMED_HEADER, "'iat' is no time"),
        ({"iat": int("9" * 4300)}, Reason.MALFORMED_HEADER, "'iat' is no time"),
        ({"iat": float("inf")}, Reason.MALFORMED_HEADER, "'iat' is no time"),
        ({"iss": "\ud800"}, Reason.MALFORMED_HEADER, "'iss' is no text"),
        ({"iat": int(NOW.timestamp()) - 61}, Reason.TIMESTAMP_OUTSIDE_TOLERANCE, "1 min 1 s old"),
        # 59 s ago by its iat, and expired by its exp
        (
            {"iat": int(NOW.timestamp()) - 59, "exp": int(NOW.timestamp()) - 1},
            Reason.TIMESTAMP_OUTSIDE_TOLERANCE,
            "1 min 1 s old",
        ),
    ],
)
def test_each_claim_of_a_token_is_held_against_the_request(acme, changes, reason, words):
    verdict = verify(acme(TOKEN), ReceivedRequest(token(**changes), b'{"n": 1}', URL), KEY, now=NOW)

    assert reason == verdict.reason
    assert words in verdict.detail


@pytest.mark.parametrize(
    "value",
    ["Bearer a.b", "Bearer ..", "Bearer x.!!.AA", "Bearer e30.W10.AAAA", "token", "Bearer e30.e30.e30.AAAA"],
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
    body = b"" if name == "get" else None
    request = known.draft(scheme=name, url=URL, body=body).sign(KEY)

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


def test_a_body_added_to_a_request_that_was_signed_without_one_is_refused(acme):
    known = acme(SEVERAL, b'{"version": "0"}')
    request = known.draft(scheme="get", url=URL, body=b"").sign(KEY)

    assert verify(known, request, KEY).ok
    assert not verify(known, seen(request, body=b'{"version": "1"}'), KEY).ok
    assert not verify(known, seen(request, body=b'{"version": "1"}', method="POST"), KEY).ok


@pytest.mark.parametrize("alg", ["none", "HS512", "RS256", None, 1])
def test_a_token_of_another_algorithm_is_refused(acme, alg):
    head, payload, _ = token()["Authorization"].removeprefix("Bearer ").split(".")
    head = base64.urlsafe_b64encode(json.dumps({"alg": alg}).encode()).rstrip(b"=").decode()
    signature = base64.urlsafe_b64encode(mac(KEY, f"{head}.{payload}".encode())).rstrip(b"=").decode()
    headers = Headers({"Authorization": f"Bearer {head}.{payload}.{signature}"})
    verdict = verify(acme(TOKEN), ReceivedRequest(headers, b'{"n": 1}', URL), KEY, now=NOW)

    assert Reason.MALFORMED_HEADER == verdict.reason
    assert "this provider's tokens have 'HS256'" in verdict.detail


def test_a_token_of_deeply_nested_claims_is_a_malformed_header(acme):
    deep = base64.urlsafe_b64encode(b"[" * 100_000).decode()
    headers = Headers({"Authorization": f"Bearer {deep}.{deep}.AAAA"})

    assert Reason.MALFORMED_HEADER == verify(acme(TOKEN), ReceivedRequest(headers, b"", URL), KEY).reason


def test_the_time_in_a_token_is_trusted_before_one_in_a_header(acme):
    known = acme(TOKEN.replace("headers = {", 'headers = { "Acme-Time" = "{timestamp}",'))
    late = NOW + timedelta(seconds=61)
    headers = Headers({**token(), "Acme-Time": str(int(late.timestamp()))})
    verdict = verify(known, ReceivedRequest(headers, b'{"n": 1}', URL), KEY, now=late)

    assert Reason.TIMESTAMP_OUTSIDE_TOLERANCE == verdict.reason


def test_a_number_in_a_token_that_is_no_time_must_be_that_of_the_request(acme):
    known = acme(TOKEN.replace('url = "{url}"', 'version = { number = "2" }'))

    for version, ok in ((2, True), (3, False)):
        request = ReceivedRequest(token(version=version), b'{"n": 1}', URL)
        assert ok == verify(known, request, KEY, now=NOW).ok


def test_a_signed_header_that_is_there_twice_with_different_values_is_refused(acme):
    known = acme(LISTED)
    request = known.draft(at=NOW).sign(KEY)
    twice = Headers([*request.headers.pairs, ("acme-signature", "t=1,v1=00")])
    verdict = verify(known, seen(request, headers=twice), KEY, now=NOW)

    assert Reason.MALFORMED_HEADER == verdict.reason
    assert "twice with different values" in verdict.detail
    same = Headers([*request.headers.pairs, *request.headers.pairs])
    assert verify(known, seen(request, headers=same), KEY, now=NOW).ok


def test_signatures_under_numbered_headers_are_counted_once(acme):
    known = acme(OWN_HEADER)
    request = known.draft().sign(KEY, OLD)

    assert "none of the 2 signatures" in verify(known, request, Secret("neither")).detail


TIME = """
[[schemes]]
name = "v1"
sources = ["x"]
timestamp = "s"
headers = { "Acme-Time" = "{timestamp}", "Acme-Signature" = "{signature}" }
fields = { date = { time = "http-date" } }
signatures = [ { algorithm = "hmac-sha256", message = "{date}{body}", encoding = "hex" } ]
"""


def test_a_time_that_is_signed_in_another_unit_is_worked_out_by_the_receiver(acme):
    known = acme(TIME)
    request = known.draft(at=NOW).sign(KEY)
    expected = mac(KEY, b'Wed, 30 Sep 2026 12:00:00 GMT{"n": 1}').hex()

    assert expected == request.headers["Acme-Signature"]
    assert verify(known, request, KEY).ok
    later = Headers({**request.headers, "Acme-Time": str(int(NOW.timestamp()) + 1)})
    assert Reason.SIGNATURE_DIFFERS == verify(known, seen(request, headers=later), KEY).reason


FROM_BODY = """
[[schemes]]
name = "v1"
sources = ["x"]
headers = { "Acme-Id" = "{id}", "Acme-Signature" = "{signature}" }
fields = { id = { json = "id" } }
signatures = [ { algorithm = "hmac-sha256", message = "{body}", encoding = "hex" } ]
"""


@pytest.mark.parametrize(
    "value", [r"1\r\nX-Admin: yes", r"1\n", r"\u0000", "\N{LATIN SMALL LETTER E WITH ACUTE}", r"\ud800", " 1"]
)
def test_a_value_of_the_body_never_breaks_out_of_its_header(acme, value):
    draft = acme(FROM_BODY).draft(body=f'{{"id": "{value}"}}')

    for make in (lambda: draft.sign(KEY), lambda: draft.curl(secret_env="KEY")):
        with pytest.raises(InvalidRequest, match=r"Acme-Id|surrogate"):
            make()


INSIDE = """
[parts]
id = { make = "hex" }
[[schemes]]
name = "v1"
sources = ["x"]
headers = { "Acme-Signature" = "{signature}" }
body = { n = "{id}" }
signatures = [ { algorithm = "hmac-sha256", message = "{body}", encoding = "hex" } ]
"""


def test_a_value_put_into_the_body_never_breaks_out_of_its_string(acme):
    known = acme(INSIDE)
    request = known.draft(id='1", "admin": "\\').sign(KEY)

    assert {"n": '1", "admin": "\\'} == json.loads(request.body)
    assert verify(known, request, KEY).ok


PLAIN = """
[[schemes]]
name = "token"
sources = ["x"]
headers = { "Authorization" = "Bearer {signature}" }
signatures = [ { algorithm = "token", message = "", encoding = "text" } ]
"""


@pytest.mark.parametrize("text", ["abc\r\nX-Admin: yes", "abc\n", "se\u0301cret", " abc"])
def test_a_secret_that_no_header_can_carry_is_refused_and_not_shown(acme, text):
    with pytest.raises(InvalidSecret, match="holds what no header can carry") as caught:
        acme(PLAIN).draft().sign(Secret(text))

    assert text not in str(caught.value)


def test_a_request_that_carries_the_secret_does_not_show_it(acme):
    inside = PLAIN.replace(
        'headers = { "Authorization" = "Bearer {signature}" }', 'headers = {}\nbody = { n = "{signature}" }'
    )

    assert KEY.reveal() not in repr(acme(PLAIN).draft().sign(KEY))
    assert KEY.reveal() not in repr(acme(inside).draft().sign(KEY))
    assert "t=" in repr(acme(LISTED).draft().sign(KEY))


@pytest.mark.parametrize("divider", [",", ", ", " ,"])
@pytest.mark.parametrize("space", ["", " ", "\t "])
def test_a_list_is_read_whatever_white_space_stands_in_it(acme, divider, space):
    known = acme(LISTED.replace('list = ","', f'list = "{divider}"'))
    request = known.draft(at=NOW).sign(KEY)
    spaced = Headers(
        {"Acme-Signature": re.sub(" ?, ?", f"{space},{space}", request.headers["Acme-Signature"])}
    )

    assert verify(known, seen(request, headers=spaced), KEY, now=NOW).ok


def test_a_list_without_divider_is_refused_when_it_is_read(acme):
    with pytest.raises(CatalogError, match="list"):
        acme(LISTED.replace('list = ","', 'list = ""'))


@pytest.mark.parametrize(
    ("message", "fresh"), [("{date}{body}", False), ("{timestamp}{body}", True), ("{body}", True)]
)
def test_the_shell_makes_a_time_unless_it_is_signed_in_another_unit(acme, message, fresh):
    text = acme(TIME.replace("{date}{body}", message)).draft().curl(secret_env="KEY")

    assert fresh == ("timestamp=$(date +%s)" in text)


def test_a_handshake_without_signature_asks_for_no_key(acme):
    known = acme(
        LISTED
        + '[[handshakes]]\nname = "probe"\nmethod = "HEAD"\nsigned = false\nanswer = {}\nsources = ["x"]\n'
    )

    assert "KEY" not in known.draft(event="probe").curl(secret_env="KEY")


def test_what_can_be_worked_out_is_never_taken_from_a_header_that_says_it(acme):
    known = acme(
        """
[[schemes]]
name = "v1"
sources = ["x"]
headers = { "Body-Hash" = "{body_sha256}", "To" = "{url}", "Crc" = "{crc}", "Sig" = "{signature}" }
fields = { crc = { hash = "crc32", of = "{body}" } }
signatures = [ { algorithm = "hmac-sha256", message = "{url}{body_sha256}{crc}", encoding = "hex" } ]
"""
    )
    request = known.draft(url=URL).sign(KEY)

    assert verify(known, request, KEY).ok
    assert Reason.SIGNATURE_DIFFERS == verify(known, seen(request, body=b'{"n": 2}'), KEY).reason
    assert Reason.SIGNATURE_DIFFERS == verify(known, seen(request, url=URL + "/other"), KEY).reason


def test_a_part_that_no_request_carries_is_given_to_verify():
    pair = KeyPair.generate("rsa")
    request = provider("paypal").draft(webhook_id="8PT597110X687430L").sign(pair)

    assert Reason.SIGNATURE_DIFFERS == verify("paypal", request, pair.public_key).reason
    assert verify("paypal", request, pair.public_key, parts={"webhook_id": "8PT597110X687430L"}).ok
