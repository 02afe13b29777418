/** Data that the generator requests from the kernel: catalogue, providers and past deliveries. */

import type { Host } from "../core/host.js";
import { latestOnly, nothing, type Rpc } from "../core/rpc.js";
import { signal } from "../core/signals.js";
import * as wire from "./wire.js";

export function createRequests(host: Host, rpc: Rpc) {
  const catalog = signal<wire.Catalog | null>(null);
  const deliveries = signal<wire.Delivery[]>([]);
  const providers = signal<Readonly<Record<string, wire.Provider>>>({});
  const requested = new Set<string>();
  const failed = new Set<string>();
  /** Connection error, for the banner. */
  const trouble = signal("");
  const fail = (error: Error) => trouble.set(error.message);

  const addDeliveries = (entries: wire.Delivery[]) => {
    const byNumber = new Map([...deliveries(), ...entries].map((entry) => [entry.n, entry]));
    deliveries.set([...byNumber.values()].sort((a, b) => b.n - a.n));
  };
  const requestProvider = async (id: string) =>
    (await rpc.request("provider", { id }, wire.providerReply)).value.provider;

  const requests = {
    catalog,
    deliveries,
    trouble,
    /** Returns the data of a provider; requests it from the kernel if it is unknown. */
    providerOf(id: string): wire.Provider | null {
      const provider = providers()[id];
      if (provider || !id || !host.connected || requested.has(id)) return provider ?? null;
      requested.add(id);
      requestProvider(id).then(
        (added) => providers.set({ ...providers.peek(), [id]: added }),
        (error: Error) => {
          failed.add(id);
          fail(error);
        },
      );
      return null;
    },
    /** Reloads the catalogue, because a file of the user may have changed. */
    askCatalog: () => rpc.request("catalog", {}, wire.catalog).then(({ value }) => catalog.set(value), fail),
    addDelivery: (entry: wire.Delivery) => addDeliveries([entry]),
    /** Requests a new signature. */
    signAgain: latestOnly(() => rpc.request("preview", {}, nothing).then(undefined, () => {})),
  };
  return {
    requests,
    providerFacts: async (id: string) => providers.peek()[id] ?? (await requestProvider(id)),
    /** Requests everything that a new widget shows. */
    start() {
      void requests.askCatalog();
      rpc.request("history", {}, wire.history).then(({ value }) => addDeliveries(value.deliveries), fail);
      requests.signAgain();
    },
    /** Repeats what failed, when a kernel that seemed gone answers again. */
    repeat() {
      trouble.set("");
      if (!catalog.peek()) void requests.askCatalog();
      for (const id of failed) requested.delete(id);
      failed.clear();
      providers.set({ ...providers.peek() }); // so that the views ask again
    },
    /** Handlers of the kernel's notifications. */
    notifications: {
      delivery: (content: unknown) => addDeliveries([wire.deliveryNote(content).record]),
      history: (content: unknown) => addDeliveries(wire.history(content).deliveries),
      cleared(content: unknown) {
        const { last } = wire.cleared(content);
        deliveries.set(deliveries().filter(({ n }) => n > last));
      },
    },
  };
}
