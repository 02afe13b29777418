/**
 * Wraps the host's model in an interface that never throws.
 *
 * On a static page `send` may be missing and `save_changes` may throw; the widget then shows the saved state and
 * says that there is no kernel.
 */
import { asBytes, exact } from "./bytes.js";

/** The part of the anywidget model that this widget uses. */
export interface HostModel {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  on(name: string, listener: (...args: never[]) => void): void;
  off(name: string, listener: (...args: never[]) => void): void;
  save_changes?(): void;
  send?(content: unknown, callbacks?: unknown, buffers?: ArrayBuffer[]): void;
}

export type Host = ReturnType<typeof hostOf>;

/** Embedded widget state of exported pages: https://ipywidgets.readthedocs.io/en/8.1.7/embedding.html */
const SAVED_STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';

function attempt(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

export function hostOf(model: HostModel, signal: AbortSignal) {
  const ended: (() => void)[] = [];
  signal.addEventListener("abort", () => {
    for (const off of ended) off();
  });
  /** Adds a listener until `signal` aborts. */
  const on = (name: string, listener: (...args: unknown[]) => void) => {
    model.on(name, listener);
    ended.push(() => model.off(name, listener));
  };
  return {
    /** False when the page cannot send messages to a kernel. */
    connected: typeof model.send === "function",
    /** True on a page with embedded widget state, such as an export: it has a kernel only if one sends a message. */
    exported: Boolean(globalThis.document?.querySelector(SAVED_STATE)),
    get: (name: string) => model.get(name),
    set: (name: string, value: unknown) => model.set(name, value),
    /** Returns false when the host failed to save. */
    save: () => attempt(() => model.save_changes?.()),
    /** Returns false when the host did not accept the message. */
    send: (content: unknown, buffers: readonly Uint8Array[] = []) => {
      if (typeof model.send !== "function") return false;
      const copies = buffers.map((bytes) => exact(bytes).buffer);
      return attempt(() => model.send?.(content, undefined, copies));
    },
    on,
    onMessage: (listener: (content: unknown, buffers: Uint8Array[]) => void) =>
      on("msg:custom", (content, buffers) => {
        const all = Array.isArray(buffers) ? buffers.map(asBytes) : [];
        listener(
          content,
          all.map((bytes) => bytes ?? new Uint8Array()),
        );
      }),
  };
}
