/** What the lazy panels use of the bundle that loads them: one Preact, one set of signals, the same parts. */
export { Fragment, h } from "preact";
export { count } from "./bytes.js";
export { flag, list, number, or, orNull, pair, record, text } from "./shapes.js";
export { signal } from "./signals.js";
export { providerOptions } from "./view/Choose.js";
export { createCombobox } from "./view/Combobox.js";
export { Result, StatusChip } from "./view/Result.js";
export { createSecret } from "./view/Secret.js";
export {
  Button,
  Chip,
  clockTime,
  duration,
  Hint,
  Pre,
  Section,
  SelectField,
  Tabs,
  TextField,
} from "./view/ui.js";
