import assert from "node:assert/strict";
import { test } from "node:test";
import * as curves from "../../src/crypto/curves.js";
import { mac } from "../../src/crypto/primitives.js";
import { LIMITS } from "../../src/vault/budget.js";
import { createVault, VaultError } from "../../src/vault/client.js";
import type { FromKeeper } from "../../src/vault/protocol.js";
import { hex, utf8 } from "../support.js";
import { connectDirectly, factsFor, listen, typeSecret, until } from "./support.js";

const CANARY = "canary-4f8a2c71";
const FACTS = factsFor("shop");
const JOB = { scheme: "v1", field: "signature" };

function open(loadCurves?: () => Promise<typeof curves>) {
  const heard: FromKeeper[] = [];
  const clock = { now: 0, changes: 0 };
  const connect = connectDirectly(heard, loadCurves, () => clock.now);
  const count = () => {
    clock.changes += 1;
  };
  return { heard, clock, vault: createVault(connect, count, () => {}) };
}

const sign = (vault: ReturnType<typeof open>["vault"], messages = [utf8("x")]) =>
  vault.request("sign", { slot: "shop", jobs: messages.map(() => JOB), messages });

test("what is typed into a field is signed with, and no message to the page holds it", async () => {
  const { vault, heard } = open();
  await typeSecret({ vault }, FACTS, CANARY);

  const [signature = utf8("")] = await sign(vault);
  assert.equal(hex(signature), hex(mac("hmac-sha256", utf8(CANARY), [utf8("x")])));
  assert.ok(!JSON.stringify(heard).includes(CANARY.slice(0, 8)));
  const states = heard.filter((message) => "op" in message && message.op === "state");
  assert.ok(!JSON.stringify(states).includes(String(CANARY.length)));
});

test("the keeper answers requests that it does not know, and tells nothing of why a job failed", async () => {
  const { vault } = open();
  await typeSecret({ vault }, FACTS, CANARY);
  const rejected = (error: VaultError) => {
    assert.ok(error instanceof VaultError);
    assert.ok(!error.message.includes(CANARY));
    return true;
  };

  await assert.rejects(vault.request("reveal" as never, { slot: "shop" } as never), rejected);
  await assert.rejects(vault.request("sign", { slot: "shop", jobs: 7, messages: [] } as never), rejected);
  await assert.rejects(vault.request("constructor" as never, {} as never), rejected);
});

test("too many questions in a minute pause the secret until somebody goes on in its field", async () => {
  const { vault, clock } = open();
  const port = await typeSecret({ vault }, FACTS, CANARY);
  const many = Array.from({ length: LIMITS.sign }, () => utf8("x"));
  await sign(vault, many);
  await assert.rejects(sign(vault), { code: "paused" });
  await until(() => vault.slot("shop").paused);
  clock.now = 120_000; // waiting does not help: somebody has to look
  await assert.rejects(sign(vault), { code: "paused" });
  port.postMessage({ op: "resume" });
  await until(() => !vault.slot("shop").paused);

  assert.equal((await sign(vault)).length, 1);
  assert.ok(clock.changes > 1, "the kernel was not asked for a new preview");
});

test("a new secret in another field empties the older one's claim", async () => {
  const { vault } = open();
  const states: boolean[] = [];
  const first = await typeSecret({ vault }, FACTS, "one");
  listen(first, ({ newest }) => states.push(newest));
  await typeSecret({ vault }, FACTS, "two");
  await until(() => states.length > 1);

  assert.equal(states.at(-1), false);
});

test("the recognised provider is pinned once for each pasted request", async () => {
  const { vault } = open();
  await typeSecret({ vault }, { ...FACTS, provider: "", schemes: {} }, "6b6579");
  const unknown = { slot: "", jobs: [JOB], messages: [utf8("x")] };
  const request = { url: "", method: "POST", headers: "", body: utf8(""), sent: null, publicKey: "" };
  await vault.request("redact", { request, places: [] });
  await vault.request("pin", { facts: factsFor("shop", "hmac-sha256", { form: "hex" }) });
  await vault.request("pin", { facts: factsFor("other", "hmac-sha1") });
  const [pinned = utf8("")] = await vault.request("sign", unknown);
  assert.equal(hex(pinned), hex(mac("hmac-sha256", utf8("key"), [utf8("x")])));
  await vault.request("redact", { request, places: [] });
  await vault.request("pin", { facts: factsFor("other", "hmac-sha1") });

  const [next = utf8("")] = await vault.request("sign", unknown);
  assert.equal(hex(next), hex(mac("hmac-sha1", utf8("6b6579"), [utf8("x")])));
});

test("a key pair is made in the keeper, with the lazy part, and its public key is told", async () => {
  const { vault, heard } = open(async () => curves);
  const facts = factsFor("a", "ed25519", { pair: "ed25519" });
  const making = vault.request("pair", { slot: "a", facts });
  await until(() => heard.some((message) => "op" in message && message.op === "curves"));
  (await vault.connect()).post({ op: "curves", source: "" });
  await making;

  await until(() => vault.slot("a").held.state === "pair");
});

test("a vault that is closed has no secrets, and rejects what it was asked", async () => {
  const { vault } = open();
  await typeSecret({ vault }, FACTS, CANARY);
  const waiting = vault.request("match", { slot: "shop", questions: [], buffers: [] });
  await until(() => vault.slot("shop").held.state === "usable");
  vault.close("now");
  await waiting.catch(() => {}); // it may have been answered before
  assert.deepEqual(vault.slot("shop").held, { state: "none" });

  await assert.rejects(sign(vault), { code: "unknown_field" });
});
