import type { Place } from "../../ui/mount.js";
import type { State } from "../state.js";

/** Context shared by all parts of one view. */
export interface View extends Place {
  state: State;
}

/** Labels of the controls outside the form; the kernel sends those of its inputs. */
export const TITLES = {
  limits: "Rate limit",
  preset: "Preset",
  algorithm: "Algorithm",
  pattern: "Traffic pattern",
  compare: "Compare",
};

/** Returns the label of the input that an error is about; empty if it is not a single input. */
export function where(state: State, field: string): string {
  const name = field.split(".")[0] ?? "";
  return state.labels[name] ?? TITLES[name as "limits"] ?? "";
}
