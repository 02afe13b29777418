/** Search in the history: by words of each entry's summary here, in headers and bodies in the kernel. */
import { latestOnly, signal } from "../../lazy-exports.js";
import { searchReply } from "../../replies.js";
import type { State } from "../../state.js";
import type { Delivery } from "../../wire.js";

export const OUTCOMES = ["accepted", "rejected", "other"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Outcome of a delivery; redirects and missing responses are neither accepted nor rejected. */
export function outcomeOf({ status }: Delivery): Outcome {
  if (status === null || (status >= 300 && status < 400)) return "other";
  return status < 300 ? "accepted" : "rejected";
}

/** True if the summary of an entry contains every word. */
export function hasWords(record: Delivery, filter: string): boolean {
  const { n, provider, event, method, url, status, reason, fault } = record;
  const text = `#${n} ${provider} ${event} ${method} ${url} ${status} ${reason} ${fault}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export function createSearch({ rpc }: Pick<State, "rpc">) {
  const filter = signal("");
  /** Outcome to filter by; "" for all. */
  const outcome = signal<Outcome | "">("");
  /** The text that the kernel last searched for, and the numbers of the matches. */
  const searched = signal<{ text: string; matches: readonly number[]; failure: string } | null>(null);
  const search = latestOnly(async (text: string) => {
    const reply = await rpc.request("search", { text }, searchReply).then(
      ({ value: { matches } }) => ({ matches, failure: "" }),
      ({ message }: Error) => ({ matches: [], failure: message }),
    );
    searched.set({ text, ...reply });
  });
  let lastSearch = "";
  const inside = () => (searched()?.text === filter() ? searched() : null);

  return {
    filter,
    outcome,
    active: () => Boolean(filter().trim() || outcome()),
    /** Reason why headers and bodies were not searched. */
    failure: () => inside()?.failure ?? "",
    /** Returns the matching entries; searches again if the text or the list has changed. */
    matching(records: readonly Delivery[]): Delivery[] {
      const key = filter().trim() && `${filter()} ${records.length} ${records[0]?.n}`;
      if (key && key !== lastSearch) search(filter());
      lastSearch = key;
      return records.filter(
        (record) =>
          (hasWords(record, filter()) || inside()?.matches.includes(record.n)) &&
          (!outcome() || outcomeOf(record) === outcome()),
      );
    },
  };
}
