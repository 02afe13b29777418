/** Requests to the kernel: every one has an id, ends in a value or an error, and tells when it is waited for. */

import { flag, or, orNull, type Reader, record, text } from "./decoders.js";
import type { Host } from "./host.js";

/** After this long without an answer the widget says that it waits for the kernel. */
export const PATIENCE_MS = 700;

export class RpcError extends Error {
  constructor(
    /** The kernel's code, or one of ours: `gone`, `unreadable`. */
    readonly code: string,
    message: string,
    /** The host to confirm, for `confirm_host`. */
    readonly host = "",
    /** The input that is wrong, where the kernel names one. */
    readonly field = "",
  ) {
    super(message);
  }
}

export interface Options {
  buffers?: readonly Uint8Array[];
  /** For what may rightly take long, such as a delivery: never counted as waiting. */
  slow?: boolean;
}

export interface Reply<T> {
  value: T;
  buffers: Uint8Array[];
}

export interface Rpc {
  request<T>(
    op: string,
    args: Record<string, unknown>,
    reader: Reader<T>,
    options?: Options,
  ): Promise<Reply<T>>;
  /** Takes a message that is a reply; false when it is something else, or for another tab. */
  take(content: unknown, buffers: Uint8Array[]): boolean;
  /** Ends everything that is waited for. */
  abandon(reason: string): void;
}

const words = or(text, "");
export const fault = record({ code: or(text, "error"), text, field: words, host: words });

const reply = record({ re: text, ok: flag, error: orNull(fault) });

interface Pending {
  done(content: Record<string, unknown>, buffers: Uint8Array[]): void;
  fail(error: RpcError): void;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export const nothing: Reader<null> = () => null;

export function connect(host: Host, tab: string, onWaiting: (waiting: boolean) => void): Rpc {
  const pending = new Map<string, Pending>();
  const late = new Set<string>();
  let last = 0;

  const close = (id: string) => {
    clearTimeout(pending.get(id)?.timer);
    pending.delete(id);
    if (late.delete(id) && late.size === 0) onWaiting(false);
  };

  return {
    request(op, args, reader, { buffers = [], slow = false } = {}) {
      const id = `${tab}-${++last}`;
      return new Promise((resolve, reject) => {
        const timer = slow
          ? undefined
          : setTimeout(() => {
              late.add(id);
              onWaiting(true);
            }, PATIENCE_MS);
        pending.set(id, {
          timer,
          fail: reject,
          done(content, received) {
            try {
              resolve({ value: reader(content.value), buffers: received });
            } catch (error) {
              const what = `The kernel's response to “${op}” cannot be read (${(error as Error).message})`;
              reject(new RpcError("unreadable", `${what}. Check that kernel and page run the same version.`));
            }
          },
        });
        if (!host.send({ id, op, args }, buffers)) {
          close(id);
          reject(new RpcError("gone", "No kernel: run the cell again."));
        }
      });
    },

    take(content, buffers) {
      const id = (content as { re?: unknown } | null)?.re;
      if (typeof id !== "string") return false;
      const waiting = pending.get(id);
      if (!waiting) return true; // another tab's, or one that was given up
      close(id);
      try {
        const { ok, error } = reply(content);
        if (ok) waiting.done(content as Record<string, unknown>, buffers);
        else
          waiting.fail(
            new RpcError(
              error?.code ?? "error",
              error?.text ?? "The kernel rejected the request.",
              error?.host,
              error?.field,
            ),
          );
      } catch {
        waiting.fail(new RpcError("unreadable", "The kernel sent a response that cannot be read."));
      }
      return true;
    },

    abandon(reason) {
      for (const [id, { fail }] of [...pending]) {
        close(id);
        fail(new RpcError("gone", reason));
      }
    },
  };
}

/**
 * One at a time, and the newest wins: while a call runs, only the last of those made meanwhile is kept.
 *
 * Unthrottled messages pile up in a kernel for seconds.
 */
export function latestOnly<A extends unknown[]>(run: (...args: A) => Promise<void>): (...args: A) => void {
  let busy = false;
  let next: A | null = null;
  const start = (args: A) => {
    busy = true;
    void run(...args).finally(() => {
      busy = false;
      const waiting = next;
      next = null;
      if (waiting) start(waiting);
    });
  };
  return (...args) => {
    if (busy) next = args;
    else start(args);
  };
}
