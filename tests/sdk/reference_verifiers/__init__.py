"""The verifiers: the providers' own libraries and the best verifiers of others, asked whether they accept."""

from __future__ import annotations

from tests.sdk.reference_verifiers import messages, node, payments, services, standard
from tests.sdk.reference_verifiers.verifier import Verifier

VERIFIERS: tuple[Verifier, ...] = tuple(
    sorted(
        (*standard.VERIFIERS, *payments.VERIFIERS, *messages.VERIFIERS, *services.VERIFIERS, *node.VERIFIERS),
        key=lambda verifier: (verifier.provider, not verifier.own),
    )
)

__all__ = ["UNVERIFIED", "VERIFIERS", "Verifier"]

_NO_LIBRARY = """
acuity airwallex alchemy appwrite asana bitbucket-server btcpay buildkite chatwoot checkout checkr
circle circleci clickup close cloudflare-stream commercelayer cursor customerio discourse dub dwolla
ecwid expo fal fastspring flagsmith flutterwave flux frameio front fusionauth ghost helpscout
launchdarkly logto mongodb-atlas nexus nylas paymongo paystack persona pulumi recharge recurly
revenuecat revolut segment smartsheet snyk sonarqube sourcehut squarespace storyblok terraform-cloud
tiktok travis-ci unit wandb webex xero zitadel
"""
_NOTHING_SIGNED = """
alertmanager assemblyai auth0 auth0-events azure-devops chargebee datadog deepgram figma harbor
huggingface okta pipedrive xendit
"""
UNVERIFIED = {
    **dict.fromkeys(_NO_LIBRARY.split(), "no library is known that verifies it"),
    **dict.fromkeys(_NOTHING_SIGNED.split(), "nothing is signed: receivers compare a text"),
}
"""Real providers without a verifier, and why."""
