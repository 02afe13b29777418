import asyncio

import pytest
from aiohttp.test_utils import TestClient, TestServer
from app import create_app


@pytest.fixture
def post(monkeypatch, webhook_secret):
    monkeypatch.setenv("WEBHOOK_SECRET", webhook_secret("standard-webhooks").reveal())

    async def send(signed):
        async with TestClient(TestServer(create_app())) as client:
            response = await client.post("/hooks", **signed.for_aiohttp())
            return response.status

    return lambda signed: asyncio.run(send(signed))  # pytest-aiohttp awaits the test itself


def test_an_event_is_accepted(post, webhook):
    assert post(webhook("standard-webhooks")) == 204


@pytest.mark.parametrize("fault", ["wrong_signature", "no_signature", "changed_body", "expired_timestamp"])
def test_a_forged_event_is_rejected(post, webhook, fault):
    assert post(webhook("standard-webhooks", fault=fault)) == 401
