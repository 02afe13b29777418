// What the providers' own libraries answer to a handshake: JSON bodies.

import { createRequire } from "node:module";

import { rivet } from "./zoom.mjs";

const require = createRequire(import.meta.url);

export const handshakes = {
  "@zoom/rivet url_validation": async (request, key) => JSON.parse((await rivet(request, key)).body),
  "twitter-autohook validateWebhook": ({ url }, key) => {
    const { validateWebhook } = require("twitter-autohook");
    return validateWebhook(new URL(url).searchParams.get("crc_token"), { consumer_secret: key });
  },
};
