"""Members of bodies are those of a documented example or of the vendor's model."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest

from hook_widgets.webhooks import provider


def body(name: str, event: str) -> Any:
    return json.loads(provider(name).template(event))


def test_an_authorized_application_of_mercado_pago_has_a_number_as_its_user() -> None:
    """As in mercadopago.com.mx/developers/es/docs/mp-point/optional-notifications (a delivery of June 2026):
    user_id is a long there, data.id a text, and date_created has milliseconds."""
    delivered = body("mercadopago", "mp-connect.authorized")

    assert {"user_id": int, "id": int} == {name: type(delivered[name]) for name in ("user_id", "id")}
    assert isinstance(delivered["data"]["id"], str)
    assert datetime.fromisoformat(delivered["date_created"]).microsecond


def test_a_release_of_heroku_that_is_pending_has_no_artifacts_yet() -> None:
    """As in zulip/zulip a9b845ae zerver/webhooks/heroku/fixtures/release_pending.json (17 May 2025)."""
    release = body("heroku", "release.create")["data"]

    assert ("pending", False, [], False) == tuple(
        release[member] for member in ("status", "current", "artifacts", "eligible_for_rollback")
    )


def test_an_uninstalled_app_of_bigcommerce_is_told_of_the_store() -> None:
    """As in bigcommerce/docs 24f580ca reference/webhooks.v3.yml store_app_uninstalled."""
    assert {"type": "store"} == body("bigcommerce", "store/app/uninstalled")["data"]


def test_twitch_names_the_streamers_of_a_shoutout_before_their_logins() -> None:
    """As in twitchdev/twitch-cli fd7dac6 internal/models/shoutout.go and in Twitch's page of the event."""
    roles = ("broadcaster", "to_broadcaster", "moderator")
    people = [f"{role}_user_{member}" for role in roles for member in ("id", "name", "login")]
    rest = ["viewer_count", "started_at", "cooldown_ends_at", "target_cooldown_ends_at"]

    assert people + rest == list(body("twitch", "channel.shoutout.create")["event"])


def test_a_claim_of_mercado_pago_has_a_uuid_and_the_number_and_path_of_the_claim() -> None:
    """As in mercadopago.com.ar/developers/en/docs/checkout-api-orders/optional-notifications (June 2026)."""
    delivered = body("mercadopago", "topic_claims")
    claim = delivered["data"]

    assert "action api_version data date_created id live_mode type user_id" == " ".join(delivered)
    assert "claim" == delivered["type"]
    assert str(UUID(delivered["id"])) == delivered["id"]
    assert {"id": int, "resource": str} == {name: type(value) for name, value in claim.items()}
    assert f"/v1/claims/{claim['id']}" == claim["resource"]
    assert isinstance(delivered["user_id"], int)


@pytest.mark.parametrize("action", ["create", "change", "delete"])
def test_a_person_of_pipedrive_has_its_labels_after_its_label(action: str) -> None:
    """As in a change of 9 October 2025 kept in the tests of a public repository."""
    delivered = body("pipedrive", f"{action}.person")
    person = list(delivered["data"] or delivered["previous"])

    assert ["id", "label", "label_ids", "last_name"] == person[person.index("id") :][:4]
