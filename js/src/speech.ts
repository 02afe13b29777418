/** What a screen reader is told, in one live region of every view. */
import { type Computed, signal } from "./signals.js";

export interface Speech {
  /** What it was told last. */
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
