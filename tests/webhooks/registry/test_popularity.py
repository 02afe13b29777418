"""The list of the best known providers."""

from __future__ import annotations

from hook_widgets.webhooks import registry
from hook_widgets.webhooks.registry.popularity import popular
from hook_widgets.widgets.generator.serialize import listed_wire


def test_every_popular_provider_exists_once():
    assert len(popular()) == len(set(popular())) >= 12
    assert set(popular()) <= {provider.id for provider in registry.providers()}


def test_the_page_gets_the_rank_of_the_popular_ones_only():
    ranks = {name: listed_wire(registry.provider(name))["rank"] for name in (*popular(), "gitea")}

    assert {name: rank for rank, name in enumerate(popular())} | {"gitea": None} == ranks
