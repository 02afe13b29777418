import assert from "node:assert/strict";
import { createHmac, createPublicKey, X509Certificate } from "node:crypto";
import { test } from "node:test";
import vectors from "../../tests/vectors/primitives.json" with { type: "json" };
import { edited } from "../src/crypto/key-edits.js";
import { ed25519Pair, generatePair, type Pair, p256Pair, rsaPair } from "../src/crypto/key-pairs.js";
import {
  base64,
  decodeKey,
  type ExampleSecret,
  type KeyProblem,
  type KeySpec,
  mac,
  makeSecret,
  type PairAlgorithm,
  randomHex,
  type SecretAlgorithm,
  sameBytes,
} from "../src/crypto/primitives.js";
import { rsaKey } from "../src/crypto/rsa.js";
import { hex, unhex, utf8 } from "./support.js";

/** A message as one piece, and cut into three. */
function cuts(message: Uint8Array): Uint8Array[][] {
  const third = Math.ceil(message.length / 3);
  return [[message], [0, 1, 2].map((n) => message.slice(n * third, (n + 1) * third))];
}

for (const { source, algorithm, key, message, signature } of vectors.macs) {
  test(`${algorithm} gives the signature of ${source}, in pieces too`, () => {
    for (const pieces of cuts(unhex(message))) {
      assert.equal(hex(mac(algorithm as SecretAlgorithm, unhex(key), pieces)), signature);
    }
  });
}

function pairOf(algorithm: PairAlgorithm, secret: string | { p: string; q: string }): Pair {
  if (typeof secret !== "string") return rsaPair(rsaKey(BigInt(`0x${secret.p}`), BigInt(`0x${secret.q}`)));
  return (algorithm === "ed25519" ? ed25519Pair : p256Pair)(unhex(secret));
}

for (const vector of vectors.pairs as PairVector[]) {
  const { source, algorithm, public_text } = vector;
  const [message, signature] = [unhex(vector.message), unhex(vector.signature)];

  test(`${algorithm} signs and verifies as ${source}`, () => {
    const pair = pairOf(algorithm, vector.private);

    assert.equal(hex(pair.sign(algorithm, message)), vector.signature);
    assert.equal(pair.verify(algorithm, message, signature), true);
    assert.equal(pair.verify(algorithm, new Uint8Array([...message, 0]), signature), false);
  });

  test(`the public key of ${source} is printed in every form`, () => {
    const pair = pairOf(algorithm, vector.private);

    assert.equal(pair.publicText("base64-spki"), public_text["base64-spki"]);
    if (public_text.hex) {
      assert.equal(pair.publicText("hex"), public_text.hex);
      assert.equal(pair.publicText("base64"), Buffer.from(public_text.hex, "hex").toString("base64"));
    }
  });
}
interface PairVector {
  source: string;
  algorithm: PairAlgorithm;
  private: string | { p: string; q: string };
  public_text: { hex?: string; "base64-spki": string };
  message: string;
  signature: string;
}

const pairs = await Promise.all(
  (["ed25519", "ecdsa-p256", "rsa"] as const).map(async (type) => {
    const [mine, other] = await Promise.all([generatePair(type), generatePair(type)]);
    return { algorithm: (type === "rsa" ? "rsa-sha256" : type) as PairAlgorithm, type, mine, other };
  }),
);
for (const { algorithm, type, mine, other } of pairs) {
  test(`a fresh ${type} pair verifies its own signature and no other pair's`, () => {
    const signature = mine.sign(algorithm, utf8("body"));

    assert.equal(mine.verify(algorithm, utf8("body"), signature), true);
    assert.equal(other.verify(algorithm, utf8("body"), signature), false);
  });

  test(`a malformed ${type} signature is simply not valid`, () => {
    for (const bad of ["", "00", "30", "ff".repeat(64), "ff".repeat(256), "3006020101020101"]) {
      assert.equal(mine.verify(algorithm, utf8("body"), unhex(bad)), false);
    }
  });

  test(`a certificate of a ${type} pair is signed by it, names it and is valid now, as OpenSSL reads it`, () => {
    const certificate = new X509Certificate(mine.publicText("certificate"));
    const key = createPublicKey({
      key: Buffer.from(mine.publicText("base64-spki"), "base64"),
      format: "der",
      type: "spki",
    });

    assert.equal(certificate.verify(key), true);
    assert.equal(certificate.publicKey.equals(key), true);
    assert.equal(certificate.checkIssued(certificate), true);
    assert.match(certificate.subject, /^CN=hook_widgets test key/);
    assert.ok(Date.parse(certificate.validFrom) < Date.now());
    assert.ok(Date.parse(certificate.validTo) > Date.now() + 3640 * 86_400_000);
    assert.equal(mine.publicText("certificate"), mine.publicText("certificate"));
  });
}

test("an RSA key has 2048 bits, whatever primes it is made of", () => {
  for (const { mine } of pairs.filter(({ type }) => type === "rsa")) {
    const { asymmetricKeyDetails: details } = new X509Certificate(mine.publicText("certificate")).publicKey;

    assert.deepEqual(details, { modulusLength: 2048, publicExponent: 65537n });
  }
});

test("an ECDSA signature with a high s verifies, as OpenSSL makes half of them", () => {
  const n = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
  const low = vectors.pairs.find(({ source }) => source.includes("“test”"));
  assert.ok(low);
  const s = n - BigInt("0x019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083");
  const high = `3046022100f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367022100${s.toString(16)}`;

  const pair = pairOf("ecdsa-p256", low.private as string);

  assert.equal(pair.verify("ecdsa-p256", utf8("test"), unhex(high)), true);
});

for (const { source, text, hex: expected, error, at, edit = "", ...spec } of vectors.keys as KeyVector[]) {
  const how = [edit, spec.normalize, spec.form, spec.digest].filter(Boolean).join(" ");

  test(`a ${how} key ${JSON.stringify(text)} becomes ${expected ?? error} (${source})`, () => {
    const meant = edit ? edited(text, edit, spec.strip_prefix) : text;
    if (expected !== undefined) {
      assert.equal(hex(decodeKey(meant, spec)), expected);
      return;
    }
    assert.throws(
      () => decodeKey(meant, spec),
      (problem: KeyProblem) => problem.code === error && problem.at === (at ?? 0),
    );
  });
}
interface KeyVector extends KeySpec {
  source: string;
  edit?: string;
  text: string;
  hex?: string;
  error?: string;
  at?: number;
}

for (const [form, text, message] of [
  ["base64", "Zm9v YmFy", "Not base64: character 5 is a space"],
  [
    "base64",
    "Zm9-",
    "Not base64: character 4 is “-”: this is the URL-safe alphabet, the provider uses + and /",
  ],
  ["base64", "Zg", "Not base64: 2 characters cannot end like this; the end may be cut off"],
  ["base64", "Zh==", "Not base64: 4 characters cannot end like this; the end may be cut off"],
  ["base64", "Z=g=", "Not base64: 4 characters cannot end like this; the end may be cut off"],
  ["hex", "00fg", "Not hex: character 4 is “g”"],
  ["hex", "abc", "Not hex: 3 digits; the count must be even"],
] as const) {
  test(`${JSON.stringify(text)} says why it is not ${form}, and carries no error of a library`, () => {
    assert.throws(
      () => decodeKey(text, { form, strip_prefix: "" }),
      (problem: KeyProblem) => problem.message === message && problem.cause === undefined,
    );
  });
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

    assert.equal(hex(mac("hmac-sha256", key, [message])), expected);
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
