/** Announcements for screen readers, in one live region per view. */
import { type Computed, signal } from "./signals.js";

export interface Speech {
  /** The last announcement. */
  readonly spoken: Computed<string>;
  say(text: string): void;
}

export function createSpeech(): Speech {
  const spoken = signal("");
  return {
    spoken,
    // The same words once more must differ, or they are not spoken again.
    say: (text) => spoken.set(text === spoken.peek() ? `${text}\u00a0` : text),
  };
}
