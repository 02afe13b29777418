"""A webhook receiver that knows nothing of hook_widgets: the providers' official libraries decide.

    python sdk_receiver.py      prints its address; needs the libraries of requirements/sdk.txt

``PUT /stripe`` with a secret (or a public key) as the body configures it, as one would an endpoint at Stripe,
and forgets what arrived.
``POST /stripe`` is answered 200 when Stripe's library accepts the request and 401 when it does not.
``GET /stripe`` tells what arrived.
"""

from __future__ import annotations

import base64
import json
from collections import defaultdict
from collections.abc import Callable
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl

Headers = Message
"""Looks names up in any case."""


def stripe(headers: Headers, body: bytes, url: str, key: str) -> None:
    from stripe import Webhook

    Webhook.construct_event(body, headers["Stripe-Signature"], key)


def github(headers: Headers, body: bytes, url: str, key: str) -> None:
    from gidgethub.sansio import Event

    Event.from_http({name.lower(): value for name, value in headers.items()}, body, secret=key)


def slack(headers: Headers, body: bytes, url: str, key: str) -> None:
    from slack_sdk.signature import SignatureVerifier

    require(SignatureVerifier(key).is_valid_request(body, dict(headers)))


def twilio(headers: Headers, body: bytes, url: str, key: str) -> None:
    from twilio.request_validator import RequestValidator

    form = dict(parse_qsl(body.decode(), keep_blank_values=True))
    require(RequestValidator(key).validate(url, form, headers["X-Twilio-Signature"]))


def discord(headers: Headers, body: bytes, url: str, key: str) -> None:
    from discord_interactions import verify_key

    require(verify_key(body, headers["X-Signature-Ed25519"], headers["X-Signature-Timestamp"], key))


VERIFIERS: dict[str, Callable[[Headers, bytes, str, str], None]] = {
    verifier.__name__: verifier for verifier in (stripe, github, slack, twilio, discord)
}


def require(accepted: bool) -> None:
    """Turn a library's "no" into an exception, as the others raise one."""
    if not accepted:
        raise ValueError("the signature does not match")


class Handler(BaseHTTPRequestHandler):
    """One request."""

    keys: dict[str, str] = {}  # noqa: RUF012 - shared by all requests
    arrived: dict[str, list[dict[str, Any]]] = defaultdict(list)  # noqa: RUF012

    def do_PUT(self) -> None:
        self.keys[self._provider()] = self._body().decode()
        self.arrived[self._provider()].clear()
        self._answer(200, {})

    def do_GET(self) -> None:
        self._answer(200, self.arrived[self._provider()])

    def do_POST(self) -> None:
        provider, body = self._provider(), self._body()
        url = f"http://{self.headers['Host']}{self.path}"
        try:
            VERIFIERS[provider](self.headers, body, url, self.keys[provider])
        except Exception as rejection:  # noqa: BLE001 - each library has its own errors
            problem = f"{type(rejection).__name__}: {rejection}"
        else:
            problem = ""
        headers, encoded = list(self.headers.items()), base64.b64encode(body).decode()
        self.arrived[provider].append({"headers": headers, "body": encoded, "problem": problem})
        self._answer(401 if problem else 200, {"accepted": not problem, "problem": problem})

    def _provider(self) -> str:
        return self.path.strip("/").partition("?")[0]

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def _answer(self, status: int, content: object) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Print nothing."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
