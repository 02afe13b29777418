"""Receivers that the providers' libraries decide: no check may raise a false alarm."""

from __future__ import annotations

import pytest

from hook_widgets.receivers import catalogue, check_receiver
from hook_widgets.webhooks import Secret, provider
from hook_widgets.webhooks.models import AsymmetricKeySpec
from tests.receiver_checks.http_layer import HttpReceiver, Request, Response, Serving
from tests.support.sdk_receiver import VERIFIERS, Headers


def svix(headers: Headers, body: bytes, url: str, key: str) -> None:
    from svix import Webhook

    Webhook(key).verify(body, {name.lower(): value for name, value in headers.items()})


LIBRARIES = VERIFIERS | {"svix": svix}
# True findings. Stripe's library does not look for times in the future (stripe/stripe-php#657). In gidgethub,
# which is not GitHub's own, the label of a signature chooses the algorithm: it takes "sha1=".
# A plain server verifies, and knows no handshake.
FINDINGS = {
    "stripe": {"C2": "warned"},
    "github": {"B14": "failed"},
    "slack": {"H1": "failed"},
    "discord": {"H1": "warned", "H4": "failed"},
}


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_library_behind_a_plain_server_has_no_other_findings(name):
    known = provider(name)
    secret = known.example_secret()
    if isinstance(secret, Secret):
        key = secret.reveal()
    else:
        assert isinstance(known.key, AsymmetricKeySpec)
        key = secret.public_as(known.key.public_form)

    class Library(HttpReceiver):
        limit_bytes = known.deliveries.max_body_bytes or HttpReceiver.limit_bytes

        def respond(self, request: Request) -> Response:
            if request.method != "POST":
                return Response(405)
            headers = Headers()
            for header, value in request.headers.items():
                headers[header] = value
            url = f"http://{request.headers['host']}{request.path}"
            try:
                LIBRARIES[name](headers, request.body, url, key)
            except Exception:  # noqa: BLE001 - each library has its own
                return Response(401)
            return Response(204)

    load = [check.id for check in catalogue().values() if check.load]
    with Serving(Library()) as url:
        report = check_receiver(known, url, secret, suite="full", skip=load)

    assert FINDINGS.get(name, {}) == {result.id: str(result.status) for result in report.findings}
    assert report.score.passed > 15
