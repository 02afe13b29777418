import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import * as curves from "../../src/crypto/key-pairs.js";
import { type Algorithm, mac } from "../../src/crypto/primitives.js";
import { createHolder, type Question, Rejected } from "../../src/vault/holder.js";
import { hex, utf8 } from "../support.js";
import { factsFor } from "./support.js";

const CANARY = "canary-4f8a2c71";
const NAMED = { scheme: "v1", field: "signature" };
const FACTS = factsFor("shop");
const none = () => null;
const ask = (more: Partial<Question>): Question => ({
  ...NAMED,
  variant: "",
  algorithm: "",
  message: [],
  presented: [],
  ...more,
});

test("a secret signs, and comes out of the holder in no other way", () => {
  const holder = createHolder();
  holder.set("shop", CANARY, FACTS);

  assert.equal(
    hex(holder.sign("shop", NAMED, utf8("body"))),
    hex(mac("hmac-sha256", utf8(CANARY), [utf8("body")])),
  );
  assert.ok(!inspect(holder, { depth: 9, showHidden: true }).includes(CANARY));
  assert.ok(!JSON.stringify([holder, holder.describe("shop"), holder.measure("shop")]).includes(CANARY));
});

test("each slot has a secret of its own, and an emptied or forgotten one has none", () => {
  const holder = createHolder();
  holder.set("a", "one", FACTS);
  assert.deepEqual([holder.has("a"), holder.has("b")], [true, false]);
  for (const clear of [() => holder.clear("a"), () => holder.set("a", "", FACTS)]) {
    holder.set("a", CANARY, FACTS);
    clear();
    assert.deepEqual(holder.describe("a"), { state: "none" });
  }
});

test("a secret is used for the schemes that were pinned with it, and for no others", () => {
  const holder = createHolder();
  holder.set("shop", CANARY, FACTS);
  for (const named of [
    { scheme: "v2", field: "signature" },
    { scheme: "v1", field: "other" },
    { scheme: "__proto__", field: "toString" },
    { scheme: "v1", field: "constructor" },
  ]) {
    assert.throws(() => holder.sign("shop", named, utf8("")), Rejected);
    const presented = [mac("hmac-sha256", utf8(CANARY), [])];
    assert.equal(holder.match("shop", ask({ ...named, presented, algorithm: "hmac-sha256" }), none), -1);
  }
});

test("the rejection of a key that does not decode is the same for every key", () => {
  const rejections = new Set<string>();
  for (const form of ["hex", "base64"] as const) {
    for (const text of ["z", "zz", "z§z", "ab=", "abc", "whsec_"]) {
      const holder = createHolder();
      holder.set("a", text, factsFor("a", "hmac-sha256", { form, strip_prefix: "whsec_" }));
      try {
        holder.sign("a", NAMED, utf8(""));
      } catch (error) {
        rejections.add(`${form} ${(error as Rejected).code} ${(error as Rejected).message}`);
      }
    }
  }

  assert.deepEqual([...rejections].sort(), [
    "base64 bad_key the secret is not valid base64; enter it again",
    "hex bad_key the secret is not valid hex; enter it again",
  ]);
});

test("a token is never signed, whatever a job calls it", () => {
  const holder = createHolder();
  holder.set("gate", CANARY, factsFor("gate", "token"));

  assert.throws(() => holder.sign("gate", NAMED, utf8("")), Rejected);
});

test("a token is compared with credentials of the pasted request only", () => {
  const holder = createHolder();
  holder.set("gate", CANARY, factsFor("gate", "token"));
  const originalOf = (presented: Uint8Array) =>
    ({ standin1: utf8(CANARY), standin2: utf8("another") })[new TextDecoder().decode(presented)] ?? null;
  const match = (text: string, algorithm: Algorithm | "" = "") =>
    holder.match("gate", ask({ presented: [utf8("x"), utf8(text)], algorithm }), originalOf);

  assert.equal(match("standin1"), 1);
  assert.equal(match("standin2"), -1);
  assert.equal(match(CANARY), -1);
  assert.equal(match(CANARY, "token"), -1);
});

test("signatures by a token are not compared either", () => {
  const holder = createHolder();
  holder.set("gate", CANARY, factsFor("gate", "token"));
  const presented = [mac("hmac-sha256", utf8(CANARY), [])];

  assert.equal(holder.match("gate", ask({ algorithm: "hmac-sha256", presented }), none), -1);
});

test("a match is the index of the first signature that is right", () => {
  const holder = createHolder();
  holder.set("a", "key", FACTS);
  const message = [utf8("bo"), utf8("dy")];
  const right = mac("hmac-sha256", utf8("key"), [utf8("body")]);
  const wrong = mac("hmac-sha256", utf8("kez"), [utf8("body")]);
  const match = (presented: Uint8Array[]) => holder.match("a", ask({ message, presented }), none);

  assert.equal(match([wrong, right, right]), 1);
  assert.equal(match([wrong, right.slice(1)]), -1);
  assert.equal(match([]), -1);
});

test("a key pair signs and verifies with the algorithm that was pinned", async () => {
  const holder = createHolder();
  const facts = factsFor("a", "ed25519", { pair: "ed25519" });
  holder.setPair("a", await curves.generatePair("ed25519"), facts);
  const signature = holder.sign("a", NAMED, utf8("x"));
  const held = holder.describe("a");

  assert.match(held.state === "pair" ? held.publicKey : "", /^[0-9a-f]{64}$/);
  assert.equal(holder.match("a", ask({ message: [utf8("x")], presented: [signature] }), none), 0);
  assert.equal(holder.match("a", ask({ message: [utf8("y")], presented: [signature] }), none), -1);
  holder.set("a", "text", FACTS);
  assert.deepEqual(holder.describe("a"), { state: "usable" });
});

test("a secret that was typed for a provider that is not known yet is pinned later", () => {
  const holder = createHolder();
  holder.set("", "6b6579", { ...FACTS, provider: "", schemes: {} });
  assert.throws(() => holder.sign("", NAMED, utf8("x")), Rejected);
  holder.pin("", factsFor("shop", "hmac-sha1", { form: "hex" }));

  assert.equal(hex(holder.sign("", NAMED, utf8("x"))), hex(mac("hmac-sha1", utf8("key"), [utf8("x")])));
});
