/** @jsxRuntime classic */
/** @jsx h */
/** @jsxFrag Fragment */
/** Puts a view into the page and keeps it drawn until its signal aborts. */
import { h, render } from "preact";
import { count } from "../bytes.js";
import type { State } from "../model.js";
import { randomHex } from "../primitives.js";
import type { Sender } from "../sending.js";
import { effect } from "../signals.js";
import { watchLook } from "../theme.js";
import { createApp } from "./App.js";
import { standing } from "./Request.js";

/** A status must stand for so long before it is spoken, or every key press would be. */
const SETTLED_MS = 700;

export function mount(state: State, sender: Sender, el: HTMLElement, ends: AbortSignal): void {
  if (ends.aborted) return; // closed before it was drawn
  const root = el.ownerDocument.createElement("div");
  root.className = "hw";
  el.append(root);
  const uid = `hw${randomHex(4)}`;
  const draw = createApp({ state, sender, root, id: (name) => `${uid}-${name}` });
  const App = () => draw();
  const close = state.openView();
  const stops = [effect(() => render(<App />, root)), speakStanding(state), guardKeys(root)];
  watchLook(
    el,
    ({ theme, contrast }) => {
      root.dataset.theme = theme;
      root.dataset.contrast = contrast ? "more" : "";
    },
    ends,
  );
  ends.addEventListener("abort", () => {
    for (const stop of stops) stop();
    render(null, root);
    root.remove();
    close();
  });
}

/**
 * JupyterLab's command mode takes single keys from anything that is not a text field: a focused button must say no,
 * and no plain key may travel on to the notebook.
 */
function guardKeys(root: HTMLElement): () => void {
  const mark = ({ target }: FocusEvent) => {
    const button = target as Element;
    // Text fields keep the host's own shortcuts, such as the one that saves the notebook.
    if (!button.matches(":read-write")) button.setAttribute("data-lm-suppress-shortcuts", "true");
    else button.removeAttribute("data-lm-suppress-shortcuts");
  };
  const keep = (event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
  };
  root.addEventListener("focusin", mark);
  root.addEventListener("keydown", keep);
  return () => {
    root.removeEventListener("focusin", mark);
    root.removeEventListener("keydown", keep);
  };
}

function speakStanding(state: State): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let said = "";
  const stop = effect(() => {
    const problems = (state.draftFresh() && state.draft()?.problems.length) || 0;
    const text = [standing(state)[1], problems && `${count(problems, "problem")} in the payload`]
      .filter(Boolean)
      .join(". ");
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (text !== said) state.say(text);
      said = text;
    }, SETTLED_MS);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
