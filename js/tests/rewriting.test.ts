import assert from "node:assert/strict";
import { test } from "node:test";
import { nothing } from "../src/core/rpc.js";
import { createRewrites } from "../src/generator/rewriting.js";
import { createState } from "../src/generator/state.js";
import { createVarying } from "../src/generator/varying.js";
import { FakeModel, settled, utf8 } from "./support.js";

const PARAMS = ["amount", "email"].map((name) => ({ name, title: name, kind: "text", hint: "" }));
const bytes = (text: string) => new DataView(new Uint8Array(utf8(text)).buffer);

/** A widget whose kernel knows of a provider with two parameters, and shows its sample. */
async function open({ edited = false } = {}) {
  const body = bytes("sample");
  const model = new FakeModel({ provider: "shop", event: "order", body, revision: "kernel:0" });
  const state = createState(model, new AbortController().signal);
  const rewrites = createRewrites(state);
  const varying = createVarying(state, rewrites);
  state.provider();
  const key = { type: "secret", title: "Key" };
  const provider = { id: "shop", title: "Shop", kind: "payment", key, schemes: [], events: [] };
  model.answer("provider", { provider: { ...provider, params: PARAMS } });
  let n = 0;
  /** The draft of what is there now. */
  const tell = () => model.tell({ op: "draft", revision: state.inputs.revision(), error: null, edited });
  /** What the kernel does when it rewrites the body. */
  const answer = async (op: string, text: string, value: object = {}) => {
    model.push({ body: bytes(text), revision: `kernel:${++n}` });
    tell();
    model.answer(op, value);
    await settled();
  };
  tell();
  await settled();
  return { model, state, rewrites, varying, tell, answer };
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
  const { model, varying, answer } = await open();
  varying.set("amount", "25.0");
  void varying.apply();
  await settled();
  assert.deepEqual(model.asked("vary")?.args, { seed: 1, values: { amount: "25.0", email: "" } });
  await answer("vary", "varied", { values: { amount: "25", email: "grace@example.org" } });
  assert.deepEqual([varying.value("amount"), varying.value("email")], ["25", "grace@example.org"]);
  varying.setSeed("");
  assert.deepEqual([varying.value("amount"), varying.value("email")], ["25", ""]);
  void varying.apply();
  await settled();

  assert.deepEqual(model.asked("vary")?.args, { seed: null, values: { amount: "25", email: "" } });
});

test("a field that was emptied is filled again, and one that this event lacks keeps its text", async () => {
  const { varying, answer } = await open();
  varying.set("amount", "");
  varying.set("email", "ada@example.com");
  void varying.apply();
  await settled();
  assert.equal(varying.lacks("email"), false);
  await answer("vary", "varied", { values: { amount: "700" } });

  assert.deepEqual([varying.value("amount"), varying.lacks("amount")], ["700", false]);
  assert.deepEqual([varying.value("email"), varying.lacks("email")], ["ada@example.com", true]);
});

test("without a seed, an empty field is not told to be missing", async () => {
  const { varying, answer } = await open();
  varying.setSeed("");
  varying.set("amount", "7");
  void varying.apply();
  await settled();
  await answer("vary", "varied", { values: { amount: "7" } });

  assert.deepEqual([varying.value("email"), varying.lacks("email")], ["", false]);
});

test("what is typed while the kernel works stays", async () => {
  const { varying, answer } = await open();
  varying.set("amount", "1");
  void varying.apply();
  await settled();
  varying.set("amount", "12");
  await answer("vary", "varied", { values: { amount: "1", email: "" } });

  assert.equal(varying.value("amount"), "12");
});

test("another seed is a new number each time", async () => {
  const { varying } = await open();
  const seeds = Array.from({ length: 20 }, () => {
    varying.another();
    return varying.seed();
  });

  assert.ok(seeds.every((seed) => /^\d{1,6}$/.test(seed)));
  assert.ok(new Set(seeds).size > 10);
});

test("an edited body is replaced only when somebody agrees, and can be had back", async () => {
  const { model, state, rewrites, varying, answer } = await open({ edited: true });
  void varying.apply();
  await settled();
  assert.equal(varying.asking(), true);
  varying.keep();
  assert.deepEqual([varying.asking(), model.asked("vary")], [false, undefined]);
  void varying.apply(true);
  await settled();
  await answer("vary", "varied", { values: {} });
  assert.equal(state.body().text, "varied");
  rewrites.undo();

  assert.equal(state.body().text, "sample");
});

test("whether a body is edited is asked of the kernel once it knows the last key", async () => {
  const { model, state, varying, tell } = await open();
  state.edit({ body: utf8("typed") }, 250);
  void varying.apply();
  await settled();
  assert.equal(model.asked("vary"), undefined);
  tell();
  await settled();

  assert.ok(model.asked("vary"));
});

test("a value that cannot be put in is told at its field, until it is changed", async () => {
  const { model, varying } = await open();
  varying.set("amount", "much");
  void varying.apply();
  await settled();
  model.reject("vary", { code: "bad_value", text: "no number", field: "params.amount" });
  await settled();
  const { field, text } = varying.fault() ?? {};
  assert.deepEqual([field, text], ["params.amount", "no number"]);
  varying.set("amount", "5");

  assert.equal(varying.fault(), null);
});

for (const seed of ["seven", "-1", "1.5", "1234567890123456"]) {
  test(`“${seed}” is rejected as a seed before the kernel is asked`, async () => {
    const { model, varying } = await open();
    varying.setSeed(seed);
    await varying.apply();

    assert.equal(varying.fault()?.field, "seed");
    assert.equal(model.asked("vary"), undefined);
  });
}
