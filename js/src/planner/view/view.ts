import type { Place } from "../../view/mount.js";
import type { State } from "../state.js";

/** What every part of one view can reach. */
export interface View extends Place {
  state: State;
}

/** The name of something that no kernel has told the title of: "base_url" is "Base url". */
export function wordsOf(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How an input is called. */
export function labelOf(state: State, name: string): string {
  return state.catalog()?.fields.find((each) => each.name === name)?.label ?? wordsOf(name);
}

/** How the column of a cell is called. */
export function columnOf(state: State, name: string): string {
  return state.catalog()?.cells.find((each) => each.name === name)?.label ?? wordsOf(name);
}

/** What a row is called: "v2", or by its place while it has no version. */
export function rowName(version: string, at: number): string {
  return version ? `v${version.replace(/^v/i, "")}` : `row ${at + 1}`;
}

/** What an error is about, in the words of the form; empty when it is no single input. */
export function where(state: State, field: string): string {
  const [name = "", at = "", cell = ""] = field.split(".");
  if (name !== "versions") return name && labelOf(state, name);
  const row = state.inputs().versions[Number(at)];
  return cell && row ? `${columnOf(state, cell)}, ${rowName(row[0] ?? "", Number(at))}` : "Versions";
}
