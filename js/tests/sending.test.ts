import assert from "node:assert/strict";
import { test } from "node:test";
import { createSender } from "../src/generator/sending.js";
import { draft, open } from "./model-support.js";
import { settled } from "./support.js";

test("a delivery waits until the kernel knows what was typed", async () => {
  const { model, state } = open();
  const sender = createSender(state);
  model.tell(draft("kernel:0"));
  state.edit({ url: "http://127.0.0.1/newer" }, 250);
  void sender.send();
  await settled();
  assert.equal(model.asked("send"), undefined);
  model.tell(draft(state.inputs.revision()));
  await settled();

  const { ticket, ...args } = model.asked("send")?.args ?? {};
  assert.deepEqual(args, { confirmed_host: null });
  assert.match(String(ticket), /^[0-9a-f]{16}$/);
});

test("a request with a wrong input is not sent, and an earlier one is", async () => {
  const { model, state } = open();
  const sender = createSender(state);
  void sender.send();
  model.tell(draft("kernel:0", { error: { code: "invalid_argument", text: "no URL", field: "url" } }));
  await settled();
  assert.deepEqual([model.asked("send"), sender.rejection(), sender.since()], [undefined, "", null]);
  void sender.send(4);
  await settled();

  assert.equal(model.asked("send")?.args?.again, 4);
});

test("a host outside is asked for by name before anything is sent there", async () => {
  const { model, state } = open();
  const sender = createSender(state);
  model.tell(draft("kernel:0"));
  void sender.send(4);
  await settled();
  model.reject("send", { code: "confirm_host", text: "Really?", host: "api.example.com" });
  await settled();
  assert.deepEqual(sender.question(), { host: "api.example.com", text: "Really?", again: 4, plan: null });
  void sender.send(4, "api.example.com");
  await settled();

  const { ticket: _, ...args } = model.asked("send")?.args ?? {};
  assert.deepEqual(args, { confirmed_host: "api.example.com", again: 4 });
});

test("a question about a host goes when the URL changes, also while the kernel asks it", async () => {
  const { model, state } = open();
  const sender = createSender(state);
  const ask = async () => {
    model.tell(draft(state.inputs.revision()));
    void sender.send();
    await settled();
  };
  const reply = () =>
    model.reject("send", { code: "confirm_host", text: "Really?", host: "api.example.com" });
  await ask();
  reply();
  await settled();
  assert.equal(sender.question()?.host, "api.example.com");
  state.edit({ url: "http://127.0.0.1/other" });
  await settled();
  assert.equal(sender.question(), null);

  await ask();
  state.edit({ url: "http://127.0.0.1/third" });
  reply();
  await settled();
  assert.equal(sender.question(), null);
});

test("one delivery runs at a time, and a rejection says why", async () => {
  const { model, state } = open();
  const sender = createSender(state);
  model.tell(draft("kernel:0"));
  void sender.send();
  void sender.send();
  await settled();
  assert.equal(model.sent.filter(({ content }) => content.op === "send").length, 1);
  model.reject("send", { code: "rejected", text: "That address is not allowed." });
  await settled();

  assert.deepEqual([sender.rejection(), sender.since()], ["That address is not allowed.", null]);
  state.edit({ url: "http://127.0.0.1/other" });
  await settled();
  assert.equal(sender.rejection(), "", "the reason is about the request before");
});

test("a rejection is spoken with the widget's own inputs first and general advice last", async () => {
  const { model, state } = open();
  const spoken: string[] = [];
  const sender = createSender({ ...state, say: (text) => spoken.push(text) });
  model.tell(draft("kernel:0"));
  void sender.send();
  await settled();
  model.answer("send", {
    n: 1,
    url: "http://127.0.0.1/",
    method: "POST",
    status: 400,
    reason: "Bad Request",
    level: "warn",
    elapsed_s: 0.1,
    own: ["The clock was 600 s behind.", "The payload is not valid."],
    quote: "stale timestamp",
    advice: "Rejected; often a signature mismatch.",
  });
  await settled();

  assert.deepEqual(spoken, [
    "400 Bad Request. The clock was 600 s behind. The payload is not valid. stale timestamp Rejected; often a signature mismatch.",
  ]);
});

test("a delivery that waits for a kernel that is gone ends", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { model, state } = open();
  const sender = createSender(state);
  void sender.send();
  model.emit("comm_live_update");
  t.mock.timers.tick(3000);
  await settled();

  assert.match(sender.rejection(), /No kernel/);
});
