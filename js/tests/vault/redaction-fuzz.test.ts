import assert from "node:assert/strict";
import { test } from "node:test";
import { type PastedRequest, redact } from "../../src/vault/redaction/index.js";
import {
  assertRestored,
  bufferOf,
  ENCODERS,
  type Encoder,
  generator,
  marks,
  PARTS,
  PLAIN,
  pieceIn,
  RANDOM,
  type Random,
  request,
  UMLAUT,
} from "./redaction-support.js";

test("a piece of a secret is found by the reader of these tests in every form, and in no stranger's", () => {
  for (const { name, encode } of ENCODERS) {
    assert.ok(pieceIn(Buffer.from(encode(Buffer.from(RANDOM), generator(1))), RANDOM), name);
    assert.equal(pieceIn(encode(Buffer.from(PLAIN), generator(1)), RANDOM), null, name);
  }
});

/** Encodings in which a secret is replaced; in any other it blocks the request. */
const REPLACED = /^(?:plain|percent|JSON)/;
const CONTEXTS: Record<string, (form: Buffer) => Partial<PastedRequest>> = {
  "a body": (form) => ({
    body: Buffer.concat([Buffer.from('{"a":"ä","p":"'), form, Buffer.from('","z":[1]}')]),
  }),
  "a form": (form) => ({ sent: Buffer.concat([Buffer.from("a=1&p="), form, Buffer.from("&z=2")]) }),
};
for (const outer of ENCODERS) {
  test(`a held secret does not leave in any form inside ${outer.name}`, () => {
    for (const inner of ENCODERS) {
      for (const [place, parts] of Object.entries(CONTEXTS)) {
        for (const secret of [PLAIN, RANDOM, UMLAUT]) {
          const pasted = request(
            parts(outer.encode(inner.encode(Buffer.from(secret), generator(1)), generator(1))),
          );
          const redacted = redact(pasted, [], [secret], marks());
          const where = `${inner.name} in ${outer.name} in ${place}`;

          for (const part of ["body", "sent"] as const)
            if (redacted.blocked !== part)
              assert.equal(pieceIn(bufferOf(redacted.request[part]), secret), null, where);
          if (REPLACED.test(inner.name) && outer.name === "plain")
            assert.equal(redacted.blocked, null, where);
          assertRestored(pasted, redacted);
        }
      }
    }
  });
}

const ALPHABETS = [
  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
  "0123456789abcdef",
  "abcXYZ019+/=",
  "abcXYZ019-_",
  "aB1 !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
  "aäöüßÄéñ1/",
  "ключ秘密😀x",
].map((letters) => [...letters]);

function secretOf(random: Random): string {
  const letters = ALPHABETS[random(ALPHABETS.length)] as string[];
  const length = random(20) === 0 ? 100 + random(200) : 8 + random(40);
  const secret = Array.from({ length }, () => letters[random(letters.length)]).join("");
  return secret.trim().length < 8 ? secretOf(random) : secret;
}

/** Something that may stand around a form of a secret. */
function noise(random: Random) {
  const pieces = [
    '"',
    "&",
    "=",
    "\\",
    "\\\\",
    "%",
    "%2",
    "%41",
    "/",
    "+",
    "\r\n",
    "\n ",
    ":",
    " ",
    "QUJD",
    "abc",
    "0f",
    "\\u00",
    "ä",
    "\0",
    "--x",
  ];
  const parts = Array.from({ length: random(6) }, () => Buffer.from(pieces[random(pieces.length)] as string));
  if (random(8) === 0) parts.push(Buffer.from([random(256), random(256)]));
  return Buffer.concat(parts);
}

const INPUTS = Number(process.env.REDACTION_INPUTS ?? 2000);
const SEED = Number(process.env.REDACTION_SEED ?? 1);

test(`no reading of ${INPUTS} generated requests holds a secret after redaction, or nothing is sent`, () => {
  let blocked = 0;
  let unneeded = 0;
  for (let n = 0; n < INPUTS; n++) {
    const random = generator(SEED * 1_000_003 + n);
    for (let i = 0; i < 5; i++) random(2);
    const secrets = Array.from({ length: 1 + random(2) }, () => secretOf(random));
    if (random(6) === 0) secrets.push(`${secrets[0]}${secretOf(random)}`);
    const parts: Buffer[] = [noise(random)];
    const forms: string[] = [];
    let replaced = true;
    for (let i = random(3); i >= 0; i--) {
      const secret = secrets[random(secrets.length)] as string;
      const chars = [...secret];
      let form: Buffer = Buffer.from(random(8) ? secret : chars.slice(random(chars.length)).join(""));
      if (random(10) === 0) form = Buffer.from(form.toString().toUpperCase());
      if (random(10) === 0) form = Buffer.from(form.toString().toLowerCase());
      const layers = random(3);
      for (let depth = layers; depth > 0; depth--) {
        const { name, encode } = ENCODERS[random(ENCODERS.length)] as Encoder;
        replaced &&= layers < 2 && REPLACED.test(name);
        form = encode(
          Buffer.concat([
            random(2) ? Buffer.from("user:") : Buffer.from(""),
            form,
            random(3) ? Buffer.from("") : Buffer.from("ü?"),
          ]),
          random,
        );
        forms.push(name);
      }
      parts.push(form, noise(random));
    }
    const bytes = Buffer.concat(parts);
    const part = PARTS[random(PARTS.length)] as (typeof PARTS)[number];
    const pasted = request({ [part]: part === "body" || part === "sent" ? bytes : bytes.toString() });
    const redacted = redact(pasted, [], secrets, marks());
    const context = `input ${n}, ${part}: ${forms} ${JSON.stringify(secrets)} ${JSON.stringify(bytes.toString("latin1"))}`;
    if (redacted.blocked) {
      blocked += 1;
      unneeded += Number(replaced);
    } else {
      const after = bufferOf(redacted.request[part]);
      for (const secret of secrets)
        assert.equal(pieceIn(after, secret), null, `${context} -> ${after.toString("latin1")}`);
    }
    assertRestored(pasted, redacted);
    const stranger = redact(pasted, [], ["another secret, 99 letters"], marks());
    assert.equal(stranger.originals.size, 0, context);
    for (const name of PARTS) assert.equal(stranger.request[name], pasted[name], context);
  }
  console.log(`# ${blocked} of ${INPUTS} blocked, ${unneeded} without need`);
  assert.ok(unneeded < INPUTS / 50, `${unneeded} blocked without need`);
});
