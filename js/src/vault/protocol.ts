/**
 * Messages of the vault, sent over message ports.
 *
 * The page talks to the keeper over `ctl`, a field to the keeper over a port that the page passes on, and a field
 * to its page over a third one. No message to the page contains a secret, a part of one or its length, except the
 * reply to `release`.
 */

import type { Look } from "../core/theme.js";
import type { ExampleSecret } from "../crypto/primitives.js";
import type { Facts } from "./facts.js";
import type { Held, Named, Question } from "./holder.js";
import type { PastedRequest } from "./redaction/index.js";
import type { Place } from "./redaction/places.js";

/** Question with indices in place of bytes: most questions of a diagnosis share a body. */
export type IndexedQuestion = Omit<Question, "message" | "presented"> & {
  message: number[];
  presented: number[];
};

/** Requests of the page; the reply is `{id, value}` or `{id, error}`. */
export interface Operations {
  sign: { args: { slot: string; jobs: Named[]; messages: Uint8Array[] }; value: Uint8Array[] };
  match: { args: { slot: string; questions: IndexedQuestion[]; buffers: Uint8Array[] }; value: number[] };
  /** Redacts a pasted request. Its placeholders are valid until the next call. */
  redact: {
    args: { request: PastedRequest; places: Place[] };
    value: { request: PastedRequest; blocked: string | null };
  };
  /** Redacts a recording before it is parsed. Later requests may contain its placeholders. */
  redactText: { args: { text: string; places: Place[] }; value: { text: string | null } };
  /** Generates a key pair. */
  pair: { args: { slot: string; facts: Facts }; value: null };
  /** Pins the facts of the provider that was detected in a pasted request; once per request. */
  pin: { args: { facts: Facts }; value: null };
  forget: { args: { slot: string }; value: null };
  /** Returns the credential for one request, after the user has agreed in the field, which names the host. */
  release: {
    args: { slot: string; host: string; jobs: Named[]; messages: Uint8Array[] };
    value: Uint8Array[];
  };
}
export type Op = keyof Operations;
export type Request<O extends Op = Op> = { [P in O]: { id: number; op: P; args: Operations[P]["args"] } }[O];

export type ToKeeper =
  | Request
  /** Comes with the port of the field. */
  | { op: "attach"; slot: string; facts: Facts }
  /** Source of the lazy part; empty if it could not be loaded. */
  | { op: "curves"; source: string };

export type FromKeeper =
  | { op: "ready" }
  | { op: "state"; slot: string; held: Held; spent: number; paused: boolean; asking: boolean; fresh: boolean }
  | { op: "progress"; done: number }
  | { op: "curves" }
  | { id: number; value: unknown }
  | { id: number; error: { code: string; text: string } };

export type FieldToKeeper =
  | { op: "set"; text: string }
  | { op: "resume" }
  /** Reply to the consent question with that id. */
  | { op: "consent"; id: number; agreed: boolean };
/** Question whether the secret may be sent to the kernel for one request. */
export interface ConsentQuestion {
  id: number;
  host: string;
}
/** Message to a field after each change. */
export interface KeeperToField {
  held: Held;
  bytes: number;
  blanks: boolean;
  /** Number of secrets taken from this field so far. */
  taken: number;
  /** False if the text of this field is not the current secret. */
  newest: boolean;
  paused: boolean;
  question: ConsentQuestion | null;
}

/** Content of a field. */
export interface FieldOptions {
  title: string;
  note: string;
  example: ExampleSecret | null;
  locked: boolean;
  facts: Facts;
}
/** Of the page's look, a field takes no colours or fonts: with those, a page could make a button invisible. */
export type PageToField = { op: "look"; look: Look } | { op: "options"; options: FieldOptions };
/**
 * Messages of a field to its page. Of keys, they report only that the field was entered and the host's save
 * shortcut.
 */
export type FieldToPage =
  | { op: "focus" }
  | { op: "size"; height: number }
  | { op: "save"; meta: boolean }
  | { op: "say"; text: string };

/** First and only message that a frame accepts from its window. */
export interface Hello {
  vault: 1;
  role: "keeper" | "field";
}
