import type { Signal } from "../../core/signals.js";
import type { Place } from "../../ui/mount.js";
import type { Rewrites } from "../rewriting.js";
import type { Sender } from "../sending.js";
import type { State } from "../state.js";
import type { Delivery } from "../wire.js";

export type PanelName = "generate" | "verify" | "check" | "history";

/** A request to open in Verify. */
export interface ToVerify {
  provider: string;
  url: string;
  method: string;
  headers: [name: string, value: string][];
  /** Null if it is unknown. */
  body: Uint8Array | null;
  /** Name of the body. */
  name: string;
  /** Source of the request, for people; nothing for the generated one. */
  origin?: string;
  /** Time to verify at, ISO 8601. */
  at: string;
  /** Notes on its missing parts. */
  notes?: string[];
  /** The delivery, if its receiver rejected it. */
  rejected?: Delivery | null;
}

/** Result of importing a recording that was pasted as the receiver's URL. */
export interface PasteResult {
  /** Revision of the inputs that it is about. */
  revision: string;
  ok: boolean;
  text: string;
}

/**
 * Context shared by all panels of one view.
 *
 * A `create…` function makes a panel once per view and returns its render function. Its state is signals in that
 * closure. Each change renders the whole view, so panels need no hooks.
 */
export interface View extends Place {
  state: State;
  sender: Sender;
  rewrites: Rewrites;
  /** The selected tab. */
  panel: Signal<PanelName>;
  /** True if a runbook shows the whole generator. */
  whole: Signal<boolean>;
  /** The selected part of Check. */
  checkPart: Signal<"checks" | "run">;
  /** A request for Verify, which takes it as soon as it is rendered. */
  toVerify: Signal<ToVerify | null>;
  /** A recording that was pasted as the receiver's URL, until it is imported into the editor. */
  pasted: Signal<string>;
  /** Result of that import. */
  pasteResult: Signal<PasteResult | null>;
}
