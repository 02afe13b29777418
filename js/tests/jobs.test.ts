import assert from "node:assert/strict";
import { test } from "node:test";
import { mac } from "../src/crypto/primitives.js";
import { CANARY, hold, open, replies, signJob } from "./model-support.js";
import { hex, settled, utf8 } from "./support.js";
import { factsFor, typeSecret, until } from "./vault/support.js";

const replied = (model: ReturnType<typeof open>["model"], count: number) =>
  until(() => replies(model).length >= count);

test("a tab without a secret stays silent, with one it signs what it is given", async () => {
  const { model, state } = open();
  model.tell(signJob(), [utf8("message")]);
  await settled();
  assert.deepEqual(replies(model), []);
  await hold(state);
  model.tell(signJob(), [utf8("message")]);
  await replied(model, 1);

  const [reply] = replies(model);
  assert.deepEqual(reply?.content, { re: "job-1", ok: true, value: {} });
  assert.equal(
    hex(reply?.buffers[0] as Uint8Array),
    hex(mac("hmac-sha256", utf8(CANARY), [utf8("message")])),
  );
});

test("a job names whose secret it means", async () => {
  const { model, state } = open();
  await hold(state, CANARY, "other");
  model.tell(signJob({ provider: "shop" }), [utf8("message")]);
  await settled();
  assert.deepEqual(replies(model), []);
  model.tell(signJob({ provider: "other" }), [utf8("message")]);
  await replied(model, 1);

  assert.equal(replies(model).length, 1);
});

test("a job that cannot be done is answered, without a part of the secret", async () => {
  const { model, state } = open();
  await typeSecret(state, factsFor("shop", "hmac-sha256", { form: "hex" }), CANARY);
  model.tell(signJob(), [utf8("message")]);
  model.tell(signJob({ fields: "nonsense" }));
  model.tell(signJob({ fields: ["signature", "signature"] }), [utf8("message")]);
  model.tell(signJob({ scheme: "v2" }), [utf8("message")]);
  await replied(model, 4);

  assert.deepEqual(
    replies(model)
      .map(({ content }) => content.error?.code)
      .sort(),
    ["bad_key", "failed", "failed", "unknown_field"],
  );
  assert.ok(!JSON.stringify(model.sent).includes(CANARY));
});

test("key forms that a job brings along change nothing", async () => {
  const { model, state } = open();
  await hold(state);
  const forms = { form: "hex", strip_prefix: "c", edit: "to-hex", digest: "sha1", algorithm: "hmac-sha1" };
  model.tell(signJob({ ...forms, jobs: [{ field: "signature", ...forms }] }), [utf8("message")]);
  await replied(model, 1);

  assert.equal(
    hex(replies(model)[0]?.buffers[0] as Uint8Array),
    hex(mac("hmac-sha256", utf8(CANARY), [utf8("message")])),
  );
});

const MATCH = { scheme: "v1", field: "signature", variant: "", algorithm: "" };
const matchJob = (jobs: unknown[], more = {}) => ({
  id: "job-2",
  op: "match",
  args: { provider: "shop", jobs, ...more },
});

test("a match job finds the signature that is right in buffers that several jobs share", async () => {
  const { model, state } = open();
  await hold(state);
  const right = mac("hmac-sha256", utf8(CANARY), [utf8("1.body")]);
  const jobs = [
    { ...MATCH, message: [0, 1], presented: [2, 3] },
    { ...MATCH, message: [1], presented: [2, 3] },
    { ...MATCH, message: [0, 1], presented: [] },
    { ...MATCH, variant: "as-hex", message: [0, 1], presented: [3] },
    { ...MATCH, variant: "no such variant", message: [0, 1], presented: [3] },
    { ...MATCH, algorithm: "hmac-sha1", message: [0, 1], presented: [3] },
    { ...MATCH, message: [0, 1], presented: [3] },
  ];
  model.tell(matchJob(jobs), [utf8("1."), utf8("body"), utf8("wrong"), right]);
  await replied(model, 1);

  assert.deepEqual(replies(model)[0]?.content.value, { matches: [1, -1, -1, -1, -1, -1, 0] });
});

test("the secret of a request that nobody has recognised yet serves the provider it turns out to be", async () => {
  const { model, state } = open();
  await typeSecret(state, { ...factsFor(""), schemes: {} }, CANARY);
  await hold(state, "another", "other");
  const jobs = [{ ...MATCH, message: [0], presented: [1] }];
  const buffers = [utf8("a"), mac("hmac-sha256", utf8(CANARY), [utf8("a")])];
  const key = { type: "secret", title: "Key" };
  const signatures = [{ field: "signature", algorithm: "hmac-sha256" }];
  const ask = async (provider: string) => {
    const before = replies(model).length;
    const request = { url: "", method: "", headers: "", body: utf8(""), sent: null, publicKey: "" };
    await state.vault.request("redact", { request, places: [] });
    model.tell(matchJob(jobs, { provider }), buffers);
    await until(() => model.asked("provider")?.args?.id === provider || replies(model).length > before);
    const schemes = [{ name: "v1", signatures }];
    const known = { id: provider, title: "", kind: "", confidence: {}, key, schemes, events: [] };
    if (replies(model).length === before) model.answer("provider", { provider: known });
    await replied(model, before + 1);
  };
  model.tell(matchJob(jobs, { provider: "shop" }), buffers); // nothing is being verified: another tab is meant
  await settled();
  assert.deepEqual(replies(model), []);
  state.verifying.set("");
  await ask("shop");
  await ask("other");
  await state.vault.request("forget", { slot: "" });
  await ask("other");

  assert.deepEqual(
    replies(model).map(({ content }) => content.value),
    [{ matches: [0] }, { matches: [0] }, { matches: [-1] }],
  );
});

test("a match job that names a buffer which did not come is answered", async () => {
  const { model, state } = open();
  await hold(state);
  model.tell(matchJob([{ ...MATCH, message: [1], presented: [] }]), [utf8("a")]);
  await replied(model, 1);

  assert.deepEqual(replies(model)[0]?.content.error?.code, "failed");
});

test("the page lives while many guesses about a long body are tried", async () => {
  const { model, state } = open();
  await hold(state);
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

test("a token is released only for the delivery that this tab started, and only after somebody agreed", async () => {
  const { model, state } = open();
  const port = await typeSecret(state, factsFor("gate", "token"), CANARY);
  const job = (ticket: string) => ({
    id: `release-${ticket}`,
    op: "release",
    args: { provider: "gate", scheme: "v1", fields: ["signature"], host: "127.0.0.1:9", ticket },
  });
  for (const ticket of ["", "another tab's"]) model.tell(job(ticket), [utf8("")]);
  state.expectRelease("t-1");
  model.tell(job("t-2"), [utf8("")]);
  await settled();
  assert.equal(state.vault.slot("gate").asking, false);

  model.tell(job("t-1"), [utf8("")]);
  await until(() => state.vault.slot("gate").asking);
  assert.deepEqual(replies(model), []);
  port.postMessage({ op: "consent", id: 1, agreed: true });
  await replied(model, 1);

  const [reply] = replies(model);
  assert.equal(reply?.content.re, "release-t-1");
  assert.equal(Buffer.from(reply?.buffers[0] as Uint8Array).toString(), CANARY);
});
