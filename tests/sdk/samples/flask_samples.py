"""Samples for Flask."""

from __future__ import annotations

import json
from functools import wraps
from typing import Any

from flask import Flask, abort, jsonify, request


def stripe(secret: str) -> Flask:
    """https://github.com/stripe/stripe-python/blob/master/examples/webhooks.py"""
    import stripe as library

    app = Flask("stripe")

    @app.route("/hooks", methods=["POST"])
    def receive() -> Any:
        header = request.headers.get("Stripe-Signature", None)
        try:
            library.Webhook.construct_event(request.data, header, secret)
        except ValueError:
            return "Bad payload", 400
        except library.SignatureVerificationError:
            return "Bad signature", 400
        return "", 200

    return app


def accept_a_payment(secret: str) -> Flask:
    """https://github.com/stripe-samples/accept-a-payment custom-payment-flow/server/python/server.py"""
    import stripe as library

    app = Flask("accept_a_payment")

    @app.route("/hooks", methods=["POST"])
    def receive() -> Any:
        data = json.loads(request.data)
        if secret:
            header = request.headers.get("stripe-signature")
            try:
                library.Webhook.construct_event(payload=request.data, sig_header=header, secret=secret)
            except Exception as error:  # noqa: BLE001 - as the sample does
                return error
        return jsonify({"status": "success", "type": data["type"]})

    return app


def svix(secret: str) -> Flask:
    """https://docs.svix.com/receiving/verifying-payloads/how (Flask)"""
    from svix.webhooks import Webhook, WebhookVerificationError

    app = Flask("svix")

    @app.route("/hooks", methods=["POST"])
    def receive() -> Any:
        try:
            Webhook(secret).verify(request.get_data(), request.headers)
        except WebhookVerificationError:
            return "", 400
        return "", 204

    return app


def twilio(secret: str) -> Flask:
    """https://www.twilio.com/docs/usage/tutorials/how-to-secure-your-flask-app-by-validating-incoming-twilio-requests"""
    from twilio.request_validator import RequestValidator

    app = Flask("twilio")

    def validated(view: Any) -> Any:
        @wraps(view)
        def checked(*args: Any, **kwargs: Any) -> Any:
            signature = request.headers.get("X-TWILIO-SIGNATURE", "")
            if not RequestValidator(secret).validate(request.url, request.form, signature):
                return abort(403)
            return view(*args, **kwargs)

        return checked

    @app.route("/hooks", methods=["POST"])
    @validated
    def receive() -> Any:
        return "<Response/>", 200, {"Content-Type": "text/xml"}

    return app


def discord(public_key: str) -> Flask:
    """https://docs.discord.com/developers/interactions/overview#validating-security-request-headers"""
    from nacl.exceptions import BadSignatureError
    from nacl.signing import VerifyKey

    app = Flask("discord")
    key = VerifyKey(bytes.fromhex(public_key))

    @app.route("/hooks", methods=["POST"])
    def receive() -> Any:
        signature = request.headers["X-Signature-Ed25519"]
        timestamp = request.headers["X-Signature-Timestamp"]
        body = request.data.decode("utf-8")
        try:
            key.verify(f"{timestamp}{body}".encode(), bytes.fromhex(signature))
        except BadSignatureError:
            abort(401, "invalid request signature")
        if request.json["type"] == 1:
            return jsonify({"type": 1})
        return jsonify({"type": 4, "data": {"content": "done"}})

    return app


def slack(secret: str) -> Flask:
    """https://docs.slack.dev/tools/bolt-python/concepts/adapters"""
    from slack_bolt import App
    from slack_bolt.adapter.flask import SlackRequestHandler
    from slack_bolt.authorization import AuthorizeResult

    # The sample gives a token, with which Bolt asks Slack who it is; `authorize` says it without a network.
    bolt = App(
        signing_secret=secret,
        authorize=lambda enterprise_id, team_id: AuthorizeResult(
            enterprise_id=enterprise_id, team_id=team_id, bot_token="xoxb-none", bot_id="B0", bot_user_id="U0"
        ),
    )

    def message() -> None:
        """Take note of it."""

    bolt.event("message")(message)

    app = Flask("slack")
    handler = SlackRequestHandler(bolt)

    @app.route("/hooks", methods=["POST"])
    def receive() -> Any:
        return handler.handle(request)

    return app
