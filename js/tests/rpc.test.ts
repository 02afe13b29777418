import assert from "node:assert/strict";
import { test } from "node:test";
import { record, text } from "../src/core/decoders.js";
import { hostOf } from "../src/core/host.js";
import { connect, latestOnly, nothing, PATIENCE_MS, type RpcError } from "../src/core/rpc.js";
import { FakeModel, settled, utf8 } from "./support.js";

function client(model = new FakeModel()) {
  const waiting: boolean[] = [];
  const host = hostOf(model, new AbortController().signal);
  const rpc = connect(host, "tab", (is) => waiting.push(is));
  host.onMessage((content, buffers) => {
    rpc.handleReply(content, buffers);
  });
  return { model, rpc, waiting };
}
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => assert.fail("it was answered"),
    (error: RpcError) => error,
  );

test("a request carries an id of the tab, and ends with the reply to it", async () => {
  const { model, rpc } = client();
  const reply = rpc.request("chunk", { name: "editor" }, record({ sha256: text }), { buffers: [utf8("x")] });
  model.answer("chunk", { sha256: "aa", more: 1 }, [utf8("code")]);

  assert.deepEqual(await reply, { value: { sha256: "aa" }, buffers: [utf8("code")] });
  assert.deepEqual(model.sent[0], {
    content: { id: "tab-1", op: "chunk", args: { name: "editor" } },
    buffers: [utf8("x")],
  });
});

test("replies may come in any order", async () => {
  const { model, rpc } = client();
  const both = Promise.all([rpc.request("a", {}, text), rpc.request("b", {}, text)]);
  model.answer("b", "second");
  model.answer("a", "first");

  assert.deepEqual(
    (await both).map(({ value }) => value),
    ["first", "second"],
  );
});

test("an error of the kernel comes with its code and the host to confirm", async () => {
  const { model, rpc } = client();
  const error = failure(rpc.request("send", {}, nothing));
  model.reject("send", { code: "confirm_host", text: "Send there?", host: "api.example.com" });

  const { code, message, host } = await error;
  assert.deepEqual([code, message, host], ["confirm_host", "Send there?", "api.example.com"]);
});

test("a reply of the wrong shape is an error, not a crash", async () => {
  const { model, rpc } = client();
  for (const value of [null, 7, [], { text: 7 }, { __proto__: { text: "x" } }]) {
    const error = failure(rpc.request("curl", {}, record({ text })));
    model.answer("curl", value);

    assert.equal((await error).code, "unreadable");
  }
  const error = failure(rpc.request("curl", {}, nothing));
  model.tell({ re: model.asked("curl")?.id, ok: "yes" });
  assert.equal((await error).code, "unreadable");
});

test("messages for other tabs, late ones and nonsense are passed over", () => {
  const { model, rpc } = client();
  for (const content of [
    null,
    undefined,
    7,
    "x",
    [],
    { re: 7 },
    { re: "other-1", ok: true },
    { re: "tab-9", ok: true },
  ]) {
    model.tell(content);
  }

  assert.equal(rpc.handleReply({ op: "draft" }, []), false);
  assert.equal(rpc.handleReply({ re: "other-1" }, []), true);
});

test("waiting is told after some patience, and ends with the last late answer", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { model, rpc, waiting } = client();
  const both = [rpc.request("a", {}, nothing), rpc.request("b", {}, nothing)];
  t.mock.timers.tick(PATIENCE_MS - 1);
  assert.deepEqual(waiting, []);
  t.mock.timers.tick(1);
  assert.deepEqual(waiting, [true, true]);
  model.answer("a", {});
  assert.deepEqual(waiting, [true, true]);
  model.answer("b", {});
  await Promise.all(both);

  assert.deepEqual(waiting, [true, true, false]);
});

test("what may rightly take long is never called waiting", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { rpc, waiting } = client();
  void rpc.request("send", {}, nothing, { slow: true });
  t.mock.timers.tick(60_000);

  assert.deepEqual(waiting, []);
});

test("without a way to send, a request fails at once", async () => {
  const model = new FakeModel();
  Object.assign(model, { send: undefined });

  assert.equal((await failure(client(model).rpc.request("ping", {}, nothing))).code, "gone");
});

test("a host that throws when sending is as good as none", async () => {
  const model = new FakeModel();
  model.send = () => {
    throw new Error("comm is disposed");
  };

  assert.equal((await failure(client(model).rpc.request("ping", {}, nothing))).code, "gone");
});

test("what is waited for ends when the kernel is given up", async () => {
  const { rpc } = client();
  const error = failure(rpc.request("curl", {}, nothing));
  rpc.abandon("The kernel was restarted.");

  assert.equal((await error).message, "The kernel was restarted.");
});

test("one call runs at a time, and of those that wait only the newest is made", async () => {
  const calls: number[] = [];
  const ends: (() => void)[] = [];
  const call = latestOnly((n: number) => {
    calls.push(n);
    return new Promise<void>((resolve) => ends.push(resolve));
  });
  for (const n of [1, 2, 3]) call(n);
  ends[0]?.();
  await settled();
  ends[1]?.();
  await settled();
  call(4);

  assert.deepEqual(calls, [1, 3, 4]);
});
