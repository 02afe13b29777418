// The judges that are JavaScript: one process for the whole test session.
//
//     node main.mjs
//
// Each line in is a request, as JSON: {judge, key, method, url, headers: [[name, value]], body: base64}.
// Each line out is the answer: {accepted: boolean}; for a handshake {body}, what the library answers it with;
// {error: text} when a library failed in a way that is no refusal.

import { createInterface } from "node:readline";

import { handshakes } from "./handshakes.mjs";
import { own } from "./own.mjs";
import { peers } from "./peers.mjs";

// Some libraries talk while they work, and the answers have standard output for themselves.
console.log = console.info = console.debug = () => {};

const judges = { ...own, ...peers };

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
    const { judge, key, ...request } = JSON.parse(line);
    if (judge in handshakes) return { body: await handshakes[judge](received(request), key) };
    if (!(judge in judges)) throw new Error(`there is no judge ${judge}`);
    const accepted = await judges[judge](received(request), key);
    if (typeof accepted !== "boolean") throw new Error(`${judge} answered ${accepted}`);
    return { accepted };
  } catch (error) {
    return { error: String(error?.stack ?? error) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(line))}\n`);
}
