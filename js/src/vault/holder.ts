/**
 * Stores secrets and key pairs, one slot per provider.
 *
 * No function here returns a secret or a private key, except that `sign` returns a released token. A caller cannot
 * choose key form or algorithm, which were pinned with the secret; a hypothesis of a diagnosis is a name, from
 * which the key is derived here.
 */
import { joined } from "../core/bytes.js";
import type * as Curves from "../crypto/key-pairs.js";
import {
  type Algorithm,
  decodeKey,
  KeyProblem,
  mac,
  needsPair,
  pairType,
  type SecretAlgorithm,
  sameBytes,
} from "../crypto/primitives.js";
import { algorithmOf, type Facts } from "./facts.js";
import { algorithmAllowed, expectedMac } from "./key-variants.js";

/** State of a slot that the page may know; contains no part of a secret. */
export type Held =
  | { state: "none" }
  | { state: "usable" }
  | { state: "malformed" }
  | { state: "pair"; publicKey: string };

/** A field of a scheme, by name. */
export interface Named {
  scheme: string;
  field: string;
}

/** Comparison of a message with the signatures presented for it. */
export interface Question extends Named {
  /** Variant of the key that a diagnosis tries; "" for the pinned one. */
  variant: string;
  /** Algorithm that a diagnosis tries; "" for the pinned one. */
  algorithm: Algorithm | "";
  message: Uint8Array[];
  presented: Uint8Array[];
}

export const ENTERED_FOR_ANOTHER = "this secret was not entered for that signature; enter it again";

/** Returns the original bytes if the presented text is a placeholder, else null. */
export type OriginalOf = (presented: Uint8Array) => Uint8Array | null;

/** Rejection of a job; the message does not depend on the secret. */
export class Rejected extends Error {
  constructor(
    readonly code: "bad_key" | "unknown_field" | "secret_stays" | "declined" | "paused",
    message: string,
  ) {
    super(message);
  }
}

interface SecretEntry {
  facts: Facts;
  text: string;
  /** Null when the text does not decode. */
  key: Uint8Array | null;
}

interface PairEntry {
  facts: Facts;
  pair: Curves.Pair;
}

const NOTHING = new Uint8Array();
const decoded = (text: string, facts: Facts) => {
  try {
    return decodeKey(text, facts.key);
  } catch (error) {
    if (error instanceof KeyProblem) return null;
    throw error;
  }
};

export type Holder = ReturnType<typeof createHolder>;

export function createHolder() {
  const secrets = new Map<string, SecretEntry>();
  const pairs = new Map<string, PairEntry>();
  const matchPair = ({ facts, pair }: PairEntry, { scheme, field, message, presented }: Question) => {
    const algorithm = algorithmOf(facts, scheme, field);
    if (!algorithm || !needsPair(algorithm) || pairType(algorithm) !== pair.type) return -1;
    const whole = joined(message);
    return presented.findIndex((signature) => pair.verify(algorithm, whole, signature));
  };

  const matchSecret = ({ text, facts }: SecretEntry, question: Question, originalOf: OriginalOf) => {
    const { scheme, field, variant, message, presented } = question;
    const pinned = algorithmOf(facts, scheme, field);
    const algorithm = question.algorithm || pinned;
    if (!pinned || !algorithm || !algorithmAllowed(pinned, algorithm) || needsPair(algorithm)) return -1;
    const reading = { secret: text, spec: facts.key, prefix: facts.key.prefix, variant };
    const expected = expectedMac(reading, algorithm, message);
    const compared = algorithm === "token" ? presented.map(originalOf) : presented;
    const hits = compared.map((bytes) => sameBytes(expected ?? NOTHING, bytes ?? NOTHING));
    return expected ? hits.findIndex((hit, i) => hit && compared[i] !== null) : -1;
  };

  return {
    set(slot: string, text: string, facts: Facts) {
      pairs.delete(slot);
      if (text === "") secrets.delete(slot);
      else secrets.set(slot, { text, facts, key: decoded(text, facts) });
    },
    /** Pins other facts to a secret that was typed before its provider was known. */
    pin(slot: string, facts: Facts) {
      const entry = secrets.get(slot);
      if (entry) this.set(slot, entry.text, facts);
    },
    setPair(slot: string, pair: Curves.Pair, facts: Facts) {
      secrets.delete(slot);
      pairs.set(slot, { pair, facts });
    },
    clear(slot: string) {
      secrets.delete(slot);
      pairs.delete(slot);
    },
    describe(slot: string): Held {
      const pair = pairs.get(slot);
      if (pair) return { state: "pair", publicKey: pair.pair.publicText(pair.facts.key.publicForm) };
      const secret = secrets.get(slot);
      return { state: secret ? (secret.key ? "usable" : "malformed") : "none" };
    },
    has: (slot: string) => secrets.has(slot) || pairs.has(slot),
    /** Number of key bytes, and whether white space surrounds the text; for the slot's own field only. */
    measure(slot: string) {
      const secret = secrets.get(slot);
      return { bytes: secret?.key?.length ?? 0, blanks: secret ? secret.text !== secret.text.trim() : false };
    },
    /** For the redaction of a pasted request only. */
    texts: () => [...secrets.values()].map(({ text }) => text),

    /**
     * Signs a message. For `token` returns the secret itself, only if it was `released` for this request.
     *
     * @throws {Rejected}
     */
    sign(slot: string, { scheme, field }: Named, message: Uint8Array, released = false): Uint8Array {
      const entry = secrets.get(slot) ?? pairs.get(slot);
      const algorithm = entry && algorithmOf(entry.facts, scheme, field);
      if (!entry || !algorithm) throw new Rejected("unknown_field", ENTERED_FOR_ANOTHER);
      if (algorithm === "token" && !released)
        throw new Rejected(
          "secret_stays",
          "this provider sends the secret itself, which stays in the browser",
        );
      if ("pair" in entry) {
        if (!needsPair(algorithm) || pairType(algorithm) !== entry.pair.type)
          throw new Rejected(
            "bad_key",
            "this key pair does not have the provider's type; generate another one",
          );
        return entry.pair.sign(algorithm, message);
      }
      if (!entry.key || needsPair(algorithm))
        throw new Rejected("bad_key", `the secret is not valid ${entry.facts.key.form}; enter it again`);
      return mac(algorithm as SecretAlgorithm, entry.key, [message]);
    },
    /** Returns the index of the presented signature that is right; -1 if none is, or if it cannot be decided. */
    match(slot: string, question: Question, originalOf: OriginalOf): number {
      const pair = pairs.get(slot);
      if (pair) return matchPair(pair, question);
      const secret = secrets.get(slot);
      return secret ? matchSecret(secret, question, originalOf) : -1;
    },
  };
}
