"""Samples for Django."""

from __future__ import annotations

from typing import Any

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

SECRETS: dict[str, str] = {}


def svix(request: HttpRequest) -> HttpResponse:
    """https://docs.svix.com/receiving/verifying-payloads/how (Django)"""
    from svix.webhooks import Webhook, WebhookVerificationError

    try:
        Webhook(SECRETS["svix"]).verify(request.body, request.headers)
    except WebhookVerificationError:
        return HttpResponse(status=400)
    return HttpResponse(status=204)


urlpatterns = [path("hooks", csrf_exempt(svix))]


def application() -> Any:
    """Return the WSGI application; debug mode is off, as it is deployed."""
    if not settings.configured:
        settings.configure(SECRET_KEY="-", LOGGING_CONFIG=None)
        django.setup()
    # Another test of this process may have configured Django already.
    settings.ROOT_URLCONF, settings.ALLOWED_HOSTS = __name__, ["127.0.0.1"]
    return get_wsgi_application()
