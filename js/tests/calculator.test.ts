/** Inputs of the calculator: edits, locks, saving and the kernel's changes. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { heightFor } from "../src/calculator/state.js";
import * as wire from "../src/calculator/wire.js";
import { PAUSE_MS } from "../src/plot/state.js";
import { bursts, calculator, LABELS, sentInputs } from "./calculator-support.js";
import { settled, utf8 } from "./support.js";

test("a change of the kernel in many traits asks for one full picture", async () => {
  const { state, model, asked } = await calculator();
  model.push({ burst: "50", cushion: "20%", limits: [["a", "5/s"]] });
  await settled();

  assert.deepEqual(bursts(asked().slice(1)), [["50", false]]);
  assert.equal(state.inputs().cushion, "20%");
});

test("what is being typed wins over what the kernel says of the same field meanwhile", async () => {
  const { state, model } = await calculator();
  state.edit({ cushion: "12" }, "type");
  model.push({ cushion: "20%", burst: "50" });
  assert.deepEqual([state.inputs().cushion, state.inputs().burst], ["12", "50"]);
  mock.timers.tick(PAUSE_MS.type);

  assert.deepEqual(model.saved, [{ cushion: "12" }]);
});

test("an edit of several traits is one update, and none of them is lost to another", async () => {
  const { state, model } = await calculator();
  state.edit({ cushion: "12%", burst: "50", limits: [["b", "9/s"]] });

  assert.deepEqual(model.saved, [{ cushion: "12%", burst: "50", limits: [["b", "9/s"]] }]);
  assert.deepEqual([state.inputs().cushion, state.inputs().burst], ["12%", "50"]);
});

test("a locked field cannot be edited, and a preset leaves it alone", async () => {
  const { state, model, asked } = await calculator({ traits: { locked: ["burst"] } });
  state.edit({ burst: "99" });
  assert.deepEqual([asked().length, state.frames.fresh()], [1, true]);
  state.choose("free");
  model.answer("preset", { inputs: { preset: "free", burst: "1", cushion: "10%" } });
  await settled();

  assert.deepEqual(model.saved, [{ preset: "free", cushion: "10%" }]);
  assert.equal(state.inputs().burst, "10");
});

test("the preset that was chosen last counts, whatever comes late", async () => {
  const { state, model } = await calculator();
  state.choose("free");
  const late = model.asked("preset")?.id;
  state.choose("pro");
  model.answer("preset", { inputs: { cushion: "20%" } });
  await settled();
  model.tell({ re: late, ok: true, value: { inputs: { cushion: "1%" } } });
  await settled();

  assert.deepEqual([state.inputs().preset, state.inputs().cushion], ["pro", "20%"]);
});

test("what is typed while a preset is on its way is kept", async () => {
  const { state, model } = await calculator();
  state.choose("free");
  state.edit({ cushion: "12%" }, "type");
  model.answer("preset", { inputs: { preset: "free", burst: "1", cushion: "10%" } });
  await settled();

  assert.deepEqual(model.saved, [{ preset: "free", burst: "1", cushion: "12%" }]);
});

test("a limit of your own does not keep the name of the preset's single limit", async () => {
  const { state, model } = await calculator({ traits: { preset: "slack-webhook" } });
  await state.choose("");

  assert.deepEqual(model.saved, [{ preset: "", limits: [["", "1000/hour"]] }]);
});

test("several limits keep their names without the preset", async () => {
  const limits = [
    ["hourly", "1000/hour"],
    ["daily", "9000/day"],
  ];
  const { state } = await calculator({ traits: { preset: "pro", limits } });
  await state.choose("");

  assert.deepEqual(state.inputs().limits, limits);
});

test("a preset that cannot be had is not chosen", async () => {
  const { state, model } = await calculator({ traits: { preset: "pro" } });
  state.choose("free");
  model.reject("preset", { code: "unknown", text: "no such preset" });
  await settled();

  assert.deepEqual([state.inputs().preset, state.trouble()], ["pro", "no such preset"]);
});

test("a row that nothing was written into is not sent, and stays", async () => {
  const { state, model, asked } = await calculator();
  const limits: wire.Row[] = [
    ["hourly", "1000/hour"],
    ["", ""],
  ];
  state.edit({ limits });
  assert.deepEqual(model.saved, [{ limits: [["hourly", "1000/hour"]] }]);
  assert.deepEqual(sentInputs(asked().at(-1))?.limits, [["hourly", "1000/hour"]]);

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
  assert.match(state.trouble(), /response to “frame” cannot be read/);
  state.edit({ burst: "12" });
  await answer("broken");
  assert.match(state.trouble(), /no image\/png/);
  state.edit({ burst: "13" });
  await answer("none", { picture: null });
  assert.match(state.trouble(), /sent no chart/);
  assert.ok(!state.frames.fresh());
  state.edit({ burst: "14" });
  await answer("14");

  assert.deepEqual([state.trouble(), state.frames.fresh()], ["", true]);
});

test("a file is saved under the kernel's name, of the inputs as they are now", async () => {
  const { state, model, screen } = await calculator();
  state.edit({ burst: "11" }, "type");
  const saved = state.download({ format: "svg" });
  model.answer("export", { filename: "limit.svg", media_type: "image/svg+xml" }, [utf8("<svg/>")]);
  await saved;

  assert.deepEqual(screen.files, [[utf8("<svg/>"), "limit.svg", "image/svg+xml"]]);
  assert.equal(sentInputs(model.asked("export"))?.burst, "11");
  assert.equal(state.spoken(), "Saved limit.svg");
});

test("a file of another kind than a picture is rejected", async () => {
  const { state, model, screen } = await calculator();
  const saved = state.download({ format: "png" });
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
  first.state.edit({ burst: "78", cushion: "9%" });
  await settled();
  const second = await calculator({ traits: { burst: "77" } });
  assert.equal(second.state.typedBefore()?.burst, "78");
  second.state.edit(second.state.typedBefore() ?? {});

  assert.equal(second.model.saved[0]?.cushion, "9%");
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
  const saved = state.download({ format: "png" });
  model.reject("export", { code: "invalid_limit", text: "no share" });
  await saved;
  assert.equal(state.trouble(), "no share");
  state.edit({ cushion: "10%" });

  assert.equal(state.trouble(), "");
});

test("the end of a widget saves what was typed and leaves no listener", async () => {
  const { state, model, ends } = await calculator();
  state.edit({ cushion: "12" }, "type");
  ends.abort();

  assert.deepEqual(model.saved, [{ cushion: "12" }]);
  assert.equal(model.listenerCount(), 0);
});

test("an input that only the kernel declares is read, edited, saved and sent like any other", async () => {
  const traits = { input_labels: { ...LABELS, pause_s: "Pause before a retry" }, pause_s: "2 s" };
  const { state, model, asked, answer } = await calculator({ traits });
  model.push({ pause_s: "3 s" });
  await settled();
  await answer("1");
  assert.equal(state.inputs().pause_s, "3 s");
  state.edit({ pause_s: "4 s" });

  assert.deepEqual(model.saved, [{ pause_s: "4 s" }]);
  assert.equal(sentInputs(asked().at(-1))?.pause_s, "4 s");
  assert.equal(state.labels.pause_s, "Pause before a retry");
});

test("a foreign value of a trait is as if it were not set", () => {
  const inputs = wire.inputsNamed(["burst"]);
  assert.deepEqual(
    [inputs.read("burst", 7), inputs.read("limits", "x"), inputs.read("compare", "yes")],
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
