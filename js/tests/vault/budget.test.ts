import assert from "node:assert/strict";
import { test } from "node:test";
import { createBudget, LIMITS } from "../../src/vault/budget.js";

test("a budget is used up within a minute, and comes back with the next one", () => {
  let now = 0;
  const budget = createBudget(() => now);
  assert.equal(budget.spend("sign", LIMITS.sign), true);
  assert.equal(budget.spend("sign", 1), false);
  assert.equal(budget.spend("match", 1), true);
  assert.equal(budget.spent(), LIMITS.sign + 1);
  now = 60_000;

  assert.equal(budget.spent(), 0);
  assert.equal(budget.spend("sign", 1), true);
});

test("more questions than the limit at once are rejected, and not counted", () => {
  const budget = createBudget(() => 0);

  assert.equal(budget.spend("match", LIMITS.match + 1), false);
  assert.equal(budget.spent(), 0);
});
