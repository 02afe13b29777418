"""A timestamp that is off, or in another form than it was signed in, is named with by how much."""

from __future__ import annotations

from datetime import timedelta

import pytest

from hook_widgets.webhooks import provider
from hook_widgets.webhooks.diagnosis import diagnose
from tests.support.diagnosing import (
    AT,
    BODY,
    STAMP,
    causes,
    draft_of,
    key_bytes,
    key_of,
    mac,
    names,
    received,
    replaced,
    signature_text,
    signed,
    usual,
)

TIMED = ["stripe", "slack", "zoom", "svix"]


@pytest.mark.parametrize("name", TIMED)
@pytest.mark.parametrize(
    ("cause", "late", "words"),
    [
        ("timestamp-stale", timedelta(minutes=5, seconds=1), "5 min 1 s old, 1 s more"),
        ("timestamp-stale", timedelta(days=2), "2 d old"),
        ("timestamp-future", -timedelta(minutes=7), "7 min in the future"),
        ("timestamp-zone", -timedelta(hours=2), "2 h"),
        ("timestamp-zone", -timedelta(hours=5, minutes=30, seconds=-2), "5.5 h"),
    ],
)
def test_a_timestamp_that_is_off_is_named_with_by_how_much(name, cause, late, words):
    request = received(signed(name, BODY, key=key_of(name)))
    if not provider(name).schemes[0].tolerance_s:
        pytest.fail("choose providers with a tolerance")

    diagnosed = diagnose(name, request, key_of(name), now=AT + late)

    assert (cause,) == names(diagnosed)
    assert words in diagnosed.findings[0].title


def _restamped(name, sent, stamped):
    """The provider's request with one timestamp in its header and another in the signed data."""
    request = usual(name)
    write = draft_of(request).scheme.signatures[0].encoding.write
    message = draft_of(request).jobs()[0].message.replace(STAMP, stamped.encode())
    headers = replaced(request.headers, signature_text(request), write(mac(key_bytes(name), message)))
    if sent != STAMP.decode():
        headers = replaced(headers, STAMP.decode(), sent)
    return received(request, headers=headers)


@pytest.mark.parametrize("name", TIMED)
@pytest.mark.parametrize(
    ("cause", "sent", "stamped"),
    [
        ("timestamp-ms", "1788264000", "1788264000000"),
        ("timestamp-iso", "1788264000", "2026-09-01T12:00:00Z"),
        ("timestamp-iso", "1788264000", "2026-09-01T12:00:00.000Z"),
        ("timestamp-fraction-lost", "1788264000", "1788264000.0"),
        ("timestamp-elsewhere", "1788264000", "1788000000"),
        ("timestamp-ms-sent", "1788264000123", "1788264000123"),
    ],
)
def test_a_timestamp_in_another_form_is_named(name, cause, sent, stamped):
    assert STAMP == b"1788264000"
    assert (cause,) == causes(name, _restamped(name, sent, stamped), key_of(name))


@pytest.mark.parametrize("name", TIMED)
def test_a_timestamp_that_was_signed_in_seconds_and_sent_in_milliseconds_is_named(name):
    request = _restamped(name, "1788264000123", "1788264000")

    assert "timestamp-s" == causes(name, request, key_of(name))[0]


@pytest.mark.parametrize("name", ["slack", "zoom"])
def test_a_timestamp_with_a_fraction_is_named(name):
    assert ("timestamp-fraction",) == causes(
        name, _restamped(name, "1788264000.25", "1788264000"), key_of(name)
    )
    assert ("timestamp-form",) == causes(
        name, _restamped(name, "1788264000.25", "1788264000.25"), key_of(name)
    )


def test_seconds_where_milliseconds_are_expected_are_named():
    name = next(p for p in ("hubspot", "workos", "linear", "airwallex") if _in_milliseconds(p))
    key = key_of(name)
    request = provider(name).draft(at=AT, url="https://example.com/in").sign(key)
    milliseconds = str(int(AT.timestamp()) * 1000)
    message = draft_of(request).jobs()[0].message.replace(milliseconds.encode(), STAMP)
    write = draft_of(request).scheme.signatures[0].encoding.write
    headers = replaced(request.headers, signature_text(request), write(mac(key_bytes(name), message)))

    changed = received(request, headers=replaced(headers, milliseconds, STAMP.decode()))

    assert ("timestamp-s-sent",) == causes(name, changed, key)


def _in_milliseconds(name):
    scheme = provider(name).schemes[0]
    return scheme.timestamp == "ms" and "timestamp" in scheme.closure(scheme.signatures[0].template.names)


def test_a_changed_body_and_a_stale_timestamp_are_both_named():
    request = signed("stripe", BODY, key=key_of("stripe"))

    diagnosed = causes(
        "stripe", received(request, body=BODY + b"\n"), key_of("stripe"), now=AT + timedelta(hours=1)
    )

    assert ("body-newline-added", "timestamp-stale") == diagnosed
