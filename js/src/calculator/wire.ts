/**
 * The wire between the kernel and the calculator, and readers for all that the kernel says.
 *
 * TRAITS are the inputs, saved in the notebook, as they were written ("" = not given): preset, algorithm, pattern, limits
 * [[name, "1000/hour"], ...] with at least one row, compare, and the keys of input_labels. The kernel alone sets
 * input_labels (the inputs of the form and their labels) and locked.
 *
 * REQUESTS, browser to kernel, in the envelope of `../rpc.ts`; none of them changes a trait.
 *   catalog {}                       -> Catalog
 *   frame {inputs, width, height, dpr, theme, quick, scales} -> Frame, buffer 0 = the picture unless there is an error.
 *                                       scales: the id of the scales that this tab has; they come when it is another.
 *                                       A quick frame has the picture without its description, the status and the cards
 *   export {inputs, format, theme}   -> {filename, media_type}, buffer 0 = the file. format: png | svg
 *   preset {name}                    -> {inputs}: the inputs that it stands for
 *   ping {}                          -> {}
 *
 * A field is named as its trait, the rate of the first limit "limits.0". A scale is what its slider can be put on.
 */

import {
  flag,
  list,
  mapOf,
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

export type Row = [name: string, rate: string];
/** The inputs of the form are texts by the names of the kernel's record; the others have a control of their own. */
export interface Inputs {
  preset: string;
  algorithm: string;
  pattern: string;
  limits: Row[];
  compare: boolean;
  [name: string]: string | boolean | Row[];
}

const rows: Reader<Row[]> = (value) => {
  const read = some(pair(text, text))(value);
  return read.length ? read : [["", ""]];
};

export const inputLabels = or(mapOf(text), {});

export const inputsNamed = (names: string[]) =>
  inputsOf<Inputs>({
    preset: words,
    algorithm: words,
    pattern: words,
    limits: rows,
    compare: or(flag, false),
    ...Object.fromEntries(names.map((name) => [name, words])),
  });

/** The text of one input. */
export function textOf(inputs: Inputs, name: string): string {
  const value = inputs[name];
  return typeof value === "string" ? value : "";
}

const entry = { id: text, title: text, note: words };
const field = record({ ...fieldShape, group: text });

export const catalog = record({
  presets: list(record({ ...entry, kind: oneOf("tier", "api"), source: words, read: words })),
  algorithms: list(record(entry)),
  patterns: list(record(entry)),
  groups: list(record({ id: text, title: text })),
  fields: list(field),
});

export const frame = record({
  ...basics,
  cards: some(record({ title: text, value: cell, note: words })),
  advice: or(record({ verdict: text, actions: list(text), reasons: list(text) }), {
    verdict: "",
    actions: [],
    reasons: [],
  }),
  table,
  figures: table,
  headers: some(record({ title: text, status: number, lines: some(pair(text, text)), body: words })),
  metrics: some(record({ title: text, value: cell, formula: words, inputs: words, source: words })),
});

export const exported = exportedAs("image/png", "image/svg+xml");

export type Catalog = Read<typeof catalog>;
export type Field = Read<typeof field>;
export type Frame = Read<typeof frame>;
export type { Table };
