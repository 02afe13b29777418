import assert from "node:assert/strict";
import { test } from "node:test";
import { nothing } from "../src/core/rpc.js";
import { createRandomizer } from "../src/generator/randomizer.js";
import { createRewrites } from "../src/generator/rewriting.js";
import { createState } from "../src/generator/state.js";
import { FakeModel, settled, utf8 } from "./support.js";

const PARAMS = ["amount", "email"].map((name) => ({ name, title: name, kind: "text", hint: "" }));
const bytes = (text: string) => new DataView(new Uint8Array(utf8(text)).buffer);

/** A widget whose kernel knows of a provider with two parameters, and shows its sample. */
async function open({ edited = false } = {}) {
  const body = bytes("sample");
  const model = new FakeModel({ provider: "shop", event: "order", body, revision: "kernel:0" });
  const state = createState(model, new AbortController().signal);
  const rewrites = createRewrites(state);
  const randomizer = createRandomizer(state, rewrites);
  state.provider();
  const key = { type: "secret", title: "Key" };
  const provider = {
    id: "shop",
    title: "Shop",
    kind: "payment",
    confidence: {},
    key,
    schemes: [],
    events: [],
  };
  model.answer("provider", { provider: { ...provider, params: PARAMS } });
  let n = 0;
  /** A draft of the current inputs. */
  const tell = () => model.tell({ op: "draft", revision: state.inputs.revision(), error: null, edited });
  /** Answers a rewrite as the kernel does. */
  const answer = async (op: string, text: string, value: object = {}) => {
    model.push({ body: bytes(text), revision: `kernel:${++n}` });
    tell();
    model.answer(op, value);
    await settled();
  };
  tell();
  await settled();
  return { model, state, rewrites, randomizer, tell, answer };
}

test("rewrites are taken back one after the other, each to the bytes before it", async () => {
  const { state, rewrites, tell, answer } = await open();
  for (const [what, text] of [
    ["Format", "formatted"],
    ["Minify", "minified"],
  ] as const) {
    const running = rewrites.run(what, "format", {}, nothing);
    await settled();
    await answer("format", text);
    await running;
  }
  const seen = [];
  while (rewrites.last()) {
    seen.push(rewrites.last());
    rewrites.undo();
    seen.push(state.body().text);
    tell();
  }

  assert.deepEqual(seen, ["Minify", "formatted", "Format", "sample"]);
});

test("a rewrite that changes nothing, or fails, is nothing to take back", async () => {
  const { model, rewrites, answer } = await open();
  const same = rewrites.run("Format", "format", {}, nothing);
  await settled();
  await answer("format", "sample");
  await same;
  const failing = rewrites.run("Minify", "minify", {}, nothing).catch((error) => error.message);
  await settled();
  model.reject("minify", { code: "invalid_json", text: "no JSON" });

  assert.equal(await failing, "no JSON");
  assert.equal(rewrites.last(), "");
});

test("what was rewritten in another event is not put into this one", async () => {
  const { model, state, rewrites, answer } = await open();
  const running = rewrites.run("Format", "format", {}, nothing);
  await settled();
  await answer("format", "formatted");
  await running;
  model.push({ event: "refund", body: bytes("another sample"), revision: "kernel:9" });
  assert.equal(rewrites.last(), "");
  rewrites.undo();
  assert.equal(state.body().text, "another sample");
  model.push({ event: "order", revision: "kernel:10" });

  assert.equal(rewrites.last(), "Format");
});

test("empty fields follow the seed, and show what it has put in until there is another", async () => {
  const { model, randomizer, answer } = await open();
  randomizer.set("amount", "25.0");
  void randomizer.apply();
  await settled();
  assert.deepEqual(model.asked("randomize")?.args, { seed: 1, values: { amount: "25.0", email: "" } });
  await answer("randomize", "varied", { values: { amount: "25", email: "grace@example.org" } });
  assert.deepEqual([randomizer.value("amount"), randomizer.value("email")], ["25", "grace@example.org"]);
  randomizer.setSeed("");
  assert.deepEqual([randomizer.value("amount"), randomizer.value("email")], ["25", ""]);
  void randomizer.apply();
  await settled();

  assert.deepEqual(model.asked("randomize")?.args, { seed: null, values: { amount: "25", email: "" } });
});

test("a field that was emptied is filled again, and one that this event lacks keeps its text", async () => {
  const { randomizer, answer } = await open();
  randomizer.set("amount", "");
  randomizer.set("email", "ada@example.com");
  void randomizer.apply();
  await settled();
  assert.equal(randomizer.lacks("email"), false);
  await answer("randomize", "varied", { values: { amount: "700" } });

  assert.deepEqual([randomizer.value("amount"), randomizer.lacks("amount")], ["700", false]);
  assert.deepEqual([randomizer.value("email"), randomizer.lacks("email")], ["ada@example.com", true]);
});

test("without a seed, an empty field is not told to be missing", async () => {
  const { randomizer, answer } = await open();
  randomizer.setSeed("");
  randomizer.set("amount", "7");
  void randomizer.apply();
  await settled();
  await answer("randomize", "varied", { values: { amount: "7" } });

  assert.deepEqual([randomizer.value("email"), randomizer.lacks("email")], ["", false]);
});

test("what is typed while the kernel works stays", async () => {
  const { randomizer, answer } = await open();
  randomizer.set("amount", "1");
  void randomizer.apply();
  await settled();
  randomizer.set("amount", "12");
  await answer("randomize", "varied", { values: { amount: "1", email: "" } });

  assert.equal(randomizer.value("amount"), "12");
});

test("another seed is a new number each time", async () => {
  const { randomizer } = await open();
  const seeds = Array.from({ length: 20 }, () => {
    randomizer.another();
    return randomizer.seed();
  });

  assert.ok(seeds.every((seed) => /^\d{1,6}$/.test(seed)));
  assert.ok(new Set(seeds).size > 10);
});

test("an edited body is replaced only when somebody agrees, and can be had back", async () => {
  const { model, state, rewrites, randomizer, answer } = await open({ edited: true });
  void randomizer.apply();
  await settled();
  assert.equal(randomizer.asking(), true);
  randomizer.keep();
  assert.deepEqual([randomizer.asking(), model.asked("randomize")], [false, undefined]);
  void randomizer.apply(true);
  await settled();
  await answer("randomize", "varied", { values: {} });
  assert.equal(state.body().text, "varied");
  rewrites.undo();

  assert.equal(state.body().text, "sample");
});

test("whether a body is edited is asked of the kernel once it knows the last key", async () => {
  const { model, state, randomizer, tell } = await open();
  state.edit({ body: utf8("typed") }, 250);
  void randomizer.apply();
  await settled();
  assert.equal(model.asked("randomize"), undefined);
  tell();
  await settled();

  assert.ok(model.asked("randomize"));
});

test("a value that cannot be put in is told at its field, until it is changed", async () => {
  const { model, randomizer } = await open();
  randomizer.set("amount", "much");
  void randomizer.apply();
  await settled();
  model.reject("randomize", { code: "bad_value", text: "no number", field: "params.amount" });
  await settled();
  const { field, text } = randomizer.fault() ?? {};
  assert.deepEqual([field, text], ["params.amount", "no number"]);
  randomizer.set("amount", "5");

  assert.equal(randomizer.fault(), null);
});

for (const seed of ["seven", "-1", "1.5", "1234567890123456"]) {
  test(`“${seed}” is rejected as a seed before the kernel is asked`, async () => {
    const { model, randomizer } = await open();
    randomizer.setSeed(seed);
    await randomizer.apply();

    assert.equal(randomizer.fault()?.field, "seed");
    assert.equal(model.asked("randomize"), undefined);
  });
}
