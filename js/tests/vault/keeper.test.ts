import assert from "node:assert/strict";
import { test } from "node:test";
import * as curves from "../../src/crypto/key-pairs.js";
import { mac } from "../../src/crypto/primitives.js";
import { LIMITS } from "../../src/vault/budget.js";
import { createVault, VaultError } from "../../src/vault/client.js";
import type { Facts } from "../../src/vault/facts.js";
import { MOST_SEARCHED, QUESTION_MS } from "../../src/vault/keeper.js";
import type { FromKeeper } from "../../src/vault/protocol.js";
import { hex, utf8 } from "../support.js";
import { connectDirectly, factsFor, listen, typeSecret, until } from "./support.js";

const CANARY = "canary-4f8a2c71";
const FACTS = factsFor("shop");
const JOB = { scheme: "v1", field: "signature" };

const UNKNOWN = { ...FACTS, provider: "", schemes: {} };
const ANY = { slot: "", jobs: [JOB], messages: [utf8("x")] };

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

const PASTED = { url: "", method: "POST", headers: "", body: utf8(""), sent: null, publicKey: "" };
type Opened = ReturnType<typeof open>["vault"];

/** Has a pasted request redacted, and says which provider was recognised in it. */
async function recognise(vault: Opened, facts: Facts) {
  await vault.request("redact", { request: PASTED, places: [] });
  await vault.request("pin", { facts });
}

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

test("a token counts as often as it is compared, also within one question", async () => {
  const { vault } = open();
  await typeSecret({ vault }, factsFor("shop", "token"), CANARY);
  const { request } = await vault.request("redact", {
    request: { ...PASTED, headers: `X-Token: ${CANARY}` },
    places: [{ in: "header", name: "X-Token", template: "{}", encoding: "text" }],
  });
  const guesses = Array.from({ length: LIMITS.match }, (_, n) => utf8(`guess ${n}`));
  const buffers = [...guesses, utf8(request?.headers.slice("X-Token: ".length) ?? "")];
  const ask = (presented: number[]) => {
    const question = { ...JOB, variant: "", algorithm: "" as const, message: [], presented };
    return vault.request("match", { slot: "shop", questions: [question], buffers });
  };
  assert.deepEqual(await ask([7, LIMITS.match]), [1]);

  await assert.rejects(ask([...buffers.keys()]), { code: "paused" });
});

test("who has more text redacted than people paste tests no more guesses until somebody goes on", async () => {
  const { vault } = open();
  const port = await typeSecret({ vault }, FACTS, CANARY);
  const most = " ".repeat(MOST_SEARCHED);
  const request = (body: string) => ({ request: { ...PASTED, body: utf8(body) }, places: [] });
  await vault.request("redact", request("a request"));
  await assert.rejects(vault.request("redact", request(most)), { code: "paused" });
  await until(() => vault.slot("shop").paused);

  port.postMessage({ op: "resume" });
  await until(() => !vault.slot("shop").paused);
  await vault.request("redactText", { text: "a recording", places: [] });
  await assert.rejects(vault.request("redactText", { text: most, places: [] }), { code: "paused" });
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
  await typeSecret({ vault }, UNKNOWN, "6b6579");
  await recognise(vault, factsFor("shop", "hmac-sha256", { form: "hex" }));
  await vault.request("pin", { facts: factsFor("other", "hmac-sha1") });
  const [pinned = utf8("")] = await vault.request("sign", ANY);
  assert.equal(hex(pinned), hex(mac("hmac-sha256", utf8("key"), [utf8("x")])));
  await recognise(vault, factsFor("other", "hmac-sha1"));

  const [next = utf8("")] = await vault.request("sign", ANY);
  assert.equal(hex(next), hex(mac("hmac-sha1", utf8("6b6579"), [utf8("x")])));
});

test("who has requests verified and says what was recognised reads no letter by prefixes of its choice", async () => {
  const { vault } = open();
  const typed = "4f8a2c71d9e3b650";
  const port = await typeSecret({ vault }, UNKNOWN, typed);
  const hexAfter = (prefix: string) => factsFor("shop", "hmac-sha256", { form: "hex", strip_prefix: prefix });
  let read = "";
  // With one digit less there is an odd number of them, which is no key.
  for (const digit of "e0123456789abcdef") {
    await recognise(vault, hexAfter(digit)).catch(() => {});
    await vault.request("sign", ANY).catch(() => {
      read += digit;
    });
  }
  assert.equal(read, "");
  await assert.rejects(recognise(vault, hexAfter("4f")), { code: "unknown_field" });

  await recognise(vault, hexAfter("e"));
  listen(port, () => {
    read = "entered again";
  });
  port.postMessage({ op: "set", text: typed });
  await until(() => read !== "");
  await recognise(vault, hexAfter("4f"));
  const [signature = utf8("")] = await vault.request("sign", ANY);
  const key = Uint8Array.from(Buffer.from(typed.slice(2), "hex"));
  assert.equal(hex(signature), hex(mac("hmac-sha256", key, [utf8("x")])));
});

/** Ways by which a script of the page learns whether a text has a piece of a secret. */
const ASKING: Record<string, (vault: Opened, text: string) => Promise<unknown>> = {
  "a body": async (vault, text) => {
    const { blocked, request } = await vault.request("redact", {
      request: { ...PASTED, body: utf8(text) },
      places: [],
    });
    return [blocked, request && hex(request.body) === hex(utf8(text))];
  },
  "a header in base64": async (vault, text) => {
    const headers = `X-Text: ${btoa(text)}`;
    return (await vault.request("redact", { request: { ...PASTED, headers }, places: [] })).blocked;
  },
  "a recording": async (vault, text) =>
    (await vault.request("redactText", { text: `{"a": "${text}"}`, places: [] })).text?.includes(text),
};

for (const [name, ask] of Object.entries(ASKING))
  test(`who knows eleven letters of a secret does not read the next ones from what is redacted: ${name}`, async () => {
    const { vault } = open();
    const secret = "whsec_live_4f8a2c71d9e3b650";
    const port = await typeSecret({ vault }, FACTS, secret);
    let known = secret.slice(0, 11);
    const usual = JSON.stringify(await ask(vault, `${known}!`));
    const next = async () => {
      for (const letter of "0123456789abcdef")
        if (JSON.stringify(await ask(vault, known.slice(-11) + letter)) !== usual) return letter;
      return "";
    };
    const read = async () => {
      for (let letter = await next(); letter; letter = await next()) known += letter;
    };
    await assert.rejects(read, { code: "paused" });
    assert.equal(known.length, 12);
    await assert.rejects(sign(vault), { code: "paused" });
    await until(() => vault.slot("shop").paused);

    port.postMessage({ op: "resume" });
    await until(() => !vault.slot("shop").paused);
    await ask(vault, "a text without a secret");
    await ask(vault, secret);
  });

test("a key pair is made in the keeper, with the lazy part, and its public key is told", async () => {
  const { vault, heard } = open(async () => curves);
  const facts = factsFor("a", "ed25519", { pair: "ed25519" });
  await vault.request("pair", { slot: "a", facts });

  assert.ok(heard.some((message) => "op" in message && message.op === "curves"));
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

const GATE = { ...factsFor("gate", "token") };
const release = (vault: ReturnType<typeof open>["vault"], host = "127.0.0.1:8000") =>
  vault.request("release", { slot: "gate", host, jobs: [JOB], messages: [utf8("")] });

/** The questions that the field is asked, oldest first; it agrees to those that `agrees` accepts. */
async function gate(agrees: (host: string) => boolean) {
  const { vault, heard } = open();
  const port = await typeSecret({ vault }, GATE, CANARY);
  const hosts: string[] = [];
  let last = 0;
  listen(port, ({ question }) => {
    if (!question || question.id === last) return;
    last = question.id;
    hosts.push(question.host);
    port.postMessage({ op: "consent", id: question.id + 1, agreed: true }); // not the open one
    port.postMessage({ op: "consent", id: question.id, agreed: agrees(question.host) });
  });
  return { vault, heard, port, hosts };
}

test("a token is released once for each agreement in its field, and never signed", async () => {
  const { vault, hosts } = await gate(() => true);
  const [token = utf8("")] = await release(vault);
  assert.equal(Buffer.from(token).toString(), CANARY);
  assert.deepEqual(hosts, ["127.0.0.1:8000"]);
  await assert.rejects(vault.request("sign", { slot: "gate", jobs: [JOB], messages: [utf8("")] }), {
    code: "secret_stays",
  });
  await release(vault, "[::1]:9");
  assert.deepEqual(hosts, ["127.0.0.1:8000", "[::1]:9"]);
});

test("a token is not released when nobody agrees, and no host is shown that could imitate another", async () => {
  const { vault, heard, hosts } = await gate(() => false);
  await assert.rejects(release(vault), { code: "declined" });
  for (const host of ["", "exаmple.com", "a b", "a\u202eb", "x".repeat(262), 'a"b', "a<b"])
    await assert.rejects(release(vault, host), { code: "declined" }, host);

  assert.deepEqual(hosts, ["127.0.0.1:8000"]);
  assert.ok(!heard.some((message) => "value" in message && Array.isArray(message.value)));
});

test("a question ends with the secret it was about, with a newer question, and after a while", async (context) => {
  const { vault } = open();
  const port = await typeSecret({ vault }, GATE, CANARY);
  const asking = () => until(() => vault.slot("gate").asking);
  const declined = { code: "declined" };

  const first = assert.rejects(release(vault), declined);
  await asking();
  port.postMessage({ op: "set", text: "another secret" });
  await first;

  const second = assert.rejects(release(vault), declined);
  await asking();
  const third = assert.rejects(release(vault), declined);
  await second;
  await vault.request("forget", { slot: "gate" });
  await third;
  await until(() => !vault.slot("gate").asking);

  port.postMessage({ op: "set", text: CANARY });
  await until(() => vault.slot("gate").held.state === "usable");
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const late = assert.rejects(release(vault), declined);
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  context.mock.timers.tick(QUESTION_MS);
  await late;
});

test("what cannot be released is rejected before anybody is asked", async () => {
  const { vault, hosts } = await gate(() => true);
  const unknown = {
    slot: "gate",
    host: "h",
    jobs: [{ scheme: "v2", field: "signature" }],
    messages: [utf8("")],
  };
  await assert.rejects(vault.request("release", unknown), { code: "unknown_field" });
  await assert.rejects(vault.request("release", { ...unknown, slot: "nobody" }), { code: "unknown_field" });

  assert.deepEqual(hosts, []);
});
