// The verifiers that are JavaScript: one process for the whole test session.
//
//     node main.mjs
//
// Each line in is a request, as JSON: {verifier, key, method, url, headers: [[name, value]], body: base64}.
// Each line out is the answer: {accepted: boolean}; for a handshake {body}, what the library answers it with;
// {error: text} when a library failed in a way that is no rejection.

import { createInterface } from "node:readline";

import { handshakes } from "./handshakes.mjs";
import { own } from "./own.mjs";
import { peers } from "./peers.mjs";

// Some libraries talk while they work, and the answers have standard output for themselves.
console.log = console.info = console.debug = () => {};

const verifiers = { ...own, ...peers };

/** What the adapters get: the body as text and bytes, the headers by lower-case name. */
function received({ method, url, headers, body }) {
  const bytes = Buffer.from(body, "base64");
  return {
    method,
    url,
    bytes,
    body: bytes.toString("utf8"),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    fetched: () => new Request(url, { method, headers, body: bytes }),
  };
}

async function answer(line) {
  try {
    const { verifier, key, ...request } = JSON.parse(line);
    if (verifier in handshakes) return { body: await handshakes[verifier](received(request), key) };
    if (!(verifier in verifiers)) throw new Error(`there is no verifier ${verifier}`);
    const accepted = await verifiers[verifier](received(request), key);
    if (typeof accepted !== "boolean") throw new Error(`${verifier} answered ${accepted}`);
    return { accepted };
  } catch (error) {
    return { error: String(error?.stack ?? error) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(line))}\n`);
}
