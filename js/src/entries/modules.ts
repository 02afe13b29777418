/** Modules of the lazy parts. */
import type * as Curves from "../crypto/key-pairs.js";
import type * as Shared from "../generator/lazy-exports.js";
import type * as Vault from "../vault/frame.js";
import type * as Editor from "./editor.js";
import type * as Panels from "./panels.js";

export interface Modules {
  editor: typeof Editor;
  /** Linked once by each widget with the modules that it shares. */
  panels: { default(require: () => typeof Shared): typeof Panels };
  vault: { default: typeof Vault };
  curves: { default: typeof Curves };
}
