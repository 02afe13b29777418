/**
 * Messages between kernel and planner, and decoders for those of the kernel; further requests are in `plot/wire.ts`.
 *
 * TRAITS are the inputs, saved in the notebook, as entered ("" = not given): the names in TEXTS, versions
 * [[version, released, deprecated, removed, stage, brownouts], ...] with at least one row; and locked, which only the
 * kernel sets. Rows of old notebooks have no brownouts, so five texts.
 *
 *   export {..., format, text} format: png | svg | ics | csv | md; text: the id of a text, for md
 *
 *   part {name, at}               -> {received}; buffer 0 is a part of a document, starting at this byte; 0 starts a new one
 *   usage {inputs, log}           -> Usage; log: the name of a document. Buffer 0 = CSV, buffer 1 = Markdown
 *   changes {inputs, old, new}    -> Changes; old, new: the names of two documents. Buffer 0 = the changes as text
 *
 * No document is saved: the kernel deletes it after use.
 *
 * A cell of a version is named "versions.0.deprecated". A quick frame has no texts and no table.
 */

import {
  flag,
  list,
  number,
  oneOf,
  or,
  orNull,
  pair,
  type Read,
  type Reader,
  record,
  some,
  text,
  words,
} from "../core/decoders.js";
import { basics, exportedAs, fieldShape, inputsOf, table } from "../plot/wire.js";

export const TEXTS = [
  "name",
  "base_url",
  "prefix",
  "vendor",
  "migration_guide",
  "zone",
  "months",
  "holidays",
  "headers_begin",
  "warn",
  "brownout_response",
  "at",
  "version",
] as const;
export const CELLS = ["version", "released", "deprecated", "removed", "stage", "brownouts"] as const;

export type Cell = (typeof CELLS)[number];
/** Values in the order of CELLS. */
export type Row = string[];
export type Inputs = Record<(typeof TEXTS)[number], string> & { versions: Row[] };

export const STABLE = "stable";
export const emptyRow = (): Row => CELLS.map((name) => (name === "stage" ? STABLE : ""));
/** True if the row has no text; the stage always has a value. */
export const isEmpty = (row: Row) => row.every((each, i) => !each || CELLS[i] === "stage");

/** Returns the inputs without empty rows at the end. */
export function trimmed(inputs: Inputs): Inputs {
  const last = inputs.versions.findLastIndex((row) => !isEmpty(row));
  return { ...inputs, versions: inputs.versions.slice(0, Math.max(1, last + 1)) };
}

const row: Reader<Row> = (value) => {
  const read = list(text)(value);
  return CELLS.map((name, i) => read[i] || (name === "stage" ? STABLE : ""));
};
const rows: Reader<Row[]> = (value) => {
  const read = some(row)(value);
  return read.length ? read : [emptyRow()];
};

export const inputs = inputsOf<Inputs>({
  ...(Object.fromEntries(TEXTS.map((name) => [name, words])) as Record<
    (typeof TEXTS)[number],
    Reader<string>
  >),
  versions: rows,
});

const entry = { id: text, title: text };
export const catalog = record({
  /** `choices` is empty for free text. */
  fields: list(record({ ...fieldShape, choices: some(record(entry)) })),
  cells: list(record(fieldShape)),
  stages: list(record(entry)),
  /** Suggested time zones; others may be typed. */
  zones: some(text),
  texts: list(record(entry)),
});

const level = oneOf("ok", "warn", "bad", "plain");
const answer = record({
  title: text,
  status: number,
  reason: words,
  lines: some(pair(text, text)),
  body: words,
  note: words,
  /** The headers as they are sent. */
  text: words,
});
const stop = orNull(record({ at: text, title: text }));

export const frame = record({
  ...basics,
  /** The date in words, and the milestones before and after it. */
  moment: or(record({ text: words, previous: stop, next: stop }), { text: "", previous: null, next: null }),
  versions: some(
    record({
      /** Index of the row. */
      row: number,
      version: text,
      title: text,
      level,
      status: text,
      advisories: some(text),
    }),
  ),
  /** The version whose headers are shown. */
  version: words,
  answer: orNull(answer),
  /** Responses to requests without a version or with an unknown one. */
  others: some(answer),
  table,
  texts: some(record({ id: text, text, when: words })),
  events: or(flag, false),
  /** Code that responds as the plan says. */
  install: some(record({ title: text, code: text, note: words })),
});

/** Calls in an access log. */
export const usage = record({ summary: words, trends: some(text), samples: some(text), tables: some(table) });

/** Changes between two API documents. */
export const changes = record({
  level: oneOf("ok", "bad"),
  verdict: text,
  /** The version that the changes need, if it is in no row. */
  next: orNull(record({ version: text, released: text })),
  summary: words,
  tables: some(table),
  not_compared: some(text),
});

export const exported = exportedAs(
  "image/png",
  "image/svg+xml",
  "text/calendar",
  "text/csv",
  "text/markdown",
);

export type Catalog = Read<typeof catalog>;
export type Field = Catalog["fields"][number];
export type Frame = Read<typeof frame>;
export type Changes = Read<typeof changes>;
export type Usage = Read<typeof usage>;
export type Answer = Read<typeof answer>;

/** Returns the label of a row: "v2", or its position while it has no version. */
export function rowName(version: string, at: number): string {
  return version ? `v${version.replace(/^v/i, "")}` : `row ${at + 1}`;
}
