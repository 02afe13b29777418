/**
 * Where secrets live: a closure, one slot for each provider, gone with the last view.
 *
 * No function here returns a secret or a private key. Signatures, lengths and public keys come out, nothing else;
 * the holder itself prints and serialises as an object of functions.
 */
import { joined, rewritten } from "./bytes.js";
import type * as Curves from "./curves.js";
import {
  type Algorithm,
  base64,
  decodeKey,
  KeyProblem,
  type KeySpec,
  type LongAlgorithm,
  mac,
  type PairAlgorithm,
  type PlainAlgorithm,
  randomHex,
  sameBytes,
} from "./primitives.js";

export interface KeyedJob extends KeySpec {
  algorithm: Algorithm;
  /** A change of the secret's text that a diagnosis tries; it knows them in `edits.ts`. */
  edit?: string;
  /** A secret that does not decode, or in which `edit` finds nothing to change, is no error but matches nothing. */
  lenient?: boolean;
}

const SHORTEST_COVERED = 8; // characters
type SecretAlgorithm = PlainAlgorithm | LongAlgorithm;
/** The lazy chunk, for jobs that `needsChunk`. */
type Tools = typeof Curves | null;

/** What may be known about a secret: nothing held, a key of so many bytes, or why it does not decode. */
export type Held =
  | { state: "none" }
  | { state: "usable"; bytes: number; blanks: boolean }
  | { state: "malformed"; problem: string }
  | { state: "pair"; publicText: Curves.Pair["publicText"] };

/** The signatures a receiver was given for one message, in pieces, of which one should be right. */
export interface Claim {
  job: KeyedJob;
  message: Uint8Array[];
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
  /**
   * A text as it may leave the tab: where it holds a secret, also in base64, something else stands for it, which
   * `match` takes for the secret. A very short secret could be a word of any text.
   */
  covered(text: string): string;
  /** Never of a `token`: that is the secret itself. @throws {KeyProblem | NoKey} */
  sign(slot: string, job: KeyedJob, message: Uint8Array, tools: Tools): Uint8Array;
  /** The index of the first presented signature that is right, or -1. @throws {KeyProblem | NoKey} */
  match(slot: string, claim: Claim, tools: Tools): number;
}

const PLAIN: Record<PlainAlgorithm, true> = {
  "hmac-sha1": true,
  "hmac-sha256": true,
  "sha256-prefix": true,
  "sha256-suffix": true,
  "sha1-suffix": true,
  token: true,
};
const isPlain = (algorithm: Algorithm): algorithm is PlainAlgorithm => Object.hasOwn(PLAIN, algorithm);
const needsPair = (algorithm: Algorithm): algorithm is PairAlgorithm => /^(ed|ecdsa|rsa)/.test(algorithm);
/** The type of the pair that signs so. */
const pairType = (algorithm: PairAlgorithm) => algorithm.replace(/-(raw|sha\d+)$/, "");

/** True for jobs that are done with the lazy chunk. */
export function needsChunk({ algorithm, edit }: KeyedJob): boolean {
  return !isPlain(algorithm) || Boolean(edit);
}

export function createHolder(): Holder {
  const secrets = new Map<string, string>();
  const pairs = new Map<string, Curves.Pair>();
  const mark = randomHex(8);
  let covers = false;
  /** What stands for the secret of a slot. */
  const standIn = (slot: string) => `secret-of-${slot}.${mark}`;
  const withSecrets = (text: string) =>
    [...secrets].reduce((left, [slot, secret]) => left.replaceAll(standIn(slot), () => secret.trim()), text);
  const uncovered = (bytes: Uint8Array) => (covers ? rewritten(bytes, withSecrets) : bytes);
  const pairOf = (slot: string, algorithm: PairAlgorithm) => {
    const pair = pairs.get(slot);
    if (pair?.type !== pairType(algorithm)) throw new NoKey(`This tab holds no ${algorithm} key pair`);
    return pair;
  };
  /** Null when the job's edit finds nothing to change. */
  const keyOf = (slot: string, job: KeyedJob, tools: Tools) => {
    const secret = secrets.get(slot);
    if (secret === undefined) throw new NoKey(`This tab holds no secret for ${job.algorithm}`);
    const text = job.edit && tools ? tools.edited(secret, job.edit, job.strip_prefix) : secret;
    return job.edit && text === secret ? null : decodeKey(text, job);
  };
  const macOf = (algorithm: SecretAlgorithm, key: Uint8Array, message: Uint8Array[], tools: Tools) => {
    if (isPlain(algorithm)) return mac(algorithm, key, message);
    if (tools) return tools.longMac(algorithm, key, message);
    throw new NoKey(`${algorithm} needs a part of the page that was not loaded`);
  };

  const find = (slot: string, { job, message, presented }: Claim, tools: Tools) => {
    const { algorithm } = job;
    if (needsPair(algorithm)) {
      const pair = pairOf(slot, algorithm);
      const whole = joined(message.map(uncovered));
      return presented.findIndex((signature) => pair.verifies(algorithm, whole, signature));
    }
    const key = keyOf(slot, job, tools);
    const right = key && macOf(algorithm, key, message.map(uncovered), tools);
    return right ? presented.findIndex((signature) => sameBytes(right, uncovered(signature))) : -1;
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
      if (pair) return { state: "pair", publicText: pair.publicText };
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
    covered(text: string) {
      const encoded = (plain: string) => base64(new TextEncoder().encode(plain));
      let left = text;
      for (const [slot, secret] of secrets) {
        const bare = secret.trim(); // without the blanks that a header loses
        if (bare.length < SHORTEST_COVERED) continue;
        left = left.replaceAll(bare, standIn(slot)).replaceAll(encoded(bare), encoded(standIn(slot)));
      }
      covers ||= left !== text;
      return left;
    },
    sign(slot: string, job: KeyedJob, message: Uint8Array, tools: Tools) {
      const { algorithm } = job;
      if (algorithm === "token")
        throw new NoKey("What this provider sends is the secret itself, and it stays here");
      if (needsPair(algorithm)) return pairOf(slot, algorithm).sign(algorithm, message);
      const key = keyOf(slot, job, tools);
      if (!key) throw new NoKey("There is nothing to change in this secret");
      return macOf(algorithm, key, [message], tools);
    },
    match(slot: string, claim: Claim, tools: Tools) {
      try {
        return find(slot, claim, tools);
      } catch (error) {
        if (claim.job.lenient && (error instanceof KeyProblem || error instanceof NoKey)) return -1;
        throw error;
      }
    },
  });
}

/** What the kernel may be told about a failed job. */
export function faultOf(error: unknown): { code: string; text: string } {
  if (error instanceof KeyProblem) return { code: "bad_key", text: error.wireText };
  if (error instanceof NoKey) return { code: "bad_key", text: error.message };
  return { code: "failed", text: "The browser could not do this job" };
}
