/**
 * The messages of the vault, which travel over message ports.
 *
 * The page talks to the keeper over `ctl`, a field to the keeper over a port that the page gives away when it makes it,
 * and a field to its page over a third one. No message to the page carries a secret, a part of one or its length, but the
 * answer to `release`.
 */

import type { Look } from "../core/theme.js";
import type { ExampleSecret } from "../crypto/primitives.js";
import type { Facts } from "./facts.js";
import type { Held, Named, Question } from "./holder.js";
import type { PastedRequest, Place } from "./redaction/index.js";

/** Question with indices in place of bytes: most questions of a diagnosis share a body. */
export type IndexedQuestion = Omit<Question, "message" | "presented"> & {
  message: number[];
  presented: number[];
};

/** Requests of the page; each is answered by `{id, value}` or `{id, error}`. */
export interface Operations {
  sign: { args: { slot: string; jobs: Named[]; messages: Uint8Array[] }; value: Uint8Array[] };
  match: { args: { slot: string; questions: IndexedQuestion[]; buffers: Uint8Array[] }; value: number[] };
  /** Redact a pasted request. Its stand-ins are known until the next one. */
  redact: {
    args: { request: PastedRequest; places: Place[] };
    value: { request: PastedRequest; blocked: string | null };
  };
  /** Redact a recording before it is parsed. Its stand-ins may stand in the next requests to redact. */
  redactText: { args: { text: string; places: Place[] }; value: { text: string | null } };
  /** Make a key pair. */
  pair: { args: { slot: string; facts: Facts }; value: null };
  /** Pin the facts of the provider that was recognised in a pasted request: once for each request. */
  pin: { args: { facts: Facts }; value: null };
  forget: { args: { slot: string }; value: null };
  /** Give away the credential of one request, once somebody has agreed in the field, which names the host. */
  release: {
    args: { slot: string; host: string; jobs: Named[]; messages: Uint8Array[] };
    value: Uint8Array[];
  };
}
export type Op = keyof Operations;
export type Request<O extends Op = Op> = { [P in O]: { id: number; op: P; args: Operations[P]["args"] } }[O];

export type ToKeeper =
  | Request
  /** With the port of the field. */
  | { op: "attach"; slot: string; facts: Facts }
  /** Text of the lazy part, or an empty text when it cannot be had. */
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
  /** The answer to the question with that id. */
  | { op: "consent"; id: number; agreed: boolean };
/** Question whether the secret may go to the kernel for one request. */
export interface ConsentQuestion {
  id: number;
  host: string;
}
/** Message to a field after each change. */
export interface KeeperToField {
  held: Held;
  bytes: number;
  blanks: boolean;
  /** Secrets that were taken from this field so far. */
  taken: number;
  /** False in a field whose text is not the secret that is held. */
  newest: boolean;
  paused: boolean;
  question: ConsentQuestion | null;
}

/** The contents of a field. */
export interface FieldOptions {
  title: string;
  note: string;
  example: ExampleSecret | null;
  locked: boolean;
  facts: Facts;
}
export type PageToField =
  | { op: "look"; look: Look; style: Record<string, string> }
  | { op: "options"; options: FieldOptions };
/** Nothing about keys that were pressed but these: the field was entered, its height, the host's key for saving. */
export type FieldToPage =
  | { op: "focus" }
  | { op: "size"; height: number }
  | { op: "save"; meta: boolean }
  | { op: "say"; text: string };

/** The first and only message that a frame takes from its window. */
export interface Hello {
  vault: 1;
  role: "keeper" | "field";
}
