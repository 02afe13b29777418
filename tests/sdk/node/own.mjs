// The providers' own libraries. Each adapter answers whether its library accepts the request.

import https from "node:https";
import { createRequire } from "node:module";
import { Readable } from "node:stream";

import { holds } from "./rejection.mjs";
import { rivet } from "./zoom.mjs";

const require = createRequire(import.meta.url);

async function atlassian({ method, url, headers }, key) {
  const jwt = await import("atlassian-jwt");
  const token = headers.authorization.replace(/^JWT /, "");
  let claims;
  const decode = () => {
    claims = jwt.decodeSymmetric(token, key, jwt.SymmetricAlgorithm.HS256);
  };
  if (!(await holds(/Signature verification failed/, decode))) return false;
  const path = new URL(url);
  const asked = jwt.fromMethodAndUrl(method, path.pathname + path.search);
  // The library leaves the claim exp to its caller.
  return claims.qsh === jwt.createQueryStringHash(asked) && claims.exp >= Date.now() / 1000;
}

async function cashfree({ headers, body }, key) {
  const { CFEnvironment, Cashfree } = require("cashfree-pg");
  const api = new Cashfree(CFEnvironment.SANDBOX, "none", key);
  const verify = () =>
    api.PGVerifyWebhookSignature(headers["x-webhook-signature"], body, headers["x-webhook-timestamp"]);
  return holds(/signature did not match/, verify);
}

async function clerk({ fetched }, key) {
  const { verifyWebhook } = await import("@clerk/backend/webhooks");
  const rejection = /No matching signature found|timestamp too old/;
  return holds(rejection, () => verifyWebhook(fetched(), { signingSecret: key }));
}

async function contentful({ method, url, headers, body }, key) {
  const { verifyRequest } = await import("@contentful/node-apps-toolkit");
  const { pathname, search } = new URL(url);
  let accepted = false;
  const verify = () => {
    accepted = verifyRequest(key, { method, path: pathname + search, headers, body });
  };
  return (await holds(/expired/i, verify)) && accepted;
}

async function crisp({ headers, body }, key) {
  const { Crisp } = require("crisp-api");
  const client = new Crisp();
  client.setRtmMode("webhooks");
  // The library verifies only once somebody listens.
  await client.on("message:send", () => {});
  const timestamp = headers["x-crisp-request-timestamp"];
  return client.verifyHook(key, JSON.parse(body), timestamp, headers["x-crisp-signature"]);
}

async function fintoc({ headers, body }, key) {
  const { WebhookSignature } = require("fintoc");
  const rejection = /Signature mismatch|Timestamp outside/i;
  return holds(rejection, () => WebhookSignature.verifyHeader(body, headers["fintoc-signature"], key));
}

async function linear({ headers, bytes }, key) {
  const { LinearWebhookClient } = await import("@linear/sdk/webhooks");
  const client = new LinearWebhookClient(key);
  const parse = () => client.parseData(bytes, headers["linear-signature"]);
  return holds(/Invalid webhook/, parse);
}

async function mux({ headers, body }, key) {
  const { default: Mux } = await import("@mux/mux-node");
  const { webhooks } = new Mux({ tokenId: "none", tokenSecret: "none" });
  const rejection = /No signatures found matching|timestamp is too old/;
  return holds(rejection, () => webhooks.verifySignature(body, headers, key));
}

async function notion({ headers, body }, key) {
  const { verifyWebhookSignature } = await import("@notionhq/client");
  return verifyWebhookSignature({ body, signature: headers["x-notion-signature"], verificationToken: key });
}

async function octokit({ headers, body }, key) {
  const { verify } = await import("@octokit/webhooks-methods");
  return verify(key, body, headers["x-hub-signature-256"]);
}

async function sanity({ headers, body }, key) {
  const { SIGNATURE_HEADER_NAME, isValidSignature } = await import("@sanity/webhook");
  return isValidSignature(body, headers[SIGNATURE_HEADER_NAME], key);
}

async function seam({ headers, body }, key) {
  const { SeamWebhook } = await import("@seamapi/webhook");
  const rejection = /No matching signature found|timestamp too old/;
  return holds(rejection, () => new SeamWebhook(key).verify(body, headers));
}

async function shopify({ method, url, headers, body }, key) {
  await import("@shopify/shopify-api/adapters/node");
  const { ApiVersion, LogSeverity, shopifyApi } = await import("@shopify/shopify-api");
  const api = shopifyApi({
    apiKey: "none",
    apiSecretKey: key,
    apiVersion: Object.values(ApiVersion).at(-1),
    hostName: "app.example.com",
    isEmbeddedApp: false,
    logger: { level: LogSeverity.Error },
  });
  const rawRequest = Object.assign(Readable.from([body]), { method, url, headers });
  const answer = await api.webhooks.validate({ rawBody: body, rawRequest });
  if (!answer.valid && answer.reason !== "invalid_hmac") throw new Error(JSON.stringify(answer));
  return answer.valid;
}

/** The certificate comes from us: nothing is fetched from the address in the message. */
async function sns({ body }, key) {
  // The library keeps certificates by address, so each request gets a library of its own.
  delete require.cache[require.resolve("sns-validator")];
  const Validator = require("sns-validator");
  const get = https.get;
  https.get = (_url, callback) => {
    callback(Object.assign(Readable.from([key]), { statusCode: 200 }));
    return { on: () => {} };
  };
  try {
    const validate = () =>
      new Promise((resolve, reject) => {
        new Validator().validate(body, (error, message) => (error ? reject(error) : resolve(message)));
      });
    return await holds(/The message signature is invalid/, validate);
  } finally {
    https.get = get;
  }
}

async function todoist({ headers, body }, key) {
  const { parseWebhookPayload, verifyWebhookSignature } = await import("@doist/todoist-sdk");
  const signature = headers["x-todoist-hmac-sha256"];
  if (!(await verifyWebhookSignature({ rawBody: body, signature, clientSecret: key }))) return false;
  parseWebhookPayload(JSON.parse(body)); // its schemas: a body that misses a member throws
  return true;
}

async function twitter({ headers, body }, key) {
  const { validateSignature } = require("twitter-autohook");
  return validateSignature(headers, { consumer_secret: key }, body);
}

async function webflow({ headers, body }, key) {
  const { WebflowClient } = await import("webflow-api");
  return new WebflowClient({ accessToken: "none" }).webhooks.verifySignature({ headers, body, secret: key });
}

async function zoom({ headers, body }, key) {
  const { statusCode, body: text } = await rivet({ headers, body }, key);
  if (statusCode !== 200 && !text.includes("Failed to verify event originated from Zoom")) throw new Error(text);
  return statusCode === 200;
}

export const own = {
  "@clerk/backend": clerk,
  "@contentful/node-apps-toolkit": contentful,
  "@doist/todoist-sdk": todoist,
  "@linear/sdk": linear,
  "@mux/mux-node": mux,
  "@notionhq/client": notion,
  "@octokit/webhooks-methods": octokit,
  "@sanity/webhook": sanity,
  "@seamapi/webhook": seam,
  "@shopify/shopify-api": shopify,
  "@zoom/rivet": zoom,
  "atlassian-jwt": atlassian,
  "cashfree-pg": cashfree,
  "crisp-api": crisp,
  fintoc,
  "sns-validator": sns,
  "twitter-autohook": twitter,
  "webflow-api": webflow,
};
