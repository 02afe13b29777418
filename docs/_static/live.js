/**
 * A widget on a page without a kernel: its own front end, answered out of a recording of the kernel.
 *
 * docs/_ext/live.py makes the recordings. Each calls hookWidgetsLive(name, data), data being JSON, gzipped, in
 * base64: so it can be read from a file, where a page may fetch nothing. The element with this data-recording holds the
 * still form of the widget until the front end takes its place.
 */
(() => {
  /** What anywidget hands to a front end, with the recording where the kernel would be. */
  function modelOf(recording) {
    const listeners = new Map();
    const traits = { ...recording.traits };
    const tell = (name, ...args) => {
      for (const listener of [...(listeners.get(name) ?? [])]) listener(...args);
    };
    return {
      get: (name) => traits[name],
      set(name, value) {
        traits[name] = value;
        tell(`change:${name}`);
      },
      on: (name, listener) => listeners.set(name, [...(listeners.get(name) ?? []), listener]),
      off: (name, listener) =>
        listeners.set(name, (listeners.get(name) ?? []).filter((other) => other !== listener)),
      save_changes() {},
      send({ id, op, args }) {
        const [content, buffers] = answer(recording, op, args);
        queueMicrotask(() => tell("msg:custom", { re: id, ...content }, buffers));
      },
    };
  }

  function answer(recording, op, args) {
    if (op === "ping") return [{ ok: true, value: {} }, []];
    if (op === "catalog") return [{ ok: true, value: recording.catalog }, []];
    if (op === "frame") return frameOf(recording, args);
    if (op === "export" && args.format === "svg") return fileOf(recording, args);
    return [{ ok: false, error: { code: "recorded", text: "This works in a notebook, where there is a kernel." } }, []];
  }

  function frameOf({ answers, pictures, varied, steps, widths }, { inputs, width, theme, quick, ladders }) {
    const found = answers[JSON.stringify(varied.map((name) => inputs[name]))];
    const field = varied.at(-1);
    if (!found) {
      const text = `This page knows ${steps.join(", ")}. In a notebook it may be any value.`;
      return [{ ok: true, value: { error: { field, text }, fields: {} } }, []];
    }
    const { numbers, sizes, ...frame } = found;
    const fitting = widths.findLast((each) => each <= width) ?? widths[0];
    const [wide, high] = sizes[fitting];
    const picture = { ...frame.picture, width, height: Math.round((high * width) / wide), quick };
    const known = ladders === frame.ladders.id;
    return [
      { ok: true, value: { ...frame, picture, ladders: known ? null : frame.ladders } },
      [new TextEncoder().encode(pictures[numbers[`${theme} ${fitting}`]])],
    ];
  }

  function fileOf({ answers, pictures, varied, widths }, { inputs, theme }) {
    const { numbers } = answers[JSON.stringify(varied.map((name) => inputs[name]))];
    const picture = pictures[numbers[`${theme} ${widths.at(-1)}`]];
    const value = { filename: "rate-limit.svg", media_type: "image/svg+xml" };
    return [{ ok: true, value }, [new TextEncoder().encode(picture)]];
  }

  async function unpack(data) {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(text).json();
  }

  async function mount(el, data) {
    const recording = await unpack(data);
    // A page from a file may import no other file, but text that it has itself.
    const address = URL.createObjectURL(new Blob([recording.esm], { type: "text/javascript" }));
    const { default: widgetOf } = await import(address);
    const style = document.createElement("style");
    style.textContent = recording.css;
    document.head.append(style);
    const model = modelOf(recording);
    const widget = widgetOf();
    widget.initialize({ model });
    el.replaceChildren();
    widget.render({ model, el });
  }

  globalThis.hookWidgetsLive = (name, data) => {
    for (const el of document.querySelectorAll(`.live[data-recording="${name}"]`)) void mount(el, data);
  };
})();
