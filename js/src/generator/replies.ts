/** Replies of the kernel to the lazy panels. */

import type { Read } from "../core/decoders.js";
import { flag, list, mapOf, number, orNull, pair, record, some, text, words } from "./lazy-exports.js";

export const verdict = record({
  ok: flag,
  reason: words,
  detail: words,
  steps: some(record({ label: text, ok: orNull(flag), text: words })),
});

const finding = record({
  cause: text,
  title: text,
  change: text,
  frameworks: some(pair(text, text)),
});

/** Explanation of a rejection by probes; without a cause, `lacks` says what was not tried. */
export const rejection = record({
  explained: flag,
  reason: text,
  finding: orNull(finding),
  probes: list(record({ title: text, observed: text, accepted: flag })),
  lacks: words,
});

export const diagnosis = record({
  verdict,
  /** Id of the detected or given provider; "" if it was not detected. */
  provider: words,
  detected: some(record({ id: text, title: text })),
  findings: list(finding),
  /** Likely causes, visible in the request or known of the provider; only without findings. */
  hints: some(finding),
  excluded: some(text),
  /** Causes that cannot be tested. */
  not_excluded: some(text),
  strings: some(record({ label: text, length: number, sha256: text, shown: text })),
  difference: words,
});

/** Replies to `search`, and to `curl` and `receiver`. */
export const searchReply = record({ matches: list(number) });
export const textReply = record({ text });

/** A request as it was sent. */
export const asSent = record({ url: text, method: text, headers: list(pair(text, text)) });

/** The first request of a recording. */
export const imported = record({
  format: text,
  count: number,
  provider: words,
  url: words,
  method: words,
  headers: list(pair(text, text)),
  body_known: flag,
  notes: some(text),
  /** Time of the request, ISO 8601; "" if unknown. */
  at: words,
});

/** Request and response of a history entry; their bodies are the buffers. */
export const exchange = record({
  method: words,
  url: words,
  headers: list(pair(text, text)),
  body_known: flag,
  sha256: words,
  notes: some(text),
  base_strings: some(record({ field: text, algorithm: text, length: number, sha256: text, shown: text })),
  started: words,
  duration_s: orNull(number),
  response_headers: some(pair(text, text)),
  response_known: flag,
});

/** Lines of unified diffs, and why the signatures differ. */
export const comparison = record({
  signature: text,
  headers: list(text),
  body: list(text),
  response: list(text),
  notes: some(text),
});

/** Values inserted into the body, by parameter name. */
export const randomized = record({ values: mapOf(text) });

/** Capitalizes a message of the kernel as a sentence; a leading name such as `x-signature` stays. */
export const sentence = (text: string) =>
  text.replace(/^[a-z]+(?= )/, (word) => word.charAt(0).toUpperCase() + word.slice(1));

/** Formats headers, one per line. */
export const headerLines = (headers: readonly (readonly [string, string])[]) =>
  headers.map(([name, value]) => `${name}: ${value}`).join("\n");

export type Verdict = Read<typeof verdict>;
export type ImportedRequest = Read<typeof imported>;
export type Rejection = Read<typeof rejection>;
export type Exchange = Read<typeof exchange>;
export type Comparison = Read<typeof comparison>;
export type Diagnosis = Read<typeof diagnosis>;
