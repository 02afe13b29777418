import type { Place } from "../../ui/mount.js";
import type { Rewrites } from "../rewriting.js";
import type { Sender } from "../sending.js";
import type { State } from "../state.js";

/**
 * Context that every panel of one view shares.
 *
 * A panel is made once for a view, by a `create…` function that gives back how to draw it. Its own state is signals in
 * that closure. The view draws as a whole after a change, so panels need no hooks.
 */
export interface View extends Place {
  state: State;
  sender: Sender;
  rewrites: Rewrites;
}
