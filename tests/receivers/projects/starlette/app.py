"""A Starlette app that receives GitHub's webhooks."""

import hashlib
import hmac
import json
import os

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

PUSHES: list[str] = []


async def github(request: Request) -> Response:
    body = await request.body()
    secret = os.environ["GITHUB_WEBHOOK_SECRET"].encode()
    expected = "sha256=" + hmac.new(secret, body, hashlib.sha256).hexdigest()
    signature = request.headers.get("x-hub-signature-256", "")
    if not hmac.compare_digest(expected.encode(), signature.encode()):
        return Response(status_code=401)
    if request.headers["x-github-event"] == "push":
        PUSHES.append(json.loads(body)["ref"])
    return Response(status_code=204)


app = Starlette(routes=[Route("/hooks/github", github, methods=["POST"])])
