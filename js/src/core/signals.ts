/**
 * Signals: values that track their readers. Preact's own package would add 4.3 KB to each widget and runs effects
 * synchronously.
 *
 * An effect runs immediately, then again in a microtask after a signal that it read was set; several sets cause one
 * run. A view is one effect, so components need no hooks.
 */

export interface Signal<T> {
  /** Returns the value; an effect that reads it runs again when it changes. */
  (): T;
  set(value: T): void;
  /** Returns the value without subscribing to changes. */
  peek(): T;
}

/** Function that derives a value from signals. */
export type Computed<T> = () => T;

interface Reader {
  sources: Set<Set<Reader>>;
  wake(): void;
}

let reader: Reader | null = null;

export function signal<T>(initial: T): Signal<T> {
  let value = initial;
  const readers = new Set<Reader>();
  const read = () => {
    if (reader) {
      readers.add(reader);
      reader.sources.add(readers);
    }
    return value;
  };
  return Object.assign(read, {
    set(next: T) {
      if (Object.is(value, next)) return;
      value = next;
      for (const each of [...readers]) each.wake();
    },
    peek: () => value,
  });
}

/** Runs `action` now and after each change, until the returned function is called. */
export function effect(action: () => void): () => void {
  let asleep = true;
  let stopped = false;
  const forget = () => {
    for (const source of self.sources) source.delete(self);
    self.sources.clear();
  };
  const run = () => {
    asleep = true;
    if (stopped) return;
    forget();
    const outer = reader;
    reader = self;
    try {
      action();
    } finally {
      reader = outer;
    }
  };
  const self: Reader = {
    sources: new Set(),
    wake() {
      if (asleep) queueMicrotask(run);
      asleep = false;
    },
  };
  run();
  return () => {
    stopped = true;
    forget();
  };
}
