"""Each benchmark that compares with another library runs, at its smallest size."""

from __future__ import annotations

from tests.benchmarks import decisions, signing, versions
from tests.support.benchmarks import complete


def test_signatures_are_measured():
    assert complete(signing.parts(smallest=True))


def test_decisions_are_measured():
    assert complete(decisions.parts(smallest=True))


def test_versions_are_measured():
    assert complete(versions.parts(smallest=True))
