import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import vectors from "../../tests/vectors/primitives.json" with { type: "json" };
import { generatePair, mac512, pairOf, parsePublic, publicText, verifies } from "../src/curves.js";
import type { CurveAlgorithm, ExampleSecret, KeyForm } from "../src/primitives.js";
import { base64, decodeKey, KeyProblem, mac, makeSecret, randomHex, sameBytes } from "../src/primitives.js";
import { hex, unhex, utf8 } from "./support.js";

for (const { source, algorithm, key, message, signature } of vectors.macs) {
  test(`${algorithm} gives the signature of ${source}`, () => {
    const made =
      algorithm === "hmac-sha512"
        ? mac512(unhex(key), unhex(message))
        : mac(algorithm as "hmac-sha1" | "hmac-sha256", unhex(key), unhex(message));

    assert.equal(hex(made), signature);
  });
}

for (const vector of vectors.pairs) {
  const algorithm = vector.algorithm as CurveAlgorithm;
  const [message, signature] = [unhex(vector.message), unhex(vector.signature)];

  test(`${algorithm} signs and verifies as ${vector.source}`, () => {
    const pair = pairOf(algorithm, unhex(vector.private));

    assert.equal(hex(pair.publicKey), vector.public);
    assert.equal(hex(pair.sign(message)), vector.signature);
    assert.equal(verifies(algorithm, pair.publicKey, message, signature), true);
    assert.equal(verifies(algorithm, pair.publicKey, new Uint8Array([...message, 0]), signature), false);
  });

  test(`the public key of ${vector.source} is written and read in every form`, () => {
    const key = unhex(vector.public);
    const { hex: raw, "base64-spki": spki } = vector.public_text;
    const pem = `-----BEGIN PUBLIC KEY-----\n${spki.replace(/(.{64})/g, "$1\n")}\n-----END PUBLIC KEY-----\n`;

    assert.equal(publicText(algorithm, key, "hex"), raw);
    assert.equal(publicText(algorithm, key, "base64-spki"), spki);
    for (const text of [raw, spki, pem, ` ${raw}\n`])
      assert.equal(hex(parsePublic(algorithm, text)), vector.public);
  });
}

for (const algorithm of ["ed25519", "ecdsa-p256"] as const) {
  test(`a fresh ${algorithm} pair verifies its own signature and no other pair's`, () => {
    const [mine, other] = [generatePair(algorithm), generatePair(algorithm)];
    const signature = mine.sign(utf8("body"));

    assert.equal(verifies(algorithm, mine.publicKey, utf8("body"), signature), true);
    assert.equal(verifies(algorithm, other.publicKey, utf8("body"), signature), false);
  });

  test(`a malformed ${algorithm} signature is simply not valid`, () => {
    const { publicKey } = generatePair(algorithm);

    for (const bad of ["", "00", "30", "ff".repeat(64), "3006020101020101"]) {
      assert.equal(verifies(algorithm, publicKey, utf8("body"), unhex(bad)), false);
    }
  });

  test(`text that is no ${algorithm} public key is refused`, () => {
    for (const text of ["", "zz", "00".repeat(31), "ÿ", "TUZrd0V3", "11".repeat(33)]) {
      assert.throws(() => parsePublic(algorithm, text), Error);
    }
  });
}

test("an ECDSA signature with a high s verifies, as OpenSSL makes half of them", () => {
  const n = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
  const low = vectors.pairs.find(({ source }) => source.includes("“test”"));
  assert.ok(low);
  const s = n - BigInt("0x019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083");
  const high = `3046022100f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367022100${s.toString(16)}`;

  assert.equal(verifies("ecdsa-p256", unhex(low.public), utf8("test"), unhex(high)), true);
});

for (const { source, form, strip_prefix, text, hex: expected, error, at } of vectors.keys as KeyVector[]) {
  test(`a ${form} key ${JSON.stringify(text)} decodes to ${expected ?? error} (${source})`, () => {
    const spec = { form: form as KeyForm, strip_prefix };
    if (expected !== undefined) {
      assert.equal(hex(decodeKey(text, spec)), expected);
      return;
    }
    assert.throws(
      () => decodeKey(text, spec),
      (problem: KeyProblem) => problem.code === error && problem.at === (at ?? 0),
    );
  });
}
interface KeyVector {
  source: string;
  form: string;
  strip_prefix: string;
  text: string;
  hex?: string;
  error?: string;
  at?: number;
}

test("what the kernel is told about a bad key holds no character of it", () => {
  const problem = thrownBy(() => decodeKey("k§y", { form: "hex", strip_prefix: "" }));

  assert.ok(problem instanceof KeyProblem);
  assert.match(problem.message, /“k”/);
  assert.equal(problem.wireText, "The secret is not valid hex");
});

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return null;
}

test("comparison is by content, whatever the lengths", () => {
  const cases: [string, string, boolean][] = [
    ["", "", true],
    ["00ff", "00ff", true],
    ["00ff", "00fe", false],
    ["00", "", false],
    ["", "00", false],
    ["00ff", "00ff00", false],
    ["00ff00ff", "00ff", false],
  ];

  for (const [a, b, same] of cases) assert.equal(sameBytes(unhex(a), unhex(b)), same, `${a} ${b}`);
});

test("base64 is that of the platform for every length", () => {
  for (let length = 0; length < 50; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length) & 255);

    assert.equal(base64(bytes), Buffer.from(bytes).toString("base64"));
  }
});

test("HMAC agrees with the platform for keys and messages of every length around a block", () => {
  for (let length = 0; length < 140; length++) {
    const key = Uint8Array.from({ length: length + 1 }, (_, i) => (i * 7) & 255);
    const message = Uint8Array.from({ length }, (_, i) => (i * 11) & 255);
    const expected = createHmac("sha256", key).update(message).digest("hex");

    assert.equal(hex(mac("hmac-sha256", key, message)), expected);
  }
});

test("a generated secret has the provider's form", () => {
  const cases: [ExampleSecret, RegExp][] = [
    [{ prefix: "", alphabet: "hex", length: 32 }, /^[0-9a-f]{32}$/],
    [{ prefix: "whsec_", alphabet: "base62", length: 38 }, /^whsec_[A-Za-z0-9]{38}$/],
    [{ prefix: "key_", alphabet: "base64", length: 24 }, /^key_[A-Za-z0-9+/]{32}$/],
    [{ prefix: "", alphabet: "base64", length: 32 }, /^[A-Za-z0-9+/]{43}=$/],
  ];

  for (const [example, form] of cases) {
    assert.match(makeSecret(example), form);
    assert.notEqual(makeSecret(example), makeSecret(example));
  }
});

test("no letter of a generated secret is likelier than another", () => {
  // 248 is the last whole multiple of 62 under 256: bytes from there on would favour the first letters.
  const bytes = [...Array(256).keys()].reverse();
  const feed = (length: number) => Uint8Array.from({ length }, () => bytes.pop() ?? 0);
  const secret = makeSecret({ prefix: "", alphabet: "base62", length: 248 }, feed);
  const counts = new Map<string, number>();
  for (const letter of secret) counts.set(letter, (counts.get(letter) ?? 0) + 1);

  assert.deepEqual([...new Set(counts.values())], [4]);
});

test("random names differ", () => {
  assert.match(randomHex(4), /^[0-9a-f]{8}$/);
  assert.notEqual(randomHex(8), randomHex(8));
});
