"""Several signatures in one request: while a secret is rolled, and in a header that is a list."""

from __future__ import annotations

import base64
import re

import pytest

from hook_widgets.errors import CatalogError, InvalidArgument
from hook_widgets.webhooks import Headers, Reason, Secret, verify
from tests.support.acme import KEY, LISTED, NOW, OLD, OWN_HEADER, URL, mac, seen


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
    with pytest.raises(InvalidArgument, match="one signature only"):
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


def test_signatures_under_numbered_headers_are_counted_once(acme):
    known = acme(OWN_HEADER)
    request = known.draft().sign(KEY, OLD)

    assert "none of the 2 signatures" in verify(known, request, Secret("neither")).detail


def test_a_signed_header_that_is_there_twice_with_different_values_is_rejected(acme):
    known = acme(LISTED)
    request = known.draft(at=NOW).sign(KEY)
    twice = Headers([*request.headers.multi_items(), ("acme-signature", "t=1,v1=00")])
    verdict = verify(known, seen(request, headers=twice), KEY, now=NOW)

    assert Reason.MALFORMED_HEADER == verdict.reason
    assert "twice with different values" in verdict.detail
    same = Headers([*request.headers.multi_items(), *request.headers.multi_items()])
    assert verify(known, seen(request, headers=same), KEY, now=NOW).ok


@pytest.mark.parametrize("divider", [",", ", ", " ,"])
@pytest.mark.parametrize("space", ["", " ", "\t "])
def test_a_list_is_read_whatever_white_space_stands_in_it(acme, divider, space):
    known = acme(LISTED.replace('list = ","', f'list = "{divider}"'))
    request = known.draft(at=NOW).sign(KEY)
    spaced = Headers(
        {"Acme-Signature": re.sub(" ?, ?", f"{space},{space}", request.headers["Acme-Signature"])}
    )

    assert verify(known, seen(request, headers=spaced), KEY, now=NOW).ok


def test_a_list_without_divider_is_rejected_when_it_is_read(acme):
    with pytest.raises(CatalogError, match="list"):
        acme(LISTED.replace('list = ","', 'list = ""'))
