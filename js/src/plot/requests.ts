/** Requests whose errors are shown until a request of the same kind succeeds. */
import type { Reader } from "../core/decoders.js";
import type { Options, Reply, Rpc, RpcError } from "../core/rpc.js";
import { signal } from "../core/signals.js";

export function createRequests(rpc: Rpc) {
  const troubles = signal<Record<string, string>>({});
  /** Returns a function that sets the error of one kind of request; "" clears it. */
  const reportTrouble = (op: string) => (text: string) => {
    if (text !== (troubles.peek()[op] ?? "")) troubles.set({ ...troubles.peek(), [op]: text });
  };
  return {
    /** Errors of the last request of each kind. */
    trouble: () => Object.values(troubles()).filter(Boolean).join(" "),
    reportTrouble,
    /** Sends a request; an error is passed to `failed`, by default shown as trouble, and the result is null. */
    async request<T>(
      op: string,
      args: Record<string, unknown>,
      reader: Reader<T>,
      options?: Options,
      failed = reportTrouble(op),
    ): Promise<Reply<T> | null> {
      try {
        const reply = await rpc.request(op, args, reader, options);
        failed("");
        return reply;
      } catch (error) {
        const { code, message } = error as RpcError;
        if (code !== "gone") failed(message); // the kernel banner says that
        return null;
      }
    },
  };
}
