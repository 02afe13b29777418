/** Mounts a view and keeps it rendered until its signal aborts. */
import { type ComponentChildren, h, render } from "preact";
import type { Announcer } from "../core/announcer.js";
import { type Computed, effect, signal } from "../core/signals.js";
import { type Theme, watchLook } from "../core/theme.js";
import { randomHex } from "../crypto/primitives.js";

/** Delay before a new status is announced, so that not every key press is. */
const SETTLED_MS = 700;

/** Context of a view in the page. */
export interface Place {
  root: HTMLElement;
  theme: Computed<Theme>;
  ends: AbortSignal;
  /** Returns an id that is unique in the page. */
  id(name: string): string;
}

/** Functions of a widget that `mount` needs. */
export interface Parts {
  /** Name of the widget; scopes its style rules. */
  name: "generator" | "calculator" | "planner";
  /** Creates the view and returns its render function. */
  createApp(place: Place): () => ComponentChildren;
  /** Status text for screen readers. */
  status: Computed<string>;
  announcer: Pick<Announcer, "sayStatus" | "openSpeaker">;
  /** Counts an open view and returns a function that closes it. */
  openView(): () => void;
}

export function mount(el: HTMLElement, ends: AbortSignal, parts: Parts): void {
  if (ends.aborted) return; // closed before it was rendered
  const root = el.ownerDocument.createElement("div");
  root.className = `hw hw-${parts.name}`;
  el.append(root);
  const uid = `hw${randomHex(4)}`;
  const theme = signal<Theme>("light");
  const App = parts.createApp({ root, theme, ends, id: (name) => `${uid}-${name}` });
  const stops = [
    parts.openView(),
    parts.announcer.openSpeaker(root),
    effect(() => render(<App />, root)),
    announceStatus(parts),
  ];
  guardKeys(root, ends);
  watchLook(
    el,
    ({ theme: now, contrast }) => {
      theme.set(now);
      root.dataset.theme = now;
      root.dataset.contrast = contrast ? "more" : "";
    },
    ends,
  );
  ends.addEventListener("abort", () => {
    for (const stop of stops) stop();
    render(null, root);
    root.remove();
  });
}

/**
 * Keeps plain keys away from the notebook. JupyterLab's command mode handles single keys on anything but text
 * fields. VS Code sends each key that reaches the window to its main process, including those of a secret.
 */
function guardKeys(root: HTMLElement, signal: AbortSignal): void {
  const markFocused = ({ target }: FocusEvent) => {
    const button = target as Element;
    // Text fields, and the frame of the secret, keep the host's own shortcuts, such as save.
    if (!button.matches(":read-write, .hw-vault")) button.setAttribute("data-lm-suppress-shortcuts", "true");
    else button.removeAttribute("data-lm-suppress-shortcuts");
  };
  const stopPlainKey = (event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
  };
  root.addEventListener("focusin", markFocused, { signal });
  for (const type of ["keydown", "keyup"] as const) root.addEventListener(type, stopPlainKey, { signal });
}

function announceStatus({ status, announcer }: Parts): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = effect(() => {
    const text = status();
    clearTimeout(timer);
    timer = setTimeout(() => announcer.sayStatus(text), SETTLED_MS);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
