/**
 * Where secrets live: a closure, one slot for each provider, gone with the last view.
 *
 * No function here returns a secret or a private key. Signatures, lengths and public keys come out, nothing else;
 * the holder itself prints and serialises as an object of functions.
 */
import type { Pair, verifies } from "./curves.js";
import { type Algorithm, decodeKey, isMac, KeyProblem, type KeySpec, mac, sameBytes } from "./primitives.js";

export interface KeyedJob extends KeySpec {
  algorithm: Algorithm;
}

/** What may be known about a secret: nothing held, a key of so many bytes, or why it does not decode. */
export type Held =
  | { state: "none" }
  | { state: "usable"; bytes: number; blanks: boolean }
  | { state: "malformed"; problem: string }
  | { state: "pair"; publicKey: Uint8Array };

/** The signatures a receiver was given for one message, of which one should be right. */
export interface Claim {
  job: KeyedJob;
  message: Uint8Array;
  presented: Uint8Array[];
}

/** A job that this tab cannot do; the text holds no part of a secret. */
export class NoKey extends Error {}

export interface Holder {
  set(slot: string, secret: string): void;
  setPair(slot: string, pair: Pair): void;
  has(slot: string): boolean;
  describe(slot: string, spec: KeySpec): Held;
  clear(slot: string): void;
  clearAll(): void;
  /** @throws {KeyProblem | NoKey} */
  sign(slot: string, job: KeyedJob, message: Uint8Array): Uint8Array;
  /** The index of the first presented signature that is the right HMAC, or -1. @throws {KeyProblem | NoKey} */
  match(slot: string, claim: Claim): number;
}

export function createHolder(): Holder {
  const secrets = new Map<string, string>();
  const pairs = new Map<string, Pair>();

  const macOf = (slot: string, job: KeyedJob, message: Uint8Array) => {
    const secret = secrets.get(slot);
    if (!isMac(job.algorithm) || secret === undefined)
      throw new NoKey("This tab holds no secret for this provider");
    return mac(job.algorithm, decodeKey(secret, job), message);
  };

  return Object.freeze({
    set(slot: string, secret: string) {
      pairs.delete(slot);
      if (secret === "") secrets.delete(slot);
      else secrets.set(slot, secret);
    },
    setPair(slot: string, pair: Pair) {
      secrets.delete(slot);
      pairs.set(slot, pair);
    },
    has: (slot: string) => secrets.has(slot) || pairs.has(slot),
    describe(slot: string, spec: KeySpec): Held {
      const pair = pairs.get(slot);
      if (pair) return { state: "pair", publicKey: pair.publicKey };
      const secret = secrets.get(slot);
      if (secret === undefined) return { state: "none" };
      try {
        return { state: "usable", bytes: decodeKey(secret, spec).length, blanks: secret !== secret.trim() };
      } catch (error) {
        return { state: "malformed", problem: (error as KeyProblem).message };
      }
    },
    clear(slot: string) {
      secrets.delete(slot);
      pairs.delete(slot);
    },
    clearAll() {
      secrets.clear();
      pairs.clear();
    },
    sign(slot: string, job: KeyedJob, message: Uint8Array) {
      if (isMac(job.algorithm)) return macOf(slot, job, message);
      const pair = pairs.get(slot);
      if (pair?.algorithm !== job.algorithm) throw new NoKey(`This tab holds no ${job.algorithm} key pair`);
      return pair.sign(message);
    },
    match(slot: string, { job, message, presented }: Claim) {
      const right = macOf(slot, job, message);
      return presented.findIndex((signature) => sameBytes(right, signature));
    },
  });
}

/** As `Holder.match`, for signatures that a public key can check. */
export function matchPublic(
  check: typeof verifies,
  publicKey: Uint8Array,
  { job, message, presented }: Claim,
): number {
  if (isMac(job.algorithm)) throw new NoKey("An HMAC cannot be checked with a public key");
  const algorithm = job.algorithm;
  return presented.findIndex((signature) => check(algorithm, publicKey, message, signature));
}

/** What the kernel may be told about a failed job. */
export function faultOf(error: unknown): { code: string; text: string } {
  if (error instanceof KeyProblem) return { code: "bad_key", text: error.wireText };
  if (error instanceof NoKey) return { code: "bad_key", text: error.message };
  return { code: "failed", text: "The browser could not do this job" };
}
