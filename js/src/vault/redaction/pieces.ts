/** Finds secrets and pieces of them in bytes, in linear time with one rolling hash. */

import { joined } from "../../core/bytes.js";
import { utf8 } from "../../crypto/primitives.js";

export interface Span {
  start: number;
  end: number;
}

/** Bytes of a secret that count as the whole secret. */
const PIECE = 12;
/** Shorter secrets are ignored, since they could be an ordinary word. */
const SHORTEST = 8;
const BASE = 0x01000193;

/** Case folding that also equates the two base64 alphabets, and `+` with space. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 65 && byte <= 90) return byte + 32;
  if (byte === 32 || byte === 45) return 43;
  return byte === 95 ? 47 : byte;
});

const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const WIDE_SPACE = /[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;

/** Returns a text as the kernel reads headers: without invisible characters, and with ordinary spaces. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, "").replace(WIDE_SPACE, " ");
}

/** Unicode forms of a text that differ by more than the case of ASCII letters. */
function spellings(secret: string): Uint8Array[] {
  const text = secret.trim();
  if (text.length < SHORTEST) return [];
  const forms = ["NFC", "NFD", "NFKC", "NFKD"].map((form) => text.normalize(form));
  const texts = new Set([text, ...forms].flatMap((form) => [form, form.toLowerCase(), form.toUpperCase()]));
  // ASCII text is the same in all forms.
  const distinct = !/[^ -~]/.test(text) ? [text] : [...texts];
  const oneByte = distinct.filter((form) => /[\x80-\xff]/.test(form) && !/[^ -\xff]/.test(form));
  return [
    ...distinct.map((form) => utf8(form)),
    ...oneByte.map((form) => Uint8Array.from(form, (char) => char.charCodeAt(0))),
  ];
}

/** Returns a search for all windows of `size` bytes of the texts; it calls `hit` for each occurrence. */
export function windows(texts: readonly Uint8Array[], size: number, fold: Uint8Array | null) {
  const folded = fold ?? Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const all = joined(texts as Uint8Array[]).map((byte) => folded[byte] as number);
  let bits = 4;
  while (1 << bits < 2 * all.length) bits += 1;
  const shift = 32 - bits;
  /** End of a window in `all`, by the hash of the window. */
  const slots = new Uint32Array(1 << bits);
  /** Bloom filter that rejects most windows and fits the processor's cache. */
  const filter = new Uint8Array(1 << (bits - 1));
  let top = BASE;
  for (let i = 1; i < size; i++) top = Math.imul(top, BASE);

  const equal = (bytes: Uint8Array, end: number, position: number) => {
    let i = 1;
    while (i <= size && folded[bytes[end - i] as number] === all[position - i]) i += 1;
    return i > size;
  };
  /** Returns the slot of the window that ends here, or the free slot for it. */
  const seek = (bytes: Uint8Array, end: number, first: number) => {
    let slot = first;
    while (slots[slot] && !equal(bytes, end, slots[slot] as number)) slot = (slot + 1) % slots.length;
    return slot;
  };
  /** Hashes all windows: calls `hit` for the known ones, or without `hit` stores them as windows of `all`. */
  const roll = (bytes: Uint8Array, from: number, to: number, hit: ((end: number) => void) | null) => {
    let hash = 0;
    for (let i = from; i < to; i++) {
      hash = (Math.imul(hash, BASE) + (folded[bytes[i] as number] as number)) | 0;
      if (i - size >= from) hash = (hash - Math.imul(folded[bytes[i - size] as number] as number, top)) | 0;
      if (i - size + 1 < from) continue;
      const mixed = Math.imul(hash ^ (hash >>> 15), 0x9e3779b1);
      const slot = mixed >>> shift;
      const mask = (1 << (mixed & 7)) | (1 << ((mixed >> 3) & 7));
      if (hit === null) {
        slots[seek(bytes, i + 1, slot)] ||= i + 1;
        filter[slot >> 1] = (filter[slot >> 1] as number) | mask;
      } else if (((filter[slot >> 1] as number) & mask) === mask && slots[seek(bytes, i + 1, slot)])
        hit(i + 1);
    }
  };
  let start = 0;
  for (const text of texts) {
    roll(all, start, start + text.length, null);
    start += text.length;
  }
  return (bytes: Uint8Array, hit: (start: number, end: number) => void) =>
    roll(bytes, 0, bytes.length, (end) => hit(end - size, end));
}

/**
 * Returns a search for spans that contain a secret or a piece of one; overlapping spans are merged. Of the first
 * `wholes` secrets no piece is found.
 */
export function finder(secrets: readonly string[], wholes = 0): (bytes: Uint8Array) => Span[] {
  const bySize = new Map<number, Uint8Array[]>();
  for (const [n, text] of [...new Set(secrets)].entries()) {
    for (const bytes of spellings(text)) {
      const size = n < wholes ? bytes.length : Math.min(PIECE, bytes.length);
      bySize.set(size, [...(bySize.get(size) ?? []), bytes]);
    }
  }
  const searches = [...bySize].map(([size, texts]) => windows(texts, size, FOLDED));
  return (bytes) => {
    const spans: Span[] = [];
    for (const search of searches) {
      let last: Span | undefined;
      search(bytes, (start, end) => {
        if (last && start < last.end) last.end = end;
        else {
          last = { start, end };
          spans.push(last);
        }
      });
    }
    return spans.map((span) => wholeEscapes(bytes, span));
  };
}

/** Extends a span to whole UTF-8 characters. */
export function wholeCharacters(bytes: Uint8Array, { start, end }: Span): Span {
  const inside = (at: number) => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  let from = start;
  let to = end;
  while (inside(from) && from > start - 3 && from > 0) from -= 1;
  while (inside(to) && to < end + 3) to += 1;
  return { start: from, end: to };
}

/** Extends a span to whole characters and escapes. */
function wholeEscapes(bytes: Uint8Array, span: Span): Span {
  const { start: from, end: to } = wholeCharacters(bytes, span);
  const before = String.fromCharCode(...bytes.subarray(Math.max(0, from - 6), from));
  const partialEscape = /(?:%u?|\\[ux]?)[0-9a-f]{0,3}$/i.exec(before)?.[0] ?? "";
  let slash = from - partialEscape.length;
  while (partialEscape.startsWith("\\") && bytes[slash - 1] === 92) slash -= 1;
  const complete =
    /^%[^u].|^\\[^ux]|^\\x..|^%u..../i.test(partialEscape) || (from - partialEscape.length - slash) % 2 === 1;
  return { start: complete ? from : from - partialEscape.length, end: to };
}
