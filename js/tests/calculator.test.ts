import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { ANSWER_MS, heightFor } from "../src/calculator/frames.js";
import type { Screen } from "../src/calculator/screen.js";
import { createState, PAUSE_MS } from "../src/calculator/state.js";
import * as wire from "../src/calculator/wire.js";
import { FakeModel, settled, utf8 } from "./support.js";

const INPUTS = { limits: [["hourly", "1000/hour"]], burst: "10", cushion: "15 %", seed: "7", compare: false };
const CATALOG = { presets: [], algorithms: [], patterns: [], fields: [] };
const PICTURE = { width: 640, height: 384, alt: "A level", quick: false };

/** A screen that paints when it is told to. */
class FakeScreen implements Screen {
  readonly dropped: string[] = [];
  readonly files: unknown[][] = [];
  readonly dpr = 2;
  private waiting: (() => void)[] = [];

  async load(png: Uint8Array) {
    const text = new TextDecoder().decode(png);
    if (text === "broken") throw new Error("no PNG");
    return {
      address: text,
      drop: () => this.dropped.push(text),
      painted: () => new Promise<void>((resolve) => this.waiting.push(resolve)),
    };
  }
  download(...file: unknown[]) {
    this.files.push(file);
  }
  async paint() {
    await settled();
    for (const resolve of this.waiting.splice(0)) resolve();
    await settled();
  }
}

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

/** A state whose first picture, called "0", is painted. */
async function calculator({ traits = {}, connected = true } = {}) {
  const model = new FakeModel({ ...INPUTS, locked: [], ...traits });
  const ends = new AbortController();
  const screen = new FakeScreen();
  if (!connected) Object.assign(model, { send: undefined });
  const state = createState(model, ends.signal, screen);
  state.place({ width: 640, theme: "light" });
  const asked = () => model.sent.map(({ content }) => content).filter(({ op }) => op === "frame");
  const answer = async (name: string, more = {}) => {
    model.answer("frame", { picture: PICTURE, ...more }, [utf8(name)]);
    await screen.paint();
  };
  if (connected) {
    model.answer("catalog", CATALOG);
    await answer("0");
  }
  return { model, ends, screen, state, asked, answer };
}
const told = (message?: { args?: Record<string, unknown> }) =>
  message?.args?.inputs as wire.Inputs | undefined;
const bursts = (asked: { args?: Record<string, unknown> }[]) =>
  asked.map((message) => [told(message)?.burst, message.args?.quick]);

test("a frame is asked for the place it is shown in, with all that was written", async () => {
  const { asked } = await calculator();
  const { inputs, ...rest } = asked()[0]?.args ?? {};

  assert.deepEqual(rest, { width: 640, height: 384, theme: "light", dpr: 2, quick: false, ladders: "" });
  assert.deepEqual({ ...Object.fromEntries(wire.TEXTS.map((name) => [name, ""])), ...INPUTS }, inputs);
});

test("a slider that moves asks for one quick picture at a time, and next for the newest value", async () => {
  const { state, asked, answer, model } = await calculator();
  for (const burst of ["11", "12", "13", "14"]) state.edit({ burst }, "move");
  assert.deepEqual(bursts(asked().slice(1)), [["11", true]]);
  assert.equal(state.inputs().burst, "14");
  await answer("11");

  assert.deepEqual(bursts(asked().slice(1)), [
    ["11", true],
    ["14", true],
  ]);
  assert.deepEqual(model.saved, []);
});

test("the next picture is asked for when the last one is painted, and not before", async () => {
  const { state, asked, model, screen } = await calculator();
  state.edit({ burst: "11" }, "move");
  state.edit({ burst: "12" }, "move");
  model.answer("frame", { picture: PICTURE }, [utf8("11")]);
  await settled();
  assert.equal(asked().length, 2);
  await screen.paint();

  assert.equal(asked().length, 3);
});

test("when the slider rests, the traits are saved first and then one full picture is asked for", async () => {
  const { state, asked, answer, model } = await calculator();
  state.edit({ burst: "11" }, "move");
  await answer("11");
  state.edit({ burst: "12" }, "move");
  await answer("12");
  mock.timers.tick(PAUSE_MS.move - 1);
  assert.deepEqual(model.saved, []);
  mock.timers.tick(1);

  assert.deepEqual(model.saved, [{ burst: "12" }]);
  assert.deepEqual(bursts(asked()).at(-1), ["12", false]);
  state.settle();
  assert.equal(asked().length, 4);
});

test("letting go counts at once, in the place of the picture that is waiting", async () => {
  const { state, asked, answer, model } = await calculator();
  state.edit({ burst: "11" }, "move");
  state.edit({ burst: "12" }, "move");
  state.settle();
  assert.deepEqual(model.saved, [{ burst: "12" }]);
  await answer("11");

  assert.deepEqual(bursts(asked().slice(1)), [
    ["11", true],
    ["12", false],
  ]);
  await answer("12");
  assert.ok(state.frames.fresh());
});

test("what is typed is told after a pause, and every key is kept", async () => {
  const { state, asked, model } = await calculator();
  state.edit({ cushion: "1" }, "type");
  mock.timers.tick(PAUSE_MS.type - 1);
  state.edit({ cushion: "12" }, "type");
  mock.timers.tick(PAUSE_MS.type - 1);
  assert.deepEqual([asked().length, model.saved], [1, []]);
  mock.timers.tick(1);

  assert.deepEqual([asked().length, model.saved], [2, [{ cushion: "12" }]]);
});

test("a picture of older inputs is never fresh", async () => {
  const { state, answer } = await calculator();
  assert.ok(state.frames.fresh());
  state.edit({ burst: "11" }, "move");
  assert.ok(!state.frames.fresh());
  state.edit({ burst: "12" }, "move");
  await answer("11");
  assert.ok(!state.frames.fresh());
  await answer("12");

  assert.ok(state.frames.fresh());
  assert.equal(state.frames.picture()?.address, "12");
});

test("a quick picture keeps the text to be read, which is stale until it comes with a full one", async () => {
  const { state, answer } = await calculator();
  state.edit({ burst: "11" });
  await answer("11", { advice: ["of 11"] });
  state.edit({ burst: "12" }, "move");
  await answer("12", {
    picture: { ...PICTURE, alt: "", quick: true },
    status: { level: "ok", text: "fine" },
  });
  assert.deepEqual([state.frames.fresh(), state.frames.whole()], [true, false]);
  assert.deepEqual(state.frames.frame()?.advice, ["of 11"]);
  assert.equal(state.frames.frame()?.status?.text, "fine");
  assert.equal(state.frames.picture()?.alt, "A level");
  state.settle();
  await answer("12", { advice: ["of 12"] });

  assert.ok(state.frames.whole());
  assert.deepEqual(state.frames.frame()?.advice, ["of 12"]);
});

test("inputs that cannot be used keep the last picture, stale, and say what is wrong where", async () => {
  const { state, answer, model } = await calculator();
  state.edit({ cushion: "x" });
  model.answer("frame", { error: { field: "cushion", text: "no share" } });
  await settled();
  assert.deepEqual(state.frames.error(), { field: "cushion", text: "no share" });
  assert.deepEqual([state.frames.picture()?.address, state.frames.fresh()], ["0", false]);
  assert.equal(state.inputs().cushion, "x");
  state.edit({ cushion: "10 %" });
  await answer("right");

  assert.deepEqual([state.frames.error(), state.frames.fresh()], [null, true]);
});

test("inputs that cannot be used are waited for only until the kernel has said so", async () => {
  const { state, model, answer } = await calculator();
  const waiting = () => [state.frames.busy(), state.frames.unread()];
  state.edit({ cushion: "x" });
  assert.deepEqual(waiting(), [true, true]);
  model.answer("frame", { error: { field: "cushion", text: "no share" } });
  await settled();
  assert.deepEqual(waiting(), [false, false]);
  state.edit({ cushion: "10 %" }, "move");
  assert.deepEqual(waiting(), [true, true]);
  await answer("right", { picture: { ...PICTURE, quick: true } });

  assert.deepEqual(waiting(), [false, true]);
});

test("a frame that got lost is asked for again when a later request was answered", async () => {
  const { state, model, asked, answer } = await calculator();
  state.edit({ burst: "11" }, "move");
  state.settle();
  mock.timers.tick(ANSWER_MS);
  await settled();
  assert.deepEqual([state.kernel(), asked().length], ["waiting", 2]);
  model.answer("ping", {});
  await settled();
  assert.deepEqual(bursts(asked().slice(2)), [["11", false]]);
  await answer("11");

  assert.deepEqual([state.kernel(), state.frames.whole(), state.trouble()], ["ready", true, ""]);
});

test("a kernel that is busy is waited for, however long, and its late answer is shown", async () => {
  const { state, asked, answer, model } = await calculator();
  state.edit({ burst: "11" });
  mock.timers.tick(60 * ANSWER_MS);
  await settled();
  assert.deepEqual([state.kernel(), asked().length], ["waiting", 2]);
  await answer("11");
  model.answer("ping", {});
  await settled();

  assert.deepEqual([state.kernel(), state.frames.whole(), asked().length], ["ready", true, 2]);
});

test("a picture that gets lost twice is said, and the next change is asked for", async () => {
  const { state, model, asked, answer } = await calculator();
  state.edit({ burst: "11" });
  for (const _ of [1, 2]) {
    mock.timers.tick(ANSWER_MS);
    model.answer("ping", {});
    await settled();
  }
  assert.match(state.trouble(), /did not arrive/);
  assert.deepEqual([state.kernel(), asked().length], ["ready", 3]);
  state.edit({ burst: "12" });
  await answer("12");

  assert.deepEqual([state.trouble(), state.frames.whole()], ["", true]);
});

test("a kernel that seemed gone and speaks again is asked for what was given up", async () => {
  const model = new FakeModel({ ...INPUTS, locked: [] });
  const state = createState(model, new AbortController().signal, new FakeScreen());
  state.place({ width: 640, theme: "light" });
  model.emit("comm_live_update");
  mock.timers.tick(3000);
  await settled();
  assert.deepEqual([state.kernel(), state.trouble(), model.sent.at(-1)?.content.op], ["gone", "", "ping"]);
  model.answer("ping", {});
  await settled();
  const again = model.sent.map(({ content }) => content.op).slice(-2);
  assert.deepEqual(again, ["frame", "catalog"]);
  model.answer("catalog", CATALOG);
  await settled();

  assert.deepEqual(state.catalog(), CATALOG);
});

test("what was typed while the kernel only seemed gone is not offered to the next run", async () => {
  const { state, model } = await calculator({ traits: { burst: "66" } });
  model.emit("comm_live_update");
  mock.timers.tick(3000);
  state.edit({ burst: "67" });
  await settled();
  model.answer("ping", {});
  await settled();
  const next = await calculator({ traits: { burst: "66" } });

  assert.equal(next.state.typedBefore(), null);
});

test("ladders are asked for once and kept while they are the same", async () => {
  const { state, answer, asked } = await calculator();
  state.edit({ burst: "11" });
  await answer("11", { ladders: { id: "a", steps: { burst: ["10", "11"] } } });
  state.edit({ burst: "12" });
  assert.equal(asked().at(-1)?.args?.ladders, "a");
  await answer("12", { ladders: null });

  assert.deepEqual(state.frames.steps(), { burst: ["10", "11"] });
});

test("a slider stays while what its field says cannot be used", async () => {
  const { state, answer, model } = await calculator();
  state.edit({ burst: "11" });
  await answer("11", { ladders: { id: "a", steps: { burst: ["10", "11"], "limits.0": ["1/s"] } } });
  state.edit({ limits: [["", "5/ho"]] });
  const error = { field: "limits.0", text: "no unit of time" };
  model.answer("frame", { error, ladders: { id: "b", steps: { burst: ["10", "12"] } } });
  await settled();

  assert.deepEqual(state.frames.steps(), { burst: ["10", "12"], "limits.0": ["1/s"] });
});

test("an old picture is let go when the new one is painted", async () => {
  const { state, model, screen, ends } = await calculator();
  state.edit({ burst: "11" });
  model.answer("frame", { picture: PICTURE }, [utf8("11")]);
  await settled();
  assert.deepEqual(screen.dropped, []);
  await screen.paint();
  assert.deepEqual(screen.dropped, ["0"]);
  ends.abort();

  assert.deepEqual(screen.dropped, ["0", "11"]);
});

test("a change of the kernel in many traits asks for one full picture", async () => {
  const { state, model, asked } = await calculator();
  model.push({ burst: "50", cushion: "20 %", limits: [["a", "5/s"]] });
  await settled();

  assert.deepEqual(bursts(asked().slice(1)), [["50", false]]);
  assert.equal(state.inputs().cushion, "20 %");
});

test("what is being typed wins over what the kernel says of the same field meanwhile", async () => {
  const { state, model } = await calculator();
  state.edit({ cushion: "12" }, "type");
  model.push({ cushion: "20 %", burst: "50" });
  assert.deepEqual([state.inputs().cushion, state.inputs().burst], ["12", "50"]);
  mock.timers.tick(PAUSE_MS.type);

  assert.deepEqual(model.saved, [{ cushion: "12" }]);
});

test("an edit of several traits is one update, and none of them is lost to another", async () => {
  const { state, model } = await calculator();
  state.edit({ cushion: "12 %", burst: "50", limits: [["b", "9/s"]] });

  assert.deepEqual(model.saved, [{ cushion: "12 %", burst: "50", limits: [["b", "9/s"]] }]);
  assert.deepEqual([state.inputs().cushion, state.inputs().burst], ["12 %", "50"]);
});

test("a locked field cannot be edited, and a preset leaves it alone", async () => {
  const { state, model, asked } = await calculator({ traits: { locked: ["burst"] } });
  state.edit({ burst: "99" });
  assert.deepEqual([asked().length, state.frames.fresh()], [1, true]);
  state.choose("free");
  model.answer("preset", { inputs: { preset: "free", burst: "1", cushion: "10 %" } });
  await settled();

  assert.deepEqual(model.saved, [{ preset: "free", cushion: "10 %" }]);
  assert.equal(state.inputs().burst, "10");
});

test("the preset that was chosen last counts, whatever comes late", async () => {
  const { state, model } = await calculator();
  state.choose("free");
  const late = model.asked("preset")?.id;
  state.choose("pro");
  model.answer("preset", { inputs: { cushion: "20 %" } });
  await settled();
  model.tell({ re: late, ok: true, value: { inputs: { cushion: "1 %" } } });
  await settled();

  assert.deepEqual([state.inputs().preset, state.inputs().cushion], ["pro", "20 %"]);
});

test("what is typed while a preset is on its way is kept", async () => {
  const { state, model } = await calculator();
  state.choose("free");
  state.edit({ cushion: "12 %" }, "type");
  model.answer("preset", { inputs: { preset: "free", burst: "1", cushion: "10 %" } });
  await settled();

  assert.deepEqual(model.saved, [{ preset: "free", burst: "1", cushion: "12 %" }]);
});

test("a preset that cannot be had is not chosen", async () => {
  const { state, model } = await calculator({ traits: { preset: "pro" } });
  state.choose("free");
  model.refuse("preset", { code: "unknown", text: "no such preset" });
  await settled();

  assert.deepEqual([state.inputs().preset, state.trouble()], ["pro", "no such preset"]);
});

test("a row that nothing was written into is not told, and stays", async () => {
  const { state, model, asked } = await calculator();
  const limits: wire.Row[] = [
    ["hourly", "1000/hour"],
    ["", ""],
  ];
  state.edit({ limits });
  assert.deepEqual(model.saved, [{ limits: [["hourly", "1000/hour"]] }]);
  assert.deepEqual(told(asked().at(-1))?.limits, [["hourly", "1000/hour"]]);

  assert.deepEqual(state.inputs().limits, limits);
});

test("a page without a kernel has the saved inputs, fixed, and asks for nothing", async () => {
  const { state, model } = await calculator({ connected: false });

  assert.deepEqual([state.kernel(), state.inputs().burst, state.fixed("burst")], ["none", "10", true]);
  assert.deepEqual([model.sent, state.locked("burst")], [[], false]);
});

test("without a place to show it, no picture is asked for", async () => {
  const { state, asked } = await calculator();
  const close = state.openView();
  close();
  state.edit({ burst: "11" });
  assert.equal(asked().length, 1);
  state.place({ width: 320, theme: "dark" });
  await settled();

  assert.deepEqual([asked().at(-1)?.args?.width, asked().at(-1)?.args?.theme], [320, "dark"]);
});

test("an answer that cannot be read is said, and the next one is asked for", async () => {
  const { state, model, answer } = await calculator();
  state.edit({ burst: "11" });
  model.answer("frame", { picture: "x" });
  await settled();
  assert.match(state.trouble(), /answer to “frame” cannot be read/);
  state.edit({ burst: "12" });
  await answer("broken");
  assert.match(state.trouble(), /no PNG/);
  state.edit({ burst: "13" });
  await answer("none", { picture: null });
  assert.match(state.trouble(), /sent no picture/);
  assert.ok(!state.frames.fresh());
  state.edit({ burst: "14" });
  await answer("14");

  assert.deepEqual([state.trouble(), state.frames.fresh()], ["", true]);
});

test("a file is saved under the kernel's name, of the inputs as they are now", async () => {
  const { state, model, screen } = await calculator();
  state.edit({ burst: "11" }, "type");
  const saved = state.save("svg");
  model.answer("export", { filename: "limit.svg", media_type: "image/svg+xml" }, [utf8("<svg/>")]);
  await saved;

  assert.deepEqual(screen.files, [[utf8("<svg/>"), "limit.svg", "image/svg+xml"]]);
  assert.equal(told(model.asked("export"))?.burst, "11");
  assert.equal(state.spoken(), "Saved limit.svg");
});

test("a file of another kind than a picture is refused", async () => {
  const { state, model, screen } = await calculator();
  const saved = state.save("png");
  model.answer("export", { filename: "x.html", media_type: "text/html" }, [utf8("<b>")]);
  await saved;

  assert.deepEqual(screen.files, []);
  assert.match(state.trouble(), /cannot be read/);
});

test("what was typed into a restarted kernel's widget is put back into that of the next run", async () => {
  const first = await calculator({ traits: { burst: "77" } });
  first.model.emit("comm_live_update");
  mock.timers.tick(3000);
  await settled();
  assert.equal(first.state.kernel(), "gone");
  first.state.edit({ burst: "78", cushion: "9 %" });
  await settled();
  const second = await calculator({ traits: { burst: "77" } });
  assert.equal(second.state.typedBefore()?.burst, "78");
  second.state.edit(second.state.typedBefore() ?? {});

  assert.equal(second.model.saved[0]?.cushion, "9 %");
});

test("what only the kernel has set is not kept as if it was typed", async () => {
  const first = await calculator({ traits: { burst: "88" } });
  first.model.push({ burst: "89" });
  first.model.emit("comm_live_update");
  mock.timers.tick(3000);
  await settled();
  assert.equal(first.state.kernel(), "gone");
  const second = await calculator({ traits: { burst: "88" } });

  assert.equal(second.state.typedBefore(), null);
});

test("what was wrong with a file is no longer said when the inputs are others", async () => {
  const { state, model } = await calculator();
  const saved = state.save("png");
  model.refuse("export", { code: "invalid_limit", text: "no share" });
  await saved;
  assert.equal(state.trouble(), "no share");
  state.edit({ cushion: "10 %" });

  assert.equal(state.trouble(), "");
});

test("the end of a widget saves what was typed and leaves no listener", async () => {
  const { state, model, ends } = await calculator();
  state.edit({ cushion: "12" }, "type");
  ends.abort();

  assert.deepEqual(model.saved, [{ cushion: "12" }]);
  assert.equal(model.listenerCount(), 0);
});

test("a foreign value of a trait is as if it were not set", () => {
  assert.deepEqual(
    [wire.readInput("burst", 7), wire.readInput("limits", "x"), wire.readInput("compare", "yes")],
    ["", [["", ""]], false],
  );
});

test("a frame is read as far as it goes: missing parts are empty, numbers become text", () => {
  const read = wire.frame({ table: { caption: "T", columns: ["A", "B"], rows: [["x", 3]] }, more: 1 });

  assert.deepEqual(read.table.rows, [["x", "3"]]);
  assert.deepEqual([read.error, read.status, read.cards, read.picture], [null, null, [], null]);
});

test("a picture keeps its shape between a lowest and a highest", () => {
  assert.deepEqual(
    [320, 640, 1200].map((width) => [heightFor(width, false), heightFor(width, true)]),
    [
      [300, 440],
      [384, 512],
      [460, 640],
    ],
  );
});
