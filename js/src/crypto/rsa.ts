/**
 * RSA with PKCS #1 v1.5 (RFC 8017) for test key pairs, on the bigint functions of noble-curves.
 *
 * Not constant-time: running time depends on the private key. That is acceptable, since the key is generated in
 * this tab, signs test requests only and protects nothing. Decision record 5 says why no library is used.
 */
import { invert, mod, pow } from "@noble/curves/abstract/modular.js";
import { bytesToNumberBE, numberToBytesBE } from "@noble/curves/utils.js";
import { sha1 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { identifier, integer, nothing, sequence } from "./der.js";
import { randomBytes } from "./primitives.js";

const E = 65537n;
const BITS = 2048;

export interface RsaKey {
  n: bigint;
  e: bigint;
  p: bigint;
  q: bigint;
  d: bigint;
}

const HASHES = {
  "rsa-sha256": { hash: sha256, info: "2.16.840.1.101.3.4.2.1" },
  "rsa-sha1": { hash: sha1, info: "1.3.14.3.2.26" },
};
export type RsaAlgorithm = keyof typeof HASHES;

/** EMSA-PKCS1-v1_5, RFC 8017 section 9.2. */
function encoded(algorithm: RsaAlgorithm, message: Uint8Array, length: number): bigint {
  const { hash, info } = HASHES[algorithm];
  const digest = hash(message);
  const head = sequence(identifier(info), nothing());
  const tail = [0x30, head.length + digest.length + 2, ...head, 0x04, digest.length, ...digest];
  const padding = new Array<number>(length - 3 - tail.length).fill(0xff);
  return bytesToNumberBE(Uint8Array.from([0, 1, ...padding, 0, ...tail]));
}

const lengthOf = (n: bigint) => Math.ceil(n.toString(16).length / 2);

export function rsaSign(algorithm: RsaAlgorithm, { n, p, q, d }: RsaKey, message: Uint8Array): Uint8Array {
  const m = encoded(algorithm, message, lengthOf(n));
  // Chinese remainder theorem (RFC 8017 section 5.1.2): four times as fast.
  const [byP, byQ] = [p, q].map((prime) => pow(mod(m, prime), d % (prime - 1n), prime)) as [bigint, bigint];
  return numberToBytesBE(byQ + q * mod(invert(q, p) * (byP - byQ), p), lengthOf(n));
}

/** Returns false for any invalid signature, however malformed. */
export function rsaVerify(
  algorithm: RsaAlgorithm,
  { n, e }: Pick<RsaKey, "n" | "e">,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  const length = lengthOf(n);
  const s = signature.length === length ? bytesToNumberBE(signature) : n;
  return s < n && pow(s, e, n) === encoded(algorithm, message, length);
}

/** RSAPublicKey, RFC 8017 appendix A.1.1. */
export function rsaPublic({ n, e }: Pick<RsaKey, "n" | "e">): Uint8Array {
  return sequence(integer(numberToBytesBE(n, lengthOf(n))), integer(numberToBytesBE(e, 3)));
}

/** Creates a key from two primes; exported for the test vectors. */
export function rsaKey(p: bigint, q: bigint): RsaKey {
  return { n: p * q, e: E, p, q, d: invert(E, (p - 1n) * (q - 1n)) };
}

function primesBelow(limit: number): number[] {
  const composite = new Uint8Array(limit);
  const primes: number[] = [];
  for (let n = 2; n < limit; n++) {
    if (composite[n]) continue;
    primes.push(n);
    for (let m = n * n; m < limit; m += n) composite[m] = 1;
  }
  return primes;
}

/** Returns a random number with its two highest bits set, so that a product of two has twice the bits. */
function randomNumber(bits: number): bigint {
  return bytesToNumberBE(randomBytes(bits / 8)) | (3n << BigInt(bits - 2));
}

/** Runs one round of the Miller-Rabin test with a random base; at most one composite in four passes a round. */
function passes(candidate: bigint, base: bigint): boolean {
  let odd = candidate - 1n;
  let twos = 0;
  for (; odd % 2n === 0n; odd >>= 1n) twos += 1;
  let power = pow(base, odd, candidate);
  if (power === 1n) return true;
  for (let i = 0; i < twos; i++) {
    if (power === candidate - 1n) return true;
    power = (power * power) % candidate;
  }
  return false;
}

/** Miller-Rabin rounds for primes of 1024 bits and an error below 2^-112: FIPS 186-5, table B.1. */
const ROUNDS = 5;
const SIEVED = 4096;

async function prime(bits: number, pause: () => Promise<void>, small: number[]): Promise<bigint> {
  for (;;) {
    // Candidates are the odd numbers from a random one on, without multiples of small primes.
    const start = randomNumber(bits) | 1n;
    const out = new Uint8Array(SIEVED);
    for (const divisor of small) {
      const rest = Number(start % BigInt(divisor));
      // solves start + 2 i = 0 modulo an odd divisor
      const first = (((divisor - rest) % divisor) * ((divisor + 1) / 2)) % divisor;
      for (let i = first; i < SIEVED; i += divisor) out[i] = 1;
    }
    for (let i = 0; i < SIEVED; i++) {
      if (out[i]) continue;
      const candidate = start + 2n * BigInt(i);
      if (candidate % E === 1n) continue;
      let round = 0;
      for (; round < ROUNDS; round++) {
        await pause();
        if (!passes(candidate, 2n + bytesToNumberBE(randomBytes(bits / 8 - 1)))) break;
      }
      if (round === ROUNDS) return candidate;
    }
  }
}

/** Generates a key of 2048 bits in about a second; awaits `pause` between two candidates. */
export async function generateRsa(pause: () => Promise<void>): Promise<RsaKey> {
  const small = primesBelow(1 << 14).slice(1);
  const p = await prime(BITS / 2, pause, small);
  const q = await prime(BITS / 2, pause, small);
  return rsaKey(p, q);
}
