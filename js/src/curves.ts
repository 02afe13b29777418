/**
 * Lazy chunk: Ed25519, ECDSA P-256 and SHA-512, fetched only when a provider signs with one of them.
 *
 * The private half lives in the closure of a pair and has no way out of it.
 */
import { ed25519 } from "@noble/curves/ed25519.js";
import { p256 } from "@noble/curves/nist.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { base64, type CurveAlgorithm, decodeKey } from "./primitives.js";

export type PublicForm = "hex" | "base64-spki";

export interface Pair {
  algorithm: CurveAlgorithm;
  /** 32 bytes (Ed25519) or the 65 bytes of an uncompressed point (P-256). */
  publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
}

/** What a SubjectPublicKeyInfo has before the key itself: RFC 8410 section 4, RFC 5480 section 2. */
const SPKI: Record<CurveAlgorithm, string> = {
  ed25519: "302a300506032b6570032100",
  "ecdsa-p256": "3059301306072a8648ce3d020106082a8648ce3d030107034200",
};
const LENGTH: Record<CurveAlgorithm, number> = { ed25519: 32, "ecdsa-p256": 65 };

/** ECDSA signatures are DER, over SHA-256; high s values are accepted, as OpenSSL makes them. */
const ECDSA = { format: "der", prehash: true, lowS: false } as const;

/** The pair of a given private key; exported for the test vectors. */
export function pairOf(algorithm: CurveAlgorithm, privateKey: Uint8Array): Pair {
  if (algorithm === "ed25519") {
    const publicKey = ed25519.getPublicKey(privateKey);
    return { algorithm, publicKey, sign: (message) => ed25519.sign(message, privateKey) };
  }
  const publicKey = p256.getPublicKey(privateKey, false);
  return { algorithm, publicKey, sign: (message) => p256.sign(message, privateKey, ECDSA) };
}

export function generatePair(algorithm: CurveAlgorithm): Pair {
  const { utils } = algorithm === "ed25519" ? ed25519 : p256;
  return pairOf(algorithm, utils.randomSecretKey());
}

/** A public key as the provider prints it: raw hex, or base64 of the DER SubjectPublicKeyInfo. */
export function publicText(algorithm: CurveAlgorithm, key: Uint8Array, form: PublicForm): string {
  if (form === "hex") return bytesToHex(key);
  return base64(Uint8Array.from([...decodeKey(SPKI[algorithm], { form: "hex", strip_prefix: "" }), ...key]));
}

/**
 * Reads raw hex, base64 of the DER form, or PEM.
 *
 * @throws {Error} saying what was expected.
 */
export function parsePublic(algorithm: CurveAlgorithm, text: string): Uint8Array {
  const bare = text.replace(/-----(BEGIN|END) PUBLIC KEY-----/g, "").replace(/\s+/g, "");
  const form = /^[0-9a-fA-F]+$/.test(bare) ? "hex" : "base64";
  let bytes: Uint8Array;
  try {
    bytes = decodeKey(bare, { form, strip_prefix: "" });
  } catch {
    throw new Error("The public key is neither hex nor base64");
  }
  const head = SPKI[algorithm];
  const key = bytesToHex(bytes).startsWith(head) ? bytes.slice(head.length / 2) : bytes;
  try {
    if (algorithm === "ecdsa-p256") return p256.Point.fromBytes(key).toBytes(false);
    if (key.length !== LENGTH.ed25519) throw new Error();
    ed25519.Point.fromBytes(key);
    return key;
  } catch {
    const name = algorithm === "ed25519" ? "Ed25519" : "P-256";
    throw new Error(`These ${key.length} bytes are not an ${name} public key of ${LENGTH[algorithm]} bytes`);
  }
}

/** False for anything that is not a good signature, however malformed. */
export function verifies(
  algorithm: CurveAlgorithm,
  key: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
) {
  try {
    // RFC 8032 verification, not the laxer ZIP 215 rules: what providers' own libraries accept.
    if (algorithm === "ed25519") return ed25519.verify(signature, message, key, { zip215: false });
    return p256.verify(signature, message, key, ECDSA);
  } catch {
    return false;
  }
}

export function mac512(key: Uint8Array, message: Uint8Array): Uint8Array {
  return hmac(sha512, key, message);
}
