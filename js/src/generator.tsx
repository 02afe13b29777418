/** The WebhookGenerator widget: one model, any number of views. Follows the anywidget front-end module contract. */
import type { HostModel } from "./host.js";
import { createState, type State } from "./model.js";
import { createSender, type Sender } from "./sending.js";
import { mount } from "./view/mount.js";

interface Lifetime {
  model: HostModel;
  signal?: AbortSignal;
}

/** Ends with the host's signal; hosts that do not pass one call the returned function instead. */
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
      mount(state, sender, el, ends.signal);
      return () => ends.abort();
    },
  };
}
