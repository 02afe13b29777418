"""Samples for FastAPI."""

from __future__ import annotations

import hashlib
import hmac

from fastapi import FastAPI, HTTPException, Request


def github(secret: str) -> FastAPI:
    """https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries#python-example"""
    app = FastAPI()

    def verify(body: bytes, header: str | None) -> None:
        if not header:
            raise HTTPException(status_code=403, detail="x-hub-signature-256 header is missing!")
        expected = (
            "sha256=" + hmac.new(secret.encode("utf-8"), msg=body, digestmod=hashlib.sha256).hexdigest()
        )
        if not hmac.compare_digest(expected, header):
            raise HTTPException(status_code=403, detail="Request signatures didn't match!")

    @app.post("/hooks")
    async def receive(request: Request) -> dict[str, bool]:
        verify(await request.body(), request.headers.get("x-hub-signature-256"))
        return {"ok": True}

    return app
