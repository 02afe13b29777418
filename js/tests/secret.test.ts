import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import * as curves from "../src/curves.js";
import { mac } from "../src/primitives.js";
import { createHolder, faultOf, type KeyedJob, NoKey } from "../src/secret.js";
import { hex, utf8 } from "./support.js";

const CANARY = "canary-4f8a2c71";
const SPEC = { form: "utf8", strip_prefix: "" } as const;
const JOB = { ...SPEC, algorithm: "hmac-sha256" } as const;

test("a secret signs, and comes out of the holder in no other way", () => {
  const holder = createHolder();
  holder.set("shop", CANARY);

  assert.equal(
    hex(holder.sign("shop", JOB, utf8("body"), null)),
    hex(mac("hmac-sha256", utf8(CANARY), [utf8("body")])),
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
  const right = curves.longMac("hmac-sha512", utf8("key"), [utf8("x")]);

  assert.equal(hex(holder.sign("a", job, utf8("x"), curves)), hex(right));
});

const ED25519 = { ...SPEC, algorithm: "ed25519" } as const;

test("a key pair signs its own algorithm and nothing else", async () => {
  const holder = createHolder();
  const pair = await curves.generatePair("ed25519");
  holder.setPair("a", pair);
  const signature = holder.sign("a", ED25519, utf8("x"), curves);

  assert.equal(pair.verifies("ed25519", utf8("x"), signature), true);
  for (const algorithm of ["ecdsa-p256", "ecdsa-p256-raw", "rsa-sha256", "hmac-sha256"] as const)
    assert.throws(() => holder.sign("a", { ...SPEC, algorithm }, utf8("x"), curves), NoKey);
  const held = holder.describe("a", SPEC);
  assert.equal(held.state === "pair" && held.publicText("hex"), pair.publicText("hex"));
});

test("a new secret takes the place of a pair, and the other way round", async () => {
  const holder = createHolder();
  holder.setPair("a", await curves.generatePair("ed25519"));
  holder.set("a", "text");

  assert.equal(holder.describe("a", SPEC).state, "usable");
});

test("matching finds the first right signature, or none", () => {
  const holder = createHolder();
  holder.set("a", "key");
  const message = [utf8("bo"), utf8("dy")];
  const right = mac("hmac-sha256", utf8("key"), message);
  const wrong = right.map((byte) => byte ^ 1);

  assert.equal(holder.match("a", { job: JOB, message, presented: [wrong, right, right] }, null), 1);
  assert.equal(holder.match("a", { job: JOB, message, presented: [wrong, right.slice(1)] }, null), -1);
  assert.equal(holder.match("a", { job: JOB, message, presented: [] }, null), -1);
});

test("a key pair matches its own signatures", async () => {
  const holder = createHolder();
  const pair = await curves.generatePair("ecdsa-p256");
  holder.setPair("a", pair);
  const presented = [utf8(""), pair.sign("ecdsa-p256", utf8("body"))];
  const job = { ...SPEC, algorithm: "ecdsa-p256" } as const;

  assert.equal(holder.match("a", { job, message: [utf8("bo"), utf8("dy")], presented }, curves), 1);
  assert.equal(holder.match("a", { job, message: [utf8("other")], presented }, curves), -1);
});

test("a token is compared, and never signed", () => {
  const holder = createHolder();
  holder.set("a", CANARY);
  const job = { ...SPEC, algorithm: "token" } as const;
  const presented = [utf8("wrong"), utf8(CANARY)];

  assert.equal(holder.match("a", { job, message: [], presented }, null), 1);
  assert.throws(() => holder.sign("a", job, utf8(""), curves), NoKey);
});

test("a guess about the secret is tried, and one that changes nothing matches nothing", () => {
  const holder = createHolder();
  holder.set("a", " key ");
  const message = [utf8("body")];
  const presented = [mac("hmac-sha256", utf8("key"), message), mac("hmac-sha256", utf8(" key "), message)];
  const match = (edit: string) => holder.match("a", { job: { ...JOB, edit }, message, presented }, curves);

  assert.deepEqual(["trim", "unquote", "lower", ""].map(match), [0, -1, -1, 1]);
});

test("a lenient guess that makes no key matches nothing; otherwise it is an error", () => {
  const holder = createHolder();
  holder.set("a", "zz");
  const claim = (job: KeyedJob) => ({ job, message: [utf8("body")], presented: [utf8("x")] });
  const bad = { ...JOB, form: "hex" } as const;

  assert.equal(holder.match("a", claim({ ...bad, lenient: true }), null), -1);
  assert.throws(() => holder.match("a", claim(bad), null), /Not hex/);
  assert.equal(holder.match("a", claim({ ...ED25519, lenient: true }), curves), -1);
  assert.throws(() => holder.match("a", claim(ED25519), curves), NoKey);
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

const TOKEN = { ...SPEC, algorithm: "token" } as const;

test("a text leaves with something else in the place of the secret, which matches as the secret would", () => {
  const holder = createHolder();
  holder.set("shop", CANARY);
  const left = holder.covered(CANARY);

  assert.ok(!left.includes(CANARY));
  assert.equal(holder.match("shop", { job: TOKEN, message: [], presented: [utf8(left)] }, null), 0);
  const other = createHolder();
  other.set("shop", CANARY);
  assert.equal(other.match("shop", { job: TOKEN, message: [], presented: [utf8(left)] }, null), -1);
});

test("a secret in base64 is covered, and what its blanks enclose", () => {
  const holder = createHolder();
  holder.set("shop", ` ${CANARY} `);
  const [plain = "", base64 = ""] = holder.covered(`${CANARY} ${btoa(CANARY)}`).split(" ");

  assert.ok(!plain.includes(CANARY));
  assert.equal(atob(base64), plain);
  assert.equal(holder.match("shop", { job: TOKEN, message: [], presented: [utf8(plain)] }, null), -1);
});

test("a message that was covered is signed as it was", () => {
  const holder = createHolder();
  holder.set("shop", CANARY);
  const message = `\ufeff{"token": "${CANARY}"}\r\n`;
  const right = mac("hmac-sha256", utf8(CANARY), [utf8(message)]);
  const left = utf8(holder.covered(message));
  const image = new Uint8Array([0xff, 0xfe]);
  const ofImage = mac("hmac-sha256", utf8(CANARY), [image]);

  assert.equal(holder.match("shop", { job: JOB, message: [left], presented: [right] }, null), 0);
  assert.equal(holder.match("shop", { job: JOB, message: [image], presented: [ofImage] }, null), 0);
});

test("each secret that the tab holds is covered, whosever request it stands in", () => {
  const holder = createHolder();
  holder.set("shop", CANARY);
  holder.set("shop-token", "another-secret");
  holder.set("", "sha256");
  const left = holder.covered(`${CANARY} another-secret sha256`).split(" ");

  assert.deepEqual(
    [left[0]?.includes(CANARY), left[1]?.includes("another"), left[2]],
    [false, false, "sha256"],
  );
  const match = (slot: string, text = "") =>
    holder.match(slot, { job: TOKEN, message: [], presented: [utf8(text)] }, null);
  assert.deepEqual([match("shop", left[0]), match("shop-token", left[1])], [0, 0]);
  assert.deepEqual([match("shop", left[1]), match("shop-token", left[0])], [-1, -1]);
});

test("a text is covered however long the secret is", () => {
  const holder = createHolder();
  holder.set("shop", "long".repeat(100_000));

  assert.ok(!holder.covered(`X-Token: ${"long".repeat(100_000)}`).includes("long"));
});

test("other texts are left alone", () => {
  const holder = createHolder();
  holder.set("shop", CANARY);

  assert.equal(holder.covered("X-Signature: sha256=ab"), "X-Signature: sha256=ab");
});
