"""Forms of schemes: signatures inside forms, times, algorithms, several schemes of one provider."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from dataclasses import replace
from datetime import timedelta
from urllib.parse import parse_qs
from uuid import UUID

import pytest

from hook_widgets.errors import CatalogError
from hook_widgets.webhooks import Headers, KeyPair, Reason, Secret, Verdict, provider, verify
from hook_widgets.webhooks.verification.parsing.scheme_selection import choose_scheme
from tests.support.acme import KEY, LISTED, NOW, OWN_HEADER, TOKEN, URL, mac, seen


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


def test_a_body_added_to_a_request_that_was_signed_without_one_is_rejected(acme):
    known = acme(SEVERAL, b'{"version": "0"}')
    request = known.draft(scheme="get", url=URL, body=b"").sign(KEY)

    assert verify(known, request, KEY).ok
    assert not verify(known, seen(request, body=b'{"version": "1"}'), KEY).ok
    assert not verify(known, seen(request, body=b'{"version": "1"}', method="POST"), KEY).ok


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


@pytest.mark.parametrize(
    ("message", "fresh"), [("{date}{body}", False), ("{timestamp}{body}", True), ("{body}", True)]
)
def test_the_shell_makes_a_time_unless_it_is_signed_in_another_unit(acme, message, fresh):
    text = acme(TIME.replace("{date}{body}", message)).draft().curl(secret_env="KEY")

    assert fresh == ("timestamp=$(date +%s)" in text)


def test_a_handshake_without_signature_asks_for_no_key(acme):
    known = acme(
        LISTED
        + '[[handshakes]]\nname = "probe"\nmethod = "HEAD"\nsigned = false\nresponse = {}\nsources = ["x"]\n'
    )

    assert "KEY" not in known.draft(event="probe").curl(secret_env="KEY")


@pytest.mark.parametrize(
    ("signed", "changed"),
    [
        ("{body_sha256}", {"body": b'{"n": 2}'}),
        ("{crc}", {"body": b'{"n": 2}'}),
        ("{url}", {"url": URL + "/other"}),
    ],
)
def test_what_can_be_worked_out_is_never_taken_from_a_header_that_says_it(acme, signed, changed):
    known = acme(
        f"""
[[schemes]]
name = "v1"
sources = ["x"]
headers = {{ "Said" = "{signed}", "Sig" = "{{signature}}" }}
fields = {{ crc = {{ hash = "crc32", of = "{{body}}" }} }}
signatures = [ {{ algorithm = "hmac-sha256", message = "v1:{signed}", encoding = "hex" }} ]
"""
    )
    request = known.draft(url=URL).sign(KEY)

    assert verify(known, request, KEY).ok
    assert Reason.SIGNATURE_DIFFERS == verify(known, seen(request, **changed), KEY).reason


@pytest.mark.parametrize(
    ("name", "part", "version"),
    [("paypal", "transmission_id", 1), ("github", "delivery", 1), ("linear", "delivery", 4)],
)
def test_a_generated_uuid_has_the_version_of_its_sender(name, part, version):
    assert version == UUID(provider(name).draft(url="http://127.0.0.1/").parts[part]).version


def test_a_part_that_no_request_carries_is_given_to_verify():
    pair = KeyPair.generate("rsa")
    request = provider("paypal").draft(parts={"webhook_id": "8PT597110X687430L"}).sign(pair)

    assert Reason.SIGNATURE_DIFFERS == verify("paypal", request, pair.public_key).reason
    assert verify("paypal", request, pair.public_key, parts={"webhook_id": "8PT597110X687430L"}).ok


def test_recharge_without_its_two_new_headers_is_verified_by_the_old_signature() -> None:
    secret = Secret("0" * 64)
    request = provider("recharge").draft().sign(secret)
    new = {"X-Recharge-Webhook-Signature", "X-Recharge-Webhook-Timestamp"}

    def without(names: set[str], body: bytes = request.body) -> Verdict:
        headers = [(n, v) for n, v in request.headers.multi_items() if n not in names]
        return verify("recharge", headers=headers, body=body, secret=secret)

    assert without(new).ok
    assert without(new, request.body + b" ").reason is Reason.SIGNATURE_DIFFERS
    assert without({"X-Recharge-Webhook-Signature"}).reason is Reason.MISSING_HEADER
    assert without({*new, "X-Recharge-Hmac-Sha256"}).reason is Reason.MISSING_HEADER
