/** What the lazy panels use of the bundle that loads them: one Preact, one set of signals, the same parts. */
export { Fragment, h } from "preact";
export { count } from "./bytes.js";
export { newestWins } from "./rpc.js";
export { flag, list, number, or, orNull, pair, record, text } from "./shapes.js";
export { effect, signal } from "./signals.js";
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
