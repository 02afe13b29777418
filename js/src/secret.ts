/**
 * Where secrets live: a closure, one slot for each provider, gone with the last view.
 *
 * No function here returns a secret or a private key. Signatures, lengths and public keys come out, nothing else;
 * the holder itself prints and serialises as an object of functions.
 */
import type * as Curves from "./curves.js";
import {
  type Algorithm,
  decodeKey,
  KeyProblem,
  type KeySpec,
  type MacAlgorithm,
  mac,
  sameBytes,
} from "./primitives.js";

export interface KeyedJob extends KeySpec {
  algorithm: Algorithm;
}

/** The lazy chunk, for jobs that `needsChunk`. */
type Tools = typeof Curves | null;

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
  setPair(slot: string, pair: Curves.Pair): void;
  has(slot: string): boolean;
  describe(slot: string, spec: KeySpec): Held;
  clear(slot: string): void;
  clearAll(): void;
  /** @throws {KeyProblem | NoKey} */
  sign(slot: string, job: KeyedJob, message: Uint8Array, tools: Tools): Uint8Array;
  /** The index of the first presented signature that is the right HMAC, or -1. @throws {KeyProblem | NoKey} */
  match(slot: string, claim: Claim, tools: Tools): number;
}

export function isMac(algorithm: Algorithm): algorithm is MacAlgorithm {
  return algorithm.startsWith("hmac-");
}

/** True for algorithms that are in the lazy chunk. */
export function needsChunk(algorithm: Algorithm): boolean {
  return algorithm !== "hmac-sha1" && algorithm !== "hmac-sha256";
}

export function createHolder(): Holder {
  const secrets = new Map<string, string>();
  const pairs = new Map<string, Curves.Pair>();

  const macOf = (slot: string, job: KeyedJob, message: Uint8Array, tools: Tools) => {
    const secret = secrets.get(slot);
    if (secret === undefined) throw new NoKey("This tab holds no secret for this provider");
    const key = decodeKey(secret, job);
    if (job.algorithm === "hmac-sha1" || job.algorithm === "hmac-sha256")
      return mac(job.algorithm, key, message);
    if (job.algorithm === "hmac-sha512" && tools) return tools.mac512(key, message);
    throw new NoKey(`This tab holds a secret, and ${job.algorithm} needs a key pair`);
  };

  return Object.freeze({
    set(slot: string, secret: string) {
      pairs.delete(slot);
      if (secret === "") secrets.delete(slot);
      else secrets.set(slot, secret);
    },
    setPair(slot: string, pair: Curves.Pair) {
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
    sign(slot: string, job: KeyedJob, message: Uint8Array, tools: Tools) {
      if (isMac(job.algorithm)) return macOf(slot, job, message, tools);
      const pair = pairs.get(slot);
      if (pair?.algorithm !== job.algorithm) throw new NoKey(`This tab holds no ${job.algorithm} key pair`);
      return pair.sign(message);
    },
    match(slot: string, { job, message, presented }: Claim, tools: Tools) {
      const right = macOf(slot, job, message, tools);
      return presented.findIndex((signature) => sameBytes(right, signature));
    },
  });
}

/** As `Holder.match`, for signatures that a public key can check. */
export function matchPublic(
  tools: typeof Curves,
  publicKey: Uint8Array,
  { job, message, presented }: Claim,
): number {
  const { algorithm } = job;
  if (isMac(algorithm)) throw new NoKey("An HMAC cannot be checked with a public key");
  return presented.findIndex((signature) => tools.verifies(algorithm, publicKey, message, signature));
}

/** What the kernel may be told about a failed job. */
export function faultOf(error: unknown): { code: string; text: string } {
  if (error instanceof KeyProblem) return { code: "bad_key", text: error.wireText };
  if (error instanceof NoKey) return { code: "bad_key", text: error.message };
  return { code: "failed", text: "The browser could not do this job" };
}
