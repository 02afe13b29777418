/**
 * Signals: values that know who reads them. Preact's own package adds 4.3 KB to each widget and runs effects at once.
 *
 * An effect runs once at once, then again, in a microtask, after a signal that it has read was set: many sets make
 * one run. The whole view is one effect, so a component needs no hooks.
 */

export interface Signal<T> {
  /** The value; an effect that asks runs again when it changes. */
  (): T;
  set(value: T): void;
  /** The value, without being told of changes. */
  peek(): T;
}

/** A value that is worked out from signals when it is asked for. */
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

/** Runs `action` now and after changes, until the returned function is called. */
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
