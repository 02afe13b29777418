/** Exports of the bundle that the lazy panels share: one Preact, one set of signals, the same parts. */
export { Fragment, h } from "preact";
export { randomHex } from "../crypto/primitives.js";
export { utcField } from "../generator/view/provider/ProviderBar.js";
export { createProviderPicker } from "../generator/view/provider/Providers.js";
export { missing, UrlField } from "../generator/view/request/Receiver.js";
export { createSecret } from "../generator/view/request/Secret.js";
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
} from "../ui/controls.js";
export { copyText } from "../ui/copy.js";
export { factsOf } from "../vault/known.js";
export { count } from "./bytes.js";
export { flag, list, mapOf, number, or, orNull, pair, record, text } from "./decoders.js";
export { latestOnly, nothing } from "./rpc.js";
export { type Computed, effect, signal } from "./signals.js";
