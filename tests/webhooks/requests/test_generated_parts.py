from __future__ import annotations

from base64 import b64decode
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from hook_widgets.webhooks import provider
from hook_widgets.webhooks.requests.generated_parts import generate_part
from hook_widgets.webhooks.scheme import Part


class Drawn(Random):
    """Random bits that are known."""

    def __init__(self, *bits: int) -> None:
        super().__init__(0)
        self._bits = iter(bits)

    def getrandbits(self, k: int, /) -> int:
        """Return the next ones."""
        return next(self._bits)


@pytest.mark.parametrize(
    ("part", "moment", "bits", "expected"),
    [
        pytest.param(  # README of segmentio/ksuid, "ksuid -f inspect"
            Part(make="ksuid", prefix="msg_"),
            datetime(2017, 10, 10, 4, 0, 47, tzinfo=UTC),
            [0xB5A1CD34B5F99D1154FB6853345C9735],
            "msg_0ujtsYcgvSTl8PAuAdqWYSMnLOv",
            id="KSUID",
        ),
        pytest.param(  # README of ulid/javascript, "Seed Time": the first ten digits are those of the time
            Part(make="ulid"),
            datetime.fromtimestamp(1_469_918_176_385 / 1000, UTC),
            [0],
            "01ARYZ6S410000000000000000",
            id="ULID",
        ),
        pytest.param(  # RFC 9562, appendix A.1
            Part(make="uuid1", upper=True),
            datetime(2022, 2, 22, 19, 22, 22, tzinfo=UTC),
            [0x9F6BDECED846, 0xB3C8 << 48],
            "C232AB00-9414-11EC-B3C8-9F6BDECED846",
            id="UUID of version 1",
        ),
    ],
)
def test_an_id_with_a_time_is_that_of_its_specification(part, moment, bits, expected):
    assert expected == generate_part(part, moment, Drawn(*bits))


def test_bytes_in_base64_are_padded():
    """As the id of a notification of Twitch of 9 March 2023 in a public repository, whose MAC fits."""
    text = generate_part(provider("twitch").parts["message_id"], datetime(2023, 3, 9, tzinfo=UTC), Random(1))
    delivered = "eTOJ71BBQNXGNW8qPUNMRGIHH5yv4bBrvwl02DWgF0o="

    assert len(b64decode(text, validate=True)) == len(b64decode(delivered)) == 32
    assert len(text) == len(delivered)


@pytest.mark.parametrize("make", ["uuid1", "ksuid", "ulid"])
@pytest.mark.parametrize("year", [1969, 2013, 2151, 9998])
def test_any_time_gives_an_id_of_its_length(make, year):
    texts = [
        generate_part(
            Part(make=make), datetime(year, 12, 31, 23, tzinfo=UTC) + timedelta(days=days), Random(1)
        )
        for days in (0, 1)
    ]

    assert [{"uuid1": 36, "ksuid": 27, "ulid": 26}[make]] * 2 == [len(text) for text in texts]
    assert len({*texts}) == 2


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("appwrite", "webhook_id"),
        ("bitbucket", "hook_uuid"),
        ("crisp", "hook_origin"),
        ("fusionauth", "kid"),
        ("kick", "subscription_id"),
        ("livekit", "api_key"),
        ("pusher", "key"),
        ("qstash", "schedule_id"),
        ("sanity", "webhook_id"),
        ("stream", "api_key"),
        ("twilio-sharedkey", "key_id"),
        ("vonage", "api_key"),
        ("vonage", "application_id"),
    ],
)
def test_the_id_of_a_webhook_key_or_account_is_the_same_in_each_delivery(name, part):
    """Not of a delivery: GitLab draws an X-Gitlab-Webhook-UUID for each request."""
    values = {
        generate_part(provider(name).parts[part], datetime(2026, 12, 1, tzinfo=UTC), Random(seed))
        for seed in range(2)
    }

    assert len(values) == 1
