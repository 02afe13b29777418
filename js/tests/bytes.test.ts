import assert from "node:assert/strict";
import { test } from "node:test";
import { asBytes, count, editBody, exact, offsetOf, readBody, withoutBom } from "../src/core/bytes.js";
import { hex, unhex, utf8 } from "./support.js";

const BOM = "efbbbf";
const edited = (bytes: Uint8Array, change: (text: string) => string) => {
  const body = readBody(bytes);
  return editBody(body, change(body.text));
};

test("plain text is shown as it is", () => {
  const body = readBody(utf8('{"name": "café ☕ 😀"}\n'));

  assert.equal(body.text, '{"name": "café ☕ 😀"}\n');
  assert.deepEqual([body.bom, body.lineEnds, body.broken], [false, "lf", 0]);
});

test("line ends are told apart", () => {
  const cases = {
    "": "none",
    ab: "none",
    "a\nb": "lf",
    "a\r\nb\r\n": "crlf",
    "a\r\nb\n": "mixed",
    "a\rb": "mixed",
  };

  for (const [text, expected] of Object.entries(cases))
    assert.equal(readBody(utf8(text)).lineEnds, expected, text);
});

test("an editor sees LF only, and no BOM", () => {
  const body = readBody(new Uint8Array([...unhex(BOM), ...utf8("a\r\nb\rc\n")]));

  assert.equal(body.text, "a\nb\nc\n");
  assert.equal(body.bom, true);
});

test("an edit keeps a BOM", () => {
  const after = edited(new Uint8Array([...unhex(BOM), ...utf8("{}")]), () => "{ }");

  assert.equal(hex(after), BOM + hex(utf8("{ }")));
});

test("a body without a change is the same bytes, whatever they are", () => {
  const samples = [
    "",
    "61",
    BOM,
    `${BOM}0d0a`,
    "0d",
    "0d0a0d",
    "ff",
    "e28000",
    "f09f98",
    "eda080",
    "efbfbd",
    "61ff0d0a62",
  ];

  for (const sample of samples) {
    const after = edited(unhex(sample), (text) => text);

    assert.equal(hex(after), sample);
  }
});

test("new lines of a CRLF body are CRLF, old ones stay", () => {
  const after = edited(utf8("a\r\nb\r\n"), (text) => text.replace("b", "b\nc"));

  assert.equal(hex(after), hex(utf8("a\r\nb\r\nc\r\n")));
});

test("mixed line ends stay where nobody typed", () => {
  const after = edited(utf8("a\r\nb\nc\rd"), (text) => text.replace("b", "B\n"));

  assert.equal(hex(after), hex(utf8("a\r\nB\n\nc\rd")));
});

test("bytes that are not UTF-8 stay where nobody typed", () => {
  const before = unhex("7b22ff223a2031fe7d");
  const body = readBody(before);
  const after = editBody(body, body.text.replace("1", "23"));

  assert.equal(body.text, '{"\ufffd": 1\ufffd}');
  assert.equal(body.broken, 2);
  assert.equal(hex(after), "7b22ff223a203233fe7d");
});

test("a replacement character that is really there is not called broken", () => {
  assert.equal(readBody(utf8("a\ufffd\r\n")).broken, 0);
});

test("an edit inside a character beyond the basic plane rewrites the whole of it", () => {
  const after = edited(utf8("\r\n😀!"), (text) => text.replace("😀", "😁"));

  assert.equal(hex(after), hex(utf8("\r\n😁!")));
});

test("what is shown after any edit of any bytes is what the bytes say", () => {
  // A small deterministic generator: every run tries the same 3000 edits.
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  const pieces = ["61", "0a", "0d0a", "e29895", "f09f9880", "ff", "c3a9", "efbfbd", "22"];
  const typed = ["", "x", "\n", "é", "😀", '"'];
  for (let run = 0; run < 3000; run++) {
    const bytes = unhex(Array.from({ length: random(9) }, () => pieces[random(pieces.length)]).join(""));
    const body = readBody(bytes);
    const from = random(body.text.length + 1);
    const to = from + random(body.text.length - from + 1);
    const typedIn = body.text.slice(0, from) + typed[random(typed.length)] + body.text.slice(to);
    const text = Buffer.from(typedIn).toString(); // no half characters

    assert.equal(readBody(editBody(body, text)).text, text, `${hex(bytes)} -> ${JSON.stringify(text)}`);
  }
});

test("a BOM can be taken off", () => {
  assert.equal(hex(withoutBom(unhex(`${BOM}61`))), "61");
  assert.equal(hex(withoutBom(unhex("61"))), "61");
});

test("a place is found by line and column in code points", () => {
  const text = "ab\n😀d\n";
  const cases: [number, number, number][] = [
    [1, 1, 0],
    [1, 3, 2],
    [2, 1, 3],
    [2, 2, 5],
    [2, 9, 6],
    [3, 1, 7],
    [9, 1, 7],
    [1, 9, 2],
  ];

  for (const [line, column, offset] of cases)
    assert.equal(offsetOf(text, line, column), offset, `${line}:${column}`);
});

test("binary values of every kind are read, other values are not", () => {
  const buffer = new Uint8Array([1, 2, 3, 4]).buffer;

  assert.deepEqual([...(asBytes(buffer) ?? [])], [1, 2, 3, 4]);
  assert.deepEqual([...(asBytes(new DataView(buffer, 1, 2)) ?? [])], [2, 3]);
  assert.deepEqual([...(asBytes(new Uint8Array(buffer, 2)) ?? [])], [3, 4]);
  for (const value of [null, undefined, "abc", [1], {}]) assert.equal(asBytes(value), null);
});

test("an exact copy has a buffer of its own", () => {
  const part = new Uint8Array(new Uint8Array([1, 2, 3]).buffer, 1, 1);

  assert.equal(exact(part).buffer.byteLength, 1);
});

test("counts read as people write them", () => {
  assert.equal(count(1, "byte"), "1 byte");
  assert.equal(count(0, "byte"), "0 bytes");
  assert.equal(count(999, "byte"), "999 bytes");
  assert.equal(count(1000, "byte"), "1,000 bytes");
  assert.equal(count(1234567, "byte"), "1,234,567 bytes");
  assert.equal(count(12, "retry", "retries"), "12 retries");
});
