"""A request, URL or provider that nobody means raises the exceptions that are documented, and no other."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest

from hook_widgets.errors import DestinationBlocked, InvalidArgument
from hook_widgets.webhooks import (
    Headers,
    KeyPair,
    Secret,
    WebhookRequest,
    diagnose,
    provider,
    read_recording,
    send,
    verify,
)
from hook_widgets.webhooks.delivery.destination import check
from hook_widgets.webhooks.scheme import AsymmetricKeySpec
from tests.support.shapes import SHAPES
from tests.support.wire import Wire


def test_half_a_surrogate_pair_in_every_header_is_diagnosed():
    for source in map(provider, SHAPES):
        draft = source.draft()
        headers = {name: "\ud800" for name, _ in draft.header_templates} | {"Authorization": "Bearer \udcff"}
        pair = source.key if isinstance(source.key, AsymmetricKeySpec) else None
        key = KeyPair.generate(pair.algorithm) if pair else Secret("s3cret")

        assert not diagnose(source, secret=key, headers=headers, body=b"{}\xff", url=draft.url).verdict.ok


@pytest.mark.parametrize(
    ("name", "headers", "body"),
    [
        ("github", {"X-Hub-Signature-256": "sha256=" + "0" * 64}, b'{"a":' + b"9" * 5000 + b"}"),
        ("github", {"X-Hub-Signature-256": "sha256=" + "0" * 64}, b'{"a":"\\ud800"}'),
        ("github", {"X-Hub-Signature-256": "sha256=" + "0" * 64}, b'{"\\ud800":"a"}'),
        ("github", {"X-Hub-Signature-256": "sha256=" + "0" * 64}, b'{"a":"\\ud800","b":null}'),
        ("github", {"X-Hub-Signature-256": "sha256=" + "0" * 64}, b"[" * 900 + b"null" + b"]" * 900),
        ("close", {"close-sig-timestamp": "9999-12-31T23:59:59-14:00", "close-sig-hash": "0" * 64}, b"{}"),
        ("close", {"close-sig-timestamp": "0001-01-01T00:00:00+14:00", "close-sig-hash": "0" * 64}, b"{}"),
        ("close", {"Date": "Sun, 22 Nov 2026 12:00:00 +99999999999999", "close-sig-hash": "0" * 64}, b"{}"),
    ],
)
def test_a_request_at_the_edge_of_what_can_be_read_is_diagnosed(name, headers, body):
    diagnosis = diagnose(name, secret=Secret("73657400"), headers=headers, body=body)

    assert not diagnosis.verdict.ok


@pytest.mark.parametrize("part", [{"url": "https://a.test/\ud800"}, {"method": "\ud800"}])
def test_half_a_surrogate_pair_in_url_or_method_is_diagnosed(part):
    signed = provider("twilio").draft().sign(Secret("s3cret"))
    arguments = {"headers": signed.headers, "body": signed.body, "url": signed.url, **part}

    assert (
        "half of a surrogate pair" in diagnose("twilio", secret=Secret("s3cret"), **arguments).verdict.detail
    )


@pytest.mark.parametrize("headers", [{1: "a"}, {"X-Test": "a", None: "b"}, [("a",)], 3])
def test_headers_that_are_no_text_are_rejected(headers):
    with pytest.raises(InvalidArgument):
        diagnose("github", secret=Secret("s3cret"), headers=headers, body=b"{}")


@pytest.mark.parametrize("method", ["PÖST", "", "PO ST", "GET\r\nX: y", "G\x00T", "GET/1", "\ud800", None])
def test_a_method_that_is_none_is_rejected_before_anything_is_sent(method):
    with Wire() as wire, pytest.raises(InvalidArgument, match="method"):
        send(WebhookRequest(method=method, url=wire.url, headers=Headers(), body=b""))
    assert 0 == wire.connections


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("X-Test", f"a{char}b") for char in "\x01\x08\x0b\x1b\x1f\x7fé\N{ROCKET}\ud800\r\n\x00"),
        ("X-Test", " a"),
        ("X-Tést", "a"),
        ("X:Test", "a"),
        ("", "a"),
        ("X-Test", None),
        ("X-Test", b"a"),
    ],
)
def test_a_header_that_cannot_go_over_the_wire_is_rejected_before_anything_is_sent(name, value):
    with Wire() as wire, pytest.raises(InvalidArgument):
        send(WebhookRequest(method="POST", url=wire.url, headers=Headers([(name, value)]), body=b""))
    assert 0 == wire.connections


@pytest.mark.parametrize(
    "url",
    [
        "http://[::1]junk/",
        "http://[::1]169.254.169.254/",
        "http://[::1]junk:80/",
        "http://[::1]]/",
        "http://[::1][::1]/",
        "http://[::1].example.com:8000/",
    ],
)
def test_what_follows_an_address_in_brackets_is_rejected(url):
    with pytest.raises(DestinationBlocked):
        check(url)


@pytest.mark.parametrize(
    "url", ["http://[::1]/", "http://[::1]:8000/x", "http://[::1]:/", "http://[::1]?x=1"]
)
def test_an_address_in_brackets_is_read_with_and_without_a_port(url):
    assert "::1" == check(url).host


SIGNED = provider("stripe").draft(at=1_790_000_000).sign(Secret("s3cret"))


@pytest.mark.parametrize(
    "argument",
    [
        *({"now": now} for now in (1_790_000_000, "2026-11-21", Decimal(1), ())),
        *(
            {"tolerance_s": s}
            for s in ("300", math.nan, Decimal("sNaN"), Fraction(10**400), 10**5000, 1j, b"1")
        ),
        *({"parts": parts} for parts in (5, "id", [("id", "1")], {"id": 5}, {1: "id"})),
    ],
    ids=" ".join,
)
def test_an_argument_of_another_type_is_rejected(argument):
    for verified in (verify, diagnose):
        with pytest.raises(InvalidArgument, match=next(iter(argument)).removesuffix("_s")):
            verified("stripe", SIGNED, Secret("s3cret"), **argument)


@pytest.mark.parametrize("tolerance", [300, 300.0, Decimal(300), Fraction(300), timedelta(minutes=5)])
def test_a_tolerance_is_a_number_of_any_type(tolerance):
    now = datetime.fromtimestamp(1_790_000_299, UTC)

    assert verify("stripe", SIGNED, Secret("s3cret"), now=now, tolerance_s=tolerance).ok


@pytest.mark.parametrize("values", [5, "id", [("id", "1")]])
def test_values_of_a_sample_without_names_are_rejected(values):
    with pytest.raises(InvalidArgument, match="values"):
        provider("stripe").sample(values=values)


@pytest.mark.parametrize("text", ["\u202e", "\u202e\n", "\u202e" * 300_000, "\u202e\ufeff \u202e\n\n"])
def test_a_text_of_marks_that_nobody_sees_is_no_request(text):
    with pytest.raises(InvalidArgument):
        read_recording(text)
