/**
 * Inputs that both the page and the kernel can change.
 *
 * Edits are saved after a pause. Changes by the kernel are accepted, except of inputs with unsaved edits. If the kernel
 * is restarted, the edits are kept for the widget of the next run.
 */
import type { Connection } from "./connection.js";
import type { Host } from "./host.js";
import { savedInputs } from "./restart-recovery.js";
import { effect, signal } from "./signals.js";

export interface SyncOptions<I extends object> {
  host: Host;
  connection: Connection;
  /** Identifies the widget across runs of its cell: the initial inputs. */
  key: string;
  /** Traits to follow. */
  names: readonly string[];
  /** The inputs to keep over a restart. */
  current(): Partial<I>;
  /** True if the host's value of a trait equals ours. */
  isCurrent(name: string): boolean;
  /** Takes over the host's value of a trait. */
  accept(name: string): void;
  /** True for a saved edit that the kernel may not have yet. */
  isUnconfirmed?(name: string): boolean;
  /** Called if the kernel changes an input that has an unsaved or unconfirmed edit. */
  resend?(name: string): void;
  /** Sets traits of the host before they are saved. */
  write?(names: ReadonlySet<string>): void;
  /** Called after each save. */
  onSaved?(): void;
}

export function createSyncedInputs<I extends object>(options: SyncOptions<I>) {
  const { host, connection, key, names, isCurrent, accept } = options;
  const unsaved = new Set<string>();
  let edited = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Saves pending edits now. */
  const save = () => {
    clearTimeout(timer);
    if (unsaved.size === 0) return;
    options.write?.(unsaved);
    unsaved.clear(); // only now: the host fires one event per trait while the others have their old values
    if (!host.save() && host.connected) connection.lost();
    options.onSaved?.();
  };

  for (const name of names) {
    host.on(`change:${name}`, () => {
      if (isCurrent(name)) return;
      if (!unsaved.has(name) && !options.isUnconfirmed?.(name)) accept(name);
      else options.resend?.(name);
    });
  }

  /** Inputs edited before the kernel was restarted, until they are restored or discarded. */
  const typedBefore = signal((savedInputs.get(key) as Partial<I> | undefined) ?? null);
  if (host.connected) savedInputs.delete(key);
  let wasGone = false;
  const stopKeeping = effect(() => {
    const inputs = options.current();
    const isGone = connection.kernel() === "gone";
    if (isGone && edited) savedInputs.set(key, inputs);
    if (wasGone && !isGone) savedInputs.delete(key);
    wasGone = isGone;
  });

  return {
    typedBefore,
    markEdited(changed: Iterable<string>) {
      for (const name of changed) unsaved.add(name);
      edited = true;
    },
    /** Saves after a delay in milliseconds, which replaces an earlier one; at once for 0. */
    saveAfter(delayMs: number) {
      clearTimeout(timer);
      if (delayMs === 0) save();
      else timer = setTimeout(save, delayMs);
    },
    save,
    /** Saves pending edits and ends. */
    close() {
      save();
      stopKeeping();
    },
  };
}
