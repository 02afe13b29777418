"""Draft, sign, send, receive, verify and diagnose webhook requests of many providers.

>>> from hook_widgets.webhooks import Secret, provider, verify
>>> secret = Secret("an example secret")
>>> request = provider("generic").draft(at=1_790_000_000).sign(secret)
>>> verify("generic", request, secret).ok
True
"""

from hook_widgets.webhooks.codegen import languages, receiver_snippet
from hook_widgets.webhooks.delivery.client import Delivery, asend, send
from hook_widgets.webhooks.delivery.receiver import Receiver
from hook_widgets.webhooks.diagnosis import Diagnosis, detect, diagnose
from hook_widgets.webhooks.headers import Headers
from hook_widgets.webhooks.keys.key_pair import KeyPair, PublicKey
from hook_widgets.webhooks.keys.secret import Secret
from hook_widgets.webhooks.registry import add_providers, problems, provider, providers
from hook_widgets.webhooks.requests.handshake import check_answer
from hook_widgets.webhooks.requests.provider import Provider
from hook_widgets.webhooks.requests.request import Draft, ReceivedRequest, WebhookRequest
from hook_widgets.webhooks.verdict import Reason, Verdict
from hook_widgets.webhooks.verification.verify import verify

__all__ = [
    "Delivery",
    "Diagnosis",
    "Draft",
    "Headers",
    "KeyPair",
    "Provider",
    "PublicKey",
    "Reason",
    "ReceivedRequest",
    "Receiver",
    "Secret",
    "Verdict",
    "WebhookRequest",
    "add_providers",
    "asend",
    "check_answer",
    "detect",
    "diagnose",
    "languages",
    "problems",
    "provider",
    "providers",
    "receiver_snippet",
    "send",
    "verify",
]
