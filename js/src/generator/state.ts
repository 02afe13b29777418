/**
 * State of the generator, shared by all its views: the kernel's traits and messages as signals.
 *
 * Outputs are fresh only if their revision is that of the current inputs. Stale outputs are marked, and cannot be
 * copied or sent.
 */

import { createAnnouncer } from "../core/announcer.js";
import { asBytes, type BodyText, exact, readBody } from "../core/bytes.js";
import { type Chunks, chunkLoader } from "../core/chunks.js";
import { type KernelState, openConnection } from "../core/connection.js";
import type { Read, Reader } from "../core/decoders.js";
import { type Host, type HostModel, hostOf } from "../core/host.js";
import { savedInputs } from "../core/restart-recovery.js";
import { latestOnly, nothing, PATIENCE_MS, type Rpc, RpcError } from "../core/rpc.js";
import { type Computed, effect, type Signal, signal } from "../core/signals.js";
import { randomHex, sameBytes } from "../crypto/primitives.js";
// Upward import of a type: only the entries know the lazy modules.
import type { Modules } from "../entries/modules.js";
import { type Connect, connectKeeper, createVault, type Vault } from "../vault/client.js";
import type { Held } from "../vault/holder.js";
import { handleJob } from "./jobs.js";
import * as wire from "./wire.js";

/** Pause in typing after which the kernel is notified, in milliseconds. */
export const TYPING_MS = 250;

type TraitName = keyof typeof wire.traits;
type TraitValue<N extends TraitName> = Read<(typeof wire.traits)[N]>;
type TraitSignals = { readonly [N in TraitName]: Signal<TraitValue<N>> };
type Editable = Exclude<TraitName, "revision" | "locked" | "signer" | "signer_label">;
export type Change = { [N in Editable]?: TraitValue<N> } & { body?: Uint8Array };

export interface State {
  readonly host: Host;
  readonly rpc: Rpc;
  readonly chunks: Chunks<Modules>;
  readonly vault: Vault;
  readonly inputs: TraitSignals;
  readonly body: Signal<BodyText>;
  readonly catalog: Signal<wire.Catalog | null>;
  /** Provider of the inputs; null until the kernel has sent it. */
  readonly provider: Computed<wire.Provider | null>;
  readonly draft: Signal<wire.Draft | null>;
  readonly signed: Computed<wire.Signed | null>;
  /** The signed body; null if it contains the signature and the kernel has not sent it yet. */
  readonly sentBody: Computed<Uint8Array | null>;
  readonly draftFresh: Computed<boolean>;
  readonly signedFresh: Computed<boolean>;
  readonly deliveries: Signal<wire.Delivery[]>;
  readonly kernel: Computed<KernelState>;
  /** False until the first message of a kernel; there may be none. */
  readonly contacted: Computed<boolean>;
  /** Static HTML of the inputs, on a page without a kernel; empty when nothing was saved. */
  readonly still: Computed<string>;
  /** Language of receiver code that was selected last. */
  readonly language: Signal<string>;
  /** Provider of the verify request in progress. */
  readonly verifying: Signal<string | null>;
  /** Progress of this tab's comparisons for a diagnosis, from 0 to 1. */
  readonly matched: Signal<number>;
  /** The last announcement for screen readers. */
  readonly spoken: Computed<string>;
  /** Connection error, for the banner. */
  readonly trouble: Signal<string>;
  /** Inputs edited before the kernel was restarted, until they are restored or discarded. */
  readonly typedBefore: Signal<Change | null>;

  /** Returns the data of a provider; requests it from the kernel if it is unknown. */
  providerOf(id: string): wire.Provider | null;
  /** Reloads the catalogue, because a file of the user may have changed. */
  askCatalog(): Promise<void>;
  /** Announces a text to screen readers. */
  say(text: string): void;
  locked(name: string): boolean;
  /** State of a provider's secret. */
  held(slot: string): Held;
  has(slot: string): boolean;
  /** Sets inputs with a new revision, and saves them after `delayMs`. */
  edit(change: Change, delayMs?: number): void;
  /** Resolves when the kernel has the current inputs; rejects without a kernel. */
  upToDate(): Promise<void>;
  /** Runs a request by which the kernel changes inputs; outputs are stale until the reply. */
  rewrite<T>(op: string, args: Record<string, unknown>, reader: Reader<T>): Promise<T>;
  addDelivery(record: wire.Delivery): void;
  /** Listeners for every notification of the kernel, including those of lazy panels. */
  readonly listeners: Set<(op: string, content: unknown) => void>;
  /** Number of changes of secrets. */
  readonly secrets: Computed<number>;
  /** The slot whose secret changed last. */
  lastSecret(): string;
  /** Requests a new signature. */
  signAgain(): void;
  /** Sets the ticket of the delivery in progress, which may release a token; "" when it has ended. */
  expectRelease(ticket: string): void;
  /** Counts open views; closing the last one clears the secrets. */
  openView(): () => void;
}

/** Creates the state of one widget. `connect` creates the keeper of the secrets, by default in a frame. */
export function createState(model: HostModel, ends: AbortSignal, connect?: Connect): State {
  const tab = randomHex(4);
  const host = hostOf(model, ends);
  const overdue = signal(false);
  const connection = openConnection(host, tab, overdue, (content, buffers) => hear(content, buffers));
  const { rpc, kernel } = connection;

  const read = <T>(name: string, reader: Reader<T>): T => {
    try {
      return reader(host.get(name));
    } catch {
      return reader(undefined); // an invalid value counts as not set
    }
  };
  const names = Object.keys(wire.traits) as TraitName[];
  const readers = wire.traits as Record<string, Reader<unknown>>;
  const inputs = Object.fromEntries(
    names.map((name) => [name, signal(read(name, readers[name] as Reader<unknown>))]),
  ) as unknown as TraitSignals;
  const input = (name: string) => inputs[name as TraitName] as unknown as Signal<unknown>;
  const bodyBytes = () => exact(asBytes(host.get("body")) ?? new Uint8Array());
  const body = signal(readBody(bodyBytes()));

  const catalog = signal<wire.Catalog | null>(null);
  const draft = signal<wire.Draft | null>(null);
  const signature = signal<{ of: wire.Draft | null; signed: wire.Signed; body: Uint8Array | null } | null>(
    null,
  );
  const deliveries = signal<wire.Delivery[]>([]);
  const secrets = signal(0);
  const rewriting = signal(0);
  const verifying = signal<string | null>(null);
  const trouble = signal("");

  const isNow = (revision: string | undefined) => revision === inputs.revision();
  const known = () => isNow(draft()?.revision);
  const draftFresh = () => rewriting() === 0 && known();
  const signedFresh = () =>
    draftFresh() && signature()?.of === draft() && isNow(signature()?.signed.revision);

  const providers = signal<Readonly<Record<string, wire.Provider>>>({});
  const askedFor = new Set<string>();
  const providerOf = (id: string) => {
    const known = providers()[id];
    if (known || !id || !host.connected || askedFor.has(id)) return known ?? null;
    askedFor.add(id);
    rpc.request("provider", { id }, wire.providerReply).then(
      ({ value }) => providers.set({ ...providers.peek(), [id]: value.provider }),
      (error: Error) => trouble.set(error.message),
    );
    return null;
  };

  // -- inputs ---------------------------------------------------------------------------------------------------
  const unsaved = new Set<string>();
  let saveTimer: ReturnType<typeof setTimeout> | undefined;
  let edits = 0;
  /** Number of the last edit of the body; 0 once a draft shows that the kernel has it. */
  let typedAt = 0;

  const save = () => {
    clearTimeout(saveTimer);
    saveTimer = undefined;
    unsaved.clear();
    if (!host.save() && host.connected) connection.lost();
  };
  const saveNow = () => saveTimer !== undefined && save();

  // -- over a restart -------------------------------------------------------------------------------------------
  const madeWith = `${inputs.provider()} ${inputs.event()} ${inputs.url()}`;
  const typedBefore = signal<Change | null>(savedInputs.get(madeWith) ?? null);
  if (host.connected) savedInputs.delete(madeWith);
  const stopKeeping = effect(() => {
    const { provider, event, scheme, url, headers, clock } = inputs;
    const where = { provider: provider(), event: event(), scheme: scheme(), url: url() };
    const what = { ...where, headers: headers(), clock: clock(), body: body().bytes };
    if (kernel() === "gone" && edits) savedInputs.set(madeWith, what);
  });

  const edit: State["edit"] = (change, delayMs = 0) => {
    const all = Object.entries({ ...change, revision: `${tab}:${++edits}` });
    if (change.body) typedAt = edits;
    for (const [name, value] of all) {
      unsaved.add(name);
      if (name === "body") body.set(readBody(value as Uint8Array));
      else input(name).set(readers[name]?.(value));
    }
    for (const [name, value] of all) {
      host.set(name, value instanceof Uint8Array ? new DataView(exact(value).buffer) : value);
    }
    clearTimeout(saveTimer);
    saveTimer = setTimeout(save, delayMs);
    if (delayMs === 0) save();
  };

  // Unsaved edits win over values that arrive meanwhile, and are sent again.
  const ours = (name: string) =>
    name === "body" ? typedAt > 0 : saveTimer !== undefined && unsaved.has(name);
  const follow = (name: string, same: () => boolean, mine: () => unknown, take: () => void) => {
    host.on(`change:${name}`, () => {
      if (same()) return;
      if (!ours(name)) take();
      else if (name !== "revision") queueMicrotask(() => edit({ [name]: mine() }));
    });
  };
  for (const name of names) {
    const theirs = () => read(name, readers[name] as Reader<unknown>);
    const same = () => JSON.stringify(theirs()) === JSON.stringify(input(name).peek());
    follow(name, same, input(name).peek, () => input(name).set(theirs()));
  }
  follow(
    "body",
    () => sameBytes(bodyBytes(), body.peek().bytes),
    () => body.peek().bytes,
    () => body.set(readBody(bodyBytes())),
  );
  const upToDate = () => {
    saveNow();
    return new Promise<void>((resolve, reject) => {
      const stop = effect(() => {
        const lost = kernel() === "gone" || kernel() === "none";
        if (lost) reject(new RpcError("gone", "No kernel: run the cell again."));
        else if (known()) resolve();
        else return;
        queueMicrotask(() => stop());
      });
    });
  };

  // -- messages -------------------------------------------------------------------------------------------------
  const addDeliveries = (entries: wire.Delivery[]) => {
    const byNumber = new Map([...deliveries(), ...entries].map((entry) => [entry.n, entry]));
    deliveries.set([...byNumber.values()].sort((a, b) => b.n - a.n));
  };
  const addDelivery = (entry: wire.Delivery) => addDeliveries([entry]);

  const notifications: Record<string, (content: unknown, buffers: Uint8Array[]) => void> = {
    draft: (content) => {
      const read = wire.draft(content);
      const [by, edit] = read.revision.split(":");
      if (by === tab && Number(edit) >= typedAt) typedAt = 0;
      // The kernel has our newest edit, even if a revision of its own arrived after it.
      if (by === tab && Number(edit) === edits) inputs.revision.set(read.revision);
      draft.set(read);
    },
    signed: (content, [body = null]) => signature.set({ of: draft(), signed: wire.signed(content), body }),
    delivery: (content) => addDelivery(wire.deliveryNote(content).record),
    history: (content) => addDeliveries(wire.history(content).deliveries),
    cleared: (content) => {
      const { last } = wire.cleared(content);
      deliveries.set(deliveries().filter(({ n }) => n > last));
    },
  };
  const listeners: State["listeners"] = new Set();
  const chunks = chunkLoader<Modules>(rpc);
  const matched = signal(0);
  let lastSecret = "";
  const secretsChanged = (slot = "") => {
    lastSecret = slot;
    secrets.set(secrets() + 1);
    preview(); // also after a secret was cleared, so that the kernel drops its signature
  };
  const vault = createVault(connect ?? connectKeeper(chunks), secretsChanged, matched.set);
  const providerFacts = async (id: string) => {
    const known = providers.peek()[id];
    return known ?? (await rpc.request("provider", { id }, wire.providerReply)).value.provider;
  };
  let ticket = "";
  const jobs = { host, vault, verifying: verifying.peek, ticket: () => ticket, providerFacts };
  const hear = (content: unknown, buffers: Uint8Array[]) => {
    if (handleJob(jobs, content, buffers)) return;
    const op = (content as { op?: unknown } | null)?.op;
    if (typeof op !== "string") return;
    try {
      if (Object.hasOwn(notifications, op)) notifications[op]?.(content, buffers);
      for (const listener of listeners) listener(op, content);
    } catch (error) {
      trouble.set(`A message from the kernel cannot be read (${op}: ${(error as Error).message}).`);
    }
  };

  // -- a kernel that takes its time ---------------------------------------------------------------------------------
  let patience: ReturnType<typeof setTimeout> | undefined;
  const stopWatching = effect(() => {
    clearTimeout(patience);
    if (inputs.revision() === "" || !host.connected || draftFresh() || rewriting() > 0) overdue.set(false);
    else patience = setTimeout(() => overdue.set(true), PATIENCE_MS + TYPING_MS);
  });
  const askCatalog = () =>
    rpc.request("catalog", {}, wire.catalog).then(
      ({ value }) => catalog.set(value),
      (error: Error) => trouble.set(error.message),
    );
  const preview = latestOnly(() => rpc.request("preview", {}, nothing).then(undefined, () => {}));
  const askHistory = () =>
    rpc.request("history", {}, wire.history).then(
      ({ value }) => addDeliveries(value.deliveries),
      (error: Error) => trouble.set(error.message),
    );
  if (host.connected) {
    void askCatalog();
    void askHistory();
    preview();
  }

  ends.addEventListener("abort", () => {
    saveNow();
    stopWatching();
    stopKeeping();
    clearTimeout(patience);
    vault.close("now");
    rpc.abandon("The widget was closed.");
  });

  let views = 0;
  return {
    host,
    rpc,
    chunks,
    vault,
    inputs,
    body,
    catalog,
    provider: () => providerOf(inputs.provider()),
    providerOf,
    askCatalog,
    draft,
    signed: () => signature()?.signed ?? null,
    sentBody: () => (signature()?.signed.body_note ? signature()?.body : body().bytes) ?? null,
    draftFresh,
    signedFresh,
    deliveries,
    kernel,
    contacted: connection.contacted,
    still: connection.still,
    language: signal(""),
    verifying,
    matched,
    trouble,
    typedBefore,
    ...createAnnouncer(),
    locked: (name) => inputs.locked().includes(name) || kernel() === "none",
    held: (slot) => vault.slot(slot).held,
    has: (slot) => vault.slot(slot).held.state !== "none",
    edit,
    upToDate,
    async rewrite(op, args, reader) {
      rewriting.set(rewriting() + 1);
      try {
        await upToDate(); // otherwise the kernel changes a body without the last keys
        return (await rpc.request(op, args, reader)).value;
      } finally {
        rewriting.set(rewriting() - 1);
      }
    },
    addDelivery,
    listeners,
    secrets,
    lastSecret: () => lastSecret,
    signAgain: preview,
    expectRelease: (next) => {
      ticket = next;
    },
    openView() {
      views += 1;
      vault.stay();
      return () => {
        views -= 1;
        if (views === 0) vault.close("soon");
      };
    },
  };
}
