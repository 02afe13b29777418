/** One delivery at a time: waits for the newest draft, asks for a confirmation where the kernel wants one. */
import type { State } from "./model.js";
import { RpcError } from "./rpc.js";
import { effect, type Signal, signal } from "./signals.js";
import { delivery } from "./wire.js";

export interface Question {
  host: string;
  text: string;
  again: number | null;
}

export interface Sender {
  /** When the running delivery began, in milliseconds, or null. */
  readonly since: Signal<number | null>;
  readonly question: Signal<Question | null>;
  /** Why nothing was sent. */
  readonly refusal: Signal<string>;
  /** Sends the current draft, or the request of delivery `again` signed anew. */
  send(again?: number | null, confirmedHost?: string | null): Promise<void>;
}

/** Resolves when the kernel has answered for the inputs as they are now; rejects when no kernel will. */
function upToDate({ draftFresh, kernel }: State): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = effect(() => {
      const lost = kernel() === "gone" || kernel() === "none";
      if (!draftFresh() && !lost) return;
      if (lost) reject(new RpcError("gone", "There is no kernel to send from: run the cell again."));
      else resolve();
      queueMicrotask(() => stop());
    });
  });
}

export function createSender(state: State): Sender {
  const since = signal<number | null>(null);
  const question = signal<Question | null>(null);
  const refusal = signal("");

  return {
    since,
    question,
    refusal,
    async send(again = null, confirmedHost = null) {
      if (since() !== null) return;
      question.set(null);
      refusal.set("");
      since.set(performance.now());
      try {
        await upToDate(state);
        const args = { confirmed_host: confirmedHost, ...(again === null ? {} : { again }) };
        const { value } = await state.rpc.request("send", args, delivery, { slow: true });
        state.addDelivery(value);
        state.say(`${value.status ?? "No answer"} ${value.reason}. ${value.advice}`);
      } catch (error) {
        const { code, message, host } = error as RpcError;
        if (code === "confirm_host") question.set({ host, text: message, again });
        else refusal.set(message);
        state.say(message);
      } finally {
        since.set(null);
      }
    },
  };
}
