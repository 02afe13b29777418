import type { Place } from "../../view/mount.js";
import type { State } from "../state.js";

/** What every part of one view can reach. */
export interface View extends Place {
  state: State;
}

/** What is called the same whatever the kernel says; all other names come with the catalog. */
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

/** What an error is about, in the words of the form; empty when it is no single input. */
export function where(state: State, field: string): string {
  const name = field.split(".")[0] ?? "";
  const title = state.catalog()?.fields.find((each) => each.name === name)?.label;
  return title ?? TITLES[name as "limits"] ?? "";
}
