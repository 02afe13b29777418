/** Encoders, a reader of encodings and secrets for the tests of redaction. */
import assert from "node:assert/strict";
import { type PastedRequest, type redact, restore } from "../../src/vault/redaction/index.js";
import { utf8 } from "../support.js";

/** A fresh mark each time, the same in every run. */
export function marks() {
  let n = 0;
  return () => `mark${(++n).toString(36).padStart(12, "0")}`;
}

export const PARTS = ["url", "method", "headers", "body", "sent", "publicKey"] as const;

export const request = (parts: Partial<PastedRequest>): PastedRequest => ({
  url: "https://receiver.example/hook",
  method: "POST",
  headers: "Content-Type: application/json",
  body: utf8('{"id":1}'),
  sent: null,
  publicKey: "",
  ...parts,
});

export const bufferOf = (part: string | Uint8Array | null) => Buffer.from(part ?? "");

/** Numbers below a bound, the same in every run of one seed. */
export function generator(seed: number) {
  let state = seed >>> 0 || 1;
  return (below: number) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
export type Random = ReturnType<typeof generator>;

export interface Encoder {
  name: string;
  encode(bytes: Buffer, random: Random): Buffer;
}

const each = (bytes: Buffer, write: (byte: number) => string) =>
  Buffer.from([...bytes].map(write).join(""), "latin1");
const hexOf = (byte: number) => byte.toString(16).padStart(2, "0");
const reserved = (byte: number) => !/[A-Za-z0-9_.~-]/.test(String.fromCharCode(byte)) || byte > 127;
const inJson = (text: string, ascii: boolean) => {
  const written = JSON.stringify(text).slice(1, -1);
  return ascii
    ? written.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
    : written;
};
const base64 = (before: number, alphabet: "base64" | "base64url", padded: boolean): Encoder => ({
  name: `${alphabet} after ${before} bytes${padded ? ", padded" : ""}`,
  encode: (bytes) => {
    const text = Buffer.concat([Buffer.from("user:".slice(5 - before)), bytes])
      .toString(alphabet)
      .replace(/=+$/, "");
    return Buffer.from(padded ? text.padEnd(4 * Math.ceil(text.length / 4), "=") : text);
  },
});

export const ENCODERS: readonly Encoder[] = [
  { name: "plain", encode: (bytes) => bytes },
  {
    name: "percent",
    encode: (bytes) =>
      each(bytes, (byte) => (reserved(byte) ? `%${hexOf(byte).toUpperCase()}` : String.fromCharCode(byte))),
  },
  {
    name: "percent in lower case, with +",
    encode: (bytes) =>
      each(bytes, (byte) =>
        byte === 32 ? "+" : reserved(byte) ? `%${hexOf(byte)}` : String.fromCharCode(byte),
      ),
  },
  { name: "percent everywhere", encode: (bytes) => each(bytes, (byte) => `%${hexOf(byte)}`) },
  { name: "JSON", encode: (bytes) => Buffer.from(inJson(bytes.toString(), false)) },
  {
    name: "JSON in ASCII with \\/",
    encode: (bytes) => Buffer.from(inJson(bytes.toString(), true).replaceAll("/", "\\/")),
  },
  {
    name: "JSON, all escaped",
    encode: (bytes) =>
      Buffer.from(
        [...Array(bytes.toString().length).keys()]
          .map((i) => `\\u${bytes.toString().charCodeAt(i).toString(16).padStart(4, "0")}`)
          .join(""),
      ),
  },
  base64(0, "base64", true),
  base64(1, "base64", false),
  base64(2, "base64url", false),
  base64(5, "base64url", true),
  { name: "hex", encode: (bytes) => Buffer.from(bytes.toString("hex")) },
  { name: "HEX", encode: (bytes) => Buffer.from(bytes.toString("hex").toUpperCase()) },
  { name: "UTF-16", encode: (bytes) => Buffer.from(bytes.toString(), "utf16le") },
];

/** All decoded views of bytes, down to a depth. */
function* readings(bytes: Buffer, depth: number): Generator<Buffer> {
  yield bytes;
  if (depth === 0) return;
  const text = bytes.toString("latin1");
  const views = new Set<string>();
  const put = (view: string) => view !== text && views.add(view);
  put(text.replace(/%([0-9a-f]{2})/gi, (_, digits) => String.fromCharCode(Number(`0x${digits}`))));
  put(text.replaceAll("+", " "));
  put(
    text.replace(/(?:\\u[0-9a-fA-F]{4})+|\\["\\/bfnrt]/g, (escapes) =>
      Buffer.from(JSON.parse(`"${escapes}"`) as string).toString("latin1"),
    ),
  );
  for (const skipped of [0, 1, 2, 3]) {
    const runs = text.match(/[A-Za-z0-9+/_-]{11,}/g) ?? [];
    put(runs.map((run) => Buffer.from(run.slice(skipped), "base64").toString("latin1")).join("\0\0"));
  }
  for (const skipped of [0, 1]) {
    const runs = text.match(/[0-9a-f]{16,}/gi) ?? [];
    put(runs.map((run) => Buffer.from(run.slice(skipped), "hex").toString("latin1")).join("\0\0"));
  }
  if (text.includes("\0")) {
    for (const skipped of [0, 1]) {
      const rest = bytes.subarray(skipped, bytes.length - ((bytes.length - skipped) % 2));
      put(Buffer.from(rest.toString("utf16le")).toString("latin1"));
      put(Buffer.from(Buffer.from(rest).swap16().toString("utf16le")).toString("latin1"));
    }
  }
  for (const view of views) yield* readings(Buffer.from(view, "latin1"), depth - 1);
}

/** The piece of a secret that a reading of the bytes holds, or null. */
export function pieceIn(bytes: Buffer, secret: string, depth = 2): string | null {
  const secretText = secret.trim().toLowerCase();
  const size = Math.min(12, secretText.length);
  const pieces = Array.from({ length: secretText.length - size + 1 }, (_, at) =>
    secretText.slice(at, at + size),
  );
  for (const reading of readings(bytes, depth)) {
    const texts = [reading.toString().toLowerCase(), reading.toString("latin1").toLowerCase()];
    const piece = pieces.find((each) => texts.some((text) => text.includes(each)));
    if (piece !== undefined) return piece;
  }
  return null;
}

/** Check that every part comes back, byte for byte. */
export function assertRestored(
  before: PastedRequest,
  { request: after, originals }: ReturnType<typeof redact>,
) {
  for (const part of PARTS) {
    const back = restore(bufferOf(after[part]), originals);
    assert.equal(Buffer.from(back).toString("latin1"), bufferOf(before[part]).toString("latin1"), part);
  }
}

/** Secrets with signs that encodings change, with letters beyond ASCII, and without either. */
export const UMLAUT = "Pässwort-für-Haken-99";
export const RANDOM = "q7Zp+Xw3/Vt9Ks2=Lm5Rj8+Qd4Hn6==";
export const PLAIN = "hTMGq8xRw2Zk5vNc7bLd9sPf3yJt6mUTfeAa1B";
