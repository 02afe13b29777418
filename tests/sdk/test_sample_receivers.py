"""Samples of official documentation under the standard suite: a finding is a fault that the sample has."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext

import pytest

from hook_widgets.receivers import check_receiver
from hook_widgets.webhooks import KeyPair, Secret, provider
from hook_widgets.webhooks.models import AsymmetricKeySpec
from tests.sdk.samples import django_samples, fastapi_samples, flask_samples
from tests.sdk.samples.findings import SAMPLES, Sample
from tests.sdk.samples.serving import asgi, node, wsgi

NODE = {"shopify": "shopify", "zoom": "zoom", "octokit": "github"}


@pytest.fixture(scope="module")
def keys() -> dict[str, Secret | KeyPair]:
    return {sample.provider: provider(sample.provider).example_secret() for sample in SAMPLES}


@pytest.fixture(scope="module")
def node_urls(keys: dict[str, Secret | KeyPair]) -> Iterator[dict[str, str]]:
    with node({name: text(name, keys[name]) for name in NODE.values()}) as urls:
        yield urls


def text(name: str, key: Secret | KeyPair) -> str:
    """The secret or public key as the receiver has it."""
    if isinstance(key, Secret):
        return key.reveal()
    spec = provider(name).key
    assert isinstance(spec, AsymmetricKeySpec)
    return key.public_as(spec.public_form)


def serving(sample: Sample, key: str, node_urls: dict[str, str]) -> AbstractContextManager[str]:
    match sample.framework:
        case "Flask":
            app = getattr(flask_samples, sample.name)(key)
            app.logger.disabled = True  # it prints each exception
            return wsgi(app)
        case "Django":
            logging.getLogger("django.request").disabled = True
            django_samples.SECRETS[sample.provider] = key
            return wsgi(django_samples.application())
        case "FastAPI":
            return asgi(fastapi_samples.github(key))
    return nullcontext(node_urls[NODE[sample.name]])


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.name}-{sample.framework}")
def test_a_sample_has_the_faults_that_are_listed_and_no_others(
    sample: Sample, keys: dict[str, Secret | KeyPair], node_urls: dict[str, str]
) -> None:
    key = keys[sample.provider]
    with serving(sample, text(sample.provider, key), node_urls) as url:
        report = check_receiver(sample.provider, url, key)

    assert sample.statuses() == {result.id: str(result.status) for result in report.findings}
    assert "passed" == report["A1"].status
    assert report.score.passed >= 15


def test_there_are_samples_of_eight_providers_in_four_frameworks() -> None:
    assert len({sample.provider for sample in SAMPLES}) >= 8
    assert len({sample.framework for sample in SAMPLES}) >= 4
    assert all(reason for s in SAMPLES for _, reason in (*s.failed, *s.warned))
