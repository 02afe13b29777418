import type { Place } from "../../view/mount.js";
import type { State } from "../state.js";

/** What every part of one view can reach. */
export interface View extends Place {
  state: State;
}

export const TITLES = {
  limits: "Limit",
  preset: "Preset",
  algorithm: "Algorithm",
  pattern: "Traffic pattern",
  seed: "Seed",
  compare: "Compare",
};
