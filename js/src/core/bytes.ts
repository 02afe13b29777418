/**
 * Text view of a body, which is bytes. An edit rewrites only the bytes under the changed span, so a BOM, CRLF and
 * bytes that are not UTF-8 stay exactly as they are everywhere else.
 *
 * Text areas and CodeMirror know one line end, LF. The text of a body therefore shows CRLF and CR as LF, and
 * `starts` maps each character of the text to its byte offset.
 */

export type LineEnds = "none" | "lf" | "crlf" | "mixed";

export interface BodyText {
  bytes: Uint8Array;
  /** Text as an editor shows it: no BOM, LF line ends, U+FFFD for bytes that are not UTF-8. */
  text: string;
  bom: boolean;
  lineEnds: LineEnds;
  /** Runs of bytes that are not UTF-8. */
  broken: number;
  /** Byte offset of every UTF-16 unit of `text`, and of its end; null when the text is plain UTF-8 with LF. */
  starts: Uint32Array | null;
}

const encoder = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lax = new TextDecoder("utf-8", { ignoreBOM: true });

const CR = 13;
const LF = 10;

function hasBom(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Length in bytes of the UTF-8 sequence at `at`, by its first byte; 1 for a byte that cannot start one. */
function sequenceLength(lead: number): number {
  return lead >= 0xc2 && lead <= 0xdf
    ? 2
    : lead >= 0xe0 && lead <= 0xef
      ? 3
      : lead >= 0xf0 && lead <= 0xf4
        ? 4
        : 1;
}

/** Decodes the bytes one character at a time; used only when text and bytes do not map one to one. */
function walk(bytes: Uint8Array, from: number): { text: string; starts: Uint32Array; broken: number } {
  const parts: string[] = [];
  const starts = new Uint32Array(bytes.length - from + 1);
  let units = 0;
  let broken = 0;
  let at = from;
  const push = (part: string, length: number) => {
    parts.push(part);
    for (let i = 0; i < part.length; i++) starts[units++] = at;
    at += length;
  };
  while (at < bytes.length) {
    const lead = bytes[at] as number;
    if (lead === CR) push("\n", bytes[at + 1] === LF ? 2 : 1);
    else if (lead < 0x80) push(String.fromCharCode(lead), 1);
    else {
      const length = sequenceLength(lead);
      const char = lax.decode(bytes.subarray(at, at + length));
      const whole = length > 1 && !char.includes("\ufffd");
      const real = length === 3 && lead === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
      if (!whole && !real) broken += 1;
      push(whole || real ? char : "\ufffd", whole || real ? length : 1);
    }
  }
  starts[units] = at;
  return { text: parts.join(""), starts: starts.slice(0, units + 1), broken };
}

function lineEndsOf(bytes: Uint8Array): LineEnds {
  let crlf = 0;
  let lf = 0;
  let cr = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === LF) lf += 1;
    else if (bytes[i] === CR) {
      if (bytes[i + 1] === LF) {
        crlf += 1;
        i += 1;
      } else cr += 1;
    }
  }
  if (crlf + lf + cr === 0) return "none";
  return lf === 0 && cr === 0 ? "crlf" : crlf === 0 && cr === 0 ? "lf" : "mixed";
}

export function readBody(bytes: Uint8Array): BodyText {
  const bom = hasBom(bytes);
  const from = bom ? 3 : 0;
  const lineEnds = lineEndsOf(bytes);
  if (lineEnds === "none" || lineEnds === "lf") {
    try {
      return { bytes, text: strict.decode(bytes.subarray(from)), bom, lineEnds, broken: 0, starts: null };
    } catch {
      // Not UTF-8: decoded by `walk` below.
    }
  }
  return { bytes, bom, lineEnds, ...walk(bytes, from) };
}

/** Concatenates parts; a single part is not copied. */
export function joined(parts: Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Returns the bytes of a body after its text was edited to `text`. */
export function editBody(before: BodyText, text: string): Uint8Array {
  const head = before.bom ? before.bytes.subarray(0, 3) : new Uint8Array();
  if (!before.starts) return joined([head, encoder.encode(text)]);
  const old = before.text;
  const shorter = Math.min(old.length, text.length);
  let common = 0;
  while (common < shorter && old.charCodeAt(common) === text.charCodeAt(common)) common += 1;
  let tail = 0;
  while (
    tail < shorter - common &&
    old.charCodeAt(old.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail)
  ) {
    tail += 1;
  }
  // Both halves of a surrogate pair have the same byte offset: never cut between them.
  if (isLow(old, common)) common -= 1;
  if (isLow(old, old.length - tail)) tail -= 1;
  const changed = text.slice(common, text.length - tail);
  return joined([
    before.bytes.subarray(0, before.starts[common]),
    encoder.encode(before.lineEnds === "crlf" ? changed.replaceAll("\n", "\r\n") : changed),
    before.bytes.subarray(before.starts[old.length - tail] as number),
  ]);
}

function isLow(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

export function withoutBom(bytes: Uint8Array): Uint8Array {
  return hasBom(bytes) ? bytes.slice(3) : bytes;
}

/** Returns the text offset of a line and column, both 1-based, columns in code points. */
export function offsetOf(text: string, line: number, column: number): number {
  let at = 0;
  for (let n = 1; n < line; n++) {
    const next = text.indexOf("\n", at);
    if (next < 0) return text.length;
    at = next + 1;
  }
  for (let n = 1; n < column && at < text.length && text[at] !== "\n"; n++) {
    at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
  }
  return at;
}

/** Returns bytes whose buffer is exactly as long as they are: hosts send the whole buffer behind a view. */
export function exact(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

/** Converts any binary value of a host to bytes; null for anything else. */
export function asBytes(value: unknown): Uint8Array | null {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return null;
}

/** Formats a count: "1,234 bytes", "1 byte". */
export function count(n: number, one: string, many = `${one}s`): string {
  // Not by `Intl`, whose formatters took 3% of the time of a pick.
  return `${`${n}`.replace(/\B(?=(...)+$)/g, ",")} ${n === 1 ? one : many}`;
}

export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Formats an id without a title: "sliding_log" becomes "Sliding log". */
export const wordsOf = (name: string) => capitalized(name.replaceAll(/[-_]/g, " "));
