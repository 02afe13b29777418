import assert from "node:assert/strict";
import { test } from "node:test";
import vectors from "../../../tests/vectors/primitives.json" with { type: "json" };
import { edited } from "../../src/crypto/key-edits.js";
import {
  type Algorithm,
  base64,
  decodeKey,
  type KeySpec,
  mac,
  randomBytes,
  type SecretAlgorithm,
  sha256Hex,
} from "../../src/crypto/primitives.js";
import {
  algorithmAllowed,
  expectedMac,
  type Reading,
  VARIANTS,
  variantSpec,
} from "../../src/vault/key-variants.js";
import { hex, utf8 } from "../support.js";

/** A key spec as the vectors write it, such as `trim - base64 whsec_ sha1`. */
function specOf(text: string) {
  const [edit, normalize, form, strip_prefix, digest] = text
    .split(" ")
    .map((word) => (word === "-" ? "" : word));
  return { form, strip_prefix, normalize, digest, edit } as KeySpec & { edit: string };
}
function pinnedOf(text: string): KeySpec {
  const { edit: _, ...spec } = specOf(text);
  return spec;
}

interface Vector {
  spec: string;
  prefix: string;
  variants: Record<string, string | null>;
  keys: Record<string, string[]>;
}

for (const { spec, prefix, variants, keys } of vectors.variants as unknown as Vector[]) {
  test(`the variants of a key “${spec}” with the prefix “${prefix}” are those of the kernel`, () => {
    const specs = VARIANTS.map((name) => [name, variantSpec(pinnedOf(spec), prefix, name)]);
    const known = Object.entries(variants).map(([name, text]) => [name, text === null ? null : specOf(text)]);

    assert.deepEqual(Object.fromEntries(specs), Object.fromEntries(known));
    for (const [variant, [secret = "", key]] of Object.entries(keys)) {
      const other = variantSpec(pinnedOf(spec), prefix, variant);
      assert.ok(other);
      const text = other.edit ? edited(secret, other.edit, other.strip_prefix) : secret;
      assert.equal(hex(decodeKey(text, other)), key, variant);
    }
  });
}

test("a spec may lack what is empty, and a name that is none derives nothing", () => {
  const spec: KeySpec = { form: "utf8", strip_prefix: "" };

  assert.equal(variantSpec(spec, "", "as-text"), null);
  assert.equal(variantSpec(spec, "", "")?.edit, "");
  for (const name of ["trim", "toString", "__proto__", "TRIMMED"])
    assert.equal(variantSpec(spec, "", name), null);
});

const SECRETS: SecretAlgorithm[] = [
  "hmac-sha1",
  "hmac-sha256",
  "hmac-sha384",
  "hmac-sha512",
  "sha256-prefix",
  "sha256-suffix",
  "sha1-suffix",
];

test("a key of one kind is never asked about another, and a token about nothing else", () => {
  const pairs: Algorithm[] = ["ed25519", "ecdsa-p256", "ecdsa-p256-raw", "rsa-sha256", "rsa-sha1"];
  const allowed = (pinned: Algorithm) =>
    [...SECRETS, "token" as const, ...pairs].filter((a) => algorithmAllowed(pinned, a));

  assert.deepEqual(allowed("token"), ["token"]);
  assert.deepEqual(allowed("hmac-sha256"), [...SECRETS, "token"]);
  assert.deepEqual(allowed("sha1-suffix"), ["sha256-prefix", "sha256-suffix", "sha1-suffix", "token"]);
  assert.deepEqual(allowed("rsa-sha1"), ["rsa-sha256", "rsa-sha1"]);
  assert.deepEqual(allowed("ecdsa-p256"), ["ecdsa-p256", "ecdsa-p256-raw"]);
});

const letters = (length: number, of = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") =>
  [...randomBytes(length)].map((byte) => of[byte % of.length]).join("");
const HEX = "0123456789abcdef";

/** Secrets at random, in every shape that a variant changes, or that it leaves short or alone. */
const SHAPES: Record<string, () => string> = {
  letters: () => letters(40),
  hex: () => letters(64, HEX),
  "upper-case hex": () => letters(64, HEX).toUpperCase(),
  "lower case": () => letters(40).toLowerCase(),
  "upper case": () => letters(40).toUpperCase(),
  digits: () => letters(32, "0123456789"),
  "base64 of 24 bytes": () => base64(randomBytes(24)),
  "base64 of 32 bytes": () => base64(randomBytes(32)),
  "letters and one =": () => `${letters(43)}=`,
  "letters and two =": () => `${letters(42)}==`,
  "letters and _": () => `${letters(40)}_`,
  "letters, _ and a letter": () => `${letters(40)}_${letters(1)}`,
  "url-safe": () => `-_${letters(41)}`,
  prefixed: () => `whsec_${letters(32)}`,
  "prefixed base64": () => `whsec_${base64(randomBytes(24))}`,
  "another prefix": () => `v1,whsec_${letters(32)}`,
  assigned: () => `SECRET=${letters(32)}`,
  quoted: () => `"${letters(32)}"`,
  "in blanks": () => ` ${letters(32)}\n`,
  "with a blank before": () => ` ${letters(32)}`,
  "with a line end": () => `${letters(32)}\n`,
  escaped: () => `${letters(32)}\\n`,
  percent: () => `${letters(32)}%20`,
  "ends with an encoded NUL": () => `${letters(32)}%00`,
  ligature: () => `${letters(32)}\ufb01`,
  "longer than a block": () => letters(100),
  "longer than a long block": () => letters(200),
};

/** Texts that the kernel puts before, after or in place of a key: the parts that variants add and remove. */
const TEXTS = ["", "\n", "\r\n", " ", "=", "==", "whsec_", "_"].map(utf8);

/**
 * All that a kernel can know without the secret: signatures by the pinned algorithms of messages that it chose, and
 * those that it makes with keys that it can guess or knows from these signatures.
 */
function knowledge(key: Uint8Array, pinned: SecretAlgorithm[]): Map<string, number> {
  const known = new Map<string, number>();
  const learn = (bytes: Uint8Array) => known.set(hex(bytes), known.get(hex(bytes)) ?? known.size);
  const keys: Uint8Array[] = [...TEXTS];
  for (const algorithm of pinned) {
    for (const text of TEXTS) {
      const signature = mac(algorithm, key, [text]);
      learn(signature);
      keys.push(signature, utf8(hex(signature)));
    }
  }
  for (const guess of keys)
    for (const algorithm of SECRETS)
      for (const text of TEXTS.slice(0, 3)) learn(mac(algorithm, guess, [text]));
  return known;
}

type Answer = typeof expectedMac;

/** The answers of a tab when each job presents everything that the kernel knows. */
function answers(secret: string, spec: KeySpec, pinned: SecretAlgorithm[], answer: Answer): string {
  const known = knowledge(decodeKey(secret, spec), pinned);
  const matches: string[] = [];
  for (const variant of VARIANTS) {
    for (const algorithm of SECRETS.filter((other) => pinned.some((own) => algorithmAllowed(own, other)))) {
      for (const message of TEXTS) {
        const reading = { secret, spec, prefix: "whsec_", variant };
        const right = answer(reading, algorithm, [message]);
        const match = right ? (known.get(hex(right)) ?? -1) : -1;
        if (match >= 0) matches.push(`${variant} ${algorithm} ${hex(message)} ${match}`);
      }
    }
  }
  return matches.join("\n");
}

const TEXT: KeySpec = { form: "utf8", strip_prefix: "" };
const BASE64: KeySpec = { form: "base64", strip_prefix: "whsec_" };
const PROVIDERS: [string, KeySpec, SecretAlgorithm[]][] = [
  ["HMAC-SHA256", TEXT, ["hmac-sha256"]],
  ["HMAC-SHA1", TEXT, ["hmac-sha1"]],
  ["HMAC-SHA1 with a hashed secret", { ...TEXT, digest: "sha1" }, ["hmac-sha1"]],
  ["HMAC-SHA256 with a base64 secret", BASE64, ["hmac-sha256"]],
  ["HMAC-SHA512 with a hex secret", { form: "hex", strip_prefix: "" }, ["hmac-sha512"]],
  ["hashes of message and secret", TEXT, ["sha1-suffix", "sha256-suffix"]],
  ["a hash of secret and message", TEXT, ["sha256-prefix"]],
  ["HMAC-SHA256 and a hash, in one request", TEXT, ["hmac-sha256", "sha256-prefix"]],
];

function usable(secret: string, spec: KeySpec): boolean {
  try {
    return decodeKey(secret, spec).length > 0;
  } catch {
    return false;
  }
}

/** Every different list of answers, with the shapes that give it. */
function revealed(spec: KeySpec, pinned: SecretAlgorithm[], answer: Answer): Map<string, string[]> {
  const shapes = new Map<string, string[]>();
  for (const [shape, make] of Object.entries(SHAPES)) {
    const secret = make();
    // A hash that goes on where another one ends tells the length of the key, and HMAC takes the hash of a long one.
    const both = pinned.some((own) => own.startsWith("hmac")) && pinned.some((own) => own.endsWith("prefix"));
    if (!usable(secret, spec) || (both && secret.length > 60)) continue;
    const list = answers(secret, spec, pinned, answer);
    shapes.set(list, [...(shapes.get(list) ?? []), shape]);
  }
  return shapes;
}

for (const [name, spec, pinned] of PROVIDERS) {
  test(`the answers of a tab are the same for all secrets: ${name}`, () => {
    const shapes = revealed(spec, pinned, expectedMac);

    assert.equal(shapes.size, 1, [...shapes.values()].map((list) => list.join(", ")).join("\n"));
    assert.match([...shapes.keys()].join(), new RegExp(`^ ${pinned[0]} `, "m"), "a right signature matches");
  });
}

test("a tab that uses whatever key a variant gives tells what the secret is like", () => {
  const naive: Answer = ({ secret, spec, prefix, variant }, algorithm, message) => {
    const other = variantSpec(spec, prefix, variant);
    try {
      return (
        other && mac(algorithm, decodeKey(edited(secret, other.edit || "lower", prefix), other), message)
      );
    } catch {
      return null;
    }
  };

  assert.ok(revealed(TEXT, ["hmac-sha256"], naive).size > 1);
});

test("a variant that gives the plain key matches nothing, for every variant", () => {
  let same = 0;
  for (const variant of VARIANTS.filter(Boolean)) {
    for (const make of Object.values(SHAPES)) {
      const secret = make();
      const spec = variantSpec(TEXT, "whsec_", variant);
      const text = spec?.edit ? edited(secret, spec.edit, spec.strip_prefix) : secret;
      if (!spec || !usable(text, spec) || hex(decodeKey(text, spec)) !== hex(utf8(secret))) continue;
      same++;
      for (const algorithm of [...SECRETS, "token" as const])
        assert.equal(expectedMac({ secret, spec: TEXT, prefix: "whsec_", variant }, algorithm, []), null);
    }
  }
  assert.ok(same > 100);
});

test("a variant that gives another key matches what was signed with it", () => {
  const cases: [string, KeySpec, string, Uint8Array][] = [
    ["trimmed", TEXT, " a secret of a test\n", utf8("a secret of a test")],
    ["unprefixed-base64", TEXT, "whsec_QWRhIExvdmVsYWNl", utf8("Ada Lovelace")],
    ["as-text", BASE64, "whsec_QWRhIExvdmVsYWNl", utf8("whsec_QWRhIExvdmVsYWNl")],
    ["sha256-hex", TEXT, "abc", utf8(sha256Hex(utf8("abc")))],
  ];

  for (const [variant, spec, secret, key] of cases) {
    const reading: Reading = { secret, spec, prefix: "whsec_", variant };
    for (const algorithm of ["hmac-sha256", "hmac-sha1", "token"] as const) {
      const right = expectedMac(reading, algorithm, [utf8("bo"), utf8("dy")]);
      assert.equal(right && hex(right), hex(mac(algorithm, key, [utf8("body")])), variant);
    }
  }
});

test("swapped, the message is the key of an HMAC, and of nothing else", () => {
  const reading: Reading = {
    secret: "whsec_QWRhIExvdmVsYWNl",
    spec: BASE64,
    prefix: "whsec_",
    variant: "swapped",
  };
  const right = expectedMac(reading, "hmac-sha1", [utf8("bo"), utf8("dy")]);

  assert.equal(right && hex(right), hex(mac("hmac-sha1", utf8("body"), [utf8("Ada Lovelace")])));
  for (const other of ["sha256-prefix", "sha1-suffix", "token"] as const)
    assert.equal(expectedMac(reading, other, [utf8("body")]), null);
  assert.equal(expectedMac({ ...reading, secret: "?" }, "hmac-sha1", [utf8("body")]), null);
});

test("a secret that is no key as the provider reads it may be one in a variant", () => {
  const reading = { secret: "whsec_QWRhIExvdmVsYWNl\n", spec: BASE64, prefix: "whsec_" };
  const right = expectedMac({ ...reading, variant: "trimmed" }, "hmac-sha256", []);

  assert.equal(expectedMac({ ...reading, variant: "" }, "hmac-sha256", []), null);
  assert.equal(right && hex(right), hex(mac("hmac-sha256", utf8("Ada Lovelace"), [])));
});

test("a variant whose edit finds nothing to change matches nothing, because another one is the cause", () => {
  const reading = { secret: "QWRhIExvdmVsYWNl", spec: TEXT, prefix: "" };

  assert.ok(expectedMac({ ...reading, variant: "as-base64" }, "hmac-sha256", []));
  assert.equal(expectedMac({ ...reading, variant: "unprefixed-base64" }, "hmac-sha256", []), null);
});

test("no key takes as much hashing as a key", () => {
  const counted = (secret: string, variant: string) => {
    let bytes = 0;
    const count = (algorithm: SecretAlgorithm, key: Uint8Array, message: Uint8Array[]) => {
      for (const piece of message) bytes += piece.length;
      return mac(algorithm, key, message);
    };
    expectedMac({ secret, spec: TEXT, prefix: "", variant }, "hmac-sha256", [utf8("x".repeat(999))], count);
    return bytes;
  };

  for (const variant of VARIANTS)
    assert.equal(counted(letters(40), variant), counted(`"${letters(39)}`, variant));
});

test("what is around a long secret is removed in one pass: from each of its characters it would not end", () => {
  for (const piece of [",", " ", "\u00a0", "\\n", ";\\n", "\\"]) {
    const text = `x${piece.repeat(200_000)}x`;
    assert.ok(edited(`${text};`, "unwrap", "") === text);
    assert.ok(edited(`${text} `, "trim", "") === text);
  }
});
