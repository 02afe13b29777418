import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import * as curves from "../src/curves.js";
import { mac } from "../src/primitives.js";
import { createHolder, faultOf, matchPublic, NoKey } from "../src/secret.js";
import { hex, utf8 } from "./support.js";

const CANARY = "canary-4f8a2c71";
const SPEC = { form: "utf8", strip_prefix: "" } as const;
const JOB = { ...SPEC, algorithm: "hmac-sha256" } as const;

test("a secret signs, and comes out of the holder in no other way", () => {
  const holder = createHolder();
  holder.set("shop", CANARY);

  assert.equal(
    hex(holder.sign("shop", JOB, utf8("body"), null)),
    hex(mac("hmac-sha256", utf8(CANARY), utf8("body"))),
  );
  for (const shown of [
    inspect(holder, { depth: 9, showHidden: true }),
    JSON.stringify(holder),
    String(holder),
  ]) {
    assert.ok(!shown.includes(CANARY));
  }
  for (const value of Object.values(holder)) assert.equal(typeof value, "function");
});

test("each provider has a slot of its own", () => {
  const holder = createHolder();
  holder.set("a", "one");

  assert.equal(holder.has("a"), true);
  assert.equal(holder.has("b"), false);
  assert.throws(() => holder.sign("b", JOB, utf8(""), null), NoKey);
});

test("a cleared or emptied secret is gone", () => {
  const holder = createHolder();
  for (const clear of [() => holder.clear("a"), () => holder.clearAll(), () => holder.set("a", "")]) {
    holder.set("a", CANARY);
    clear();

    assert.equal(holder.has("a"), false);
    assert.deepEqual(holder.describe("a", SPEC), { state: "none" });
  }
});

test("what is known of a secret is its length, or why it does not decode", () => {
  const holder = createHolder();
  holder.set("a", "é ");

  assert.deepEqual(holder.describe("a", SPEC), { state: "usable", bytes: 3, blanks: true });
  assert.equal(holder.describe("a", { form: "hex", strip_prefix: "" }).state, "malformed");
});

test("SHA-512 is signed with the lazy chunk", () => {
  const holder = createHolder();
  holder.set("a", "key");
  const job = { ...SPEC, algorithm: "hmac-sha512" } as const;

  assert.equal(hex(holder.sign("a", job, utf8("x"), curves)), hex(curves.mac512(utf8("key"), utf8("x"))));
});

test("a key pair signs its own algorithm and nothing else", () => {
  const holder = createHolder();
  const pair = curves.generatePair("ed25519");
  holder.setPair("a", pair);
  const signature = holder.sign("a", { ...SPEC, algorithm: "ed25519" }, utf8("x"), curves);

  assert.equal(curves.verifies("ed25519", pair.publicKey, utf8("x"), signature), true);
  assert.throws(() => holder.sign("a", { ...SPEC, algorithm: "ecdsa-p256" }, utf8("x"), curves), NoKey);
  assert.throws(() => holder.sign("a", JOB, utf8("x"), null), NoKey);
  assert.deepEqual(holder.describe("a", SPEC), { state: "pair", publicKey: pair.publicKey });
});

test("a new secret takes the place of a pair, and the other way round", () => {
  const holder = createHolder();
  holder.setPair("a", curves.generatePair("ed25519"));
  holder.set("a", "text");

  assert.equal(holder.describe("a", SPEC).state, "usable");
});

test("matching finds the first right signature, or none", () => {
  const holder = createHolder();
  holder.set("a", "key");
  const message = utf8("body");
  const right = mac("hmac-sha256", utf8("key"), message);
  const wrong = right.map((byte) => byte ^ 1);

  assert.equal(holder.match("a", { job: JOB, message, presented: [wrong, right, right] }, null), 1);
  assert.equal(holder.match("a", { job: JOB, message, presented: [wrong, right.slice(1)] }, null), -1);
  assert.equal(holder.match("a", { job: JOB, message, presented: [] }, null), -1);
});

test("a public key matches signatures, and no HMAC", () => {
  const pair = curves.generatePair("ecdsa-p256");
  const message = utf8("body");
  const claim = {
    job: { ...SPEC, algorithm: "ecdsa-p256" } as const,
    message,
    presented: [utf8(""), pair.sign(message)],
  };

  assert.equal(matchPublic(curves, pair.publicKey, claim), 1);
  assert.throws(() => matchPublic(curves, pair.publicKey, { ...claim, job: JOB }), NoKey);
});

test("the kernel is told of a failed job without a part of the secret", () => {
  const holder = createHolder();
  holder.set("a", `${CANARY}§`);
  const faults: unknown[] = [];
  for (const form of ["hex", "base64"] as const) {
    try {
      holder.sign("a", { form, strip_prefix: "", algorithm: "hmac-sha1" }, utf8(""), null);
    } catch (error) {
      faults.push(faultOf(error));
    }
  }

  assert.deepEqual(faults, [
    { code: "bad_key", text: "The secret is not valid hex" },
    { code: "bad_key", text: "The secret is not valid base64" },
  ]);
  assert.deepEqual(faultOf(new Error(CANARY)), { code: "failed", text: "The browser could not do this job" });
});
