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
      async send({ id, op, args }) {
        const [content, buffers] = await answer(recording, op, args);
        tell("msg:custom", { re: id, ...content }, buffers);
      },
    };
  }

  function answer(recording, op, args) {
    if (op === "ping") return [{ ok: true, value: {} }, []];
    if (op === "catalog") return [{ ok: true, value: recording.catalog }, []];
    if (op === "frame") return frameOf(recording, args);
    if (op === "export") return fileOf(recording, args);
    return refusal("This works in a notebook, where there is a kernel.");
  }

  const refusal = (text) => [{ ok: false, error: { code: "recorded", text } }, []];
  const found = ({ answers, varied }, inputs) => answers[JSON.stringify(varied.map((name) => inputs[name]))];
  const unknown = ({ steps }) => `This page knows ${steps.join(", ")}. In a notebook it may be any value.`;

  function frameOf(recording, { inputs, width, theme, quick, scales }) {
    const { pictures, varied, widths } = recording;
    const recorded = found(recording, inputs);
    if (!recorded) {
      const error = { field: varied.at(-1), text: unknown(recording) };
      return [{ ok: true, value: { error, fields: {} } }, []];
    }
    const { numbers, sizes, ...frame } = recorded;
    const fitting = widths.findLast((each) => each <= width) ?? widths[0];
    const [wide, high] = sizes[fitting];
    const picture = { ...frame.picture, width, height: Math.round((high * width) / wide), quick };
    const known = scales === frame.scales.id;
    return [
      { ok: true, value: { ...frame, picture, scales: known ? null : frame.scales } },
      [new TextEncoder().encode(pictures[numbers[`${theme} ${fitting}`]])],
    ];
  }

  /** The widest picture that was recorded, as a file. */
  async function fileOf(recording, { inputs, theme, format }) {
    const recorded = found(recording, inputs);
    if (!recorded) return refusal(unknown(recording));
    const svg = recording.pictures[recorded.numbers[`${theme} ${recording.widths.at(-1)}`]];
    const name = inputs.compare ? "comparison" : inputs.algorithm.replaceAll("_", "-");
    const [media_type, bytes] =
      format === "png" ? ["image/png", await pngOf(svg)] : ["image/svg+xml", new TextEncoder().encode(svg)];
    return [{ ok: true, value: { filename: `rate-limit-${name}.${format}`, media_type } }, [bytes]];
  }

  /** At twice the resolution of a screen, as the kernel's. */
  async function pngOf(svg) {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = 2 * image.width;
    canvas.height = 2 * image.height;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const file = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    return new Uint8Array(await file.arrayBuffer());
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
