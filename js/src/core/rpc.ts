/** Requests to the kernel: each has an id, ends with a value or an error, and reports when it is slow. */

import { flag, or, orNull, type Reader, record, text, words } from "./decoders.js";
import type { Host } from "./host.js";

/** Delay after which the widget says that it waits for the kernel, in milliseconds. */
export const PATIENCE_MS = 700;

export class RpcError extends Error {
  constructor(
    /** The kernel's error code, or one of ours: `gone`, `unreadable`. */
    readonly code: string,
    message: string,
    /** Host to confirm, for the code `confirm_host`. */
    readonly host = "",
    /** Name of the invalid input, if the kernel gives one. */
    readonly field = "",
  ) {
    super(message);
  }
}

export interface Options {
  buffers?: readonly Uint8Array[];
  /** True for requests that may take long, such as a delivery: they never count as waiting. */
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
  /** Handles a reply; returns false for any other message. Replies to other tabs are dropped. */
  handleReply(content: unknown, buffers: Uint8Array[]): boolean;
  /** Rejects all pending requests. */
  abandon(reason: string): void;
}

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

    handleReply(content, buffers) {
      const id = (content as { re?: unknown } | null)?.re;
      if (typeof id !== "string") return false;
      const waiting = pending.get(id);
      if (!waiting) return true; // for another tab, or already abandoned
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
 * Runs one call at a time; of the calls made meanwhile, only the last one runs afterwards.
 *
 * Without this, messages queue up in the kernel for seconds.
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
