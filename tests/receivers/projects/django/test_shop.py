import django
import pytest
from shop import PAID

django.setup()

from django.test import Client  # noqa: E402
from django.test.utils import setup_test_environment, teardown_test_environment  # noqa: E402


@pytest.fixture
def client(monkeypatch, webhook_secret):
    setup_test_environment()  # pytest-django does this
    monkeypatch.setenv("STRIPE_WEBHOOK_SECRET", webhook_secret("stripe").reveal())
    PAID.clear()
    yield Client()
    teardown_test_environment()


def test_a_paid_invoice_is_recorded(client, webhook):
    response = client.post("/hooks/stripe", **webhook("stripe", "invoice.paid").for_django())

    assert response.status_code == 200
    assert len(PAID) == 1


def test_the_url_may_be_given_to_the_fixture(client, webhook):
    response = client.post(**webhook("stripe", "invoice.paid", url="/hooks/stripe").for_django())

    assert response.status_code == 200


@pytest.mark.parametrize("fault", ["wrong_signature", "no_signature", "changed_body", "expired_timestamp"])
def test_a_forged_invoice_is_rejected(client, webhook, fault):
    response = client.post("/hooks/stripe", **webhook("stripe", "invoice.paid", fault=fault).for_django())

    assert response.status_code == 400
    assert PAID == []
