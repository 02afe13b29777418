/** What the lazy panels use of the bundle that loads them: one Preact, one set of signals, the same parts. */
export { Fragment, h } from "preact";
export { count, rewritten } from "./bytes.js";
export { newestWins, nothing } from "./rpc.js";
export { flag, list, mapOf, number, or, orNull, pair, record, text } from "./shapes.js";
export { type Computed, effect, signal } from "./signals.js";
export { createProviderPicker } from "./view/Providers.js";
export { createSecret } from "./view/Secret.js";
export {
  Button,
  Chip,
  clockTime,
  createCopy,
  duration,
  HeaderTable,
  Hint,
  Pre,
  Section,
  SelectField,
  shortHash,
  Tabs,
  TextField,
} from "./view/ui.js";
