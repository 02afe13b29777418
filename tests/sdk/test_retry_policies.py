"""The named retry policies against SDKs that only this environment has."""

from __future__ import annotations

import httpx2
import openai
import pytest

from hook_widgets.ratelimit.clients import client_policy

POLICY = client_policy("openai")


@pytest.mark.parametrize("u", [0.0, 0.25, 0.9])
@pytest.mark.parametrize("retry", range(8))
def test_openai_waits_as_its_policy(monkeypatch, retry, u):
    monkeypatch.setattr("openai._base_client.random", lambda: u)
    client = openai.OpenAI(api_key="none", max_retries=9)
    options = openai._models.FinalRequestOptions(method="get", url="/")

    assert client._calculate_retry_timeout(9 - retry, options) == POLICY.backoff.wait_s(retry, u)


@pytest.mark.parametrize("retry_after", [None, "1", "7", "119", "120", "121", "9999"])
def test_openai_treats_retry_after_as_its_policy(monkeypatch, retry_after):
    monkeypatch.setattr("openai._base_client.random", lambda: 0.5)
    client = openai.OpenAI(api_key="none")
    headers = {} if retry_after is None else {"retry-after": retry_after}
    response = httpx2.Response(429, headers=headers)
    options = openai._models.FinalRequestOptions(method="get", url="/")

    retried = client._should_retry(response)
    wait_s = client._calculate_retry_timeout(client.max_retries, options, response.headers)

    seconds = None if retry_after is None else float(retry_after)
    assert POLICY.retry_after.wait_s(seconds, POLICY.backoff.wait_s(0, 0.5), 0.5) == (
        wait_s if retried else None
    )
    assert client.max_retries == POLICY.max_retries
