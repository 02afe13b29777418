// The vectors that the package publishes: the front end signs each of them as its file states.
import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { ed25519Pair, p256Pair } from "../src/crypto/key-pairs.js";
import {
  type Algorithm,
  decodeKey,
  type KeySpec,
  type KeyType,
  mac,
  needsPair,
} from "../src/crypto/primitives.js";
import { type RsaAlgorithm, rsaVerify } from "../src/crypto/rsa.js";
import { hex, unhex, utf8 } from "./support.js";

interface Group {
  scheme?: string;
  key: (Partial<KeySpec> & { secret: string }) | { public_key: string; private_key?: string; type: KeyType };
  signed?: { algorithm: Algorithm; message?: string; message_base64?: string; hex: string }[];
}

const FOLDER = "../src/hook_widgets/webhooks/vectors";
const files = readdirSync(FOLDER).filter((name) => name !== "schema.json");
const number = (text = "") => BigInt(`0x${Buffer.from(text, "base64url").toString("hex")}`);

/** True if the front end's code makes this signature, or accepts it for RSA. */
function agrees(key: Group["key"], algorithm: Algorithm, message: Uint8Array, signature: string): boolean {
  if ("secret" in key) {
    assert.ok(!needsPair(algorithm));
    const { secret, ...rest } = key;
    const spec = { form: "utf8", strip_prefix: "", normalize: "", digest: "", ...rest } as KeySpec;
    return hex(mac(algorithm, decodeKey(secret, spec), [message])) === signature;
  }
  assert.ok(needsPair(algorithm));
  if (key.type !== "rsa") {
    const pair = (key.type === "ed25519" ? ed25519Pair : p256Pair)(unhex(key.private_key ?? ""));
    assert.equal(pair.publicText(key.type === "ed25519" ? "hex" : "base64-spki"), key.public_key);
    return pair.verify(algorithm, message, unhex(signature));
  }
  const spki = Buffer.from(key.public_key, "base64");
  const { n, e } = createPublicKey({ key: spki, format: "der", type: "spki" }).export({ format: "jwk" });
  return rsaVerify(algorithm as RsaAlgorithm, { n: number(n), e: number(e) }, message, unhex(signature));
}

test("there are vectors of many providers", () => assert.ok(files.length > 200));

for (const file of files) {
  const { provider, groups } = JSON.parse(readFileSync(`${FOLDER}/${file}`, "utf8"));
  test(`the signatures of ${provider} are those of its published vectors, and of no other message`, () => {
    for (const { scheme, key, signed = [] } of groups as Group[]) {
      for (const { algorithm, message, message_base64, hex: signature } of signed) {
        const bytes = message === undefined ? Buffer.from(message_base64 ?? "", "base64") : utf8(message);
        const other = new Uint8Array([...bytes, 0]);

        assert.equal(agrees(key, algorithm, bytes, signature), true, `${provider} ${scheme}`);
        assert.equal(
          agrees(key, algorithm, other, signature),
          algorithm === "token",
          `${provider} ${scheme}`,
        );
      }
    }
  });
}
