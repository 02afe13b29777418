/**
 * Replaces credentials and stored secrets in a pasted request by placeholders before it leaves the page.
 *
 * A placeholder is random letters and digits in the encoding of the original, so that parsers still work. `restore`
 * puts the exact bytes back.
 */
import { joined } from "../../core/bytes.js";
import { createSecretCheck } from "./check.js";
import { finder, type Span, wholeCharacters, windows } from "./pieces.js";
import { inBody, inHead } from "./places.js";
import { bytesOf, type Edit, latin1, merged, plain, READERS } from "./views.js";

/** Location of a provider's credential in its requests. */
export interface Place {
  in: "header" | "query" | "json" | "form" | "multipart";
  /** Header name, parameter name, part name, or JSON pointer. */
  name: string;
  /** The value with `{}` in place of the credential. */
  template: string;
  encoding: "text" | "base64";
}

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
  /** Part in which a decoded view still contains a secret: nothing may be sent. */
  blocked: null | keyof PastedRequest;
}

/** Maximum depth of nested encodings; one more for small texts. */
const DEPTH = 2;
const SMALL = 65_536;
/** Number of placeholder lengths to try: each base64 layer needs a certain length modulo 3. */
const LENGTHS = 27;

function scan(bytes: Uint8Array, find: (bytes: Uint8Array) => Span[], depth: number, gap: number): Edit[] {
  const edits = find(bytes).map(({ start, end }) => plain(bytes, start, end));
  for (const read of depth > 0 ? READERS : []) {
    const view = read(bytes, false);
    const inner = view ? scan(view.bytes, find, depth - 1, view.gap) : [];
    const mapped = inner.length > 0 ? read(bytes, true) : null;
    if (mapped) for (const edit of inner) edits.push(mapped.lift(edit));
  }
  return merged(bytes, edits, gap);
}

/** Extends an edit to whole characters; an edit in UTF-16 could begin inside one. */
function ofCharacters(bytes: Uint8Array, edit: Edit): Edit {
  const { start, end } = wholeCharacters(bytes, edit);
  return start === edit.start && end === edit.end ? edit : plain(bytes, start, end);
}

/**
 * Returns the replacement text of an edit for placeholder `id`, and records each encoding layer; null if the length
 * does not fit.
 */
function encodeLayers(edit: Edit, id: string, layers: Map<string, Original>): string | null {
  const inner = edit.inner ? encodeLayers(edit.inner, id, layers) : id;
  const placeholder = inner === null ? null : edit.encode(inner);
  if (placeholder === null) return null;
  const bytes = edit.text.slice();
  layers.set(placeholder, { text: new TextDecoder().decode(bytes), bytes, raw: edit.raw.slice() });
  return placeholder;
}

/** Replaces every credential and secret; `mark` returns a new random text of letters and digits. */
export function redact(
  request: PastedRequest,
  places: readonly Place[],
  secrets: readonly string[],
  mark: () => string,
): Redacted {
  const originals = new Map<string, Original>();
  const placeholders = new Map<string, string>();
  const find = finder(secrets);

  const placeholderFor = (edit: Edit): string => {
    let innermost = edit;
    while (innermost.inner) innermost = innermost.inner;
    const cacheKey = [edit.kind, latin1(edit.raw), latin1(innermost.text)].join("\n");
    let placeholder = placeholders.get(cacheKey);
    if (placeholder === undefined) {
      const id = mark();
      for (let length = 0; placeholder === undefined; length++) {
        const layers = new Map<string, Original>();
        const target = length < LENGTHS ? edit : plain(edit.raw, 0, edit.raw.length);
        const encoded = encodeLayers(target, id + "0".repeat(length % LENGTHS), layers);
        if (encoded === null) continue;
        placeholder = encoded;
        for (const [key, original] of layers) originals.set(key, original);
      }
      placeholders.set(cacheKey, placeholder);
    }
    return placeholder;
  };
  const redacted = (bytes: Uint8Array, byPlace: Edit[], isText = false): Uint8Array => {
    const depth = bytes.length < SMALL ? DEPTH + 1 : DEPTH;
    const all = [...byPlace, ...scan(bytes, find, depth, 0)];
    const edits = merged(bytes, isText ? all.map((edit) => ofCharacters(bytes, edit)) : all, 0);
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
    const bytes = new TextEncoder().encode(value);
    const after = redacted(bytes, placed(bytes), true);
    return after === bytes ? value : new TextDecoder("utf-8", { ignoreBOM: true }).decode(after);
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
  const containsSecret = createSecretCheck(secrets);
  const blocked = parts.find(([, part]) => part !== null && containsSecret(part))?.[0] ?? null;
  return { request: redactedRequest, originals, blocked };
}

/** Replaces placeholders by their exact originals; returns the same bytes if there is none. */
export function restore(bytes: Uint8Array, originals: Originals): Uint8Array {
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

/** Restores a request of which parts come from a redacted recording. */
export function restoreRequest(request: PastedRequest, originals: Originals): PastedRequest {
  if (originals.size === 0) return request;
  const text = (value: string) =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(restore(new TextEncoder().encode(value), originals));
  return {
    ...request,
    url: text(request.url),
    headers: text(request.headers),
    body: restore(request.body, originals),
    sent: request.sent && restore(request.sent, originals),
  };
}
