/**
 * State of the generator, shared by all its views: the kernel's traits and messages as signals.
 *
 * Outputs are fresh only if their revision is that of the current inputs. Stale outputs are marked, and cannot be
 * copied or sent.
 */

import { createAnnouncer } from "../core/announcer.js";
import { chunkLoader } from "../core/chunks.js";
import { onReturn, openConnection } from "../core/connection.js";
import { type HostModel, hostOf } from "../core/host.js";
import { countViews } from "../core/lifecycle.js";
import { signal } from "../core/signals.js";
import { randomHex } from "../crypto/primitives.js";
import { type Connect, connectKeeper, createVault } from "../vault/client.js";
import { createInputs } from "./inputs.js";
import { handleJob } from "./jobs.js";
import { createOutputs } from "./outputs.js";
import { createRequests } from "./requests.js";

export type State = ReturnType<typeof createState>;

type Notifications = Record<string, (content: unknown, buffers: Uint8Array[]) => void>;

/** Creates the state of one widget. `connect` creates the keeper of the secrets, by default in a frame. */
export function createState(model: HostModel, ends: AbortSignal, connect?: Connect) {
  const tab = randomHex(4);
  const host = hostOf(model, ends);
  const overdue = signal(false);
  const connection = openConnection(host, tab, overdue, (content, buffers) =>
    onNotification(content, buffers),
  );
  const { rpc, kernel, contacted, still } = connection;
  const { inputs, body, typedBefore, edit, ...editing } = createInputs(host, connection, tab);
  const output = createOutputs({ inputs, body, ...editing, rpc, kernel });
  const { requests, providerFacts, ...requesting } = createRequests(host, rpc);
  const chunks = chunkLoader(rpc);

  /** Number of changes of secrets. */
  const secrets = signal(0);
  /** Progress of this tab's comparisons for a diagnosis, from 0 to 1. */
  const matched = signal(0);
  let lastSecret = "";
  const secretsChanged = (slot = "") => {
    lastSecret = slot;
    secrets.set(secrets() + 1);
    requests.signAgain(); // also after a secret was cleared, so that the kernel drops its signature
  };
  const vault = createVault(connect ?? connectKeeper(chunks), secretsChanged, matched.set);

  /** Provider of the verify request in progress. */
  const verifying = signal<string | null>(null);
  let ticket = "";
  const jobs = { host, vault, verifying: verifying.peek, ticket: () => ticket, providerFacts };
  const notifications: Notifications = { ...output.notifications, ...requesting.notifications };
  /** Listeners for every notification of the kernel, including those of lazy panels. */
  const listeners = new Set<(op: string, content: unknown) => void>();
  const onNotification = (content: unknown, buffers: Uint8Array[]) => {
    if (handleJob(jobs, content, buffers)) return;
    const op = (content as { op?: unknown } | null)?.op;
    if (typeof op !== "string") return;
    try {
      if (Object.hasOwn(notifications, op)) notifications[op]?.(content, buffers);
      for (const listener of listeners) listener(op, content);
    } catch (error) {
      requests.trouble.set(`A message from the kernel cannot be read (${op}: ${(error as Error).message}).`);
    }
  };

  const stopWatching = output.watchOverdue(overdue, host.connected);
  const stopRepeating = onReturn(kernel, requesting.repeat);
  if (host.connected) requesting.start();
  ends.addEventListener("abort", () => {
    editing.close();
    stopWatching();
    stopRepeating();
    vault.close("now");
    rpc.abandon("The widget was closed.");
  });

  return {
    host,
    rpc,
    kernel,
    contacted,
    still,
    chunks,
    vault,
    inputs,
    body,
    typedBefore,
    edit,
    ...output.outputs,
    ...requests,
    ...createAnnouncer(),
    /** Provider of the inputs; null until the kernel has sent it. */
    provider: () => requests.providerOf(inputs.provider()),
    /** Language of receiver code that was selected last. */
    language: signal(""),
    verifying,
    matched,
    locked: (name: string) => inputs.locked().includes(name) || kernel() === "none",
    /** State of a provider's secret. */
    held: (slot: string) => vault.slot(slot).held,
    has: (slot: string) => vault.slot(slot).held.state !== "none",
    listeners,
    secrets,
    /** The slot whose secret changed last. */
    lastSecret: () => lastSecret,
    /** Sets the ticket of the delivery in progress, which may release a token; "" when it has ended. */
    expectRelease: (next: string) => {
      ticket = next;
    },
    /** Counts open views; closing the last one clears the secrets. */
    openView: countViews(
      () => vault.close("soon"),
      () => vault.stay(),
    ),
  };
}
