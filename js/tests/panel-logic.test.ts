/** Logic of the panels, apart from what they draw. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Catalogue, type Row, suitesOf } from "../src/generator/checks.js";
import { matchingEvents, outside, rangeOf } from "../src/generator/view/check/plan.js";
import { groupRows, numberOf } from "../src/generator/view/check/rows.js";
import { hasWords, outcomeOf } from "../src/generator/view/history/search.js";
import type { Delivery } from "../src/generator/wire.js";
import { moved } from "../src/plot/readings.js";
import type { Overlay } from "../src/plot/wire.js";

const rows = [
  { id: "A1", status: "passed" },
  { id: "B1", status: "warned" },
  { id: "B2", status: "failed" },
] as Row[];
const catalog = {
  areas: [
    ["A", "Signature"],
    ["B", "Time"],
    ["C", "Load"],
  ],
  statuses: [["warned", "warning"]],
  checks: [
    { id: "A1", suite: "standard", oracle: false },
    { id: "B1", suite: "full", oracle: false },
  ],
} as unknown as Catalogue;

test("a number that a run cannot use says which one is used", () => {
  const bounds = { least: 1, most: 50, whole: true };
  const hints = ["1", "50", "0", "1000", "", "-3", "1.5"].map((text) => outside(text, bounds).hint);

  const [least, most] = ["From 1 to 50; 1 is used", "From 1 to 50; 50 is used"];
  assert.deepEqual(hints, [undefined, undefined, least, most, least, least, least]);
  assert.deepEqual(outside("1.5", { ...bounds, whole: false }), {});
});

test("rows are grouped with failures first, or by area, without empty groups", () => {
  const ids = (by: "status" | "area") =>
    groupRows(catalog, rows, by).map(([title, members]) => [title, ...members.map(({ id }) => id)]);

  assert.deepEqual(ids("status"), [
    ["failed", "B2"],
    ["warning", "B1"],
    ["passed", "A1"],
  ]);
  assert.deepEqual(ids("area"), [
    ["A: Signature", "A1"],
    ["B: Time", "B1", "B2"],
  ]);
  assert.equal(numberOf(catalog, rows, "warned"), "1 warning");
  assert.equal(numberOf(catalog, [], "warned"), "0 warnings");
});

test("only areas with checks are offered as suites", () => {
  assert.deepEqual(suitesOf(catalog), [
    ["standard", "Standard, 1 checks"],
    ["full", "Full, 2 checks"],
    ["A", "A: Signature, 1 checks"],
    ["B", "B: Time, 1 checks"],
  ]);
});

test("Shift selects from the event clicked last, in either direction; a hidden one begins no range", () => {
  const names = ["a", "b", "c", "d"];

  assert.deepEqual(rangeOf(names, "b", "d"), ["b", "c", "d"]);
  assert.deepEqual(rangeOf(names, "d", "b"), ["b", "c", "d"]);
  assert.deepEqual(rangeOf(names, "z", "b"), ["b"]);
});

test("an event matches by every word of its name or title", () => {
  const events = [
    { name: "charge.paid", title: "A charge succeeded" },
    { name: "charge.lost", title: "A dispute" },
  ];

  assert.deepEqual(matchingEvents(events, "CHARGE succ"), ["charge.paid"]);
  assert.deepEqual(matchingEvents(events, ""), ["charge.paid", "charge.lost"]);
});

test("a history entry matches by every word of its summary; a redirect was not rejected", () => {
  const entry = {
    n: 7,
    provider: "stripe",
    event: "charge.paid",
    method: "POST",
    url: "http://x",
    status: 302,
  };
  const record = { ...entry, reason: "Found", fault: "" } as Delivery;

  assert.equal(hasWords(record, "#7 CHARGE"), true);
  assert.equal(hasWords(record, "charge lost"), false);
  assert.deepEqual(
    [302, 204, 401, null].map((status) => outcomeOf({ ...record, status })),
    ["other", "accepted", "rejected", "other"],
  );
});

test("keys move the crosshair along the time axis and not beyond it", () => {
  const overlay = { begin: 10, end: 20 } as Overlay;

  assert.deepEqual(
    ["ArrowLeft", "ArrowRight", "Home", "End", "x"].map((key) => moved(overlay, 19.5, key, 10)),
    [18.5, 20, 10, 20, undefined],
  );
});
