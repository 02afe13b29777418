import { wordsOf } from "../../core/bytes.js";
import type { Place } from "../../ui/mount.js";
import type { State } from "../state.js";
import { rowName } from "../wire.js";

/** Context shared by all parts of one view. */
export interface View extends Place {
  state: State;
}

/** Returns the label of an input. */
export function labelOf(state: State, name: string): string {
  return state.catalog()?.fields.find((each) => each.name === name)?.label ?? wordsOf(name);
}

/** Returns the label of a column. */
export function columnOf(state: State, name: string): string {
  return state.catalog()?.cells.find((each) => each.name === name)?.label ?? wordsOf(name);
}

/** Returns the label of the input that an error is about; empty if it is not a single input. */
export function where(state: State, field: string): string {
  const [name = "", at = "", cell = ""] = field.split(".");
  if (name !== "versions") return name && labelOf(state, name);
  const row = state.inputs().versions[Number(at)];
  return cell && row ? `${columnOf(state, cell)}, ${rowName(row[0] ?? "", Number(at))}` : "Versions";
}
