/** The line to the kernel: requests over it, and whether anybody is at the other end. */
import type { Host } from "./host.js";
import { connect, nothing, type Rpc } from "./rpc.js";
import { type Computed, signal } from "./signals.js";

/** A kernel that does not answer a ping for so long, after its line was cut, is gone. */
const PING_MS = 3000;

export type KernelState = "ready" | "waiting" | "gone" | "none";

export interface Connection {
  readonly rpc: Rpc;
  readonly kernel: Computed<KernelState>;
  /** False until a kernel has said anything: there may be none. */
  readonly heard: Computed<boolean>;
  /** On a page without a kernel what there is to read of the inputs, as HTML; empty when nothing was saved. */
  readonly still: Computed<string>;
  /** To be called when the host failed to pass something on. */
  lost(): void;
}

/** `overdue` tells of waiting that no request shows; `hear` takes the messages that are no replies. */
export function openConnection(
  host: Host,
  tab: string,
  overdue: Computed<boolean>,
  hear: (content: unknown, buffers: Uint8Array[]) => void,
): Connection {
  const late = signal(false);
  const gone = signal(false);
  const heard = signal(false);
  const rpc = connect(host, tab, late.set);
  const lost = () => gone.set(true);

  host.onMessage((content, buffers) => {
    gone.set(false);
    heard.set(true);
    if (!rpc.take(content, buffers)) hear(content, buffers);
  });
  const checkAlive = () => {
    const silence = setTimeout(() => {
      lost();
      rpc.abandon("The kernel was restarted.");
    }, PING_MS);
    rpc
      .request("ping", {}, nothing)
      .catch(lost)
      .finally(() => clearTimeout(silence));
  };
  host.on("comm_live_update", checkAlive);
  host.on("comm:close", checkAlive);

  const none = () => !host.connected || (host.exported && !heard());

  return {
    rpc,
    kernel: () => (none() ? "none" : gone() ? "gone" : late() || overdue() ? "waiting" : "ready"),
    heard,
    still() {
      const saved = none() && host.get("still");
      return typeof saved === "string" ? saved : "";
    },
    lost,
  };
}
