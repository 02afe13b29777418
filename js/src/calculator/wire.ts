/**
 * The wire between the kernel and the calculator, and readers for all that the kernel says.
 *
 * TRAITS are the inputs, saved in the notebook, as they were written ("" = not given): the names in TEXTS, limits
 * [[name, "1000/hour"], ...] with at least one row, compare; and locked, which only the kernel sets.
 *
 * REQUESTS, browser to kernel, in the envelope of `../rpc.ts`; none of them changes a trait.
 *   catalog {}                       -> Catalog
 *   frame {inputs, width, height, dpr, theme, quick, ladders} -> Frame, buffer 0 = the picture unless there is an error.
 *                                       ladders: the id of the ladders that this tab has; they come when it is another.
 *                                       A quick frame has the picture without its description, the status and the cards
 *   export {inputs, format, theme}   -> {filename, media_type}, buffer 0 = the file. format: png | svg
 *   preset {name}                    -> {inputs}: the inputs that it stands for
 *   ping {}                          -> {}
 *
 * A field is named as its trait, the rate of the first limit "limits.0". A ladder is what its slider can be put on.
 */

import {
  flag,
  list,
  number,
  oneOf,
  or,
  pair,
  type Read,
  type Reader,
  record,
  text,
} from "../core/decoders.js";
import {
  basics,
  cell,
  exportedAs,
  fieldShape,
  inputsOf,
  some,
  type Table,
  table,
  words,
} from "../plot/wire.js";

export const TEXTS = [
  "preset",
  "algorithm",
  "pattern",
  "capacity",
  "cushion",
  "in_flight",
  "steady",
  "burst",
  "burst_window_s",
  "burst_every_s",
  "clients",
  "weights",
  "concurrency",
  "latency_s",
  "timeout_s",
  "retries",
  "duration_s",
  "seed",
] as const;

export type Row = [name: string, rate: string];
export type Inputs = Record<(typeof TEXTS)[number], string> & { limits: Row[]; compare: boolean };

const rows: Reader<Row[]> = (value) => {
  const read = some(pair(text, text))(value);
  return read.length ? read : [["", ""]];
};
export const inputs = inputsOf<Inputs>({
  ...(Object.fromEntries(TEXTS.map((name) => [name, words])) as Record<
    (typeof TEXTS)[number],
    Reader<string>
  >),
  limits: rows,
  compare: or(flag, false),
});

const entry = { id: text, title: text, note: words };
const field = record({ ...fieldShape, group: oneOf("limit", "traffic", "clients", "run") });

export const catalog = record({
  presets: list(record({ ...entry, kind: oneOf("tier", "api"), source: words, read: words })),
  algorithms: list(record(entry)),
  patterns: list(record(entry)),
  fields: list(field),
});

export const frame = record({
  ...basics,
  cards: some(record({ title: text, value: cell, note: words })),
  advice: some(text),
  table,
  figures: table,
  headers: some(record({ title: text, status: number, lines: some(pair(text, text)), body: words })),
  formulas: some(record({ title: text, value: cell, formula: words, put_in: words, source: words })),
});

export const exported = exportedAs("image/png", "image/svg+xml");
export const presetReply = record({ inputs: inputs.some });

export type Catalog = Read<typeof catalog>;
export type Field = Read<typeof field>;
export type Frame = Read<typeof frame>;
export type { Table };
