/** What the kernel answers to the lazy panels. */

import type { Read } from "./shapes.js";
import { flag, list, or, orNull, record, text } from "./shared.js";

const words = or(text, "");

export const verdict = record({
  ok: flag,
  reason: words,
  detail: words,
  steps: or(list(record({ label: text, ok: orNull(flag), text: words })), []),
});

export const curlReply = record({ text });

export type Verdict = Read<typeof verdict>;
