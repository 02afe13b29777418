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

export interface Host {
  /** False when the page cannot send messages to a kernel. */
  readonly connected: boolean;
  /** True on a page with embedded widget state, such as an export: it has a kernel only if one sends a message. */
  readonly exported: boolean;
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  /** Returns false when the host failed to save. */
  save(): boolean;
  /** Returns false when the host did not accept the message. */
  send(content: unknown, buffers?: readonly Uint8Array[]): boolean;
  /** Adds a listener until `signal` aborts. */
  on(name: string, listener: (...args: unknown[]) => void): void;
  onMessage(listener: (content: unknown, buffers: Uint8Array[]) => void): void;
}

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

export function hostOf(model: HostModel, signal: AbortSignal): Host {
  const ended: (() => void)[] = [];
  signal.addEventListener("abort", () => {
    for (const off of ended) off();
  });
  const on: Host["on"] = (name, listener) => {
    model.on(name, listener);
    ended.push(() => model.off(name, listener));
  };
  return {
    connected: typeof model.send === "function",
    exported: Boolean(globalThis.document?.querySelector(SAVED_STATE)),
    get: (name) => model.get(name),
    set: (name, value) => model.set(name, value),
    save: () => attempt(() => model.save_changes?.()),
    send: (content, buffers = []) => {
      if (typeof model.send !== "function") return false;
      const copies = buffers.map((bytes) => exact(bytes).buffer);
      return attempt(() => model.send?.(content, undefined, copies));
    },
    on,
    onMessage: (listener) =>
      on("msg:custom", (content, buffers) => {
        const all = Array.isArray(buffers) ? buffers.map(asBytes) : [];
        listener(
          content,
          all.map((bytes) => bytes ?? new Uint8Array()),
        );
      }),
  };
}
