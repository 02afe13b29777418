/** One delivery at a time: waits for the newest draft, asks for a confirmation where the kernel wants one. */

import type { RpcError } from "../core/rpc.js";
import { type Signal, signal } from "../core/signals.js";
import type { State } from "./state.js";
import { delivery } from "./wire.js";

export interface Question {
  host: string;
  text: string;
  again: number | null;
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
}

export function createSender(state: State): Sender {
  const since = signal<number | null>(null);
  const question = signal<Question | null>(null);
  const rejection = signal("");
  const byHand = signal(false);

  return {
    since,
    question,
    rejection,
    byHand,
    async send(again = null, confirmedHost = null) {
      if (since() !== null) return;
      question.set(null);
      rejection.set("");
      since.set(performance.now());
      try {
        await state.upToDate();
        const args = { confirmed_host: confirmedHost, ...(again === null ? {} : { again }) };
        const { value } = await state.rpc.request("send", args, delivery, { slow: true });
        state.addDelivery(value);
        state.say(`${value.status ?? "No response"} ${value.reason}. ${value.advice} ${value.quote}`.trim());
      } catch (error) {
        const { code, message, host } = error as RpcError;
        if (code === "confirm_host") question.set({ host, text: message, again });
        else rejection.set(message);
        if (code === "no_sockets") byHand.set(true);
        state.say(message);
      } finally {
        since.set(null);
      }
    },
  };
}
