/** Connection to the kernel: requests, and whether a kernel answers. */
import type { Host } from "./host.js";
import { connect, nothing, type Rpc } from "./rpc.js";
import { type Computed, signal } from "./signals.js";

/** Timeout of the ping that is sent when the comm closes or reconnects; after it the kernel counts as gone. */
const PING_MS = 3000;

export type KernelState = "ready" | "waiting" | "gone" | "none";

export interface Connection {
  readonly rpc: Rpc;
  readonly kernel: Computed<KernelState>;
  /** False until the first message of a kernel; there may be none. */
  readonly contacted: Computed<boolean>;
  /** Static HTML of the inputs, on a page without a kernel; empty when nothing was saved. */
  readonly still: Computed<string>;
  /** Call this when the host failed to save or send. */
  lost(): void;
}

/** `overdue`: a wait that is not a pending request; `onNotification` gets the messages that are not replies. */
export function openConnection(
  host: Host,
  tab: string,
  overdue: Computed<boolean>,
  onNotification: (content: unknown, buffers: Uint8Array[]) => void,
): Connection {
  const late = signal(false);
  const gone = signal(false);
  const contacted = signal(false);
  const rpc = connect(host, tab, late.set);
  const lost = () => gone.set(true);

  host.onMessage((content, buffers) => {
    gone.set(false);
    contacted.set(true);
    if (!rpc.handleReply(content, buffers)) onNotification(content, buffers);
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

  const none = () => !host.connected || (host.exported && !contacted());

  return {
    rpc,
    kernel: () => (none() ? "none" : gone() ? "gone" : late() || overdue() ? "waiting" : "ready"),
    contacted,
    still() {
      const saved = none() && host.get("still");
      return typeof saved === "string" ? saved : "";
    },
    lost,
  };
}
