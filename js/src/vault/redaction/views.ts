/** Decoded views of bytes with a map back to the encoded bytes, so that a secret found in a view can be replaced. */
import { base64, bytesToHex } from "../../crypto/primitives.js";

/** Range of bytes to be replaced by a placeholder. */
export interface Edit {
  start: number;
  end: number;
  /** The exact bytes of the range. */
  raw: Uint8Array;
  /** The text that a receiver decodes from the range. */
  text: Uint8Array;
  /** The same range in the decoded view in which it was found. */
  inner: Edit | null;
  /** Encodings of the placeholder, the outermost first. */
  kind: string;
  /** Encodes the placeholder for this range; null if its length does not fit. */
  encode(placeholder: string): string | null;
}

export interface View {
  bytes: Uint8Array;
  /** Edits closer than this number of bytes are merged. */
  gap: number;
  lift(inner: Edit): Edit;
}

export const latin1 = (bytes: Uint8Array) => {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192)
    text += String.fromCharCode.apply(null, bytes.subarray(i, i + 8192) as unknown as number[]);
  return text;
};
export const bytesOf = (text: string) => {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
};

export function plain(bytes: Uint8Array, start: number, end: number, text?: Uint8Array): Edit {
  const raw = bytes.subarray(start, end);
  return { start, end, raw, text: text ?? raw, inner: null, kind: "", encode: (placeholder) => placeholder };
}

/** Sorts edits; drops those inside another one, merges overlapping ones. */
export function merged(bytes: Uint8Array, edits: Edit[], gap: number): Edit[] {
  edits.sort((a, b) => a.start - b.start || b.end - a.end);
  const disjoint: Edit[] = [];
  for (const edit of edits) {
    const last = disjoint.at(-1);
    if (!last || edit.start >= last.end + gap) disjoint.push(edit);
    else if (edit.end > last.end) disjoint[disjoint.length - 1] = plain(bytes, last.start, edit.end);
  }
  return disjoint;
}

/** Buffer for decoded bytes, each with the offset that it came from. */
class Sink {
  private filled = 0;
  private readonly bytes: Uint8Array;
  private readonly starts: Uint32Array;

  constructor(
    private readonly parent: Uint8Array,
    size: number,
    mapped: boolean,
  ) {
    this.bytes = new Uint8Array(size);
    this.starts = new Uint32Array(mapped ? size + 1 : 0);
  }
  byte(value: number, at: number) {
    this.starts[this.filled] = at;
    this.bytes[this.filled++] = value;
  }
  /** Appends a character as UTF-8. */
  code(value: number, at: number) {
    if (value < 0x80) return this.byte(value, at);
    const rest = value < 0x800 ? 1 : value < 0x10000 ? 2 : 3;
    this.byte((LEADS[rest] as number) | (value >> (6 * rest)), at);
    for (let i = rest - 1; i >= 0; i--) this.byte(0x80 | ((value >> (6 * i)) & 63), at);
  }
  /** Creates the view. `kind` names the encoding of a placeholder; escapes need none. */
  view(kind: string, write: (placeholder: string, raw: Uint8Array) => string): View {
    const { parent, starts, filled } = this;
    starts[filled] = parent.length;
    const lift = (inner: Edit): Edit => {
      const start = starts[inner.start] as number;
      const end = starts[inner.end] as number;
      const raw = parent.subarray(start, end);
      const text = kind ? raw : inner.text;
      return {
        start,
        end,
        raw,
        text,
        inner,
        kind: kind + inner.kind,
        encode: (placeholder) => write(placeholder, raw),
      };
    };
    return { bytes: this.bytes.subarray(0, filled), gap: 0, lift };
  }
}
const LEADS = [0, 0xc0, 0xe0, 0xf0];

/** Text further than this from every escape reads the same without decoding, so views leave it out. */
const NEAR = 1024;

/** Returns a view of the bytes around escapes that begin with `sign`; `decode` returns the length of one, or 0. */
function aroundEscapes(
  bytes: Uint8Array,
  mapped: boolean,
  sign: number,
  decode: (at: number, out: Sink | null) => number,
  write: (placeholder: string) => string,
): View | null {
  const next = (from: number) => {
    let at = bytes.indexOf(sign, from);
    while (at >= 0 && !decode(at, null)) at = bytes.indexOf(sign, at + 1);
    return at;
  };
  let nextEscape = next(0);
  if (nextEscape < 0) return null;
  const out = new Sink(bytes, bytes.length + 1, mapped);
  let i = 0;
  while (nextEscape >= 0) {
    if (nextEscape - NEAR > i) {
      if (i > 0) out.byte(0, i);
      i = nextEscape - NEAR;
    }
    for (let end = nextEscape + NEAR; i < bytes.length && i < end; ) {
      const length = bytes[i] === sign ? decode(i, out) : 0;
      if (length) end = i + length + NEAR;
      else out.byte(bytes[i] as number, i);
      i += length || 1;
    }
    nextEscape = i < bytes.length ? next(i) : -1;
  }
  if (i < bytes.length) out.byte(0, i);
  return out.view("", write);
}

/** Returns the value of `count` hex digits, or -1. */
function digits(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = at; i < at + count; i++) {
    const digit = HEX[bytes[i] ?? 0] as number;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

const table = (alphabet: string, fold = (char: string) => char) =>
  Int8Array.from({ length: 256 }, (_, byte) =>
    byte ? alphabet.indexOf(fold(String.fromCharCode(byte))) : -1,
  );
const HEX = table("0123456789abcdef", (char) => char.toLowerCase());
const SIXTY_FOUR = table(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  (char) => ({ "-": "+", _: "/" })[char] ?? char,
);
const SHORT: Record<number, number> = {
  34: 34,
  39: 39,
  47: 47,
  92: 92,
  98: 8,
  102: 12,
  110: 10,
  114: 13,
  116: 9,
};

const joinedPair = (high: number, low: number) => 0x10000 + ((high - 0xd800) << 10) + low - 0xdc00;

const hex2 = (char: string) => char.charCodeAt(0).toString(16).padStart(2, "0");

/** Decodes `%2F` and `%u002f`; `+` stays, since the search equates it with a space. */
export function percent(bytes: Uint8Array, mapped: boolean): View | null {
  const decode = (at: number, out: Sink | null) => {
    const wide = ((bytes[at + 1] as number) | 32) === 117;
    const value = wide ? digits(bytes, at + 2, 4) : digits(bytes, at + 1, 2);
    if (value < 0) return 0;
    if (wide) out?.code(value, at);
    else out?.byte(value, at);
    return wide ? 6 : 3;
  };
  return aroundEscapes(bytes, mapped, 37, decode, (placeholder) =>
    placeholder.replace(/[^\w.~-]/g, (char) => `%${hex2(char).toUpperCase()}`),
  );
}

/** Decodes `\/`, `\u002f` and, unless `json`, `\x2f`. */
export function escaped(bytes: Uint8Array, mapped: boolean, json = false): View | null {
  const decode = (at: number, out: Sink | null) => {
    const next = bytes[at + 1] as number;
    const count = next === 117 ? 4 : next === 120 && !json ? 2 : 0;
    if (count) {
      const value = digits(bytes, at + 2, count);
      if (value < 0) return 0;
      const high = count === 4 && value >= 0xd800 && value < 0xdc00;
      const low = high && bytes[at + 6] === 92 && bytes[at + 7] === 117 ? digits(bytes, at + 8, 4) : 0;
      const pair = low >= 0xdc00 && low < 0xe000;
      out?.code(pair ? joinedPair(value, low) : value, at);
      return pair ? 12 : 2 + count;
    }
    const value = SHORT[next] ?? 0;
    if (value) out?.byte(value, at);
    return value && 2;
  };
  return aroundEscapes(bytes, mapped, 92, decode, (placeholder) =>
    placeholder.replace(/[^ !#-[\]-~]/g, (char) => `\\u00${hex2(char)}`),
  );
}

export function utf16(bytes: Uint8Array, mapped: boolean, from: number, big: number): View | null {
  if (!wide(bytes)) return null;
  const out = new Sink(bytes, bytes.length * 2, mapped);
  const unit = (at: number) => ((bytes[at + 1 - big] ?? 0) << 8) | (bytes[at + big] ?? 0);
  for (let i = from; i + 1 < bytes.length; i += 2) {
    const value = unit(i);
    const low = value >= 0xd800 && value < 0xdc00 && i + 3 < bytes.length ? unit(i + 2) : 0;
    if (low >= 0xdc00 && low < 0xe000) {
      out.code(joinedPair(value, low), i);
      i += 2;
    } else out.code(value, i);
  }
  // An odd last byte belongs to no unit.
  const end = bytes.length - ((bytes.length - from) % 2);
  if (end < bytes.length) out.byte(0, end);
  return out.view(big ? "big " : "little ", (placeholder) =>
    placeholder.replace(/./gs, big ? "\0$&" : "$&\0"),
  );
}

/** Decodes the runs of hex digits long enough for a secret, separated by a zero byte. */
function fromHex(bytes: Uint8Array, mapped: boolean, skipped: number): View | null {
  const out = new Sink(bytes, bytes.length, mapped);
  let any = false;
  for (let i = 0; i < bytes.length; i++) {
    const start = i;
    while (i < bytes.length && (HEX[bytes[i] as number] as number) >= 0) i += 1;
    if (i - start < 16) continue;
    any = true;
    let at = start + skipped;
    for (; at + 1 < i; at += 2) out.byte(digits(bytes, at, 2), at);
    out.byte(0, at);
  }
  const write = (placeholder: string, raw: Uint8Array) => {
    const text = bytesToHex(bytesOf(placeholder));
    return /[A-F]/.test(latin1(raw)) ? text.toUpperCase() : text;
  };
  return any ? out.view("hex ", write) : null;
}

/** Shorter runs contain no secret. */
const SHORTEST_RUN = 8;

/**
 * Decodes the runs of base64 after their first `skipped` digits; line ends do not end a run.
 *
 * Four digits make three bytes. Digits missing at the end of a run count as zero and map to the last digit of the
 * run. A group of zeros ends each run.
 */
function fromBase64(bytes: Uint8Array, mapped: boolean, skipped: number): View | null {
  const size = bytes.length + Math.ceil(bytes.length / SHORTEST_RUN) * 8 + 8;
  const places = new Uint32Array(mapped ? size : 0);
  const decoded = new Uint8Array((size / 4) * 3 + 3);
  let count = 0;
  let filled = 0;
  let bits = 0;
  const write = (shift: number) => {
    bits <<= shift;
    decoded[filled++] = bits >> 16;
    decoded[filled++] = bits >> 8;
    decoded[filled++] = bits;
  };
  for (let i = 0; i < bytes.length; i++) {
    if ((SIXTY_FOUR[bytes[i] as number] as number) < 0) continue;
    const first = count;
    for (let left = skipped; i < bytes.length; i++) {
      const value = SIXTY_FOUR[bytes[i] as number] as number;
      if (value >= 0) {
        if (left-- > 0) continue;
        bits = (bits << 6) | value;
        places[count++] = i;
        if (count % 4 === 0) write(0);
        continue;
      }
      let next = i;
      while (bytes[next] === 13 || bytes[next] === 10) next += 1;
      if (next > i) while (bytes[next] === 32 || bytes[next] === 9) next += 1;
      if (next === i || !((SIXTY_FOUR[bytes[next] ?? 0] as number) >= 0)) {
        i = next - 1;
        break;
      }
      i = next - 1;
    }
    if (count - first < SHORTEST_RUN) {
      filled -= 3 * ((count - first) >> 2);
      count = first;
      continue;
    }
    if (count % 4 === 1) count -= 1;
    else if (count % 4) write(6 * (4 - (count % 4)));
    const last = places[count - 1] as number;
    while (count % 4) places[count++] = last;
    for (let j = 0; j < 4; j++) places[count++] = last;
    bits = 0;
    write(0);
  }
  if (filled === 0) return null;
  /** Returns the number of digits missing in the last group of a run. */
  const missing = (at: number) => {
    const c = places[at + 2];
    return places[at + 3] !== c ? 0 : c !== places[at + 1] ? 1 : 2;
  };
  const lift = (inner: Edit): Edit => {
    const from = Math.floor(inner.start / 3);
    const to = Math.ceil(inner.end / 3);
    const start = places[4 * from] as number;
    const end = (places[4 * to - 1] as number) + 1;
    const raw = bytes.subarray(start, end);
    const before = latin1(decoded.subarray(3 * from, inner.start));
    const after = latin1(decoded.subarray(inner.end, 3 * to - missing(4 * to - 4)));
    const old = latin1(raw);
    const encode = (placeholder: string) => {
      // A different length would shift the rest of the run.
      if ((placeholder.length - (inner.end - inner.start)) % 3) return null;
      const text = base64(bytesOf(before + placeholder + after)).replace(/=+$/, "");
      const safe = /[-_]/.test(old);
      if (/[+/]/.test(text) && !safe && !/[+/]/.test(old)) return null;
      return safe ? text.replaceAll("+", "-").replaceAll("/", "_") : text;
    };
    return { start, end, raw, text: raw, inner, kind: `base64 ${inner.kind}`, encode };
  };
  return { bytes: decoded.subarray(0, filled), gap: 6, lift };
}

/** Decodes a view; it maps back to the encoded bytes only if `mapped`. */
export type Reader = (bytes: Uint8Array, mapped: boolean) => View | null;

/** Encodings of whole runs come before escapes, so that the run is replaced where both match. */
export const READERS: readonly Reader[] = [
  ...[0, 1, 2, 3].map(
    (skipped): Reader =>
      (bytes, mapped) =>
        fromBase64(bytes, mapped, skipped),
  ),
  ...[0, 1].map(
    (skipped): Reader =>
      (bytes, mapped) =>
        fromHex(bytes, mapped, skipped),
  ),
  ...[0, 1, 2, 3].map(
    (way): Reader =>
      (bytes, mapped) =>
        utf16(bytes, mapped, way >> 1, way & 1),
  ),
  percent,
  escaped,
  // `\xab` is no JSON escape, so a secret may begin with the letters after a lone backslash.
  (bytes, mapped) => (hasHexEscape(bytes) ? escaped(bytes, mapped, true) : null),
];

function hasHexEscape(bytes: Uint8Array): boolean {
  let at = bytes.indexOf(92);
  while (at >= 0 && bytes[at + 1] !== 120) at = bytes.indexOf(92, at + 1);
  return at >= 0;
}

/** True if bytes may contain UTF-16: they begin with a byte order mark, or have many zero bytes close together. */
export function wide(bytes: Uint8Array): boolean {
  const first = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  if (first === 0xfeff || first === 0xfffe) return true;
  let row = 0;
  for (let i = bytes.indexOf(0), last = i; i >= 0; last = i, i = bytes.indexOf(0, i + 1)) {
    row = i - last < 3 ? row + 1 : 1;
    if (row === ROW) return true;
  }
  return false;
}
/** Minimum number of zero bytes close together; more than separate two runs of base64. */
const ROW = 7;
