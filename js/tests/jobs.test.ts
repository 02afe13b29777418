import assert from "node:assert/strict";
import { test } from "node:test";
import { mac } from "../src/primitives.js";
import { CANARY, open, replies, signJob } from "./model-support.js";
import { hex, settled, utf8 } from "./support.js";

test("a tab without a secret stays silent, with one it signs what it is given", async () => {
  const { model, state } = open();
  model.tell(signJob(), [utf8("message")]);
  await settled();
  assert.deepEqual(replies(model), []);
  state.holder.set("shop", CANARY);
  model.tell(signJob(), [utf8("message")]);
  await settled();

  const [reply] = replies(model);
  assert.deepEqual(reply?.content, { re: "job-1", ok: true, value: {} });
  assert.equal(
    hex(reply?.buffers[0] as Uint8Array),
    hex(mac("hmac-sha256", utf8(CANARY), [utf8("message")])),
  );
});

test("a job names whose secret it means", async () => {
  const { model, state } = open();
  state.holder.set("other", CANARY);
  model.tell(signJob({ provider: "shop" }), [utf8("message")]);
  await settled();
  assert.deepEqual(replies(model), []);
  model.tell(signJob({ provider: "other" }), [utf8("message")]);
  await settled();

  assert.equal(replies(model).length, 1);
});

test("a job that cannot be done is answered, without a part of the secret", async () => {
  const { model, state } = open();
  state.holder.set("shop", CANARY);
  const jobs = [{ field: "signature", algorithm: "hmac-sha256", form: "hex", strip_prefix: "" }];
  model.tell(signJob({ jobs }), [utf8("message")]);
  await settled();
  model.tell({ ...signJob({ jobs: "nonsense" }) });
  await settled();

  assert.deepEqual(
    replies(model).map(({ content }) => content.error?.code),
    ["bad_key", "failed"],
  );
  assert.ok(!JSON.stringify(model.sent).includes(CANARY));
});

const MATCH = { field: "signature", algorithm: "hmac-sha256", form: "utf8", strip_prefix: "" };
const matchJob = (jobs: unknown[], more = {}) => ({ id: "job-2", op: "match", args: { jobs, ...more } });

test("a match job finds the signature that is right in buffers that several jobs share", async () => {
  const { model, state } = open();
  state.holder.set("shop", CANARY);
  const right = mac("hmac-sha256", utf8(CANARY), [utf8("1.body")]);
  const jobs = [
    { ...MATCH, message: [0, 1], presented: [2, 3] },
    { ...MATCH, message: [1], presented: [2, 3] },
    { ...MATCH, message: [0, 1], presented: [] },
    { ...MATCH, form: "hex", lenient: true, message: [0, 1], presented: [3] },
    { ...MATCH, message: [0, 1], presented: [3] },
  ];
  const buffers = [utf8("1."), utf8("body"), utf8("wrong"), right];
  model.tell(matchJob(jobs), buffers);
  await settled();
  model.tell(matchJob(jobs, { first: true }), buffers);
  await settled();

  assert.deepEqual(
    replies(model).map(({ content }) => content.value),
    [{ matches: [1, -1, -1, -1, 0] }, { matches: [1, -1, -1, -1, -1] }],
  );
});

test("the secret of a request that nobody has recognised yet serves whatever provider it turns out to be", async () => {
  const { model, state } = open();
  state.holder.set("", CANARY);
  state.holder.set("other", "another");
  const jobs = [{ ...MATCH, message: [0], presented: [1] }];
  const buffers = [utf8("a"), mac("hmac-sha256", utf8(CANARY), [utf8("a")])];
  const ask = async (provider: string) => {
    model.tell(matchJob(jobs, { provider }), buffers);
    await settled();
  };
  await ask("shop"); // nothing is being verified: another tab is meant
  assert.deepEqual(replies(model), []);
  state.verifying.set("");
  await ask("shop");
  await ask("other");
  state.holder.clear("");
  await ask("other");

  assert.deepEqual(
    replies(model).map(({ content }) => content.value),
    [{ matches: [0] }, { matches: [0] }, { matches: [-1] }],
  );
});

test("a match job that names a buffer which did not come is answered", async () => {
  const { model, state } = open();
  state.holder.set("shop", CANARY);
  model.tell(matchJob([{ ...MATCH, message: [1], presented: [] }]), [utf8("a")]);
  await settled();

  assert.deepEqual(replies(model)[0]?.content.error?.code, "failed");
});

test("the page lives while many guesses about a long body are tried", async () => {
  const { model, state } = open();
  state.holder.set("shop", CANARY);
  const jobs = Array.from({ length: 40 }, () => ({ ...MATCH, message: [0], presented: [1] }));
  const heard = [0];
  model.tell(matchJob(jobs), [new Uint8Array(1 << 20), utf8("wrong")]);
  while (replies(model).length === 0) {
    await settled();
    if (state.matched() !== heard.at(-1)) heard.push(state.matched());
  }

  assert.ok(heard.length > 3, `only ${heard.length} turns of the page`);
  assert.deepEqual(
    heard,
    heard.toSorted((a, b) => a - b),
  );
});
