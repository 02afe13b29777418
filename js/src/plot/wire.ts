/**
 * Messages shared by the widgets with a picture: inputs are text traits, from which the kernel computes frames.
 *
 * REQUESTS of all of them, in the envelope of `../core/rpc.ts`; none changes a trait.
 *   catalog {}                                            -> labels of the inputs, and their options
 *   frame {inputs, width, dpr, theme, quick, scales, …}  -> Basics and more, buffer 0 = the picture unless there is an error.
 *                                       scales: id of the slider steps in this tab; a frame contains them if they differ
 *   export {inputs, theme, format, …}                     -> {filename, media_type}, buffer 0 = the file
 *   ping {}                                               -> {}
 *
 * A field has the name of its trait, a cell a name such as "limits.0". A scale is the list of slider steps.
 */
import {
  flag,
  lenient,
  list,
  mapOf,
  number,
  oneOf,
  or,
  orNull,
  type Read,
  type Reader,
  record,
  text,
  words,
} from "../core/decoders.js";

export const cell: Reader<string> = (value) => (typeof value === "number" ? String(value) : text(value));

export const basics = {
  error: orNull(record({ field: words, text })),
  fields: or(mapOf(record({ index: orNull(number), shown: words, note: words, suggested: words })), {}),
  scales: orNull(record({ id: text, steps: mapOf(list(text)) })),
  status: orNull(record({ level: oneOf("ok", "warn", "bad"), text })),
  picture: orNull(
    record({
      width: number,
      height: number,
      media_type: oneOf("image/png", "image/svg+xml"),
      alt: text,
      quick: or(flag, false),
      note: words,
    }),
  ),
};
const shape = record(basics);
export type Basics = Read<typeof shape>;

/** Lanes of a picture and the number of values of each series, for the crosshair. */
export const overlay = orNull(
  record({
    begin: number,
    end: number,
    /** True if the picture shows part of the time axis. */
    part: flag,
    unit: record({ name: text, seconds: number, decimals: number }),
    bins: record({ begin: number, width: number }),
    lanes: list(
      record({
        /** Left, top, width and height in CSS pixels. */
        place: list(number),
        title: words,
        series: list(record({ label: text, count: number, bins: flag })),
      }),
    ),
  }),
);
export type Overlay = NonNullable<Read<typeof overlay>>;

export interface Table {
  caption: string;
  columns: string[];
  rows: string[][];
  /** Explanation of a column; may be empty. */
  note?: string;
}
const NO_TABLE = { caption: "", columns: [], rows: [] };
export const table = or<Table>(
  record({ caption: words, columns: list(text), rows: list(list(cell)), note: words }),
  NO_TABLE,
);

/** Label and description of one input. */
export const fieldShape = {
  name: text,
  label: text,
  help: words,
  placeholder: words,
  optional: or(flag, false),
};

export function exportedAs(...types: string[]) {
  return record({ filename: text, media_type: oneOf(...types) });
}

export interface Inputs<I> {
  readonly names: (keyof I & string)[];
  /** Reads one input; an invalid value counts as not set. */
  read(name: keyof I, value: unknown): unknown;
  /** Reads the inputs that are present. */
  readonly some: Reader<Partial<I>>;
}

export function inputsOf<I extends object>(readers: { [N in keyof I & string]: Reader<I[N]> }): Inputs<I> {
  const names = Object.keys(readers) as (keyof I & string)[];
  return {
    names,
    read: (name, value) => lenient<unknown>(readers[name as keyof I & string])(value),
    some(value) {
      const entries = mapOf((entry) => entry)(value);
      const present = names.filter((name) => Object.hasOwn(entries, name));
      return Object.fromEntries(present.map((name) => [name, readers[name](entries[name])])) as Partial<I>;
    },
  };
}
