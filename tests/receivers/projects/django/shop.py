"""A Django project in one file that receives Stripe's webhooks with Stripe's library."""

import os

import stripe
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["127.0.0.1"], SECRET_KEY="not used", USE_TZ=True)

PAID: list[str] = []


@csrf_exempt
@require_POST
def stripe_webhook(request: HttpRequest) -> HttpResponse:
    try:
        event = stripe.Webhook.construct_event(
            request.body, request.headers.get("Stripe-Signature", ""), os.environ["STRIPE_WEBHOOK_SECRET"]
        )
    except (ValueError, stripe.SignatureVerificationError):
        return HttpResponse(status=400)
    if event["type"] == "invoice.paid":
        PAID.append(event["data"]["object"]["id"])
    return HttpResponse()


urlpatterns = [path("hooks/stripe", stripe_webhook)]
