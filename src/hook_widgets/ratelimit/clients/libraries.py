"""Retry policies of well-known libraries, by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from hook_widgets.errors import InvalidLimit, nearest
from hook_widgets.ratelimit.clients.backoff import Backoff
from hook_widgets.ratelimit.clients.budgets import RetryRatio, RetryThrottling, RetryTokens
from hook_widgets.ratelimit.clients.policy import ClientPolicy
from hook_widgets.ratelimit.clients.retry_after_rule import RetryAfterRule

_IGNORED = RetryAfterRule("ignored")
_AWS_BACKOFF = "https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/"


def client_policy(name: str) -> ClientPolicy:
    """Return the policy with this name.

    Args:
        name: the name, such as ``"urllib3"``.

    Raises:
        InvalidLimit: there is no such policy; the message names the nearest one.

    >>> client_policy("stamina").stop_after_s
    45.0
    """
    try:
        return client_policies()[name]
    except (KeyError, TypeError):
        raise InvalidLimit(f"there is no policy {name!r}; {nearest(str(name), client_policies())}") from None


@cache
def client_policies() -> Mapping[str, ClientPolicy]:
    """Return all named policies: textbook ones first, then those of libraries with their default settings.

    >>> list(client_policies())[:4]
    ['none', 'immediate', 'fixed', 'exponential']
    """
    return MappingProxyType({policy.name: policy for policy in (*_textbook(), *_libraries())})


def _textbook() -> tuple[ClientPolicy, ...]:
    def textbook(name: str, backoff: Backoff) -> ClientPolicy:
        return ClientPolicy(backoff, name=name, max_retries=5, retry_after=_IGNORED, source=_AWS_BACKOFF)

    return (
        ClientPolicy(name="none", max_retries=0, source="an open loop: nothing is retried"),
        ClientPolicy(
            Backoff(0, jitter="none"),
            name="immediate",
            max_retries=5,
            retry_after=_IGNORED,
            source=_AWS_BACKOFF,
        ),
        textbook("fixed", Backoff(1, factor=1, jitter="none")),
        textbook("exponential", Backoff(1, max_s=60, jitter="none")),
        textbook("full-jitter", Backoff(1, max_s=60, jitter="full")),
        textbook("equal-jitter", Backoff(1, max_s=60, jitter="equal")),
        textbook("decorrelated-jitter", Backoff(1, max_s=60, jitter="decorrelated")),
    )


def _libraries() -> tuple[ClientPolicy, ...]:
    return (
        ClientPolicy(
            Backoff(0, jitter="none"),
            name="urllib3",
            retry_on=["rejected", "timed_out"],
            retry_after=RetryAfterRule(max_s=21_600, required=True),
            source="urllib3 2.8.0, util/retry.py: Retry.DEFAULT = Retry(3)",
            note="only GET and other methods without effects; a 503 needs a Retry-After there",
        ),
        ClientPolicy(
            Backoff(1, max_s=120, jitter="none", first_s=0),
            name="urllib3-backoff",
            max_retries=5,
            retry_after=RetryAfterRule(max_s=21_600),
            source="urllib3 2.8.0, util/retry.py: Retry(5, backoff_factor=1, status_forcelist=[429, 503])",
            note="only GET and other methods without effects",
        ),
        ClientPolicy(
            Backoff(0, jitter="none"),
            name="tenacity",
            max_retries=1000,
            retry_after=_IGNORED,
            source="tenacity 9.2.1, __init__.py: @retry, with stop_never and wait_none",
            note="retries for ever there, here 1000 times",
        ),
        ClientPolicy(
            Backoff(1, max_s=60),
            name="tenacity-random-exponential",
            max_retries=5,
            retry_after=_IGNORED,
            source="tenacity 9.2.1, wait.py: wait_random_exponential(max=60), stop_after_attempt(6)",
        ),
        ClientPolicy(
            Backoff(1, max_s=60, jitter="added", jitter_s=1),
            name="tenacity-exponential-jitter",
            max_retries=5,
            retry_after=_IGNORED,
            source="tenacity 9.2.1, wait.py: wait_exponential_jitter(max=60), stop_after_attempt(6)",
        ),
        ClientPolicy(
            Backoff("100 ms", max_s=5, jitter="added", jitter_s=1),
            name="stamina",
            max_retries=9,
            retry_after=_IGNORED,
            stop_after_s=45,
            source="stamina 26.1.0, _core.py: retry(), _compute_backoff",
        ),
        ClientPolicy(
            Backoff(1, max_s=20),
            name="aws-sdk",
            failure_backoff=Backoff("50 ms", max_s=20),
            max_retries=2,
            retry_after=_IGNORED,
            guards=[RetryTokens(500, rejected_cost=5, failed_cost=14, refund=1)],
            source="botocore 1.44.8, retries/standard.py: ExponentialBackoff, RetryQuotaChecker",
            note="standard mode, without x-amz-retry-after; DynamoDB has other numbers",
        ),
        ClientPolicy(
            Backoff("100 ms", max_s=1, jitter="scaled", scale=(0.8, 1.2)),
            name="grpc",
            max_retries=3,
            retry_after=_IGNORED,
            guards=[RetryThrottling(10, 0.1)],
            source="gRPC proposal A6, its example; jitter of 20 % as measured with grpcio 1.85.3",
            note="the text of 2017 has full jitter; pushback is not modelled",
        ),
        ClientPolicy(
            Backoff(1, factor=1, jitter="added", jitter_s=1),
            name="slack-sdk",
            failure_backoff=Backoff("500 ms", jitter="added", jitter_s=1),
            max_retries=1,
            retry_after=RetryAfterRule("honoured", jitter_s=1),
            source="slack_sdk 3.47.0, http_retry: RateLimitErrorRetryHandler, ServerErrorRetryHandler",
            note="with both handlers; by default only connection errors are retried there",
        ),
        ClientPolicy(
            Backoff(1, factor=1.96821, jitter="scaled", scale=(1, 2)),
            name="slack-node",
            max_retries=10,
            retry_after=RetryAfterRule("added", required=True),
            source="@slack/web-api, src/retry-policies.ts: tenRetriesInAboutThirtyMinutes; src/WebClient.ts",
            note="the random waits of a request are sorted there",
        ),
        ClientPolicy(
            Backoff("500 ms", max_s=5, jitter="equal", min_s="500 ms"),
            name="stripe",
            max_retries=2,
            retry_on=["failed", "timed_out"],
            retry_after=_IGNORED,
            source="stripe 16.1.0, _http_client.py: _should_retry, _sleep_time_seconds",
            note="a 429 is retried there only if Stripe-Should-Retry says so",
        ),
        ClientPolicy(
            Backoff("500 ms", max_s=8, jitter="scaled", scale=(1, 0.75)),
            name="openai",
            max_retries=2,
            retry_after=RetryAfterRule(max_s=120, too_long="give_up"),
            timeout_s=600,
            source="openai 3.54.0, _base_client.py: _should_retry, _calculate_retry_timeout",
        ),
        ClientPolicy(
            Backoff(1, max_s=60),
            name="google-api-core",
            max_retries=1000,
            retry_after=_IGNORED,
            stop_before_s=120,
            source="google-api-core 2.44.0, retry/retry_base.py: exponential_sleep_generator",
        ),
        ClientPolicy(
            Backoff(0, jitter="none"),
            name="finagle",
            max_retries=25,
            retry_after=_IGNORED,
            guards=[RetryRatio("20%", min_per_s=10, window_s=10)],
            source="finagle-core, com.twitter.finagle.service.RetryBudget: 20 % and 10/s, no delay",
        ),
    )
