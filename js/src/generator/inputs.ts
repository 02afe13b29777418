/** Inputs of the generator: the kernel's traits as signals, and edits with a revision each. */

import { asBytes, exact, readBody } from "../core/bytes.js";
import type { Connection } from "../core/connection.js";
import { lenient, type Read, type Reader } from "../core/decoders.js";
import type { Host } from "../core/host.js";
import { type Signal, signal } from "../core/signals.js";
import { createSyncedInputs } from "../core/synced-inputs.js";
import { sameBytes } from "../crypto/primitives.js";
import * as wire from "./wire.js";

/** Pause in typing after which the kernel is notified, in milliseconds. */
export const TYPING_MS = 250;
/** The pause if the last save was longer ago than that: the first key in a payload is signed at once. */
const FIRST_KEY_MS = 20;

type TraitName = keyof typeof wire.traits;
type TraitValue<N extends TraitName> = Read<(typeof wire.traits)[N]>;
export type TraitSignals = { readonly [N in TraitName]: Signal<TraitValue<N>> };
type Editable = Exclude<TraitName, "revision" | "locked" | "signer" | "signer_label">;
export type Change = { [N in Editable]?: TraitValue<N> } & { body?: Uint8Array };

const NAMES = Object.keys(wire.traits) as TraitName[];
const READERS = wire.traits as Record<string, Reader<unknown>>;

export type Inputs = ReturnType<typeof createInputs>;

const readTrait = (host: Host, name: string) => lenient(READERS[name] as Reader<unknown>)(host.get(name));

const readBytes = (host: Host) => exact(asBytes(host.get("body")) ?? new Uint8Array());

/** Creates the inputs of one tab; revisions begin with the name of the tab. */
export function createInputs(host: Host, connection: Connection, tab: string) {
  const inputs = Object.fromEntries(
    NAMES.map((name) => [name, signal(readTrait(host, name))]),
  ) as unknown as TraitSignals;
  const input = (name: string) => inputs[name as TraitName] as unknown as Signal<unknown>;
  const body = signal(readBody(readBytes(host)));
  let lastEdit = 0;
  /** Number of the last edit of the body; 0 once a draft shows that the kernel has it. */
  let bodyEdit = 0;
  let lastSave = Number.NEGATIVE_INFINITY;

  /** Sets inputs with a new revision, and saves them after `delayMs`. */
  const edit = (change: Change, delayMs = 0) => {
    lastEdit += 1;
    const all = Object.entries({ ...change, revision: `${tab}:${lastEdit}` });
    if (change.body) bodyEdit = lastEdit;
    sync.markEdited(all.map(([name]) => name));
    for (const [name, value] of all) {
      if (name === "body") body.set(readBody(value as Uint8Array));
      else input(name).set(READERS[name]?.(value));
    }
    for (const [name, value] of all) {
      host.set(name, value instanceof Uint8Array ? new DataView(exact(value).buffer) : value);
    }
    const first = change.body && performance.now() - lastSave > TYPING_MS;
    sync.saveAfter(first ? Math.min(delayMs, FIRST_KEY_MS) : delayMs);
  };

  const sync = createSyncedInputs<Change>({
    host,
    connection,
    key: `${inputs.provider()} ${inputs.event()} ${inputs.url()}`,
    names: [...NAMES, "body"],
    current() {
      const { provider, event, scheme, url, headers, clock } = inputs;
      const request = { provider: provider(), event: event(), scheme: scheme(), url: url() };
      return { ...request, headers: headers(), clock: clock(), body: body().bytes };
    },
    isCurrent: (name) =>
      name === "body"
        ? sameBytes(readBytes(host), body.peek().bytes)
        : JSON.stringify(readTrait(host, name)) === JSON.stringify(input(name).peek()),
    accept(name) {
      if (name === "body") body.set(readBody(readBytes(host)));
      else input(name).set(readTrait(host, name));
    },
    isUnconfirmed: (name) => name === "body" && bodyEdit > 0,
    onSaved() {
      lastSave = performance.now();
    },
    // Unsaved edits win over values that arrive meanwhile, and are sent again.
    resend(name) {
      if (name === "revision") return;
      const value = () => (name === "body" ? body.peek().bytes : input(name).peek());
      queueMicrotask(() => edit({ [name]: value() }));
    },
  });

  return {
    inputs,
    body,
    typedBefore: sync.typedBefore,
    edit,
    save: sync.save,
    /** Tells which revision the kernel's newest draft has. */
    confirm(revision: string) {
      const [editor, number] = revision.split(":");
      if (editor !== tab) return;
      if (Number(number) >= bodyEdit) bodyEdit = 0;
      // The kernel has our newest edit, even if a revision of its own arrived after it.
      if (Number(number) === lastEdit) inputs.revision.set(revision);
    },
    close: sync.close,
  };
}
