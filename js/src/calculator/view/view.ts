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
