"""Ids that hold a time hold that of what they name."""

from __future__ import annotations

import string
from base64 import urlsafe_b64decode
from datetime import UTC, datetime, timedelta

import pytest

from hook_widgets.webhooks import provider
from tests.webhooks.data.test_documented_values import body


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def unique_id_second(identifier: str) -> datetime:
    """Return the second of an id of Apache's mod_unique_id: the first four of its twenty bytes."""
    stamp = urlsafe_b64decode(f"{identifier}=")
    assert len(stamp) == 20
    return datetime.fromtimestamp(int.from_bytes(stamp[:4]), UTC)


def object_id_second(identifier: str) -> datetime:
    """Return the second of an ObjectId of MongoDB: its first four bytes."""
    return datetime.fromtimestamp(int(identifier[:8], 16), UTC)


def call_second(identifier: str) -> datetime:
    """Return the second of a call of OpenAI: five digits of base 62, from 20 December 2019 on."""
    digits = string.digits + string.ascii_uppercase + string.ascii_lowercase
    stamp = identifier.split("_")[2][:5]
    seconds = sum(digits.index(char) * 62 ** (4 - place) for place, char in enumerate(stamp))
    return datetime(2019, 12, 20, tzinfo=UTC) + timedelta(seconds=seconds)


def test_the_documented_ids_tell_their_times() -> None:
    """okta/okta-developer-docs docs/concepts/event-hooks (published 2023-03-26T21:05:32.159Z), and createdAt
    2022-06-15T08:19:00.843Z in imagekit-developer/imagekit-python 9a64d71 tests/test_files_ops.py."""
    assert unique_id_second("ZCCzm8j2wTvzwele2NwLnwAADSc").isoformat() == "2023-03-26T21:05:31+00:00"
    assert unique_id_second("ZCCzlCoZuOyo8RfASqHmPAAAAc8").isoformat() == "2023-03-26T21:05:24+00:00"
    assert object_id_second("62a995f4d875ec08dc587b72").isoformat() == "2022-06-15T08:19:00+00:00"


@pytest.mark.parametrize("event", [event.name for event in provider("okta").events])
def test_a_request_of_okta_tells_its_second(event: str) -> None:
    logged = body("okta", event)["data"]["events"][0]
    debug = logged["debugContext"]["debugData"]
    published = instant(logged["published"])

    assert timedelta() <= published - unique_id_second(debug["requestId"]) < timedelta(seconds=5)
    if begun := debug.get("authnRequestId"):
        assert unique_id_second(begun) < unique_id_second(debug["requestId"])


@pytest.mark.parametrize("event", ["file.created", "file.updated", "file-version.created"])
def test_a_file_of_imagekit_tells_the_second_of_its_upload(event: str) -> None:
    """Files and versions in imagekit-developer/imagekit-python 9a64d71 tests/test_files_ops.py: a version is
    what was replaced, with an id and a createdAt of that time; an image without dates of its own has those of
    its upload, half a second later."""
    created = body("imagekit", "file.created")["data"]
    file = body("imagekit", event)["data"]
    uploaded = instant(created["createdAt"])

    assert object_id_second(file["fileId"]) == uploaded.replace(microsecond=0)
    assert object_id_second(file["versionInfo"]["id"]) == instant(file["createdAt"]).replace(microsecond=0)
    assert file["versionInfo"]["name"] == "Version 1"
    assert uploaded < instant(file["embeddedMetadata"]["DateCreated"]) < uploaded + timedelta(seconds=1)


def test_imagekit_deletes_the_version_that_it_made() -> None:
    version = body("imagekit", "file-version.created")["data"]
    deleted = body("imagekit", "file-version.deleted")["data"]

    assert version["url"].startswith(f"{body('imagekit', 'file.created')['data']['url']}?ik-obj-version=")
    assert version["createdAt"] > body("imagekit", "file.updated")["data"]["updatedAt"]
    assert deleted == {"fileId": version["fileId"], "versionId": version["versionInfo"]["id"]}


def test_an_invocation_at_pagerduty_tells_when_it_was_created() -> None:
    """An id's nanoseconds stand before 64 other bits, in base 36, as in 01BRB6ZP4M6T8ZG4X6BP63ZB9O of
    2021-03-02T13:35:11.682Z (PagerDuty/developer-docs docs/webhooks/01-Overview.md)."""
    event = body("pagerduty", "incident.action_invocation.created")["event"]
    created = datetime.fromtimestamp((int(event["data"]["id"], 36) >> 64) / 1e9, UTC)

    assert timedelta() < instant(event["occurred_at"]) - created < timedelta(seconds=1)


def test_an_account_of_checkr_is_older_than_its_candidate() -> None:
    """It orders once account.credentialed has come (checkr/embeds-reference-integration routes/oauth.js)."""
    begun = object_id_second(body("checkr", "account.credentialed")["account_id"])
    event = body("checkr", "candidate.created")

    assert event["account_id"] == body("checkr", "report.created")["account_id"]
    assert object_id_second(event["account_id"]) == begun < instant(event["data"]["object"]["created_at"])


@pytest.mark.parametrize("event", [event.name for event in provider("squarespace").events])
def test_a_notification_of_squarespace_tells_its_minute(event: str) -> None:
    sent = body("squarespace", event)

    assert object_id_second(sent["id"]).replace(second=0) == instant(sent["createdOn"])


def viber_time(token: int) -> datetime:
    """Return the time of a message token of Viber: milliseconds since 4 April 1979 above 22 other bits."""
    return datetime.fromtimestamp(((token >> 22) + 292_057_776_128) / 1000, UTC)


@pytest.mark.parametrize(
    ("milliseconds", "token"),
    [
        (1_479_039_750_092, 4978563241957515056),
        (1_595_324_677_891, 5466297578174182639),
        (1_595_347_885_535, 5466394919049723652),
        (1_669_718_262_846, 5778326890086572728),
        (1_687_200_046_080, 5851650804048782321),
    ],
)
def test_the_captured_tokens_of_viber_tell_their_times(milliseconds: int, token: int) -> None:
    """Viber/viber-bot-node test/message/message-factory-test.js, and callbacks of 2020 to 2023 kept in public
    repositories: delivered, unsubscribed, conversation_started, message."""
    sent = datetime.fromtimestamp(milliseconds / 1000, UTC)

    assert abs(sent - viber_time(token)) < timedelta(seconds=1)


@pytest.mark.parametrize("event", [event.name for event in provider("viber").events])
def test_a_callback_of_viber_has_a_token_of_its_time(event: str) -> None:
    """A message is delivered, seen or failed after it was sent."""
    callback = body("viber", event)
    passed = datetime.fromtimestamp(callback["timestamp"] / 1000, UTC) - viber_time(callback["message_token"])

    assert timedelta() <= passed < timedelta(seconds=2)


def dub_time(identifier: str) -> datetime:
    """Return the time of an id of Dub: a ULID's milliseconds above 80 other bits, without leading zeros."""
    digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    milliseconds = (
        sum(digits.index(digit) * 32**place for place, digit in enumerate(reversed(identifier[-25:]))) >> 80
    )
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def test_the_documented_ids_of_dub_tell_their_times() -> None:
    """dubinc/docs 3917ac3 docs/webhooks/events/commission-created.mdx: ids and createdAt."""
    assert instant("2025-07-16T10:48:14.722Z") - dub_time("cm_1K09DJTBCRT24P6BRD515CK29") < timedelta(
        seconds=1
    )
    assert instant("2025-07-16T10:48:01.739Z") - dub_time("cus_1K09DJDEACR47NPYC93RM43WF") < timedelta(
        seconds=1
    )


@pytest.mark.parametrize(
    ("event", "path"),
    [
        ("link.created", ""),
        ("lead.created", "customer"),
        ("lead.created", "link"),
        ("sale.created.partner", "customer"),
        ("sale.created.partner", "link"),
        ("commission.created", ""),
        ("payout.confirmed", ""),
        ("partner.application_submitted", ""),
    ],
)
def test_what_dub_stores_has_an_id_made_just_before(event: str, path: str) -> None:
    data = body("dub", event)["data"]
    stored = data[path] if path else data

    assert timedelta() <= instant(stored["createdAt"]) - dub_time(stored["id"]) < timedelta(seconds=1)


@pytest.mark.parametrize(
    ("event", "member", "prefix"),
    [
        ("realtime.call.incoming", "call_id", "rtc_u0"),
        ("live.call.incoming", "session_id", "live_u0"),
        ("live.transport.incoming", "session_id", "live_u0"),
        ("live.transport.connected", "session_id", "live_u0"),
    ],
)
def test_a_call_of_openai_tells_the_second_before_its_webhook(event: str, member: str, prefix: str) -> None:
    """Calls of 2026 in public repositories, whose logs begin within two seconds of these."""
    recorded = ("rtc_u0_EHdCXnMcBqtS5NScMWyvY", "rtc_u0_ERgXRp3oMMnXYswMZiboahqXEVDezFD9")
    event_body = body("openai", event)
    call = event_body["data"][member]

    assert [call_second(one).isoformat() for one in recorded] == [
        "2026-08-27T22:49:33+00:00",
        "2026-09-24T16:24:41+00:00",
    ]
    assert call.rpartition("_")[0] == prefix
    assert len(call) - len(prefix) == len("_ERgXRp3oMMnXYswMZiboahqXEVDezFD9")
    assert call_second(call).timestamp() == event_body["created_at"] - 1
