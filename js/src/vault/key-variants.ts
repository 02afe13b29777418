/**
 * Named readings of a secret, other than the one its provider documents, and what a question about one may tell.
 *
 * The kernel names a variant; the key follows from the facts that the tab pinned, so that the kernel cannot choose
 * how the secret is read. The kernel derives the same specs; both sides are tested from
 * `tests/vectors/primitives.json`.
 *
 * The kernel knows signatures by the plain key of messages of its own choice. A question must not tell it how that
 * key and another one are related, so such a key counts as none: see `expectedMac`.
 */
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

/** A key spec with the edit that is done first; "" for none. */
export type VariantSpec = KeySpec & { edit: KeyEdit | "" };

/** The text is changed, then read as the provider reads it. */
const CHANGED: Record<string, KeyEdit> = {
  trimmed: "trim",
  unquoted: "unquote",
  unassigned: "unassign",
  "newline-added": "add-newline",
  "crlf-added": "add-crlf",
  unescaped: "unescape",
  "percent-decoded": "percent-decode",
  "lower-case": "lower",
  "upper-case": "upper",
};
/** The changed text itself is the key. */
const TEXTS: Record<string, KeyEdit> = {
  "base64-encoded": "to-base64",
  "hex-encoded": "to-hex",
  "sha256-hex": "sha256-hex",
  unpadded: "unpad",
};
const FORMS: Record<string, KeyForm> = { "as-text": "utf8", "as-base64": "base64", "as-hex": "hex" };
const UNPREFIXED: Record<string, KeyForm> = {
  "unprefixed-text": "utf8",
  "unprefixed-base64": "base64",
  "unprefixed-hex": "hex",
};
const OTHERS = [
  "prefixed",
  "unprefixed",
  "url-safe-base64",
  "no-digest",
  "digest-sha256",
  "digest-sha1",
  "nfkc",
  "nfkd",
];

/** All variants; "" is the reading that the provider documents. */
export const VARIANTS: readonly string[] = [
  "",
  ...[CHANGED, TEXTS, FORMS, UNPREFIXED].flatMap((names) => Object.keys(names)),
  ...OTHERS,
];

const own = <T>(names: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(names, name) ? names[name] : undefined;

/**
 * The key spec of a variant, or null where the variant makes no other key of such a secret, or is unknown.
 *
 * `spec` is how the provider reads its secret, `prefix` what its secrets begin with ("" for nothing).
 */
export function variantSpec(spec: KeySpec, prefix: string, variant: string): VariantSpec | null {
  const plain: Required<KeySpec> & VariantSpec = { normalize: "", digest: "", ...spec, edit: "" };
  const other = derived(plain, prefix, variant);
  const same = other && FIELDS.every((field) => other[field] === plain[field]);
  return variant !== "" && same ? null : other;
}

const FIELDS = ["form", "strip_prefix", "normalize", "digest", "edit"] as const;

type Whole = Required<KeySpec> & VariantSpec;

const bare = (form: KeyForm, edit: KeyEdit | "" = ""): Whole => ({
  form,
  strip_prefix: "",
  normalize: "",
  digest: "",
  edit,
});

function derived(spec: Whole, prefix: string, variant: string): Whole | null {
  const text = spec.form === "utf8";
  const changed = own(CHANGED, variant);
  if (changed) return { ...spec, edit: changed };
  const encoded = own(TEXTS, variant);
  if (encoded) return bare("utf8", encoded);
  const form = own(FORMS, variant);
  if (form) return text || form === "utf8" || form === spec.form ? bare(form) : { ...spec, form };
  const behind = own(UNPREFIXED, variant);
  if (behind) return behind === spec.form ? null : bare(behind, "unprefix");
  switch (variant) {
    case "":
      return spec;
    case "prefixed":
      return text && prefix ? { ...spec, strip_prefix: prefix, edit: "prefix" } : null;
    case "unprefixed":
      return { ...spec, strip_prefix: "", edit: "unprefix" };
    case "url-safe-base64":
      return text ? bare("base64", "url-safe") : { ...spec, form: "base64", edit: "url-safe" };
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

/** A secret with the facts that were pinned when it was typed, and the variant that a question names. */
export interface Reading {
  secret: string;
  spec: KeySpec;
  /** The prefix of the provider's secrets; "" for none. */
  prefix: string;
  variant: string;
}

/** Shortest key that may remain after a prefix is removed; the kernel could guess a shorter one. */
const SHORTEST_REST = 16; // characters
const CUTS = new Set<string>(["unprefix", "unassign"]);

/** The key of a reading; null where it does not decode, or where its edit finds nothing to change. */
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
 * The signature that those presented are compared with; null where nothing may match.
 *
 * The kernel knows signatures by the plain key of messages of its choice, so a match must not tell how that key and
 * another one are related. A key counts as none if it signs as the plain one does (HMAC takes some keys for the
 * same), and with a hash of key and message also if it begins or ends as the plain one and goes on, because the
 * kernel could move the rest into the message. No key takes as long as one.
 */
export function expectedMac(
  reading: Reading,
  algorithm: SecretAlgorithm,
  message: Uint8Array[],
  sign = mac,
): Uint8Array | null {
  const plain = keyOf({ ...reading, variant: "" }) ?? NO_KEY;
  const other = reading.variant === "" ? plain : (keyOf(reading) ?? NO_KEY);
  const right = sign(algorithm, other, message);
  const same = sameBytes(sign(algorithm, plain, []), sign(algorithm, other, []));
  const related = same || (HASH.test(algorithm) && overlap(plain, other));
  return other === NO_KEY || (reading.variant !== "" && related) ? null : right;
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
 * Tells if a question about the key of one algorithm may be about a signature by another one.
 *
 * Not for a token, by which each signature would let the kernel test guesses. And no HMAC where a hash of key and
 * message is sent: that tells the hash of the key, with which HMAC replaces a long key.
 */
export function mayBe(pinned: Algorithm, other: Algorithm): boolean {
  if (pinned === "token") return other === "token";
  if (HASH.test(pinned)) return HASH.test(other) || other === "token";
  return typeOf(pinned) === typeOf(other);
}

const typeOf = (algorithm: Algorithm) => (needsPair(algorithm) ? pairType(algorithm) : null);
