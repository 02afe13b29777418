/** The lazy parts of the front end, as a module each. */
import type * as Curves from "../crypto/curves.js";
import type * as Editor from "../entries/editor.js";
import type * as Panels from "../entries/panels.js";
import type * as Vault from "../vault/frame.js";
import type * as Shared from "./lazy-exports.js";

export interface Modules {
  editor: typeof Editor;
  /** Linked once by every widget, with the modules it shares. */
  panels: { default(require: () => typeof Shared): typeof Panels };
  vault: { default: typeof Vault };
  curves: { default: typeof Curves };
}
