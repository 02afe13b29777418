/** Deliveries: each waits for the newest draft; the kernel may require a confirmation. */

import { nothing, PATIENCE_MS, RpcError } from "../core/rpc.js";
import { effect, signal } from "../core/signals.js";
import { randomHex } from "../crypto/primitives.js";
import type { State } from "./state.js";
import { type Delivery, delivery, type Fault } from "./wire.js";

/** A run of several requests: for each event a valid one, then one per fault. */
export interface Plan {
  events: readonly string[];
  faults: readonly Fault[];
  /** Number of rounds; with more than one, each has its own ids. */
  repeat: number;
  /** Pause between two requests, in milliseconds. */
  intervalMs: number;
  /** The events of a round share an object, such as a payment and its refund. */
  chain: boolean;
  /** Number of events in progress at a time; the requests of one event are sequential. */
  atOnce: number;
}

export interface Question {
  host: string;
  text: string;
  again: number | null;
  /** The run that waits for the confirmation, if any. */
  plan: Plan | null;
}

/** One request of a run. */
export interface Step {
  /** Starts at 1. */
  round: number;
  event: string;
  /** Null for a valid request. */
  fault: Fault | null;
  progress: "Waiting" | "Sending" | "Sent" | "Not sent" | "Skipped";
  /** Null until the request is sent. */
  delivery: Delivery | null;
  /** Reason why the request was not sent. */
  failure: string;
}

/** Time after which the Send button becomes Stop; a double click must not stop what it started. */
const STOPPABLE_MS = 600;

export type Sender = ReturnType<typeof createSender>;

export function createSender(state: State) {
  /** Start of the running delivery in milliseconds, or null. */
  const since = signal<number | null>(null);
  /** True if what is in progress has taken so long that it can be stopped. */
  const stoppable = signal(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    clearTimeout(timer);
    stoppable.set(false);
    if (since() !== null) timer = setTimeout(() => stoppable.set(true), STOPPABLE_MS);
  });
  /** The delivery that is sent again now; null if none is. */
  const resending = signal<number | null>(null);
  const question = signal<Question | null>(null);
  // A confirmation belongs to one URL.
  effect(() => {
    state.inputs.url();
    question.set(null);
  });
  /** Reason why nothing was sent; belongs to one request. */
  const rejection = signal("");
  effect(() => {
    state.inputs.revision();
    rejection.set("");
  });
  /** True if the kernel has no sockets, as in a browser: the request must be sent with curl. */
  const needsCurl = signal(false);
  /** The requests of the last run, in order. */
  const steps = signal<readonly Step[]>([]);
  /** True while a run is in progress. */
  const running = signal(false);
  let inProgress = 0;
  /** Ends the wait of each delivery in progress, by its ticket. */
  const waits = new Map<string, (error: RpcError) => void>();
  /**
   * Sends one request, with `shown` that of the current draft. Returns the reason if nothing was sent; "" if
   * `question` or `rejection` is set.
   */
  const deliver = async (
    more: Record<string, unknown>,
    asks: Pick<Question, "again" | "plan">,
    shown = false,
  ): Promise<Delivery | string> => {
    question.set(null);
    rejection.set("");
    inProgress += 1;
    since.set(performance.now());
    const url = state.inputs.url.peek();
    const ticket = randomHex(8);
    const stopped = new Promise<never>((_, reject) => waits.set(ticket, reject));
    try {
      await Promise.race([state.upToDate(), stopped]);
      const error = shown && state.draft()?.error;
      if (error) return error.text; // the views of the draft show it
      state.expectRelease(ticket);
      const sent = state.rpc.request("send", { ticket, ...more }, delivery, { slow: true });
      const { value } = await Promise.race([sent, stopped]);
      state.addDelivery(value);
      return value;
    } catch (error) {
      const { code, message, host } = error as RpcError;
      if (code === "not_applicable") return message;
      if (code === "confirm_host") {
        if (url === state.inputs.url.peek()) question.set({ host, text: message, ...asks });
      } else rejection.set(message);
      if (code === "no_sockets") needsCurl.set(true);
      state.say(message);
      return "";
    } finally {
      waits.delete(ticket);
      state.expectRelease("");
      inProgress -= 1;
      if (!inProgress) since.set(null);
    }
  };

  return {
    since,
    stoppable,
    resending,
    question,
    rejection,
    needsCurl,
    steps,
    running,
    deliver,
    /** Stops a run and the deliveries in progress, whose responses count no more. */
    stop() {
      running.set(false);
      const seconds = ((performance.now() - (since() ?? 0)) / 1000).toFixed(1);
      const late = new RpcError(
        "stopped",
        `stopped after ${seconds} s; the receiver may have got the request, and the kernel does not respond`,
      );
      for (const [ticket, end] of waits) {
        state.rpc.request("send_stop", { ticket }, nothing, { slow: true }).catch(() => {});
        setTimeout(() => end(late), PATIENCE_MS); // the kernel usually ends the delivery before
      }
    },
    /** Sends the current draft, or with `again` the request of that delivery with a new signature. */
    async send(again: number | null = null, confirmedHost: string | null = null) {
      if (since() !== null || running()) return;
      const which = again === null ? {} : { again };
      const args = { confirmed_host: confirmedHost, ...which };
      resending.set(again);
      const record = await deliver(args, { again, plan: null }, again === null);
      resending.set(null);
      if (typeof record === "string") {
        if (record) state.say(record);
        return;
      }
      const { error, status, reason, own, quote, advice } = record;
      const outcome = error?.text ?? `${status ?? "No response"} ${reason}.`;
      state.say([outcome, ...own, quote, advice].filter(Boolean).join(" "));
    },
  };
}
