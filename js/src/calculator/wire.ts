/**
 * The wire between the kernel and the calculator, and readers for all that the kernel says.
 *
 * TRAITS are the inputs, saved in the notebook, as they were written ("" = not given): the names in TEXTS, limits
 * [[name, "1000/hour"], ...] with at least one row, compare; and locked, which only the kernel sets.
 *
 * REQUESTS, browser to kernel, in the envelope of `../rpc.ts`; none of them changes a trait.
 *   catalog {}                       -> Catalog
 *   frame {inputs, width, height, dpr, theme, quick, ladders} -> Frame, buffer 0 = PNG unless there is an error.
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
  mapOf,
  number,
  oneOf,
  or,
  orNull,
  pair,
  type Read,
  type Reader,
  record,
  text,
} from "../shapes.js";

const words = or(text, "");
const some = <T>(item: Reader<T>) => or(list(item), []);
const cell: Reader<string> = (value) => (typeof value === "number" ? String(value) : text(value));

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
const readers: Record<string, Reader<unknown>> = {
  ...Object.fromEntries(TEXTS.map((name) => [name, words])),
  limits: rows,
  compare: or(flag, false),
};
export const NAMES = Object.keys(readers) as (keyof Inputs)[];

/** One input; what cannot be read is as if it were not set. */
export function readInput(name: keyof Inputs, value: unknown): unknown {
  const reader = readers[name] as Reader<unknown>;
  try {
    return reader(value);
  } catch {
    return reader(undefined);
  }
}

/** The inputs that are there. */
export const someInputs: Reader<Partial<Inputs>> = (value) => {
  const given = mapOf((entry) => entry)(value);
  const names = NAMES.filter((name) => Object.hasOwn(given, name));
  return Object.fromEntries(names.map((name) => [name, (readers[name] as Reader<unknown>)(given[name])]));
};

const entry = { id: text, title: text, note: words };
const field = record({
  name: text,
  label: text,
  group: oneOf("limit", "traffic", "clients", "run"),
  help: words,
  placeholder: words,
  optional: or(flag, false),
});

export const catalog = record({
  presets: list(record({ ...entry, kind: oneOf("tier", "api"), source: words, read: words })),
  algorithms: list(record(entry)),
  patterns: list(record(entry)),
  fields: list(field),
});

const NO_TABLE = { caption: "", columns: [], rows: [] };
const table = or<Table>(record({ caption: words, columns: list(text), rows: list(list(cell)) }), NO_TABLE);

export const frame = record({
  error: orNull(record({ field: words, text })),
  fields: or(mapOf(record({ index: orNull(number), shown: words, note: words })), {}),
  ladders: orNull(record({ id: text, steps: mapOf(list(text)) })),
  status: orNull(record({ level: oneOf("ok", "warn", "bad"), text })),
  cards: some(record({ title: text, value: cell, note: words })),
  advice: some(text),
  table,
  figures: table,
  headers: some(record({ title: text, status: number, lines: some(pair(text, text)), body: words })),
  formulas: some(record({ title: text, value: cell, formula: words, put_in: words, source: words })),
  picture: orNull(record({ width: number, height: number, alt: text, quick: or(flag, false) })),
});

export const exported = record({ filename: text, media_type: oneOf("image/png", "image/svg+xml") });
export const presetReply = record({ inputs: someInputs });

export type Catalog = Read<typeof catalog>;
export type Field = Read<typeof field>;
export type Frame = Read<typeof frame>;
export interface Table {
  caption: string;
  columns: string[];
  rows: string[][];
}
