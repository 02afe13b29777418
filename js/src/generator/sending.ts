/** Deliveries: each waits for the newest draft, and asks for a confirmation where the kernel wants one. */

import type { RpcError } from "../core/rpc.js";
import { type Signal, signal } from "../core/signals.js";
import { randomHex } from "../crypto/primitives.js";
import type { State } from "./state.js";
import { type Delivery, delivery, type Fault } from "./wire.js";

/** Several requests: of each event a valid one, and then one with each fault. */
export interface Plan {
  events: readonly string[];
  faults: readonly Fault[];
  /** Rounds, each with other ids if there are several. */
  repeat: number;
  /** Pause between two requests, in milliseconds. */
  intervalMs: number;
  /** The events of a round are about the same thing, such as a payment and its refund. */
  chain: boolean;
  /** Events that are under way at the same time; the requests of one event never are. */
  atOnce: number;
}

export interface Question {
  host: string;
  text: string;
  again: number | null;
  /** The requests that wait for the answer, if there are several. */
  plan: Plan | null;
}

/** One of several requests that are sent one after another. */
export interface Step {
  /** From 1 on. */
  round: number;
  event: string;
  /** Null for a valid request. */
  fault: Fault | null;
  progress: "Waiting" | "Sending" | "Sent" | "Not sent" | "Skipped";
  /** Null as long as it was not sent. */
  delivery: Delivery | null;
  /** Reason why it was not sent. */
  failure: string;
}

export interface Sender {
  /** Start of the running delivery in milliseconds, or null. */
  readonly since: Signal<number | null>;
  readonly question: Signal<Question | null>;
  /** Reason why nothing was sent. */
  readonly rejection: Signal<string>;
  /** True if this kernel has no sockets, as in a browser: then a shell has to send the request. */
  readonly byHand: Signal<boolean>;
  /** Sends the current draft, or the request of delivery `again` with a new signature. */
  send(again?: number | null, confirmedHost?: string | null): Promise<void>;
  /** The requests of the last plan, in their order. */
  readonly steps: Signal<readonly Step[]>;
  /** True until the last of several events is sent, or the rest is given up. */
  readonly several: Signal<boolean>;
  /**
   * Sends one request. A text is the reason if nothing was sent; it is empty if `question` or `rejection` says it.
   */
  deliver(more: Record<string, unknown>, asks: Pick<Question, "again" | "plan">): Promise<Delivery | string>;
}

export function createSender(state: State): Sender {
  const since = signal<number | null>(null);
  const question = signal<Question | null>(null);
  const rejection = signal("");
  const byHand = signal(false);
  const steps = signal<readonly Step[]>([]);
  const several = signal(false);
  let underWay = 0;
  const deliver: Sender["deliver"] = async (more, asks) => {
    question.set(null);
    rejection.set("");
    underWay += 1;
    since.set(performance.now());
    try {
      await state.upToDate();
      const ticket = randomHex(8);
      state.expectRelease(ticket);
      const { value } = await state.rpc.request("send", { ticket, ...more }, delivery, { slow: true });
      state.addDelivery(value);
      return value;
    } catch (error) {
      const { code, message, host } = error as RpcError;
      if (code === "not_applicable") return message;
      if (code === "confirm_host") question.set({ host, text: message, ...asks });
      else rejection.set(message);
      if (code === "no_sockets") byHand.set(true);
      state.say(message);
      return "";
    } finally {
      state.expectRelease("");
      underWay -= 1;
      if (!underWay) since.set(null);
    }
  };

  return {
    since,
    question,
    rejection,
    byHand,
    steps,
    several,
    deliver,
    async send(again = null, confirmedHost = null) {
      if (since() !== null || several()) return;
      const which = again === null ? {} : { again };
      const record = await deliver({ confirmed_host: confirmedHost, ...which }, { again, plan: null });
      if (typeof record === "string") return;
      state.say(
        `${record.status ?? "No response"} ${record.reason}. ${record.advice} ${record.quote}`.trim(),
      );
    },
  };
}
