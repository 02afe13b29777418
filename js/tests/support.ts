/** Shared by the tests: a host model whose kernel replies on demand. */
import type { HostModel } from "../src/core/host.js";

export const utf8 = (text: string) => new TextEncoder().encode(text);
export const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
export const unhex = (text: string) => new Uint8Array(Buffer.from(text, "hex"));

/** Lets every pending microtask run. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

interface Message {
  id?: string;
  re?: string;
  op?: string;
  ok?: boolean;
  args?: Record<string, unknown>;
  value?: Record<string, unknown>;
  error?: { code: string; text: string };
}

export class FakeModel implements HostModel {
  readonly sent: { content: Message; buffers: Uint8Array[] }[] = [];
  /** The traits of each update that was saved. */
  readonly saved: Record<string, unknown>[] = [];
  private readonly listeners = new Map<string, Set<(...args: never[]) => void>>();
  private changed: Record<string, unknown> = {};

  constructor(readonly traits: Record<string, unknown> = {}) {}

  get(name: string) {
    return this.traits[name];
  }
  set(name: string, value: unknown) {
    this.traits[name] = value;
    this.changed[name] = value;
    this.emit(`change:${name}`);
  }
  on(name: string, listener: (...args: never[]) => void) {
    this.listeners.set(name, (this.listeners.get(name) ?? new Set()).add(listener));
  }
  off(name: string, listener: (...args: never[]) => void) {
    this.listeners.get(name)?.delete(listener);
  }
  save_changes() {
    this.saved.push(this.changed);
    this.changed = {};
  }
  send(content: unknown, _callbacks?: unknown, buffers: ArrayBuffer[] = []) {
    this.sent.push({ content: content as Message, buffers: buffers.map((buffer) => new Uint8Array(buffer)) });
  }

  emit(name: string, ...args: unknown[]) {
    for (const listener of [...(this.listeners.get(name) ?? [])])
      (listener as (...args: unknown[]) => void)(...args);
  }
  listenerCount() {
    return [...this.listeners.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** A message of the kernel. */
  tell(content: unknown, buffers: Uint8Array[] = []) {
    this.emit(
      "msg:custom",
      content,
      buffers.map((bytes) => new DataView(new Uint8Array(bytes).buffer)),
    );
  }
  /** A trait that the kernel, or another tab, sets. */
  push(traits: Record<string, unknown>) {
    Object.assign(this.traits, traits);
    for (const name of Object.keys(traits)) this.emit(`change:${name}`);
  }
  /** The last request of that kind. */
  asked(op: string) {
    return this.sent.map(({ content }) => content).findLast((content) => content.op === op);
  }
  answer(op: string, value: unknown, buffers: Uint8Array[] = []) {
    this.tell({ re: this.asked(op)?.id, ok: true, value }, buffers);
  }
  reject(op: string, error: Record<string, unknown>) {
    this.tell({ re: this.asked(op)?.id, ok: false, error });
  }
}
