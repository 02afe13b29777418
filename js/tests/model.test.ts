import assert from "node:assert/strict";
import { test } from "node:test";
import { nothing } from "../src/core/rpc.js";
import { createState } from "../src/generator/state.js";
import { CANARY, draft, hold, open, signed, TRAITS } from "./model-support.js";
import { FakeModel, hex, settled, utf8 } from "./support.js";

test("a new state asks for the catalogue and a draft, and waits for neither", () => {
  const { model } = open();

  assert.deepEqual(
    model.sent.map(({ content }) => content.op),
    ["catalog", "history", "preview"],
  );
});

test("a provider is asked for once, when something wants to know of it", async () => {
  const { model, state } = open();
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

  assert.equal(state.provider(), null);
  assert.equal(state.provider(), null);
  assert.deepEqual(
    model.sent.filter(({ content }) => content.op === "provider").map(({ content }) => content.args),
    [{ id: "shop" }],
  );
  model.answer("provider", { provider });
  await settled();
  assert.equal(state.provider()?.title, "Shop");
});

test("an edit is one update with a revision of this tab", () => {
  const { model, state } = open();
  state.edit({ url: "https://example.com/", verify_tls: false });
  state.edit({ event: "refund" });

  const [first, second] = model.saved;
  assert.equal(model.saved.length, 2);
  assert.deepEqual(
    { ...first, revision: "" },
    { url: "https://example.com/", verify_tls: false, revision: "" },
  );
  assert.match(String(first?.revision), /^[0-9a-f]{8}:1$/);
  assert.equal(String(second?.revision).split(":")[1], "2");
});

test("the first key in a payload is saved at once, those after it once they pause, or when it matters", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { model, state } = open();
  state.edit({ body: utf8("1") }, 250);
  assert.equal(model.saved.length, 0);
  t.mock.timers.tick(20);
  assert.equal(model.saved.length, 1);
  state.edit({ body: utf8("12") }, 250);
  t.mock.timers.tick(249);
  state.edit({ body: utf8("123") }, 250);
  t.mock.timers.tick(249);
  assert.equal(model.saved.length, 1);
  t.mock.timers.tick(1);
  assert.equal(model.saved.length, 2);
  state.edit({ body: utf8("1234") }, 250);
  void state.upToDate();

  assert.equal(model.saved.length, 3);
});

test("an address that is typed is saved once it pauses, from its first key on", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { model, state } = open();
  state.edit({ url: "h" }, 250);
  t.mock.timers.tick(249);
  assert.equal(model.saved.length, 0);
  t.mock.timers.tick(1);

  assert.equal(model.saved.length, 1);
});

test("the kernel rewrites only what it knows", async () => {
  const { model, state } = open();
  state.edit({ body: utf8("[1]") }, 250);
  void state.rewrite("format", {}, nothing);
  await settled();
  assert.equal(model.asked("format"), undefined);
  model.tell(draft(state.inputs.revision()));
  await settled();

  assert.ok(model.asked("format"));
});

test("what was typed stays until a draft has shown that the kernel knows it", async () => {
  const { model, state } = open();
  state.edit({ body: utf8("typed") });
  model.push({ body: new DataView(new Uint8Array(utf8("older")).buffer), revision: "kernel:7" });
  await settled();
  assert.equal(state.body().text, "typed");
  model.tell(draft(state.inputs.revision()));
  model.push({ body: new DataView(new Uint8Array(utf8("newer")).buffer), revision: "kernel:8" });

  assert.deepEqual([state.body().text, state.inputs.revision()], ["newer", "kernel:8"]);
});

test("a body travels as bytes with a buffer of exactly their own", () => {
  const { model, state } = open();
  state.edit({ body: utf8("é").subarray(0, 2) });
  const { body } = model.saved[0] as { body: DataView };

  assert.equal(hex(new Uint8Array(body.buffer)), "c3a9");
});

test("outputs are fresh only for the revision the inputs have", () => {
  const { model, state } = open();
  assert.equal(state.draftFresh(), false);
  model.tell(draft("kernel:0"));
  assert.deepEqual([state.draftFresh(), state.signedFresh()], [true, false]);
  model.tell(signed("kernel:0"));
  assert.equal(state.signedFresh(), true);
  state.edit({ url: "http://127.0.0.1/other" }, 250);
  assert.deepEqual([state.draftFresh(), state.signedFresh()], [false, false]);
  model.tell(draft("kernel:0"));
  model.tell(signed("kernel:0"));
  assert.deepEqual([state.draftFresh(), state.signedFresh()], [false, false]);
  model.tell(draft(state.inputs.revision()));

  assert.deepEqual([state.draftFresh(), state.signedFresh()], [true, false]);
});

test("a signature does not outlive the draft it was made for", () => {
  const { model, state } = open();
  model.tell(draft("kernel:0"));
  model.tell(signed("kernel:0"));
  model.tell(draft("kernel:0"));

  assert.equal(state.signedFresh(), false);
});

test("a body with its signature inside is the one that the kernel tells", () => {
  const { model, state } = open();
  model.tell(draft("kernel:0"));
  model.tell(signed("kernel:0"));
  assert.deepEqual(state.sentBody(), utf8("{}"));
  model.tell({ ...signed("kernel:0"), body_note: "inside" });
  assert.equal(state.sentBody(), null);
  model.tell({ ...signed("kernel:0"), body_note: "inside" }, [utf8('{"signature":"aa"}')]);

  assert.deepEqual(state.sentBody(), utf8('{"signature":"aa"}'));
});

test("a late signature of an older revision changes nothing", () => {
  const { model, state } = open();
  state.edit({ event: "refund" });
  model.tell(draft(state.inputs.revision()));
  model.tell(signed("kernel:0"));

  assert.equal(state.signedFresh(), false);
});

test("outputs are stale while the kernel rewrites the body", async () => {
  const { model, state } = open();
  model.tell(draft("kernel:0"));
  const rewriting = state.rewrite("format", {}, nothing);
  assert.equal(state.draftFresh(), false);
  await settled();
  model.push({ body: new DataView(new Uint8Array(utf8("{ }")).buffer), revision: "kernel:1" });
  model.tell(draft("kernel:1"));
  model.answer("format", {});
  await rewriting;

  assert.deepEqual([state.draftFresh(), state.body().text], [true, "{ }"]);
});

test("an edit of another tab is followed", () => {
  const { model, state } = open();
  model.push({ url: "https://example.com/other", revision: "other:1" });

  assert.deepEqual([state.inputs.url(), state.inputs.revision()], ["https://example.com/other", "other:1"]);
});

test("a kernel's revision that crossed a newer edit does not keep its draft from being fresh", () => {
  const { model, state } = open();
  state.edit({ url: "http://127.0.0.1/newer" });
  const revision = state.inputs.revision();
  model.push({ revision: "kernel:5" });
  model.tell(draft(revision));

  assert.equal(state.draftFresh(), true);
});

test("what was typed but not yet told wins over what comes meanwhile", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { model, state } = open();
  state.edit({ body: utf8("typed here") }, 250);
  model.push({ body: new DataView(new Uint8Array(utf8("from elsewhere")).buffer), revision: "kernel:5" });
  await settled();
  t.mock.timers.tick(250);

  assert.equal(state.body().text, "typed here");
  assert.equal(new TextDecoder().decode(model.traits.body as DataView), "typed here");
  assert.match(String(model.traits.revision), /^[0-9a-f]{8}:2$/);
});

test("the last view takes the secret with it, and the kernel's signature, unless a view comes back soon", async (t) => {
  const { model, state } = open();
  const [first, second] = [state.openView(), state.openView()];
  await hold(state);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  first();
  t.mock.timers.tick(2000);
  assert.equal(state.has("shop"), true);
  for (let asked = 0; asked < 2; asked++) {
    model.answer("preview", {});
    await settled();
  }
  model.sent.length = 0;
  second();
  t.mock.timers.tick(1999);
  const again = state.openView(); // the cell was moved
  t.mock.timers.tick(2000);
  assert.equal(state.has("shop"), true);
  again();
  t.mock.timers.tick(2000);

  assert.equal(state.has("shop"), false);
  assert.ok(model.asked("preview"));
});

test("hostile messages are told in words and break nothing", () => {
  const { model, state } = open();
  model.tell(draft("kernel:0"));
  for (const content of [
    { op: "draft" },
    { op: "draft", revision: 7 },
    { op: "signed", revision: "kernel:0", headers: "x" },
    { op: "delivery", record: { n: "<b>" } },
    { op: "__proto__" },
    { op: "toString" },
    { op: { toString: null } },
    [{ op: "draft" }],
    null,
  ]) {
    model.tell(content, [utf8("x")]);
  }

  assert.equal(state.draftFresh(), true);
  assert.match(state.trouble(), /cannot be read/);
});

test("hostile traits are read as if they were not set", () => {
  const { state } = open({
    provider: 7,
    headers: [["x"]],
    clock: { mode: "then" },
    locked: "all",
    body: "text",
  });

  assert.deepEqual(
    [
      state.inputs.provider(),
      state.inputs.headers(),
      state.inputs.clock().mode,
      state.inputs.locked(),
      state.body().text,
    ],
    ["", [], "now", [], ""],
  );
});

/** A delivery of the kernel. */
const record = (n: number) => ({
  n,
  url: "http://127.0.0.1/",
  method: "POST",
  status: 200,
  level: "ok",
  elapsed_s: 0.1,
});

test("deliveries are kept newest first, each once", () => {
  const { model, state } = open();
  for (const n of [1, 3, 2, 3]) model.tell({ op: "delivery", record: record(n) });

  assert.deepEqual(
    state.deliveries().map(({ n }) => n),
    [3, 2, 1],
  );
});

test("a tab that opens later gets the past deliveries, in one reply", async () => {
  const { model, state } = open();
  model.tell({ op: "delivery", record: record(3) });
  model.answer("history", { deliveries: [record(1), record(2)] });
  await settled();

  assert.deepEqual(
    state.deliveries().map(({ n }) => n),
    [3, 2, 1],
  );
});

test("typing a secret asks for a new preview and nothing else", async () => {
  const { model, state } = open();
  for (const op of ["history", "preview"]) model.answer(op, { deliveries: [] });
  await settled();
  model.sent.length = 0;
  await hold(state);
  await settled();

  assert.deepEqual(
    model.sent.map(({ content }) => content.op),
    ["preview"],
  );
});

test("a kernel that does not answer is waited for, in words, and forgiven", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { model, state } = open();
  model.answer("catalog", { providers: [] });
  model.answer("history", { deliveries: [] });
  model.answer("preview", {});
  model.tell(draft("kernel:0"));
  await settled();
  assert.equal(state.kernel(), "ready");
  state.edit({ event: "refund" });
  await settled();
  t.mock.timers.tick(1000);
  assert.equal(state.kernel(), "waiting");
  model.tell(draft(state.inputs.revision()));
  await settled();

  assert.equal(state.kernel(), "ready");
});

test("a kernel that was restarted is told from one that is busy", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { model, state } = open();
  model.emit("comm_live_update");
  t.mock.timers.tick(2999);
  assert.equal(state.kernel(), "waiting");
  t.mock.timers.tick(1);
  await settled();
  assert.equal(state.kernel(), "gone");
  assert.equal(state.body().text, "{}");
  model.tell(draft("kernel:0"));
  await settled();

  assert.notEqual(state.kernel(), "gone");
});

test("what a kernel that seemed gone did not answer is asked for again when it answers", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { model, state } = open();
  state.provider();
  const asked = (op: string) => model.sent.filter(({ content }) => content.op === op).length;
  assert.deepEqual([asked("provider"), asked("catalog")], [1, 1]);
  model.emit("comm_live_update");
  t.mock.timers.tick(3000);
  await settled();
  assert.equal(state.trouble(), "The kernel was restarted.");
  model.tell(draft("kernel:0"));
  await settled();
  state.provider();

  assert.deepEqual([asked("provider"), asked("catalog"), state.trouble()], [2, 2, ""]);
});

test("a page without a kernel shows what was saved, and everything is locked", () => {
  const model = new FakeModel(TRAITS);
  Object.assign(model, { send: undefined, save_changes: undefined });
  const state = createState(model, new AbortController().signal);

  assert.equal(state.kernel(), "none");
  assert.equal(state.body().text, "{}");
  assert.equal(state.locked("url"), true);
});

test("the end of a model leaves no listener and no secret behind, and tells the kernel what was typed", async () => {
  const { model, ends, state } = open();
  await hold(state);
  state.edit({ url: "http://127.0.0.1/last" }, 250);
  ends.abort();

  assert.equal(model.listenerCount(), 0);
  assert.equal(state.has("shop"), false);
  assert.equal(model.saved[0]?.url, "http://127.0.0.1/last");
});

test("what was typed before a restart is handed to the widget of the next run, once, and holds no secret", async () => {
  const { model, state, ends } = open();
  await hold(state);
  state.edit({ body: utf8('{"typed": 1}') });
  model.save_changes = () => {
    throw new Error("the line is cut");
  };
  state.edit({ url: "http://127.0.0.1/other" });
  await settled();
  ends.abort();
  const next = open().state.typedBefore();

  assert.equal(hex(next?.body ?? utf8("")), hex(utf8('{"typed": 1}')));
  assert.equal(next?.url, "http://127.0.0.1/other");
  assert.ok(!JSON.stringify(next).includes(CANARY));
  assert.equal(open().state.typedBefore(), null);
});

test("what was typed while the kernel only seemed gone is not offered to the next run", async () => {
  const { model, state, ends } = open();
  const { save_changes: save } = model;
  model.save_changes = () => {
    throw new Error("the line is cut");
  };
  state.edit({ url: "http://127.0.0.1/other" });
  await settled();
  assert.equal(state.kernel(), "gone");
  model.save_changes = save;
  model.tell(draft("kernel:0"));
  await settled();
  ends.abort();

  assert.equal(open().state.typedBefore(), null);
});
