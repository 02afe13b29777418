/** The pretty view of a payload: other whitespace, and nothing else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { indented } from "../src/generator/indent.js";

const shown = (text: string) => {
  const result = indented(text);
  assert.ok("text" in result, JSON.stringify(result));
  return result.text;
};
/** A JSON text without the whitespace between its tokens. */
const tokens = (text: string) => text.match(/"(?:[^"\\]|\\.)*"|[^\s]/g)?.join("");

test("what JSON.stringify writes is indented as it indents", () => {
  const values = [
    {},
    [],
    null,
    "",
    -1.5e-7,
    [[]],
    [{}],
    { a: [] },
    { a: { b: [1, "x", true, null, { c: "}" }] }, d: '"[{,:\\', e: "\u2028é" },
  ];
  for (const value of values) {
    assert.equal(shown(JSON.stringify(value)), JSON.stringify(value, null, 2));
    assert.equal(shown(JSON.stringify(value, null, "\t")), JSON.stringify(value, null, 2));
  }
});

test("no token is written otherwise", () => {
  const text = '{"n":1.0,"big":12345678901234567890,"e":1E+400,"n":"\\u00e9\\/","":-0}';
  assert.equal(tokens(shown(text)), tokens(text));
  assert.match(shown(text), /"n": 1\.0,\n {2}"big": 12345678901234567890/);
});

test("what is no JSON has a reason", () => {
  for (const text of ["", "a=1&b=2", "{,}", "[1,]", "nul", '"a', "\ufeff{}"])
    assert.ok("reason" in indented(text));
});

test("a short text of deep nesting does not become a long one", () => {
  const result = indented("[".repeat(90_000) + "]".repeat(90_000));
  assert.deepEqual(Object.keys(result), ["reason"]);
});

test("indenting the largest payload ends in time", () => {
  const text = JSON.stringify(Array.from({ length: 15_000 }, (_, i) => ({ i })));
  const before = performance.now();
  shown(text);
  assert.ok(text.length > 150_000 && performance.now() - before < 10_000);
});
