// Trigger.dev's catalogue of how providers sign. The package holds the data; its engine is not published, so
// this is one, for the part of its language that our providers need.

import { createHmac, timingSafeEqual } from "node:crypto";

import { webhookProviderConfigs } from "@trigger.dev/core/webhooks";

/** The elements `name=value` of a signature header, in order. */
function elements(text, { itemSeparator, fieldSeparator, trim }) {
  const items = itemSeparator ? text.split(itemSeparator) : [text];
  return items.map((item) => {
    const [name, ...rest] = (trim ? item.trim() : item).split(fieldSeparator);
    return [name, rest.join(fieldSeparator)];
  });
}

function value(source, request, fields) {
  if (source.from === "header") return request.headers[source.name];
  if (source.from === "signatureField") return fields.find(([name]) => name === source.field)?.[1];
  if (source.from === "url") return request.url;
  throw new Error(`values from ${source.from} are not known here`);
}

const seconds = {
  "http-date": (text) => Date.parse(text) / 1000,
  iso8601: (text) => Date.parse(text) / 1000,
  unix: (text, unit) => Number(text) / (unit === "milliseconds" ? 1000 : 1),
};

/** An adapter that verifies as the catalogue says for `id`. */
export function trigger(id) {
  return async (request, key) => {
    const { signature, timestamp, ...config } = webhookProviderConfigs[id].config();
    if (config.scheme !== "hmac") throw new Error(`${id} is signed by ${config.scheme}`);
    const header = request.headers[config.signatureHeader];
    const fields = signature.field ? elements(header, signature) : [];
    const sent = signature.field
      ? fields.filter(([name]) => name === signature.field).map(([, text]) => text)
      : [header];
    const time = timestamp && timestamp.source.from !== "body" ? value(timestamp.source, request, fields) : "";
    if (time && timestamp.toleranceSeconds) {
      const at = seconds[timestamp.format ?? "unix"](time, timestamp.unit);
      if (!(Math.abs(Date.now() / 1000 - at) <= timestamp.toleranceSeconds)) return false;
    }
    const { template = "{body}", vars = {} } = config.signingString === "raw" ? {} : config.signingString;
    const message = template.replace(/\{(\w+)\}/g, (_, name) => {
      if (name === "body") return request.body;
      return name === "timestamp" ? time : value(vars[name], request, fields);
    });
    const { encoding: form = "utf8", stripPrefix = "" } = config.secret ?? {};
    const secret = Buffer.from(key.startsWith(stripPrefix) ? key.slice(stripPrefix.length) : key, form);
    const right = createHmac(config.algorithm, secret).update(message).digest();
    return sent.some((text) => {
      const presented = Buffer.from(text, config.encoding);
      return presented.length === right.length && timingSafeEqual(presented, right);
    });
  };
}
