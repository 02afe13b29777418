// Mounts widgets on a harness page: tests call what it gives with traits and faults of their own.
import { FakeModel } from "./model.js";

/** `widget` is a bundle's default export, `css` its style sheet, `usual` its traits, `kernel` makes its fake kernel. */
export function mountable(widget, { css, usual, kernel: makeKernel }) {
  return async ({ traits = {}, faults = {}, kernel = true, shadow = false, views = 1 } = {}) => {
    const model = new FakeModel({ locked: [], ...usual, ...traits });
    const fake = makeKernel(model, faults, traits);
    if (!kernel) model.send = model.save_changes = undefined;
    const ends = new AbortController();
    const definition = widget();
    await definition.initialize({ model, signal: ends.signal });
    const closers = [];
    for (let i = 0; i < views; i++) {
      const el = document.createElement("div");
      document.querySelector("#place").append(el);
      let inner = el;
      if (shadow) {
        const root = el.attachShadow({ mode: "open" });
        const style = document.createElement("style");
        style.textContent = await (await fetch(css)).text();
        inner = document.createElement("div");
        root.append(style, inner);
      }
      const view = new AbortController();
      definition.render({ model, el: inner, signal: view.signal });
      closers.push(() => {
        view.abort();
        el.remove();
      });
    }
    window.widget = { model, kernel: fake, ends, closers };
  };
}
