/** Screen-reader announcements, in one live region per view. */
import { signal } from "./signals.js";

export function createAnnouncer() {
  /** The last announcement. */
  const spoken = signal("");
  return {
    spoken,
    // Screen readers skip a text that did not change, so a repeated one gets a no-break space.
    say: (text: string) => spoken.set(text === spoken.peek() ? `${text}\u00a0` : text),
  };
}
