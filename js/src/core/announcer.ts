/** Screen-reader announcements. Each view has a live region, and one of them speaks. */
import { signal } from "./signals.js";

export function createAnnouncer() {
  /** The last announcement. */
  const spoken = signal("");
  /** The view that last had the focus, or the first one; null after it was closed. */
  const speaker = signal<HTMLElement | null>(null);
  let status = "";
  // Screen readers skip a text that did not change, so a repeated one gets a no-break space.
  const say = (text: string) => spoken.set(text === spoken.peek() ? `${text}\u00a0` : text);
  return {
    spoken,
    say,
    /** Announces a status, unless it was the last one: every view calls this for the same status. */
    sayStatus(text: string) {
      if (text !== status) say(text);
      status = text;
    },
    /** Text of the live region of a view. */
    spokenIn: (view: HTMLElement) => ((speaker() ?? view) === view ? spoken() : ""),
    /** Counts a view; returns a function that closes it. */
    openSpeaker(view: HTMLElement) {
      const take = () => {
        if (speaker.peek() === view) return;
        spoken.set(""); // said by the view that spoke until now
        speaker.set(view);
      };
      if (!speaker.peek()) speaker.set(view);
      view.addEventListener("focusin", take);
      return () => {
        view.removeEventListener("focusin", take);
        if (speaker.peek() === view) speaker.set(null);
      };
    },
  };
}

export type Announcer = ReturnType<typeof createAnnouncer>;
