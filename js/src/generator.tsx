/** The WebhookGenerator widget: one model, any number of views. Follows the anywidget front-end module contract. */
import { render } from "preact";
import type { HostModel } from "./host.js";
import { createState, type State } from "./model.js";
import { randomBytes } from "./primitives.js";
import { createSender, type Sender } from "./sending.js";
import { watchLook } from "./theme.js";
import { App } from "./view/App.js";
import { View } from "./view/context.js";

interface Lifetime {
  model: HostModel;
  signal?: AbortSignal;
}

/** Hosts older than the `signal` argument call the returned function instead. */
function lifetime(signal: AbortSignal | undefined): AbortController {
  const ends = new AbortController();
  if (signal?.aborted) ends.abort();
  signal?.addEventListener("abort", () => ends.abort());
  return ends;
}

/** A factory, so that `initialize` and every `render` of one model share one state, and no two models do. */
export default function widget() {
  let shared: { state: State; sender: Sender } | null = null;

  const open = (model: HostModel, ends: AbortSignal) => {
    const state = createState(model, ends);
    shared = { state, sender: createSender(state) };
    return shared;
  };

  return {
    initialize({ model, signal }: Lifetime) {
      const ends = lifetime(signal);
      open(model, ends.signal);
      return () => ends.abort();
    },

    render({ model, el, signal }: Lifetime & { el: HTMLElement }) {
      const ends = lifetime(signal);
      const { state, sender } = shared ?? open(model, ends.signal);
      const root = el.ownerDocument.createElement("div");
      root.className = "hw";
      el.append(root);
      const close = state.openView();
      watchLook(
        el,
        ({ theme, contrast }) => {
          root.dataset.theme = theme;
          root.dataset.contrast = contrast ? "more" : "";
        },
        ends.signal,
      );
      const uid = `hw${[...randomBytes(4)].join("")}`;
      render(
        <View.Provider value={{ state, sender, uid, root }}>
          <App />
        </View.Provider>,
        root,
      );
      ends.signal.addEventListener("abort", () => {
        render(null, root);
        root.remove();
        close();
      });
      return () => ends.abort();
    },
  };
}
