/** Screen-reader announcements, in one live region per view. */
import { type Computed, signal } from "./signals.js";

export interface Announcer {
  /** The last announcement. */
  readonly spoken: Computed<string>;
  say(text: string): void;
}

export function createAnnouncer(): Announcer {
  const spoken = signal("");
  return {
    spoken,
    // Screen readers skip a text that did not change, so a repeated one gets a no-break space.
    say: (text) => spoken.set(text === spoken.peek() ? `${text}\u00a0` : text),
  };
}
