// Receivers written after the samples of official documentation, for Express and for node:http.
//
//     node samples.mjs '{"shopify": "secret", …}'
//
// prints their URLs as one line of JSON, and ends with its standard input.

import crypto from "node:crypto";
import { createServer } from "node:http";

import { Webhooks, createNodeMiddleware } from "@octokit/webhooks";
import express from "express";

const secrets = JSON.parse(process.argv[2]);

/** https://shopify.dev/docs/apps/build/webhooks/subscribe/https (Compute HMAC digest) */
function shopify() {
  const app = express();
  app.use(express.raw({ type: "*/*" }));
  app.post("/hooks", (req, res) => {
    const given = Buffer.from(req.headers["x-shopify-hmac-sha256"], "base64");
    const digest = crypto.createHmac("sha256", secrets.shopify).update(req.body).digest("base64");
    if (crypto.timingSafeEqual(Buffer.from(digest, "base64"), given)) res.send("HMAC validation successful.");
    else res.status(401).send("HMAC validation failed.");
  });
  return app;
}

/** https://github.com/zoom/webhook-sample index.js */
function zoom() {
  const app = express();
  app.use(express.json());
  app.post("/hooks", (req, res) => {
    const sign = (text) => crypto.createHmac("sha256", secrets.zoom).update(text).digest("hex");
    const message = `v0:${req.headers["x-zm-request-timestamp"]}:${JSON.stringify(req.body)}`;
    if (req.headers["x-zm-signature"] !== `v0=${sign(message)}`)
      res.status(200).json({ message: "unauthorized", status: 200 });
    else if (req.body.event === "endpoint.url_validation") {
      const plainToken = req.body.payload.plainToken;
      res.status(200).json({ plainToken, encryptedToken: sign(plainToken) });
    } else res.status(200).json({ message: "authorized", status: 200 });
  });
  return app;
}

/** https://github.com/octokit/webhooks.js#usage */
function github() {
  const webhooks = new Webhooks({ secret: secrets.github, log: { debug() {}, info() {}, warn() {}, error() {} } });
  webhooks.onAny(() => {});
  return createNodeMiddleware(webhooks, { path: "/hooks" });
}

console.error = () => {}; // Express writes each exception there
const urls = {};
for (const [name, sample] of Object.entries({ shopify, zoom, github })) {
  const server = createServer(sample());
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  urls[name] = `http://127.0.0.1:${server.address().port}/hooks`;
}
console.log(JSON.stringify(urls));
process.stdin.on("end", () => process.exit()).resume();
