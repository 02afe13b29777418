/**
 * Replaces credentials and stored secrets in a pasted request by placeholders before it leaves the page.
 *
 * A credential is replaced at its place. A stored secret is replaced wherever it stands as text, in percent escapes or
 * in those of JSON; in any other encoding it blocks the request. A placeholder is random letters and digits in the
 * encoding of the original, so that parsers still work. `restore` puts the exact bytes back.
 */
import { joined } from "../../core/bytes.js";
import { base64, textOf, utf8 } from "../../crypto/primitives.js";
import { createSecretCheck } from "./check.js";
import { dumped } from "./dumps.js";
import { finder, type Span, visible, windows } from "./pieces.js";
import { hidesCredential, inBody, inHead, type Place } from "./places.js";
import { hasUnplaced, standIn } from "./unplaced.js";
import { bytesOf, type Edit, escaped, latin1, merged, percent, plain, shells } from "./views.js";

export interface PastedRequest {
  url: string;
  method: string;
  /** Raw lines as pasted. */
  headers: string;
  body: Uint8Array;
  /** The body as it was sent, if known. */
  sent: Uint8Array | null;
  publicKey: string;
}

export interface Original {
  /** The decoded credential or secret, as a receiver reads it. */
  text: string;
  bytes: Uint8Array;
  /** The exact bytes that were replaced. */
  raw: Uint8Array;
}

/** Originals by placeholder, including its re-encoded forms; one character per byte. */
export type Originals = ReadonlyMap<string, Original>;

export interface Redacted {
  request: PastedRequest;
  originals: Map<string, Original>;
  /** True if the result depends on a piece of a secret, by which a script could guess it letter by letter. */
  guessed: boolean;
  /** Part that contains a secret in another encoding, or may hide a credential: nothing may be sent. */
  blocked: null | keyof PastedRequest;
}

/** Finds held secrets in bytes, as they are and behind escapes. */
function held(bytes: Uint8Array, find: (bytes: Uint8Array) => Span[]): Edit[] {
  const inside = (view: Uint8Array) => find(view).map(({ start, end }) => plain(view, start, end));
  const views = [percent(bytes), escaped(bytes), ...shells(bytes)].filter((view) => view !== null);
  return [...inside(bytes), ...views.flatMap((view) => inside(view.bytes).map(view.lift))];
}

/** Returns the replacement text of an edit for placeholder `id`, and records each encoding layer. */
function encodeLayers(edit: Edit, id: string, originals: Map<string, Original>): string {
  const placeholder = edit.encode(edit.inner ? encodeLayers(edit.inner, id, originals) : id);
  const bytes = edit.text.slice();
  originals.set(placeholder, { text: textOf(bytes), bytes, raw: edit.raw.slice() });
  return placeholder;
}

/** Keeps a byte order mark. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** More requests in pieces or in base64 would take too long to search. */
const MOST_SHOWN = 200;

/**
 * Replaces every credential and secret; `mark` returns a new random text of letters and digits.
 *
 * `others` are replaced like secrets. With `whole` a piece of a secret counts for nothing, nor does a secret in another
 * encoding.
 */
export function redact(
  request: PastedRequest,
  places: readonly Place[],
  secrets: readonly string[],
  mark: () => string,
  named = places,
  others: readonly string[] = [],
  whole = false,
): Redacted {
  const originals = new Map<string, Original>();
  const placeholders = new Map<string, string>();
  const all = [...secrets, ...others];
  const find = finder(all, whole ? secrets.length : 0);

  const placeholderFor = (edit: Edit): string => {
    let innermost = edit;
    while (innermost.inner) innermost = innermost.inner;
    const cacheKey = [edit.kind, latin1(edit.raw), latin1(innermost.text)].join("\n");
    const placeholder = placeholders.get(cacheKey) ?? encodeLayers(edit, mark(), originals);
    placeholders.set(cacheKey, placeholder);
    return placeholder;
  };
  const redacted = (bytes: Uint8Array, byPlace: Edit[]): Uint8Array => {
    const edits = merged(bytes, [...byPlace, ...held(bytes, find)]);
    if (edits.length === 0) return bytes;
    const parts: Uint8Array[] = [];
    let at = 0;
    for (const edit of edits) {
      parts.push(bytes.subarray(at, edit.start), bytesOf(placeholderFor(edit)));
      at = edit.end;
    }
    return joined([...parts, bytes.subarray(at)]);
  };
  const text = (value: string, placed: (bytes: Uint8Array) => Edit[]): string => {
    const bytes = utf8(value);
    const after = redacted(bytes, placed(bytes));
    return after === bytes ? value : decoder.decode(after);
  };

  const none = () => [];
  const { sent } = request;
  const redactedRequest: PastedRequest = {
    url: text(request.url, (bytes) => inHead(bytes, places, true)),
    method: text(request.method, none),
    headers: text(request.headers, (bytes) => inHead(bytes, places, false)),
    body: redacted(request.body, inBody(request.body, places)),
    sent: sent && redacted(sent, inBody(sent, places)),
    publicKey: text(request.publicKey, none),
  };
  const parts = Object.entries(redactedRequest) as [keyof PastedRequest, string | Uint8Array | null][];
  const containsSecret = createSecretCheck(whole ? others : all);
  const isUnsafe = (part: string | Uint8Array | null) =>
    part !== null && (containsSecret(part) || (typeof part !== "string" && hidesCredential(part, places)));
  const isHidden = (part: string) => {
    const [head = "", ...rest] = part.split("\r\n\r\n");
    const inner = { ...request, headers: head, body: bytesOf(rest.join("\r\n\r\n")), sent: null };
    const result = redact(inner, places, secrets, mark, places, others, whole);
    return result.blocked !== null || result.originals.size > 0;
  };
  const texts = (headers: string) => {
    const bytes = utf8(headers);
    const edits = [...inHead(bytes, places, false), ...held(bytes, find)];
    return new Set(edits.map(({ raw }) => visible(textOf(raw))));
  };
  const appears = (headers: string) => {
    const known = texts(headers);
    return [...texts(visible(headers))].some((text) => !known.has(text));
  };
  const shown = dumped(request.headers);
  const inPieces = !shown || shown.length > MOST_SHOWN || shown.some(isHidden);
  const { headers } = request;
  const placed = mark();
  const stand = new Map<string, Pick<Original, "raw">>();
  for (const [placeholder, { text }] of originals)
    stand.set(placeholder, { raw: utf8(` ${standIn(text, placed)} `) });
  const unplaced = hasUnplaced(textOf(restore(utf8(redactedRequest.headers), stand)), named, placed);
  const hidden =
    unplaced || inPieces || (visible(headers) !== headers && appears(headers)) ? "headers" : null;
  const blocked = parts.find(([, part]) => isUnsafe(part))?.[0] ?? hidden;
  const guessed =
    !whole &&
    secrets.length > 0 &&
    extent({ originals, blocked }) !== extent(redact(request, places, secrets, mark, named, others, true));
  return { request: redactedRequest, originals, guessed, blocked };
}

/** Summarizes what was replaced and blocked, without the random placeholders. */
const extent = ({ originals, blocked }: Pick<Redacted, "originals" | "blocked">) =>
  [blocked, ...[...originals.values()].map(({ raw }) => raw.length)].join();

/** Replaces placeholders by their exact originals; returns the same bytes if there is none. */
export function restore(
  bytes: Uint8Array,
  originals: ReadonlyMap<string, Pick<Original, "raw">>,
): Uint8Array {
  if (originals.size === 0) return bytes;
  const byPrefix = new Map<string, string[]>();
  const keys = [...originals.keys()].sort((a, b) => b.length - a.length);
  const size = (keys.at(-1) as string).length;
  for (const key of keys)
    byPrefix.set(key.slice(0, size), [...(byPrefix.get(key.slice(0, size)) ?? []), key]);
  const parts: Uint8Array[] = [];
  let done = 0;
  windows(
    [...byPrefix.keys()].map(bytesOf),
    size,
    null,
  )(bytes, (start, end) => {
    if (start < done) return;
    const key = byPrefix
      .get(latin1(bytes.subarray(start, end)))
      ?.find((candidate) => latin1(bytes.subarray(start, start + candidate.length)) === candidate);
    if (key === undefined) return;
    parts.push(bytes.subarray(done, start), (originals.get(key) as Original).raw);
    done = start + key.length;
  });
  return done === 0 ? bytes : joined([...parts, bytes.subarray(done)]);
}

/** Returns the original of the presented bytes if they are exactly one placeholder. */
export function originalOf(presented: Uint8Array, originals: Originals): Original | null {
  return originals.get(latin1(presented)) ?? null;
}

function decodedBase64(digits: string): Uint8Array | null {
  try {
    return bytesOf(atob(digits));
  } catch {
    return null;
  }
}

/** Restores a request of which parts come from a redacted recording. */
export function restoreRequest(request: PastedRequest, originals: Originals): PastedRequest {
  if (originals.size === 0) return request;
  const text = (value: string) => decoder.decode(restore(utf8(value), originals));
  // A user and password that a command names are sent as base64.
  const basic = (whole: string, scheme: string, digits: string) => {
    const decoded = decodedBase64(digits);
    const after = decoded && restore(decoded, originals);
    return after && after !== decoded ? scheme + base64(after) : whole;
  };
  return {
    ...request,
    url: text(request.url),
    headers: text(request.headers).replace(/(\bBasic[ \t]+)([\w+/-]{8,}={0,2})/gi, basic),
    body: restore(request.body, originals),
    sent: request.sent && restore(request.sent, originals),
  };
}
