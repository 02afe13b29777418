"""A Flask app that receives Slack's events with Slack's library."""

import os

from flask import Flask, request
from slack_sdk.signature import SignatureVerifier

app = Flask(__name__)


@app.post("/hooks/slack")
def slack():
    body = request.get_data()  # raw, before request.json
    verifier = SignatureVerifier(os.environ["SLACK_SIGNING_SECRET"])
    # The library compares texts, for which Python's compare_digest wants ASCII.
    ascii_only = request.headers.get("X-Slack-Signature", "").isascii()
    if not ascii_only or not verifier.is_valid_request(body, dict(request.headers)):
        return "", 401
    event = request.get_json()
    if event["type"] == "url_verification":
        return {"challenge": event["challenge"]}
    return "", 200
