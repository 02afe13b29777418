/** Replies of the kernel to the lazy panels. */

import type { Read } from "../core/decoders.js";
import { flag, list, mapOf, number, or, orNull, pair, record, text } from "../core/lazy-exports.js";

const words = or(text, "");

export const verdict = record({
  ok: flag,
  reason: words,
  detail: words,
  steps: or(list(record({ label: text, ok: orNull(flag), text: words })), []),
});

export const diagnosis = record({
  verdict,
  /** The id of the provider that the request was taken for; "" when it was not recognised. */
  provider: words,
  detected: or(list(record({ id: text, title: text })), []),
  findings: list(
    record({ cause: text, title: text, change: text, frameworks: or(list(pair(text, text)), []) }),
  ),
  excluded: or(list(text), []),
  strings: or(list(record({ label: text, length: number, sha256: text, shown: text })), []),
  difference: words,
});

/** Of curl and receiver. */
export const textReply = record({ text });

/** A request as it was sent. */
export const asSent = record({ url: text, method: text, headers: list(pair(text, text)) });

/** Values inserted into the body, by parameter name. */
export const randomized = record({ values: mapOf(text) });

export type Verdict = Read<typeof verdict>;
export type Diagnosis = Read<typeof diagnosis>;
