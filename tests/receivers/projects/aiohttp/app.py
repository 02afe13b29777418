"""An aiohttp app that receives Standard Webhooks with their library."""

import os

from aiohttp import web
from standardwebhooks import Webhook, WebhookVerificationError


async def hook(request: web.Request) -> web.Response:
    body = await request.text()
    try:
        Webhook(os.environ["WEBHOOK_SECRET"]).verify(body, {k.lower(): v for k, v in request.headers.items()})
    except WebhookVerificationError:
        return web.Response(status=401)
    return web.Response(status=204)


def create_app() -> web.Application:
    app = web.Application()
    app.router.add_post("/hooks", hook)
    return app
