/** Exports of the main bundle to the lazy panels, so that both share one Preact, its signals and components. */
export { Fragment, h } from "preact";
export { count } from "../core/bytes.js";
export { copyText } from "../core/copy.js";
export { flag, list, mapOf, number, or, orNull, pair, record, text } from "../core/decoders.js";
export { latestOnly, nothing } from "../core/rpc.js";
export { type Computed, effect, signal } from "../core/signals.js";
export { randomHex } from "../crypto/primitives.js";
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
  ViewSwitch,
} from "../ui/controls.js";
export { TYPING_MS } from "./inputs.js";
export { factsOf } from "./secret-facts.js";
export { utcField } from "./view/provider/ProviderBar.js";
export { createProviderPicker } from "./view/provider/Providers.js";
export { missing, UrlField } from "./view/request/Receiver.js";
export { createSecret } from "./view/request/Secret.js";
