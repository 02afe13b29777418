import type { Place } from "../../ui/mount.js";
import type { State } from "../state.js";

/** Context that every part of one view shares. */
export interface View extends Place {
  state: State;
}

/** Fixed labels; all other names come with the catalog. */
export const TITLES = {
  limits: "Limit",
  preset: "Preset",
  algorithm: "Algorithm",
  pattern: "Traffic pattern",
  seed: "Seed",
  compare: "Compare",
};

/** The name of something that no kernel has told the title of: "burst_window_s" is "Burst window". */
export function wordsOf(name: string): string {
  const words = name.replace(/_s$/, "").replaceAll(/[-_]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Label of the input that an error is about; empty if it is not a single input. */
export function where(state: State, field: string): string {
  const name = field.split(".")[0] ?? "";
  const title = state.catalog()?.fields.find((each) => each.name === name)?.label;
  return title ?? TITLES[name as "limits"] ?? "";
}
