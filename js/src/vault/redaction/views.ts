/** Bytes without their escapes, with a map back, so that what is found in such a view can be replaced. */

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
  /** Encodes the placeholder for this range. */
  encode(placeholder: string): string;
}

export interface View {
  bytes: Uint8Array;
  /** Returns the edit of the escaped bytes for an edit of this view. */
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
export function merged(bytes: Uint8Array, edits: Edit[]): Edit[] {
  edits.sort((a, b) => a.start - b.start || b.end - a.end);
  const disjoint: Edit[] = [];
  for (const edit of edits) {
    const last = disjoint.at(-1);
    if (!last || edit.start >= last.end) disjoint.push(edit);
    else if (edit.end > last.end) disjoint[disjoint.length - 1] = plain(bytes, last.start, edit.end);
  }
  return disjoint;
}

/** Buffer for decoded bytes, each with the offset that it came from. */
class Sink {
  private filled = 0;
  private readonly bytes: Uint8Array;
  private readonly starts: Uint32Array;

  constructor(private readonly parent: Uint8Array) {
    this.bytes = new Uint8Array(parent.length);
    this.starts = new Uint32Array(parent.length + 1);
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
  /** Creates the view; `write` escapes a placeholder. */
  view(write: (placeholder: string) => string): View {
    const { parent, starts, filled } = this;
    starts[filled] = parent.length;
    const lift = (inner: Edit): Edit => {
      const start = starts[inner.start] as number;
      const end = starts[inner.end] as number;
      const { text, kind } = inner;
      return { start, end, raw: parent.subarray(start, end), text, inner, kind, encode: write };
    };
    return { bytes: this.bytes.subarray(0, filled), lift };
  }
}
const LEADS = [0, 0xc0, 0xe0, 0xf0];

/** Returns a view without the escapes that begin with `sign`; `decode` returns the length of one, or 0. */
function withoutEscapes(
  bytes: Uint8Array,
  sign: number,
  decode: (at: number, out: Sink) => number,
  write: (placeholder: string) => string,
): View | null {
  if (!bytes.includes(sign)) return null;
  const out = new Sink(bytes);
  for (let i = 0; i < bytes.length; ) {
    const length = bytes[i] === sign ? decode(i, out) : 0;
    if (!length) out.byte(bytes[i] as number, i);
    i += length || 1;
  }
  return out.view(write);
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

const HEX = Int8Array.from({ length: 256 }, (_, byte) =>
  "0123456789abcdef".indexOf(String.fromCharCode(byte).toLowerCase()),
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
export function percent(bytes: Uint8Array): View | null {
  const decode = (at: number, out: Sink) => {
    const wide = ((bytes[at + 1] as number) | 32) === 117;
    const value = wide ? digits(bytes, at + 2, 4) : digits(bytes, at + 1, 2);
    if (value < 0) return 0;
    if (wide) out.code(value, at);
    else out.byte(value, at);
    return wide ? 6 : 3;
  };
  return withoutEscapes(bytes, 37, decode, (placeholder) =>
    placeholder.replace(/[^\w.~-]/g, (char) => `%${hex2(char).toUpperCase()}`),
  );
}

/** Decodes the escapes of shells: a backtick (PowerShell) or caret (cmd.exe) before a character, and quotes in quotes. */
export function* shells(bytes: Uint8Array): Generator<View | null> {
  const same = (placeholder: string) => placeholder;
  for (const sign of [0x60, 0x5e])
    yield withoutEscapes(bytes, sign, (at, out) => escapedChar(bytes, at, out), same);
  for (const sign of [0x27, 0x22])
    yield withoutEscapes(bytes, sign, (at, out) => quotedQuote(bytes, at, out), same);
}

function escapedChar(bytes: Uint8Array, at: number, out: Sink): number {
  const next = bytes[at + 1];
  if (next === undefined) return 0;
  out.byte(next, at);
  return 2;
}

/** Decodes a quote inside quotes: `''` and `""`, and for bash `'\''` and `'"'"'`. */
function quotedQuote(bytes: Uint8Array, at: number, out: Sink): number {
  const quote = bytes[at] as number;
  const rest = String.fromCharCode(...bytes.subarray(at + 1, at + 5));
  const length = rest.charCodeAt(0) === quote ? 2 : rest.startsWith("\\''") ? 4 : rest === `"'"'` ? 5 : 0;
  if (length > 0) out.byte(quote, at);
  return length;
}

/** Decodes `\/`, `\u002f` and `\x2f`. */
export function escaped(bytes: Uint8Array): View | null {
  const decode = (at: number, out: Sink) => {
    const next = bytes[at + 1] as number;
    const count = next === 117 ? 4 : next === 120 ? 2 : 0;
    if (count) {
      const value = digits(bytes, at + 2, count);
      if (value < 0) return 0;
      const high = count === 4 && value >= 0xd800 && value < 0xdc00;
      const low = high && bytes[at + 6] === 92 && bytes[at + 7] === 117 ? digits(bytes, at + 8, 4) : 0;
      const pair = low >= 0xdc00 && low < 0xe000;
      out.code(pair ? joinedPair(value, low) : value, at);
      return pair ? 12 : 2 + count;
    }
    const value = SHORT[next] ?? 0;
    if (value) out.byte(value, at);
    return value && 2;
  };
  return withoutEscapes(bytes, 92, decode, (placeholder) => placeholder);
}
