/** Connection to the kernel: requests, and whether a kernel answers. */
import type { Host } from "./host.js";
import { connect, nothing } from "./rpc.js";
import { type Computed, effect, signal } from "./signals.js";

/** Timeout of the ping that is sent when the comm closes or reconnects; after it the kernel counts as gone. */
const PING_MS = 3000;

export type KernelState = "ready" | "waiting" | "gone" | "none";

export type Connection = ReturnType<typeof openConnection>;

/** `overdue`: a wait that is not a pending request; `onNotification` gets the messages that are not replies. */
export function openConnection(
  host: Host,
  tab: string,
  overdue: Computed<boolean>,
  onNotification: (content: unknown, buffers: Uint8Array[]) => void,
) {
  const late = signal(false);
  const gone = signal(false);
  /** False until the first message of a kernel; there may be none. */
  const contacted = signal(false);
  const rpc = connect(host, tab, late.set);
  /** Call this when the host failed to save or send. */
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
    kernel: (): KernelState =>
      none() ? "none" : gone() ? "gone" : late() || overdue() ? "waiting" : "ready",
    contacted,
    /**
     * Static HTML of the inputs, on a page without a kernel or if one is `silent`; empty when nothing was saved.
     */
    still(silent = false) {
      const saved = (none() || (silent && !contacted())) && host.get("still");
      return typeof saved === "string" ? saved : "";
    },
    lost,
  };
}

/** Calls `action` in a microtask when a kernel that seemed gone answers again, to repeat the abandoned requests. */
export function onReturn(kernel: Connection["kernel"], action: () => void): () => void {
  let wasGone = false;
  return effect(() => {
    if (wasGone && kernel() !== "gone") queueMicrotask(action);
    wasGone = kernel() === "gone";
  });
}
