import assert from "node:assert/strict";
import { test } from "node:test";
import { effect, signal } from "../src/core/signals.js";
import { settled } from "./support.js";

test("an effect runs at once, and again after what it read has changed", async () => {
  const name = signal("a");
  const seen: string[] = [];
  effect(() => {
    seen.push(name());
  });
  name.set("b");
  await settled();

  assert.deepEqual(seen, ["a", "b"]);
});

test("many sets make one run, and the same value none", async () => {
  const name = signal(0);
  let runs = 0;
  effect(() => {
    name();
    runs += 1;
  });
  name.set(1);
  name.set(2);
  await settled();
  name.set(2);
  await settled();

  assert.equal(runs, 2);
});

test("an effect forgets what it no longer reads", async () => {
  const which = signal(true);
  const [left, right] = [signal(0), signal(0)];
  let runs = 0;
  effect(() => {
    (which() ? left : right)();
    runs += 1;
  });
  right.set(1);
  await settled();
  assert.equal(runs, 1);
  which.set(false);
  await settled();
  left.set(1);
  await settled();

  assert.equal(runs, 2);
});

test("a stopped effect stays quiet, also when it was about to run", async () => {
  const name = signal(0);
  let runs = 0;
  const stop = effect(() => {
    name();
    runs += 1;
  });
  name.set(1);
  stop();
  await settled();
  name.set(2);
  await settled();

  assert.equal(runs, 1);
});

test("reading without interest does not wake an effect", async () => {
  const name = signal(0);
  let runs = 0;
  effect(() => {
    name.peek();
    runs += 1;
  });
  name.set(1);
  await settled();

  assert.equal(runs, 1);
});

test("an effect inside another keeps the outer one's reads apart", async () => {
  const [outer, inner] = [signal(0), signal(0)];
  let runs = 0;
  effect(() => {
    runs += 1;
    effect(() => {
      inner();
    });
    outer();
  });
  inner.set(1);
  await settled();
  assert.equal(runs, 1);
  outer.set(1);
  await settled();

  assert.equal(runs, 2);
});
