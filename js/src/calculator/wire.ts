/**
 * Messages between kernel and calculator, and decoders for those of the kernel.
 *
 * TRAITS are the inputs, saved in the notebook, as entered ("" = not given): preset, algorithm, pattern, limits
 * [[name, "1000/hour"], ...] with at least one row, compare, and the keys of input_labels. The kernel alone sets
 * input_labels (the inputs of the form and their labels) and locked.
 *
 * REQUESTS, browser to kernel, in the envelope of `../core/rpc.ts`; none of them changes a trait.
 *   catalog {}                       -> Catalog
 *   frame {inputs, width, height, dpr, theme, quick, scales, part?, sweep?} -> Frame, buffer 0 = the picture unless there is an error.
 *                                       scales: id of the slider steps in this tab; a frame contains them if they differ.
 *                                       part: [begin, end] in seconds draws a part of the time axis.
 *                                       A full frame has an overlay, and buffer 1 = its values as 32-bit floats.
 *                                       A quick frame has only the picture, without alt text, the status and the cards
 *                                       sweep: true draws rejections against the limit instead of the run: its
 *                                       status is the knee, its table has the limits; a note says why it cannot.
 *   export {inputs, format, theme, sweep?} -> {filename, media_type}, buffer 0 = the file. format: png | svg | csv
 *   preset {name}                    -> {inputs}: the inputs of the preset
 *   part {name, at}                  -> {received}; buffer 0 is a part of a log, starting at this byte; 0 starts a new log
 *   log {inputs, log}                -> Measured; log: the name of a log sent in parts, which the kernel then deletes
 *   headers {text}                   -> Measured: the limits in the headers of a response
 *   ping {}                          -> {}
 *
 * The text of a limit contains its scope: "100/min per user" (or IP, or endpoint).
 *
 * A field has the name of its trait, the rate of the first limit is "limits.0". A scale is the list of slider steps.
 */

import {
  flag,
  lenient,
  list,
  mapOf,
  number,
  oneOf,
  or,
  pair,
  type Read,
  type Reader,
  record,
  some,
  text,
  words,
} from "../core/decoders.js";
import { basics, cell, exportedAs, fieldShape, inputsOf, overlay, type Table, table } from "../plot/wire.js";

export type Row = [name: string, rate: string];
/** Inputs of the form are texts under the kernel's own names; the others have dedicated controls. */
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

export const inputLabels = lenient(or(mapOf(text), {}));

export const inputsNamed = (names: string[]) =>
  inputsOf<Inputs>({
    preset: words,
    algorithm: words,
    pattern: words,
    limits: rows,
    compare: or(flag, false),
    ...Object.fromEntries(names.map((name) => [name, words])),
  });

/** The kernel reads a limit as one text: "100/min per user" is the rate of each user. */
const LEVEL = /^(.*?)\s*(?:\/|\bper\b)\s*(ip|user|endpoint)\s*$/is;
export function splitLevel(limit: string): [rate: string, level: string] {
  const [, rate = limit, level = ""] = LEVEL.exec(limit) ?? [];
  return [rate, level.toLowerCase()];
}
export const withLevel = (rate: string, level: string) => (level ? `${rate} per ${level}` : rate);

/** Returns the text of one input. */
export function textOf(inputs: Inputs, name: string): string {
  const value = inputs[name];
  return typeof value === "string" ? value : "";
}

const entry = { id: text, title: text, note: words };
/** `level`: the input applies only to limits per user, IP or endpoint, or with "any" to all of these; "" for always.
 * `add`: title of a button that sets the input to the value that its frame suggests; "" for none. */
const field = record({ ...fieldShape, group: text, level: words, add: words });

export const catalog = record({
  presets: list(record({ id: text, title: text, kind: oneOf("tier", "api") })),
  algorithms: list(record(entry)),
  patterns: list(record(entry)),
  groups: list(record({ id: text, title: text })),
  levels: some(record({ id: text, title: text })),
  fields: list(field),
});

export const frame = record({
  ...basics,
  overlay,
  /** Facts on the preset of this id: published, assumed and changed ones. */
  preset: or(record({ id: words, facts: some(record({ text, source: words, changed: flag })) }), {
    id: "",
    facts: [],
  }),
  cards: some(record({ title: text, value: cell, note: words })),
  advice: or(record({ verdict: text, actions: list(text), reasons: list(text) }), {
    verdict: "",
    actions: [],
    reasons: [],
  }),
  table,
  figures: table,
  headers: some(record({ title: text, status: number, lines: some(pair(text, text)), body: words })),
  code: some(record({ title: text, code: text, note: words })),
  configs_title: words,
  configs: some(
    record({
      target: text,
      kind: text,
      text: words,
      deviations: some(text),
      problem: words,
    }),
  ),
  metrics: some(record({ title: text, value: cell, formula: words, inputs: words, source: words })),
});

export const exported = exportedAs("image/png", "image/svg+xml", "text/csv");

export type Catalog = Read<typeof catalog>;
export type Field = Read<typeof field>;
export type Frame = Read<typeof frame>;
export type { Table };
