import { type Computed, effect, signal } from "../core/signals.js";

/**
 * Returns whether a condition has held for `ms`: true if `since` has had the same value, and not false, for so long.
 *
 * A CSS transition with a delay would do the same, but starting one puts the element on a layer of its own, and a
 * slider that moves starts one with each step.
 */
export function createLate(since: Computed<unknown>, ms: number) {
  const late = signal(false);
  let before: unknown = false;
  let timer: ReturnType<typeof setTimeout>;
  effect(() => {
    const now = since();
    if (now === before) return;
    before = now;
    clearTimeout(timer);
    late.set(false);
    if (now !== false) timer = setTimeout(late.set, ms, true);
  });
  return late;
}
