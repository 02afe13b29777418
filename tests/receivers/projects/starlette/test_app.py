import pytest
from app import PUSHES, app
from starlette.testclient import TestClient


@pytest.fixture
def client(monkeypatch, webhook_secret):
    monkeypatch.setenv("GITHUB_WEBHOOK_SECRET", webhook_secret("github").reveal())
    PUSHES.clear()
    return TestClient(app)


def test_a_push_is_recorded(client, webhook):
    response = client.post("/hooks/github", **webhook("github", "push").for_starlette())

    assert response.status_code == 204
    assert len(PUSHES) == 1


@pytest.mark.parametrize("fault", ["wrong_signature", "no_signature", "changed_body"])
def test_a_forged_push_is_rejected(client, webhook, fault):
    response = client.post("/hooks/github", **webhook("github", "push", fault=fault).for_starlette())

    assert response.status_code == 401
    assert PUSHES == []
