"""The verifiers that are JavaScript: one Node process for the whole session, asked line by line."""

from __future__ import annotations

import atexit
import base64
import json
import os
import shutil
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from hook_widgets.webhooks import WebhookRequest
from tests.sdk.reference_verifiers.verifier import Accepts, Verifier, add_member, change_url, peer

FOLDER = Path(__file__).parents[1] / "node"


@cache
def process() -> subprocess.Popen[str]:
    """The running process; the variable NODE names the program."""
    node = os.environ.get("NODE") or shutil.which("node")
    if node is None or not (FOLDER / "node_modules").is_dir():
        raise RuntimeError("no Node, or its packages are missing: `make test-sdk` brings both")
    started = subprocess.Popen(
        [node, "main.mjs"], cwd=FOLDER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    )
    atexit.register(started.communicate)
    return started


def ask(adapter: str, request: WebhookRequest, key: str) -> dict[str, Any]:
    """Return the reply of the adapter of that name in tests/sdk/node.

    Raises:
        RuntimeError: its library failed in a way that is no rejection.
    """
    line = {
        "verifier": adapter,
        "key": key,
        "method": request.method,
        "url": request.url,
        "headers": request.headers.multi_items(),
        "body": base64.b64encode(request.body).decode(),
    }
    running = process()
    assert running.stdin is not None
    assert running.stdout is not None
    running.stdin.write(json.dumps(line) + "\n")
    running.stdin.flush()
    said = running.stdout.readline()
    if not said:
        raise RuntimeError(f"{adapter}: Node has ended; its message is above")
    answer: dict[str, Any] = json.loads(said)
    if "error" in answer:
        raise RuntimeError(f"{adapter}: {answer['error']}")
    return answer


def node(adapter: str) -> Accepts:
    """A verifier by its adapter."""
    return lambda request, key: bool(ask(adapter, request, key)["accepted"])


def own(provider: str, library: str, function: str, **more: Any) -> Verifier:
    """A verifier of the provider's own library."""
    return Verifier(provider, f"{library} {function} (Node)", node(library), **more)


def other(provider: str, name: str, call: str, **more: Any) -> Verifier:
    """A verifier of a third party."""
    return peer(provider, f"{call} (Node)", node(name), **more)


def nuxt(provider: str, function: str, name: str = "", **more: Any) -> Verifier:
    """A function of nuxt-webhook-validators."""
    return other(provider, f"nuxt {name or provider}", f"nuxt-webhook-validators {function}", **more)


def tern(provider: str, name: str = "", **more: Any) -> Verifier:
    """A platform of @hookflo/tern."""
    return other(provider, f"tern {name or provider}", "@hookflo/tern verifyWithPlatformConfig", **more)


def trigger(provider: str, **more: Any) -> Verifier:
    """An entry in Trigger.dev's catalogue of signatures."""
    return other(
        provider, f"trigger {provider}", "@trigger.dev/core webhookProviderConfigs, verified here", **more
    )


def change_message(request: WebhookRequest) -> WebhookRequest:
    """The request with another message: of a notification only some members are signed."""
    body = json.loads(request.body)
    body["Message"] += "x"
    return replace(request, body=json.dumps(body).encode())


VERIFIERS = (
    own("atlassian-connect", "atlassian-jwt", "decodeSymmetric, createQueryStringHash", tamper=change_url),
    # It leaves out the token of this one, which AWS documents as signed.
    own("aws-sns", "sns-validator", "validate", tamper=change_message, misses=("UnsubscribeConfirmation",)),
    own("cashfree", "cashfree-pg", "PGVerifyWebhookSignature"),
    own("clerk", "@clerk/backend", "verifyWebhook", max_age_s=300),
    own("contentful", "@contentful/node-apps-toolkit", "verifyRequest", max_age_s=30),
    own("crisp", "crisp-api", "verifyHook", tamper=add_member),
    own("fintoc", "fintoc", "WebhookSignature.verifyHeader", max_age_s=300),
    own("github", "@octokit/webhooks-methods", "verify"),
    own("hook0", "hook0-client", "verifyWebhookSignature", max_age_s=300),
    own("linear", "@linear/sdk", "LinearWebhookClient.parseData", max_age_s=60),
    own("mux", "@mux/mux-node", "webhooks.verifySignature", max_age_s=300),
    own("notion", "@notionhq/client", "verifyWebhookSignature"),
    own("sanity", "@sanity/webhook", "isValidSignature"),
    own("seam", "@seamapi/webhook", "SeamWebhook.verify", max_age_s=300),
    own("shopify", "@shopify/shopify-api", "webhooks.validate"),
    own("todoist", "@doist/todoist-sdk", "verifyWebhookSignature"),
    own("x", "twitter-autohook", "validateSignature"),
    own("webflow", "webflow-api", "webhooks.verifySignature"),
    own("zoom", "@zoom/rivet", "AwsLambdaReceiver", tamper=add_member),
    other("coinbase-cdp", "hook0-client", "hook0-client verifyWebhookSignature", max_age_s=300),
    other("trello", "@18f/trello-webhook-server", "@18f/trello-webhook-server webhook-verify"),
    nuxt("bitbucket", "isValidBitbucketWebhook"),
    nuxt("cal-com", "isValidCalcomWebhook", "calcom"),
    nuxt("docusign", "isValidDocusignWebhook"),
    nuxt("dropbox", "isValidDropboxWebhook"),
    nuxt("gitlab-token", "isValidGitLabWebhook", "gitlab", tamper=None),
    nuxt("heroku", "isValidHerokuWebhook"),
    nuxt("kick", "isValidKickWebhook"),
    nuxt("netlify", "isValidNetlifyWebhook"),
    nuxt("twitch", "isValidTwitchWebhook"),
    nuxt("vercel", "isValidVercelWebhook"),
    tern("gitlab-token", "gitlab", tamper=None),
    tern("grafana", schemes=("body",)),
    tern("lemonsqueezy"),
    tern("sentry", tamper=add_member),
    tern("woocommerce"),
    trigger("attio"),
    trigger("calendly", max_age_s=300),
    trigger("firecrawl"),
    trigger("intercom"),
    trigger("jira"),
    trigger("pagerduty", rolls=False),
    trigger("tailscale", max_age_s=300),
    trigger("typeform"),
    trigger("vapi", schemes=("body",)),
    trigger("zendesk"),
)
