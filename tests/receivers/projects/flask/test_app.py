import pytest
from app import app


def test_a_message_is_accepted(webhook):
    response = app.test_client().post("/hooks/slack", **webhook("slack", "message").for_flask())

    assert response.status_code == 200


@pytest.mark.parametrize("fault", ["wrong_signature", "no_signature", "changed_body", "expired_timestamp"])
def test_a_forged_message_is_rejected(webhook, fault):
    response = app.test_client().post("/hooks/slack", **webhook("slack", "message", fault=fault).for_flask())

    assert response.status_code == 401


@pytest.mark.webhook_checks("slack", only=["A1", "B"])
def test_receiver():
    """Each check is one test."""
