/** Finds secrets, and pieces of them, in bytes: one rolling hash for all of them, so the time is linear. */

import { joined } from "../../core/bytes.js";

export interface Span {
  start: number;
  end: number;
}

/** A stretch of this many bytes of a secret counts as the secret. */
const PIECE = 12;
/** A shorter secret could be a word of any text. */
const SHORTEST = 8;
const BASE = 0x01000193;

/** Case, the two base64 alphabets, and `+` for a blank make no difference. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 65 && byte <= 90) return byte + 32;
  if (byte === 32 || byte === 45) return 43;
  return byte === 95 ? 47 : byte;
});

/** The spellings of a text that differ by more than the case of ASCII letters. */
function spellings(secret: string): Uint8Array[] {
  const text = secret.trim();
  if (text.length < SHORTEST) return [];
  const forms = ["NFC", "NFD", "NFKC", "NFKD"].map((form) => text.normalize(form));
  const texts = new Set([text, ...forms].flatMap((form) => [form, form.toLowerCase(), form.toUpperCase()]));
  // ASCII has one form in all of these.
  const distinct = !/[^ -~]/.test(text) ? [text] : [...texts];
  const encoder = new TextEncoder();
  const oneByte = distinct.filter((form) => /[\x80-\xff]/.test(form) && !/[^ -\xff]/.test(form));
  return [
    ...distinct.map((form) => encoder.encode(form)),
    ...oneByte.map((form) => Uint8Array.from(form, (char) => char.charCodeAt(0))),
  ];
}

/** Looks up all windows of `size` bytes of the texts at once; `hit` is called for each that stands in the bytes. */
export function windows(texts: readonly Uint8Array[], size: number, fold: Uint8Array | null) {
  const same = fold ?? Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const all = joined(texts as Uint8Array[]).map((byte) => same[byte] as number);
  let bits = 4;
  while (1 << bits < 2 * all.length) bits += 1;
  const shift = 32 - bits;
  /** The end of a window of `all`, by the hash of the window. */
  const slots = new Uint32Array(1 << bits);
  /** Says of most windows that they are not there, and fits a processor's cache. */
  const filter = new Uint8Array(1 << (bits - 1));
  let top = BASE;
  for (let i = 1; i < size; i++) top = Math.imul(top, BASE);

  const equal = (bytes: Uint8Array, end: number, position: number) => {
    let i = 1;
    while (i <= size && same[bytes[end - i] as number] === all[position - i]) i += 1;
    return i > size;
  };
  /** The slot of the window that ends here, or the free one where it belongs. */
  const seek = (bytes: Uint8Array, end: number, first: number) => {
    let slot = first;
    while (slots[slot] && !equal(bytes, end, slots[slot] as number)) slot = (slot + 1) % slots.length;
    return slot;
  };
  /** Walks all windows; those that are known are given to `hit`, or all are stored as windows of `all`. */
  const roll = (bytes: Uint8Array, from: number, to: number, hit: ((end: number) => void) | null) => {
    let hash = 0;
    for (let i = from; i < to; i++) {
      hash = (Math.imul(hash, BASE) + (same[bytes[i] as number] as number)) | 0;
      if (i - size >= from) hash = (hash - Math.imul(same[bytes[i - size] as number] as number, top)) | 0;
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

/** The spans of bytes that hold a secret or a piece of one; neighbours that overlap are one span. */
export function finder(secrets: readonly string[]): (bytes: Uint8Array) => Span[] {
  const bySize = new Map<number, Uint8Array[]>();
  for (const text of new Set(secrets).values()) {
    for (const bytes of spellings(text)) {
      const size = Math.min(PIECE, bytes.length);
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
    return spans.map((span) => widened(bytes, span));
  };
}

/** The span with the rest of the characters of UTF-8 at its ends. */
export function characters(bytes: Uint8Array, { start, end }: Span): Span {
  const inside = (at: number) => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  let from = start;
  let to = end;
  while (inside(from) && from > start - 3 && from > 0) from -= 1;
  while (inside(to) && to < end + 3) to += 1;
  return { start: from, end: to };
}

/** The span with the rest of a character or of an escape that it would cut. */
function widened(bytes: Uint8Array, span: Span): Span {
  const { start: from, end: to } = characters(bytes, span);
  const before = String.fromCharCode(...bytes.subarray(Math.max(0, from - 6), from));
  const cut = /(?:%u?|\\[ux]?)[0-9a-f]{0,3}$/i.exec(before)?.[0] ?? "";
  let slash = from - cut.length;
  while (cut.startsWith("\\") && bytes[slash - 1] === 92) slash -= 1;
  const complete = /^%[^u].|^\\[^ux]|^\\x..|^%u..../i.test(cut) || (from - cut.length - slash) % 2 === 1;
  return { start: complete ? from : from - cut.length, end: to };
}
