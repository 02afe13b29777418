import type { Place } from "../../ui/mount.js";
import type { State } from "../state.js";

/** Context that every part of one view shares. */
export interface View extends Place {
  state: State;
}

/** The name of something that no kernel has told the title of: "base_url" is "Base url". */
export function wordsOf(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Label of an input. */
export function labelOf(state: State, name: string): string {
  return state.catalog()?.fields.find((each) => each.name === name)?.label ?? wordsOf(name);
}

/** Label of a cell's column. */
export function columnOf(state: State, name: string): string {
  return state.catalog()?.cells.find((each) => each.name === name)?.label ?? wordsOf(name);
}

/** Label of a row: "v2", or its position while it has no version. */
export function rowName(version: string, at: number): string {
  return version ? `v${version.replace(/^v/i, "")}` : `row ${at + 1}`;
}

/** Label of the input that an error is about; empty if it is not a single input. */
export function where(state: State, field: string): string {
  const [name = "", at = "", cell = ""] = field.split(".");
  if (name !== "versions") return name && labelOf(state, name);
  const row = state.inputs().versions[Number(at)];
  return cell && row ? `${columnOf(state, cell)}, ${rowName(row[0] ?? "", Number(at))}` : "Versions";
}
