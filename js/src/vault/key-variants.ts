/**
 * Variants of a secret's key that a diagnosis tries, and limits on what a comparison may reveal.
 *
 * The kernel names a variant; the key follows from the facts pinned in the tab, so that the kernel cannot choose
 * how the secret is decoded. The kernel derives the same specs; both sides are tested from
 * `tests/vectors/primitives.json`.
 *
 * The kernel knows signatures by the plain key of messages that it chose. A comparison must not reveal how a
 * variant is related to that key, so related variants match nothing: see `expectedMac`.
 */
import { joined } from "../core/bytes.js";
import { edited, type KeyEdit } from "../crypto/key-edits.js";
import {
  type Algorithm,
  decodeKey,
  type KeyForm,
  type KeySpec,
  mac,
  needsPair,
  pairType,
  type SecretAlgorithm,
  sameBytes,
} from "../crypto/primitives.js";

/** A key spec with the edit that comes first; "" for none. */
export type VariantSpec = KeySpec & { edit: KeyEdit | "" };

/** The text is edited, then decoded in the provider's form. */
const CHANGED: Record<string, KeyEdit> = {
  trimmed: "trim",
  quoted: "quote",
  unquoted: "unquote",
  unassigned: "unassign",
  "newline-added": "add-newline",
  "crlf-added": "add-crlf",
  unescaped: "unescape",
  "percent-decoded": "percent-decode",
  "lower-case": "lower",
  "upper-case": "upper",
  padded: "pad",
  unwrapped: "unwrap",
  "html-escaped": "html-escape",
  "plus-restored": "restore-plus",
  "space-added": "add-space",
  "space-before": "space-before",
};
/** The edited text itself is the key. */
const TEXTS: Record<string, KeyEdit> = {
  "base64-encoded": "to-base64",
  "hex-encoded": "to-hex",
  "sha256-hex": "sha256-hex",
  unpadded: "unpad",
  empty: "empty",
  "base64-text": "unbase64",
};
const FORMS: Record<string, KeyForm> = { "as-text": "utf8", "as-base64": "base64", "as-hex": "hex" };
const UNPREFIXED: Record<string, KeyForm> = {
  "unprefixed-text": "utf8",
  "unprefixed-base64": "base64",
  "unprefixed-hex": "hex",
};
/** An HMAC whose key is the message, and whose message is the plain key. */
const SWAPPED = "swapped";
const OTHERS = [
  "prefixed",
  "unprefixed",
  "url-safe-base64",
  "no-digest",
  "digest-sha256",
  "digest-sha1",
  "nfkc",
  "nfkd",
  SWAPPED,
];

/** All variants; "" is the provider's documented form. */
export const VARIANTS: readonly string[] = [
  "",
  ...[CHANGED, TEXTS, FORMS, UNPREFIXED].flatMap((names) => Object.keys(names)),
  ...OTHERS,
];

const ownValue = <T>(names: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(names, name) ? names[name] : undefined;

/**
 * Returns the key spec of a variant; null if it is unknown or gives the same key for such a secret.
 *
 * `spec` is the provider's form, `prefix` that of its secrets ("" for none).
 */
export function variantSpec(spec: KeySpec, prefix: string, variant: string): VariantSpec | null {
  const plain: Required<KeySpec> & VariantSpec = { normalize: "", digest: "", ...spec, edit: "" };
  const other = derived(plain, prefix, variant);
  const equivalent = other && FIELDS.every((field) => other[field] === plain[field]);
  return variant !== "" && equivalent ? null : other;
}

const FIELDS = ["form", "strip_prefix", "normalize", "digest", "edit"] as const;

type Whole = Required<KeySpec> & VariantSpec;

const unprefixed = (form: KeyForm, edit: KeyEdit | "" = ""): Whole => ({
  form,
  strip_prefix: "",
  normalize: "",
  digest: "",
  edit,
});

function derived(spec: Whole, prefix: string, variant: string): Whole | null {
  const text = spec.form === "utf8";
  const changed = ownValue(CHANGED, variant);
  if (changed) return { ...spec, edit: changed };
  const encoded = ownValue(TEXTS, variant);
  if (encoded) return unprefixed("utf8", encoded);
  const form = ownValue(FORMS, variant);
  if (form) return text || form === "utf8" || form === spec.form ? unprefixed(form) : { ...spec, form };
  const behind = ownValue(UNPREFIXED, variant);
  if (behind) return behind === spec.form ? null : unprefixed(behind, "unprefix");
  switch (variant) {
    case "":
      return spec;
    case "prefixed":
      return text && prefix ? { ...spec, strip_prefix: prefix, edit: "prefix" } : null;
    case "unprefixed":
      return { ...spec, strip_prefix: "", edit: "unprefix" };
    case "url-safe-base64":
      return text ? unprefixed("base64", "url-safe") : { ...spec, form: "base64", edit: "url-safe" };
    case "no-digest":
      return { ...spec, digest: "" };
    case "digest-sha256":
      return spec.digest ? null : { ...spec, digest: "sha256" };
    case "digest-sha1":
      return spec.digest ? null : { ...spec, digest: "sha1" };
    case "nfkc":
      return { ...spec, normalize: "NFKC" };
    case "nfkd":
      return { ...spec, normalize: "NFKD" };
    default:
      return null;
  }
}

/** A secret with the facts pinned when it was typed, and the variant to try. */
export interface Reading {
  secret: string;
  spec: KeySpec;
  /** Prefix of the provider's secrets; "" for none. */
  prefix: string;
  variant: string;
}

/** Minimum length of a key whose prefix was removed; the kernel could guess a shorter one. */
const SHORTEST_REST = 16; // characters
const CUTS = new Set<string>(["unprefix", "unassign", "unwrap"]);

/** Returns the key of a variant; null if it does not decode, or if its edit changes nothing. */
function keyOf({ secret, spec, prefix, variant }: Reading): Uint8Array | null {
  const other = variantSpec(spec, prefix, variant);
  if (!other) return null;
  const text = other.edit ? edited(secret, other.edit, other.strip_prefix) : secret;
  if (other.edit && text === secret) return null;
  if (CUTS.has(other.edit) && text.length < SHORTEST_REST) return null;
  try {
    return decodeKey(text, other);
  } catch {
    return null;
  }
}

/**
 * Returns the signature to compare with; null if nothing may match.
 *
 * The kernel knows signatures by the plain key of messages that it chose, so a match must not reveal how the two
 * keys are related. A variant is excluded if it signs as the plain key does (HMAC pads and hashes keys). For a hash
 * of key and message it is also excluded if one key begins or ends with the other, because the kernel could move
 * the rest into the message. Excluded keys take the same time.
 */
export function expectedMac(
  reading: Reading,
  algorithm: SecretAlgorithm,
  message: Uint8Array[],
  sign = mac,
): Uint8Array | null {
  const plain = keyOf({ ...reading, variant: "" }) ?? NO_KEY;
  if (reading.variant === SWAPPED) return swapped(algorithm, plain, message, sign);
  const other = reading.variant === "" ? plain : (keyOf(reading) ?? NO_KEY);
  const right = sign(algorithm, other, message);
  const equivalent = sameBytes(sign(algorithm, plain, []), sign(algorithm, other, []));
  const related = equivalent || (HASH.test(algorithm) && overlap(plain, other));
  return other === NO_KEY || (reading.variant !== "" && related) ? null : right;
}

/** The kernel knows no HMAC whose message is the key, so a match tells it no more than its own guess would. */
function swapped(algorithm: SecretAlgorithm, key: Uint8Array, message: Uint8Array[], sign: typeof mac) {
  if (key === NO_KEY || !algorithm.startsWith("hmac")) return null;
  return sign(algorithm, joined(message), [key]);
}

const NO_KEY = new Uint8Array(1);
const HASH = /^sha\d+-(prefix|suffix)$/;

/** True if one text begins or ends with the other. */
function overlap(a: Uint8Array, b: Uint8Array): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const [head, tail] = [long.subarray(0, short.length), long.subarray(long.length - short.length)];
  return sameBytes(short, head) || sameBytes(short, tail);
}

/**
 * True if a comparison may try another algorithm with a key that was pinned for `pinned`.
 *
 * Not for a token: each signature would let the kernel test guesses. No HMAC for a hash of key and message: that
 * signature reveals the hash of the key, by which HMAC replaces a long key.
 */
export function algorithmAllowed(pinned: Algorithm, other: Algorithm): boolean {
  if (pinned === "token") return other === "token";
  if (HASH.test(pinned)) return HASH.test(other) || other === "token";
  return typeOf(pinned) === typeOf(other);
}

const typeOf = (algorithm: Algorithm) => (needsPair(algorithm) ? pairType(algorithm) : null);
