import type { Signal } from "../../core/signals.js";
import type { Place } from "../../ui/mount.js";
import type { Rewrites } from "../rewriting.js";
import type { Sender } from "../sending.js";
import type { State } from "../state.js";

export type PanelName = "generate" | "verify" | "check" | "history";

/** A request that Verify is to open. */
export interface ToVerify {
  provider: string;
  url: string;
  method: string;
  headers: [name: string, value: string][];
  body: Uint8Array;
  /** Name of the body. */
  name: string;
  /** Time to verify at, ISO 8601. */
  at: string;
  /** Sentences about its unknown parts. */
  notes?: string[];
}

/** Result of importing a recording that was pasted as the receiver's URL. */
export interface PasteResult {
  ok: boolean;
  text: string;
}

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
  /** The tab in front. */
  panel: Signal<PanelName>;
  /** The part of Check in front. */
  checkPart: Signal<"checks" | "run">;
  /** Taken by Verify as soon as it is drawn. */
  toVerify: Signal<ToVerify | null>;
  /** A recording that was pasted as the receiver's URL, until it is imported into the editor. */
  pasted: Signal<string>;
  /** Result of that import, until the next one. */
  pasteResult: Signal<PasteResult | null>;
}
