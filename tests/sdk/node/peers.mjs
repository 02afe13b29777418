// Verifiers of third parties, for providers whose own libraries verify nothing.

import { createRequire } from "node:module";

import { nuxt } from "./nuxt.mjs";
import { holds } from "./rejection.mjs";
import { trigger } from "./trigger.mjs";

const require = createRequire(import.meta.url);

async function hook0({ headers, body }, key) {
  const { verifyWebhookSignature } = require("hook0-client");
  const sent = headers["x-hook0-signature"];
  const verify = () => verifyWebhookSignature(sent, body, new Headers(headers), key, 300);
  return holds(/^Invalid signature|has expired/, verify);
}

async function trello({ headers, body, url }, key) {
  const verify = require("@18f/trello-webhook-server/bin/webhook-verify.js");
  return verify(url, key, body, headers["x-trello-webhook"]);
}

/** An adapter: the verifier @hookflo/tern for one of its platforms. */
function tern(platform) {
  return async ({ fetched }, key) => {
    const { WebhookVerificationService } = await import("@hookflo/tern");
    const { isValid, errorCode, error } = await WebhookVerificationService.verifyWithPlatformConfig(
      fetched(),
      platform,
      key,
    );
    if (!isValid && !/^INVALID_|^TIMESTAMP_EXPIRED$/.test(errorCode)) throw new Error(`${errorCode}: ${error}`);
    return isValid;
  };
}

export const peers = {
  "@18f/trello-webhook-server": trello,
  "hook0-client": hook0,
  "nuxt bitbucket": nuxt("bitbucket", "isValidBitbucketWebhook", "bitbucket"),
  "nuxt calcom": nuxt("calcom.post", "isValidCalcomWebhook", "calcom"),
  "nuxt docusign": nuxt("docusign", "isValidDocusignWebhook", "docusign"),
  "nuxt dropbox": nuxt("dropbox", "isValidDropboxWebhook", "dropbox", "appSecret"),
  "nuxt gitlab": nuxt("gitlab", "isValidGitLabWebhook", "gitlab", "secretToken"),
  "nuxt heroku": nuxt("heroku", "isValidHerokuWebhook", "heroku"),
  "nuxt kick": nuxt("kick", "isValidKickWebhook", "kick", "publicKey"),
  "nuxt netlify": nuxt("netlify", "isValidNetlifyWebhook", "netlify"),
  "nuxt twitch": nuxt("twitch", "isValidTwitchWebhook", "twitch"),
  "nuxt vercel": nuxt("vercel", "isValidVercelWebhook", "vercel"),
  "tern gitlab": tern("gitlab"),
  "tern grafana": tern("grafana"),
  "tern lemonsqueezy": tern("lemonsqueezy"),
  "tern sentry": tern("sentry"),
  "tern woocommerce": tern("woocommerce"),
  "trigger attio": trigger("attio"),
  "trigger calendly": trigger("calendly"),
  "trigger firecrawl": trigger("firecrawl"),
  "trigger intercom": trigger("intercom"),
  "trigger jira": trigger("jira"),
  "trigger pagerduty": trigger("pagerduty"),
  "trigger tailscale": trigger("tailscale"),
  "trigger typeform": trigger("typeform"),
  "trigger vapi": trigger("vapi"),
  "trigger zendesk": trigger("zendesk"),
};
