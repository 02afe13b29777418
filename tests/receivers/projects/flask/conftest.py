import threading

import pytest
from app import app
from werkzeug.serving import make_server


@pytest.fixture(scope="session", autouse=True)
def signing_secret(webhook_secret):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLACK_SIGNING_SECRET", webhook_secret("slack").reveal())
        yield


@pytest.fixture(scope="session")
def webhook_url(signing_secret):
    """The app as a server, for the checks."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/hooks/slack"
    server.shutdown()
    thread.join()
    server.server_close()
