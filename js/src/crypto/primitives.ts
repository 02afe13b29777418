/**
 * Key decoding, signatures with a shared secret, and constant-time comparison.
 *
 * The kernel decodes keys and signs by the same rules; both sides are tested from `tests/vectors/primitives.json`.
 * WebCrypto is not used: browsers do not offer it over plain http.
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha1 } from "@noble/hashes/legacy.js";
import { sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { base64 as strictBase64 } from "@scure/base";

/** Returns a text as UTF-8. */
export const utf8 = (text: string) => new TextEncoder().encode(text);
/** Returns the text of UTF-8; what is none becomes U+FFFD. */
export const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

export type KeyForm = "utf8" | "base64" | "hex";
/** Algorithms with a shared secret. `token` is not a signature: the key itself is sent. */
export type SecretAlgorithm =
  | "hmac-sha1"
  | "hmac-sha256"
  | "hmac-sha384"
  | "hmac-sha512"
  | "sha256-prefix"
  | "sha256-suffix"
  | "sha1-suffix"
  | "token";
export type PairAlgorithm = "ed25519" | "ecdsa-p256" | "ecdsa-p256-raw" | "rsa-sha256" | "rsa-sha1";
export type Algorithm = SecretAlgorithm | PairAlgorithm;
export type KeyType = "ed25519" | "ecdsa-p256" | "rsa";
export type PublicForm = "hex" | "base64" | "base64-spki" | "certificate";

export const needsPair = (algorithm: Algorithm): algorithm is PairAlgorithm =>
  /^(ed|ecdsa|rsa)/.test(algorithm);
/** Returns the type of the key pair that an algorithm needs. */
export const pairType = (algorithm: PairAlgorithm) => algorithm.replace(/-(raw|sha\d+)$/, "") as KeyType;

/**
 * Decoding of a secret to key bytes: normalize, decode, hash.
 *
 * `strip_prefix` is removed before decoding, except for the form utf8.
 */
export interface KeySpec {
  form: KeyForm;
  strip_prefix: string;
  normalize?: "" | "NFKC" | "NFKD";
  digest?: "" | "sha1" | "sha256";
}

export type KeyFault = "empty" | "not_base64" | "not_hex";

/**
 * Raised when the text of a secret does not decode.
 *
 * `message` may quote the invalid character: show it only in the secret's own field.
 */
export class KeyProblem extends Error {
  constructor(
    readonly code: KeyFault,
    message: string,
    /** 1-based position in the text as typed, in code points; 0 if no single character is invalid. */
    readonly at: number,
  ) {
    super(message);
  }
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const BASE64 = /^[A-Za-z0-9+/=]$/;
const HEX = /^[0-9a-fA-F]$/;

const NAMES: Record<string, string> = {
  " ": "a space",
  "\t": "a tab",
  "\n": "a line end",
  "\r": "a line end",
};

function badCharacter(code: KeyFault, form: string, char: string, at: number): KeyProblem {
  const urlSafe = code === "not_base64" && (char === "-" || char === "_");
  const hint = urlSafe ? ": this is the URL-safe alphabet, the provider uses + and /" : "";
  return new KeyProblem(code, `Not ${form}: character ${at} is ${NAMES[char] ?? `“${char}”`}${hint}`, at);
}

function fromHex(chars: string[], skipped: number): Uint8Array {
  const bad = chars.findIndex((char) => !HEX.test(char));
  if (bad >= 0) throw badCharacter("not_hex", "hex", chars[bad] as string, skipped + bad + 1);
  if (chars.length % 2) {
    const text = `Not hex: ${chars.length} digits; the count must be even`;
    throw new KeyProblem("not_hex", text, 0);
  }
  return Uint8Array.from({ length: chars.length / 2 }, (_, i) =>
    Number.parseInt((chars[2 * i] as string) + chars[2 * i + 1], 16),
  );
}

/**
 * Decodes base64 by RFC 4648 section 4: padding required, unused bits zero. A lenient decoder would silently turn a
 * copy error into another key.
 */
function fromBase64(chars: string[], skipped: number): Uint8Array {
  const bad = chars.findIndex((char) => !BASE64.test(char));
  if (bad >= 0) throw badCharacter("not_base64", "base64", chars[bad] as string, skipped + bad + 1);
  try {
    return strictBase64.decode(chars.join(""));
  } catch {
    // The library's own message quotes a letter or the last bits of the secret.
    const text = `Not base64: ${chars.length} characters cannot end like this; the end may be cut off`;
    throw new KeyProblem("not_base64", text, 0);
  }
}

/**
 * Decodes a secret to its key bytes.
 *
 * @throws {KeyProblem} when the text is empty or does not decode in the provider's form.
 */
export function decodeKey(secret: string, { form, strip_prefix, normalize, digest }: KeySpec): Uint8Array {
  const text = normalize ? secret.normalize(normalize) : secret;
  const prefixed = form !== "utf8" && strip_prefix !== "" && text.startsWith(strip_prefix);
  const skipped = prefixed ? [...strip_prefix].length : 0;
  const chars = [...(prefixed ? text.slice(strip_prefix.length) : text)];
  const key =
    form === "utf8" ? utf8(text) : form === "hex" ? fromHex(chars, skipped) : fromBase64(chars, skipped);
  if (key.length === 0) throw new KeyProblem("empty", "The secret is empty", 0);
  return digest ? HASHES[digest](key) : key;
}

const HASHES = { sha1, sha256 };

const HMACS = { "hmac-sha1": sha1, "hmac-sha256": sha256, "hmac-sha384": sha384, "hmac-sha512": sha512 };

/** Signs a message given in pieces; for `token` returns the key itself. */
export function mac(algorithm: SecretAlgorithm, key: Uint8Array, message: Uint8Array[]): Uint8Array {
  if (algorithm === "token") return key;
  const keyed = algorithm.startsWith("hmac");
  const running = keyed
    ? hmac.create(HMACS[algorithm as keyof typeof HMACS], key)
    : (algorithm.startsWith("sha256") ? sha256 : sha1).create();
  const before = algorithm.endsWith("prefix") ? [key] : [];
  const after = algorithm.endsWith("suffix") ? [key] : [];
  for (const piece of [...before, ...message, ...after]) running.update(piece);
  return running.digest();
}

/** Compares bytes; the time taken depends only on their lengths. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= (a[i] as number) ^ (b[i % (b.length || 1)] ?? 0);
  return difference === 0;
}

export function bytesToHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function sha256Hex(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

/** Format of a provider's example secret; `length` counts characters, for base64 bytes. */
export interface ExampleSecret {
  prefix: string;
  alphabet: "hex" | "base62" | "base64";
  length: number;
}

export const base64 = (bytes: Uint8Array) => strictBase64.encode(bytes);

/** Generates a random secret in the provider's format with the browser's cryptographic generator. */
export function makeSecret(
  example: ExampleSecret,
  random: (length: number) => Uint8Array = randomBytes,
): string {
  const { prefix, alphabet, length } = example;
  if (alphabet === "base64") return prefix + base64(random(length));
  const letters = alphabet === "hex" ? "0123456789abcdef" : LETTERS;
  let text = "";
  while (text.length < length) {
    for (const byte of random(length)) {
      // Reject bytes past the last whole multiple, or some letters would be more likely than others.
      if (byte < 256 - (256 % letters.length) && text.length < length)
        text += letters.charAt(byte % letters.length);
    }
  }
  return prefix + text;
}

export function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}

/** Returns random bytes as hex. */
export function randomHex(bytes: number): string {
  return bytesToHex(randomBytes(bytes));
}
