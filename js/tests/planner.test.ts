/** Inputs of the planner: rows of versions, saving, and decoding of frames. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { addRelease, createState } from "../src/planner/state.js";
import { columnOf, labelOf, where } from "../src/planner/view/view.js";
import * as wire from "../src/planner/wire.js";
import { PAUSE_MS } from "../src/plot/state.js";
import { FakeScreen } from "./screen-support.js";
import { FakeModel, settled, utf8 } from "./support.js";

const VERSIONS = [
  ["1", "", "2026-06-01", "", "stable", ""],
  ["2", "2026-01-01", "", "", "stable", ""],
];
const FIELD = { help: "", placeholder: "" };
const CATALOG = {
  fields: [{ ...FIELD, name: "months", label: "Notice period (months)" }],
  cells: [{ ...FIELD, name: "deprecated", label: "Deprecated" }],
  stages: [{ id: "stable", title: "Stable" }],
  texts: [{ id: "reminder", title: "Reminder" }],
};
const PICTURE = {
  width: 640,
  height: 240,
  alt: "Two versions",
  quick: false,
  media_type: "image/png",
  note: "",
};

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

/** A state whose first picture is painted. */
async function planner(traits: Record<string, unknown> = {}) {
  const model = new FakeModel({ versions: VERSIONS, months: "18", locked: [], ...traits });
  const ends = new AbortController();
  const screen = new FakeScreen();
  const state = createState(model, ends.signal, screen);
  state.place({ width: 640, theme: "light" });
  const answer = async (more = {}) => {
    model.answer("frame", { picture: PICTURE, ...more }, [utf8("png")]);
    await screen.paint();
  };
  model.answer("catalog", CATALOG);
  await answer({ texts: [{ id: "reminder", text: "# Soon" }], events: true });
  const asked = () => model.sent.map(({ content }) => content).filter(({ op }) => op === "frame");
  return { model, ends, screen, state, answer, asked };
}

test("a frame is asked for without a height: that follows from the number of versions", async () => {
  const { asked } = await planner();
  const { inputs, ...rest } = asked()[0]?.args ?? {};

  assert.deepEqual(rest, { width: 640, theme: "light", dpr: 2, quick: false, scales: "" });
  assert.deepEqual(inputs, {
    ...Object.fromEntries(wire.TEXTS.map((name) => [name, ""])),
    months: "18",
    versions: VERSIONS,
  });
});

test("a row that nothing was written into is not told, and stays", async () => {
  const { state, model } = await planner();
  const versions = [...VERSIONS, wire.emptyRow()];
  state.edit({ versions });
  assert.deepEqual(model.saved, [{ versions: VERSIONS }]);

  assert.deepEqual(state.inputs().versions, versions);
});

test("an empty row between others is told, so that errors name the rows as they stand", async () => {
  const { state, model } = await planner();
  const versions = [wire.emptyRow(), ...VERSIONS];
  state.edit({ versions });

  assert.deepEqual(model.saved, [{ versions }]);
});

test("a quick frame moves everything but the texts and the table", async () => {
  const { state, answer } = await planner();
  state.edit({ at: "2027-01-01" }, "move");
  const moment = {
    text: "On 1 January 2027",
    previous: null,
    next: { at: "2027-06-01", title: "v1 removal" },
  };
  await answer({ picture: { ...PICTURE, alt: "", quick: true }, moment });
  const frame = state.frames.frame();

  assert.deepEqual([frame?.moment, frame?.texts[0]?.text, frame?.events], [moment, "# Soon", true]);
  assert.deepEqual([state.frames.fresh(), state.frames.whole()], [true, false]);
  assert.equal(state.frames.picture()?.alt, "Two versions");
});

test("dragging through time saves the date once, when the slider rests", async () => {
  const { state, model, answer } = await planner();
  for (const at of ["2027-01-01", "2027-02-01", "2027-03-01"]) state.edit({ at }, "move");
  await answer({ picture: { ...PICTURE, quick: true } });
  assert.deepEqual(model.saved, []);
  mock.timers.tick(PAUSE_MS.move);

  assert.deepEqual(model.saved, [{ at: "2027-03-01" }]);
});

test("the next release comes below the versions, in the place of empty rows", async () => {
  const { state, model } = await planner();
  state.edit({ versions: [...VERSIONS, wire.emptyRow()] });
  addRelease(state, { version: "3", released: "2026-12-01" });
  state.settle();

  const added = ["3", "2026-12-01", "", "", "stable", ""];
  assert.deepEqual(state.inputs().versions, [...VERSIONS, added]);
  assert.deepEqual(model.saved.at(-1), { versions: [...VERSIONS, added] });
});

test("a locked list of versions cannot be edited", async () => {
  const { state, model } = await planner({ locked: ["versions"] });
  state.edit({ versions: [], months: "24" });

  assert.deepEqual([model.saved, state.inputs().versions], [[{ months: "24" }], VERSIONS]);
});

test("a text is saved as the file that the kernel names, and no other kind of file is", async () => {
  const { state, model, screen } = await planner();
  const saved = state.download({ format: "md", text: "reminder" });
  model.answer("export", { filename: "orders-v1-reminder.md", media_type: "text/markdown" }, [
    utf8("# Soon"),
  ]);
  await saved;
  assert.deepEqual(screen.files, [[utf8("# Soon"), "orders-v1-reminder.md", "text/markdown"]]);
  assert.equal(model.asked("export")?.args?.text, "reminder");
  const rejected = state.download({ format: "ics" });
  model.answer("export", { filename: "x.html", media_type: "text/html" }, [utf8("<b>")]);
  await rejected;

  assert.equal(screen.files.length, 1);
  assert.match(state.trouble(), /cannot be read/);
});

test("what was typed is put back after a restart, and not into a calculator", async () => {
  const first = await planner({ name: "Kept" });
  first.state.edit({ months: "24" });
  first.model.emit("comm_live_update");
  mock.timers.tick(3000);
  await settled();
  assert.equal(first.state.kernel(), "gone");
  const second = await planner({ name: "Kept" });

  assert.equal(second.state.typedBefore()?.months, "24");
});

test("rows are read as six texts, whatever a state holds", () => {
  assert.deepEqual(
    [["x"], "x", [["1"]], [], [[1, 2]], null].map((value) => wire.inputs.read("versions", value)),
    [
      [wire.emptyRow()],
      [wire.emptyRow()],
      [["1", "", "", "", "stable", ""]],
      [wire.emptyRow()],
      [wire.emptyRow()],
      [wire.emptyRow()],
    ],
  );
});

test("a frame is read as far as it goes: missing parts are empty", () => {
  const read = wire.frame({
    versions: [{ row: 0, version: "1", title: "v1", level: "ok", status: "active" }],
  });

  assert.deepEqual(read.versions[0]?.advisories, []);
  assert.deepEqual([read.answer, read.texts, read.moment.next, read.events], [null, [], null, false]);
  assert.throws(() => wire.frame({ answer: { title: "GET /", status: "200" } }), /answer: status/);
});

test("a date and a place are named as in the form", async () => {
  const { state } = await planner();

  assert.deepEqual(
    ["versions.0.deprecated", "versions.7.released", "versions", "months", "base_url", ""].map((field) =>
      where(state, field),
    ),
    ["Deprecated, v1", "Versions", "Versions", "Notice period (months)", "Base url", ""],
  );
  assert.deepEqual([labelOf(state, "zone"), columnOf(state, "stage")], ["Zone", "Stage"]);
  assert.deepEqual([wire.rowName("v2", 0), wire.rowName("", 3)], ["v2", "row 4"]);
});

test("a saved row of five texts has no brownouts, and a row with brownouts is not empty", () => {
  const [read] = wire.inputs.read("versions", [["1", "", "2026-06-01", "", "preview"]]) as wire.Row[];

  assert.deepEqual(read, ["1", "", "2026-06-01", "", "preview", ""]);
  assert.equal(wire.isEmpty(["", "", "", "", "preview", ""]), true);
  assert.equal(wire.isEmpty(["", "", "", "", "stable", "2027-03-01 10:00 for 1h"]), false);
});
