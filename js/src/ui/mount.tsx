/** Puts a view into the page and keeps it drawn until its signal aborts. */
import { type ComponentChildren, h, render } from "preact";
import { type Computed, effect, signal } from "../core/signals.js";
import { randomHex } from "../crypto/primitives.js";
import { type Theme, watchLook } from "./theme.js";

/** A status must stand for so long before it is spoken, or every key press would be. */
const SETTLED_MS = 700;

/** Place of a view in the page. */
export interface Place {
  root: HTMLElement;
  theme: Computed<Theme>;
  ends: AbortSignal;
  /** An id that no other widget on the page has. */
  id(name: string): string;
}

/** Parts that a widget provides. */
export interface Parts {
  /** Name of the widget, for the class that its own style rules are scoped to. */
  name: "generator" | "calculator" | "planner";
  /** Makes the view; gives back how to draw it. */
  createApp(place: Place): () => ComponentChildren;
  /** Status text for screen readers. */
  standing: Computed<string>;
  say(text: string): void;
  /** Counts the view; gives back how to close it. */
  openView(): () => void;
}

export function mount(el: HTMLElement, ends: AbortSignal, parts: Parts): void {
  if (ends.aborted) return; // closed before it was drawn
  const root = el.ownerDocument.createElement("div");
  root.className = `hw hw-${parts.name}`;
  el.append(root);
  const uid = `hw${randomHex(4)}`;
  const theme = signal<Theme>("light");
  const App = parts.createApp({ root, theme, ends, id: (name) => `${uid}-${name}` });
  const stops = [
    parts.openView(),
    effect(() => render(<App />, root)),
    speakStanding(parts),
    guardKeys(root),
  ];
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
 * JupyterLab's command mode takes single keys from anything that is not a text field: a focused button must say no,
 * and no plain key may travel on to the notebook. VS Code sends each key that reaches the window to its main process,
 * those of a secret too.
 */
function guardKeys(root: HTMLElement): () => void {
  const mark = ({ target }: FocusEvent) => {
    const button = target as Element;
    // Text fields keep the host's own shortcuts, such as the one that saves the notebook; so does the secret's frame.
    if (!button.matches(":read-write, .hw-vault")) button.setAttribute("data-lm-suppress-shortcuts", "true");
    else button.removeAttribute("data-lm-suppress-shortcuts");
  };
  const keep = (event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
  };
  root.addEventListener("focusin", mark);
  for (const type of ["keydown", "keyup"] as const) root.addEventListener(type, keep);
  return () => {
    root.removeEventListener("focusin", mark);
    for (const type of ["keydown", "keyup"] as const) root.removeEventListener(type, keep);
  };
}

function speakStanding({ standing, say }: Parts): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let said = "";
  const stop = effect(() => {
    const text = standing();
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (text !== said) say(text);
      said = text;
    }, SETTLED_MS);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
