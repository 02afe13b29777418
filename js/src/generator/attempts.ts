/** Runs work on behalf of the user; a signal has the reason of the last failure. */
import type { Signal } from "../core/signals.js";
import { signal } from "./lazy-exports.js";

export function createAttempts(say: (text: string) => void, failure: Signal<string> = signal("")) {
  const attempt = async (work: () => Promise<unknown>) => {
    failure.set("");
    try {
      await work();
    } catch (error) {
      failure.set((error as Error).message);
      say(failure());
    }
  };
  return { failure, attempt };
}
