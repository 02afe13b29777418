/** Requests for pictures: their order, and stale replies. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createState } from "../src/calculator/state.js";
import { ANSWER_MS } from "../src/plot/frames.js";
import { PAUSE_MS } from "../src/plot/state.js";
import { bursts, CATALOG, calculator, INPUTS, PICTURE } from "./calculator-support.js";
import { FakeScreen } from "./screen-support.js";
import { FakeModel, settled, utf8 } from "./support.js";

const ADVICE = (verdict: string) => ({ verdict, actions: ["Do it."], reasons: [] });

test("a frame is asked for the place it is shown in, with all that was written", async () => {
  const { asked } = await calculator();
  const { inputs, ...rest } = asked()[0]?.args ?? {};

  assert.deepEqual(rest, { width: 640, height: 384, theme: "light", dpr: 2, quick: false, scales: "" });
  assert.deepEqual({ preset: "", algorithm: "", pattern: "", ...INPUTS }, inputs);
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
  await answer("11", { advice: ADVICE("of 11") });
  state.edit({ burst: "12" }, "move");
  await answer("12", {
    picture: { ...PICTURE, alt: "", quick: true },
    status: { level: "ok", text: "fine" },
  });
  assert.deepEqual([state.frames.fresh(), state.frames.whole()], [true, false]);
  assert.deepEqual(state.frames.frame()?.advice, ADVICE("of 11"));
  assert.equal(state.frames.frame()?.status?.text, "fine");
  assert.equal(state.frames.picture()?.alt, "A level");
  state.settle();
  await answer("12", { advice: ADVICE("of 12") });

  assert.ok(state.frames.whole());
  assert.deepEqual(state.frames.frame()?.advice, ADVICE("of 12"));
});

test("inputs that cannot be used keep the last picture, stale, and say what is wrong where", async () => {
  const { state, answer, model } = await calculator();
  state.edit({ cushion: "x" });
  model.answer("frame", { error: { field: "cushion", text: "no share" } });
  await settled();
  assert.deepEqual(state.frames.error(), { field: "cushion", text: "no share" });
  assert.deepEqual([state.frames.picture()?.address, state.frames.fresh()], ["0", false]);
  assert.equal(state.inputs().cushion, "x");
  state.edit({ cushion: "10%" });
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
  state.edit({ cushion: "10%" }, "move");
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

test("scales are asked for once and kept while they are the same", async () => {
  const { state, answer, asked } = await calculator();
  state.edit({ burst: "11" });
  await answer("11", { scales: { id: "a", steps: { burst: ["10", "11"] } } });
  state.edit({ burst: "12" });
  assert.equal(asked().at(-1)?.args?.scales, "a");
  await answer("12", { scales: null });

  assert.deepEqual(state.frames.steps(), { burst: ["10", "11"] });
});

test("a slider stays while what its field says cannot be used", async () => {
  const { state, answer, model } = await calculator();
  state.edit({ burst: "11" });
  await answer("11", { scales: { id: "a", steps: { burst: ["10", "11"], "limits.0": ["1/s"] } } });
  state.edit({ limits: [["", "5/ho"]] });
  const error = { field: "limits.0", text: "no unit of time" };
  model.answer("frame", { error, scales: { id: "b", steps: { burst: ["10", "12"] } } });
  await settled();

  assert.deepEqual(state.frames.steps(), { burst: ["10", "12"], "limits.0": ["1/s"] });
});

test("an older picture looks so after 300 ms, and each new one starts the time again", async () => {
  const { state, answer } = await calculator();
  const staleAfter = async (ms: number) => {
    mock.timers.tick(ms);
    await settled();
    return state.frames.stale();
  };
  state.edit({ burst: "11" }, "move");
  await settled();
  assert.deepEqual([await staleAfter(299), await staleAfter(1)], [false, true]);
  state.edit({ burst: "12" }, "move");
  await answer("11", { picture: { ...PICTURE, quick: true } });
  assert.deepEqual([state.frames.busy(), await staleAfter(299), await staleAfter(1)], [true, false, true]);
  await answer("12", { picture: { ...PICTURE, quick: true } });

  assert.deepEqual([await staleAfter(300), state.frames.textsStale()], [false, true]);
});

test("a sweep is asked for without quick pictures, and is not lost when the kernel answers a ping first", async () => {
  const { state, model, asked, answer } = await calculator();
  state.toggleSweep();
  assert.deepEqual([state.sweep(), state.frames.fresh()], [true, false]);
  mock.timers.tick(5 * ANSWER_MS);
  model.answer("ping", {});
  await settled();
  await answer("swept");
  state.edit({ burst: "11" }, "move");

  assert.deepEqual(
    asked().map(({ args }) => args?.sweep),
    [undefined, true],
  );
  assert.equal(state.trouble(), "");
  mock.timers.tick(PAUSE_MS.move);
  assert.deepEqual(bursts(asked()).at(-1), ["11", false]);
  state.download({ format: "csv" });
  assert.equal(model.asked("export")?.args?.sweep, true);
});
