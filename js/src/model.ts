/**
 * The state of one widget, shared by all its views: the kernel's traits and messages as signals.
 *
 * Outputs count as fresh only when their revision is the one that the inputs have now. Whatever is older is shown
 * as stale and can be neither copied nor sent.
 */
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { asBytes, type BodyText, exact, readBody } from "./bytes.js";
import { type Chunks, chunkLoader } from "./chunks.js";
import { type Host, type HostModel, hostOf } from "./host.js";
import { takeJob } from "./jobs.js";
import { randomBytes, sameBytes } from "./primitives.js";
import { connect, newestWins, nothing, PATIENCE_MS, type Rpc } from "./rpc.js";
import { createHolder, type Holder } from "./secret.js";
import type { Read, Reader } from "./shapes.js";
import {
  type Catalog,
  catalog,
  type Delivery,
  type Draft,
  delivery,
  draft,
  type Provider,
  type Signed,
  signed,
  traits,
} from "./wire.js";

/** How long typing may pause before the kernel hears of it. */
export const TYPING_MS = 250;
/** Without an answer to a ping for so long after its line was cut, the kernel is gone. */
const PING_MS = 3000;

export type KernelState = "ready" | "waiting" | "gone" | "none";
type TraitName = keyof typeof traits;
type TraitValue<N extends TraitName> = Read<(typeof traits)[N]>;
export type Inputs = { [N in TraitName]: TraitValue<N> };
type Change = Partial<Omit<Inputs, "revision" | "locked" | "signer" | "signer_label">> & {
  body?: Uint8Array;
};

export interface State {
  readonly host: Host;
  readonly rpc: Rpc;
  readonly chunks: Chunks;
  readonly holder: Holder;
  readonly inputs: { [N in TraitName]: ReadonlySignal<TraitValue<N>> };
  readonly body: ReadonlySignal<BodyText>;
  readonly catalog: Signal<Catalog | null>;
  readonly provider: ReadonlySignal<Provider | null>;
  readonly draft: ReadonlySignal<Draft | null>;
  readonly signed: ReadonlySignal<Signed | null>;
  readonly draftFresh: ReadonlySignal<boolean>;
  readonly signedFresh: ReadonlySignal<boolean>;
  readonly deliveries: ReadonlySignal<Delivery[]>;
  readonly kernel: ReadonlySignal<KernelState>;
  /** Counts changes of the secrets; what is held is asked of `holder`. */
  readonly secrets: ReadonlySignal<number>;
  /** The provider that a verify request under way is about. */
  readonly verifying: Signal<string | null>;
  /** What a screen reader is told. */
  readonly spoken: Signal<string>;
  /** What the catalogue could not be loaded for, and the like. */
  readonly trouble: Signal<string>;

  locked(name: string): boolean;
  /** Sets inputs, with a revision of this tab, and tells the kernel after `delayMs`. */
  edit(change: Change, delayMs?: number): void;
  /** Runs a request that makes the kernel rewrite inputs: outputs are stale until it is answered. */
  rewrite(op: string, args?: Record<string, unknown>): Promise<void>;
  addDelivery(record: Delivery): void;
  secretsChanged(): void;
  /** Counts views; the last one to close takes the secrets with it. */
  openView(): () => void;
}

export function createState(model: HostModel, ends: AbortSignal): State {
  const tab = [...randomBytes(4)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const host = hostOf(model, ends);
  const slow = signal(false);
  const overdue = signal(false);
  const gone = signal(false);
  const rpc = connect(host, tab, (waiting) => {
    slow.value = waiting;
  });

  const read = <T>(name: string, reader: Reader<T>): T => {
    try {
      return reader(host.get(name));
    } catch {
      return reader(undefined); // a hostile or foreign value: as if it were not set
    }
  };
  const inputs = Object.fromEntries(
    Object.entries(traits).map(([name, reader]) => [name, signal(read(name, reader as Reader<unknown>))]),
  ) as { [N in TraitName]: Signal<TraitValue<N>> };
  const body = signal(readBody(asBytes(host.get("body")) ?? new Uint8Array()));

  const known = signal<Catalog | null>(null);
  const latestDraft = signal<Draft | null>(null);
  const latestSigned = signal<{ of: Draft | null; signed: Signed } | null>(null);
  const deliveries = signal<Delivery[]>([]);
  const secrets = signal(0);
  const rewriting = signal(0);
  const verifying = signal<string | null>(null);
  const spoken = signal("");
  const trouble = signal("");
  const holder = createHolder();

  const draftFresh = computed(
    () =>
      rewriting.value === 0 &&
      latestDraft.value !== null &&
      latestDraft.value.revision === inputs.revision.value,
  );
  const signedFresh = computed(() => {
    const last = latestSigned.value;
    return (
      draftFresh.value && last?.of === latestDraft.value && last?.signed.revision === inputs.revision.value
    );
  });
  const kernel = computed<KernelState>(() =>
    !host.connected ? "none" : gone.value ? "gone" : slow.value || overdue.value ? "waiting" : "ready",
  );

  // -- inputs ---------------------------------------------------------------------------------------------------
  const unsaved = new Set<string>();
  let saveTimer: ReturnType<typeof setTimeout> | undefined;
  let edits = 0;

  const save = () => {
    clearTimeout(saveTimer);
    saveTimer = undefined;
    if (!host.save() && host.connected) gone.value = true;
    unsaved.clear();
  };

  const edit: State["edit"] = (change, delayMs = 0) => {
    const revision = `${tab}:${++edits}`;
    batch(() => {
      for (const [name, value] of Object.entries({ ...change, revision })) {
        if (name === "body") body.value = readBody(value as Uint8Array);
        else (inputs[name as TraitName] as Signal<unknown>).value = traits[name as TraitName](value);
        unsaved.add(name);
      }
    });
    for (const [name, value] of Object.entries({ ...change, revision })) {
      host.set(name, value instanceof Uint8Array ? new DataView(exact(value).buffer) : value);
    }
    clearTimeout(saveTimer);
    if (delayMs === 0) save();
    else saveTimer = setTimeout(save, delayMs);
  };

  // An input that changed elsewhere while this tab has a newer value that the kernel has not heard of: ours stays.
  const keepOurs = (name: string, ours: unknown) => {
    if (!unsaved.has(name) || saveTimer === undefined) return false;
    if (name !== "revision") queueMicrotask(() => edit({ [name]: ours }, TYPING_MS));
    return true;
  };
  for (const [name, reader] of Object.entries(traits)) {
    const input = inputs[name as TraitName] as Signal<unknown>;
    host.on(`change:${name}`, () => {
      const value = read(name, reader as Reader<unknown>);
      const same = JSON.stringify(value) === JSON.stringify(input.value);
      if (!same && !keepOurs(name, input.value)) input.value = value;
    });
  }
  host.on("change:body", () => {
    const bytes = asBytes(host.get("body")) ?? new Uint8Array();
    const same = sameBytes(bytes, body.value.bytes);
    if (!same && !keepOurs("body", body.value.bytes)) body.value = readBody(exact(bytes));
  });

  // -- messages -------------------------------------------------------------------------------------------------
  const addDelivery = (entry: Delivery) => {
    const others = deliveries.value.filter(({ n }) => n !== entry.n);
    deliveries.value = [entry, ...others].sort((a, b) => b.n - a.n);
  };
  const notifications: Record<string, (content: unknown) => void> = {
    draft: (content) => {
      latestDraft.value = draft(content);
    },
    signed: (content) => {
      latestSigned.value = { of: latestDraft.value, signed: signed(content) };
    },
    delivery: (content) => addDelivery(delivery((content as { record?: unknown }).record)),
  };
  const chunks = chunkLoader(rpc, (name) => known.value?.chunks[name] ?? "");
  const jobs = { host, holder, chunks, slot: () => verifying.value ?? inputs.provider.value };
  host.onMessage((content, buffers) => {
    gone.value = false;
    if (typeof content !== "object" || content === null) return;
    if (rpc.take(content, buffers) || takeJob(jobs, content, buffers)) return;
    const { op } = content as { op?: unknown };
    try {
      if (typeof op === "string" && Object.hasOwn(notifications, op)) notifications[op]?.(content);
    } catch (error) {
      trouble.value = `A message of the kernel cannot be read (${op}: ${(error as Error).message}).`;
    }
  });

  // -- the kernel, alive or not ---------------------------------------------------------------------------------
  const stopWatching = effect(() => {
    const wanted =
      inputs.revision.value !== "" && host.connected && !draftFresh.value && rewriting.value === 0;
    if (!wanted) {
      overdue.value = false;
      return;
    }
    const timer = setTimeout(() => {
      overdue.value = true;
    }, PATIENCE_MS + TYPING_MS);
    return () => clearTimeout(timer);
  });
  const checkAlive = () => {
    const silence = setTimeout(() => {
      gone.value = true;
      rpc.abandon("The kernel was restarted or is gone.");
    }, PING_MS);
    rpc
      .request("ping", {}, nothing)
      .finally(() => clearTimeout(silence))
      .catch(() => {});
  };
  host.on("comm_live_update", checkAlive);
  host.on("comm:close", checkAlive);

  const refresh = newestWins(async () => {
    await rpc.request("refresh", {}, nothing).catch(() => {});
  });
  if (host.connected) {
    rpc
      .request("catalog", {}, catalog)
      .then(({ value }) => {
        known.value = value;
      })
      .catch((error: Error) => {
        trouble.value = error.message;
      });
    refresh();
  }

  ends.addEventListener("abort", () => {
    if (saveTimer !== undefined) save();
    stopWatching();
    holder.clearAll();
    rpc.abandon("The widget was closed.");
  });

  let views = 0;
  const state: State = {
    host,
    rpc,
    chunks,
    holder,
    inputs,
    body,
    catalog: known,
    provider: computed(() => known.value?.providers.find(({ id }) => id === inputs.provider.value) ?? null),
    draft: latestDraft,
    signed: computed(() => latestSigned.value?.signed ?? null),
    draftFresh,
    signedFresh,
    deliveries,
    kernel,
    secrets,
    verifying,
    spoken,
    trouble,
    locked: (name) => inputs.locked.value.includes(name) || kernel.value === "none",
    edit,
    async rewrite(op, args = {}) {
      if (saveTimer !== undefined) save();
      rewriting.value += 1;
      try {
        await rpc.request(op, args, nothing);
      } finally {
        rewriting.value -= 1;
      }
    },
    addDelivery,
    secretsChanged() {
      secrets.value += 1;
      refresh();
    },
    openView() {
      views += 1;
      return () => {
        views -= 1;
        if (views > 0) return;
        holder.clearAll();
        secrets.value += 1;
      };
    },
  };
  return state;
}
