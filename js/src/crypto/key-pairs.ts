/**
 * Lazy chunk of the vault: key pairs (Ed25519, ECDSA P-256, RSA), loaded when a provider needs one.
 *
 * The private key lives in a closure and cannot be read from outside.
 */
import { ed25519 } from "@noble/curves/ed25519.js";
import { p256 } from "@noble/curves/nist.js";
import { bits, certificate, identifier, nothing, sequence } from "./der.js";
import { base64, bytesToHex, type KeyType, type PairAlgorithm, type PublicForm } from "./primitives.js";
import { generateRsa, type RsaAlgorithm, type RsaKey, rsaPublic, rsaSign, rsaVerify } from "./rsa.js";
import { yieldToMain } from "./yield-to-main.js";

export interface Pair {
  type: KeyType;
  /** Returns the public key in the provider's format. */
  publicText(form: PublicForm): string;
  sign(algorithm: PairAlgorithm, message: Uint8Array): Uint8Array;
  /** Returns false for any invalid signature, however malformed. */
  verify(algorithm: PairAlgorithm, message: Uint8Array, signature: Uint8Array): boolean;
}

/** Parts of a key pair. */
interface Parts {
  type: KeyType;
  /** Raw public key: 32 bytes (Ed25519), uncompressed point of 65 bytes (ECDSA), RSAPublicKey (RSA). */
  raw: Uint8Array;
  /** AlgorithmIdentifier of the key: RFC 8410, RFC 5480, RFC 3279. */
  identifier: Uint8Array;
  /** Signature algorithm of the certificate, with its AlgorithmIdentifier. */
  certificateAlgorithm: [PairAlgorithm, Uint8Array];
}

function pair(
  { type, raw, identifier, certificateAlgorithm }: Parts,
  keys: Pick<Pair, "sign" | "verify">,
): Pair {
  const spki = sequence(identifier, bits(raw));
  const [algorithm, signed] = certificateAlgorithm;
  let pem = "";
  return {
    type,
    publicText(form) {
      if (form === "hex") return bytesToHex(raw);
      if (form === "base64") return base64(raw);
      if (form === "base64-spki") return base64(spki);
      pem ||= certificate(spki, signed, (message) => keys.sign(algorithm, message));
      return pem;
    },
    sign: keys.sign,
    verify(...args) {
      try {
        return keys.verify(...args);
      } catch {
        return false;
      }
    },
  };
}

/** Creates the pair of a given private key; exported for the test vectors, like the next two functions. */
export function ed25519Pair(privateKey: Uint8Array): Pair {
  const raw = ed25519.getPublicKey(privateKey);
  const algorithm = sequence(identifier("1.3.101.112"));
  return pair(
    { type: "ed25519", raw, identifier: algorithm, certificateAlgorithm: ["ed25519", algorithm] },
    {
      sign: (_, message) => ed25519.sign(message, privateKey),
      // Verifies by RFC 8032 rather than the laxer ZIP 215, as the providers' own libraries do.
      verify: (_, message, signature) => ed25519.verify(signature, message, raw, { zip215: false }),
    },
  );
}

/** ECDSA with SHA-256; high s values are accepted, because OpenSSL produces them. */
const ecdsa = (algorithm: PairAlgorithm) =>
  ({ format: algorithm === "ecdsa-p256" ? "der" : "compact", prehash: true, lowS: false }) as const;

export function p256Pair(privateKey: Uint8Array): Pair {
  const raw = p256.getPublicKey(privateKey, false);
  return pair(
    {
      type: "ecdsa-p256",
      raw,
      identifier: sequence(identifier("1.2.840.10045.2.1"), identifier("1.2.840.10045.3.1.7")),
      certificateAlgorithm: ["ecdsa-p256", sequence(identifier("1.2.840.10045.4.3.2"))],
    },
    {
      sign: (algorithm, message) => p256.sign(message, privateKey, ecdsa(algorithm)),
      verify: (algorithm, message, signature) => p256.verify(signature, message, raw, ecdsa(algorithm)),
    },
  );
}

export function rsaPair(key: RsaKey): Pair {
  return pair(
    {
      type: "rsa",
      raw: rsaPublic(key),
      identifier: sequence(identifier("1.2.840.113549.1.1.1"), nothing()),
      certificateAlgorithm: ["rsa-sha256", sequence(identifier("1.2.840.113549.1.1.11"), nothing())],
    },
    {
      sign: (algorithm, message) => rsaSign(algorithm as RsaAlgorithm, key, message),
      verify: (algorithm, message, signature) =>
        rsaVerify(algorithm as RsaAlgorithm, key, message, signature),
    },
  );
}

export async function generatePair(type: KeyType): Promise<Pair> {
  if (type === "rsa") return rsaPair(await generateRsa(yieldToMain()));
  if (type === "ed25519") return ed25519Pair(ed25519.utils.randomSecretKey());
  return p256Pair(p256.utils.randomSecretKey());
}
