// Shared by the fake kernels of the widgets with a picture: replies, and faults.
//
// `faults.light` is a light picture in place of the full one: { svg, width, height, note }, and its type if it is wrong.
export class FakeFrames {
  constructor(model, faults = {}) {
    this.model = model;
    this.faults = faults;
    model.kernel = this;
  }

  changed() {}

  emit(content, buffers = []) {
    if (this.faults.silent) return;
    const deliver = () =>
      this.model.emit(
        "msg:custom",
        content,
        buffers.map((bytes) => new DataView(bytes)),
      );
    if (this.faults.delayMs) setTimeout(deliver, this.faults.delayMs);
    else queueMicrotask(deliver);
  }

  receive(content, buffers = []) {
    const answer = (value, extra) => this.emit({ re: content.id, ok: true, value }, extra);
    const reject = (code, text) => this.emit({ re: content.id, ok: false, error: { code, text } });
    if (this.faults.hostile === content.op)
      return answer([null, { presets: "<img src=x onerror=alert(1)>" }]);
    const operations = {
      catalog: () => answer(this.catalog()),
      ping: () => answer({}),
      frame: async (args) => {
        if (this.faults.lose) return this.faults.lose--;
        const value = this.frame(args);
        if (!value.picture) return answer(value);
        const { light } = this.faults;
        const kind = light
          ? { ...light, media_type: light.type ?? "image/svg+xml" }
          : { media_type: "image/png", note: "" };
        const file = light ? new TextEncoder().encode(light.svg).buffer : await this.png(args);
        const { overlay = null, values } =
          (!light && !args.quick && !args.sweep && this.overlay?.(args)) || {};
        answer(
          { ...value, overlay, picture: { ...value.picture, ...kind } },
          values ? [file, values.buffer] : [file],
        );
      },
      export: async (args) => {
        const file = args.format === "svg" ? "<svg xmlns='http://www.w3.org/2000/svg'/>" : args.format;
        const bytes =
          args.format === "png"
            ? await this.png({ ...args, width: 80, height: 50, dpr: 1 })
            : new TextEncoder().encode(file).buffer;
        answer(this.exported(args), [bytes]);
      },
      ...this.more?.(answer, reject, buffers),
    };
    operations[content.op] ? operations[content.op](content.args) : reject("unknown_op", "no such request");
  }

  async png(args) {
    const { width, dpr, theme = "light" } = args;
    const height = args.height ?? this.height(args);
    const canvas = new OffscreenCanvas(Math.round(width * dpr), Math.round(height * dpr));
    const pen = canvas.getContext("2d");
    pen.scale(dpr, dpr);
    pen.fillStyle = theme === "dark" ? "#16181d" : "#ffffff";
    pen.fillRect(0, 0, width, height);
    this.paint(pen, { ...args, height }, theme === "dark" ? "#e6e8eb" : "#1f2328");
    return (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer();
  }
}
