"""Whatever a value holds, it stays where it stands, in a header or in the body; and no secret is shown."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from hook_widgets.errors import InvalidArgument, InvalidSecret, UnreadableMessage
from hook_widgets.webhooks import Headers, Reason, Secret, provider, verify
from tests.support.acme import KEY, LISTED

AT = datetime(2026, 9, 14, 9, tzinfo=UTC)

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
        with pytest.raises((InvalidArgument, UnreadableMessage), match=r"Acme-Id|surrogate"):
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
    request = known.draft(parts={"id": '1", "admin": "\\'}).sign(KEY)

    assert {"n": '1", "admin": "\\'} == json.loads(request.body)
    assert verify(known, request, KEY).ok


def test_an_id_in_base_32_has_lower_case_letters_and_the_digits_from_2_to_7(acme):
    known = acme(INSIDE.replace('make = "hex"', 'make = "base32", length = 4096'))
    request = known.draft().sign(KEY)

    assert set("abcdefghijklmnopqrstuvwxyz234567") == set(json.loads(request.body)["n"])


PLAIN = """
[[schemes]]
name = "token"
sources = ["x"]
headers = { "Authorization" = "Bearer {signature}" }
signatures = [ { algorithm = "token", message = "", encoding = "text" } ]
"""


@pytest.mark.parametrize("text", ["abc\r\nX-Admin: yes", "abc\n", "se\u0301cret", " abc"])
def test_a_secret_that_no_header_can_carry_is_rejected_and_not_shown(acme, text):
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


@pytest.mark.parametrize("scheme", ["v1", "v1-seconds"])
def test_of_two_schemes_the_unit_of_the_timestamp_decides(scheme):
    mercadopago = provider("mercadopago")
    request = mercadopago.draft(scheme=scheme, at=AT).sign(Secret("s"))

    assert verify(mercadopago, request, Secret("s"), now=AT, tolerance_s=60).ok
    late = verify(mercadopago, request, Secret("s"), now=AT + timedelta(seconds=61), tolerance_s=60)
    assert Reason.TIMESTAMP_OUTSIDE_TOLERANCE == late.reason


def test_a_timestamp_that_is_no_time_selects_the_first_scheme():
    request = provider("mercadopago").draft(at=AT).sign(Secret("s"))
    headers = Headers({**dict(request.headers), "X-Signature": "ts=soon,v1=00"})

    assert not verify("mercadopago", replace(request, headers=headers), Secret("s"), now=AT).ok
