/** Creates the anywidget front-end module: one model, any number of views. */
import type { HostModel } from "./host.js";

interface Lifetime {
  model: HostModel;
  signal?: AbortSignal;
}

/** Aborts with the host's signal; for hosts that pass none, `initialize` and `render` return a cleanup function. */
function lifetime(signal: AbortSignal | undefined): AbortController {
  const ends = new AbortController();
  if (signal?.aborted) ends.abort();
  signal?.addEventListener("abort", () => ends.abort());
  return ends;
}

/** Returns a factory: `initialize` and every `render` of one model share one state, two models never do. */
export function widgetOf<S>(
  create: (model: HostModel, ends: AbortSignal) => S,
  show: (state: S, el: HTMLElement, ends: AbortSignal) => void,
) {
  return () => {
    let shared: S | null = null;
    return {
      initialize({ model, signal }: Lifetime) {
        const ends = lifetime(signal);
        shared = create(model, ends.signal);
        return () => ends.abort();
      },
      render({ model, el, signal }: Lifetime & { el: HTMLElement }) {
        const ends = lifetime(signal);
        shared ??= create(model, ends.signal);
        show(shared, el, ends.signal);
        return () => ends.abort();
      },
    };
  };
}

/** Returns a function that opens a view and returns its end; `onLast` is called when no view is open any more. */
export function countViews(onLast: () => void, onOpen = () => {}) {
  let views = 0;
  return () => {
    views += 1;
    onOpen();
    return () => {
      views -= 1;
      if (views === 0) onLast();
    };
  };
}
